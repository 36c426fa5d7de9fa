//! The APIService takes over a group version of Kubernetes itself.

use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "shadows-built-in",
    category: Category::Conflicts,
    severity: Severity::Error,
    confidence: Confidence::High,
    server_rejects: false,
    fixable: false,
    summary: "The APIService takes over a group version of Kubernetes itself",
    docs: Docs {
        what: "Reports an APIService with a Service whose group version is built into the API \
               server.",
        why: "Every request to it, also those of controllers and of the API server itself, leaves \
               for the Service.",
        example: include_str!("../../../testdata/lint/shadows-built-in/example.yaml"),
        remedy: "Use a group of your own.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, scope: &Scope<'_>, out: &mut Vec<Finding>) {
    let gv = &service.group_version;
    if service.service.is_some() && service.has_group_version() && scope.is_built_in(gv) {
        let message = format!("{gv} is built into Kubernetes, and would be taken over");
        out.push(service.finding(&RULE, "spec.service", message));
    }
}
