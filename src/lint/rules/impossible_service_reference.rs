//! No Service can have that name.

use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::server::is_dns_label;
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "impossible-service-reference",
    category: Category::References,
    severity: Severity::Error,
    confidence: Confidence::High,
    server_rejects: false,
    fixable: false,
    summary: "No Service can have that name",
    docs: Docs {
        what: "Reports a `spec.service` with a name or namespace that no Service or namespace can \
               have. The server does not check that.",
        why: "The APIService is stored, and stays unavailable for good.",
        example: include_str!("../../../testdata/lint/impossible-service-reference/example.yaml"),
        remedy: "Correct the name: lowercase letters, digits and `-`, at most 63.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, _scope: &Scope<'_>, out: &mut Vec<Finding>) {
    let Some(target) = &service.service else { return };
    for (key, value, letter_first) in
        [("namespace", &target.namespace, false), ("name", &target.name, true)]
    {
        if !value.is_empty() && !is_dns_label(value, letter_first) {
            let what = if key == "name" { "Service" } else { "namespace" };
            let message = format!("no {what} can be called `{value}`");
            let finding = service.finding(&RULE, &format!("spec.service.{key}"), message);
            out.push(finding.help("use lowercase letters, digits and `-`, at most 63"));
        }
    }
}
