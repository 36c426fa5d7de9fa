//! The APIService adds a version to a group of Kubernetes itself.

use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "joins-built-in-group",
    category: Category::Conflicts,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    server_rejects: false,
    fixable: false,
    summary: "The APIService adds a version to a group of Kubernetes itself",
    docs: Docs {
        what: "Reports an APIService for a version of a built-in group that the API server does not \
               serve.",
        why: "The group belongs to Kubernetes: a later release may bring that version. A local one \
               can never reach a CRD either, since the API server answers for the whole group and \
               says 404.",
        example: include_str!("../../../testdata/lint/joins-built-in-group/example.yaml"),
        remedy: "Use a group of your own.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, scope: &Scope<'_>, out: &mut Vec<Finding>) {
    let (gv, group, version) = (&service.group_version, service.group(), service.version());
    if !service.has_group_version()
        || !scope.is_built_in_group(group)
        || scope.is_built_in(gv)
        || group.is_empty()
    {
        return;
    }
    let finding = if service.service.is_some() {
        let message =
            format!("`{group}` is a group of Kubernetes itself, which may bring {version} one day");
        service.finding(&RULE, "spec.group", message)
    } else {
        let message = format!(
            "nothing answers for {gv}: the API server says 404 for the rest of a built-in group"
        );
        service.finding(&RULE, "spec.group", message).severity(Severity::Error)
    };
    out.push(finding);
}
