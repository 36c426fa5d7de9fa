//! The group has no domain.

use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "group-without-dot",
    category: Category::Conflicts,
    severity: Severity::Warning,
    confidence: Confidence::High,
    server_rejects: false,
    fixable: false,
    summary: "The group has no domain",
    docs: Docs {
        what: "Reports a group without a dot that is not built in.",
        why: "Groups without a domain (`apps`, `batch`) are Kubernetes' own: a later release may \
               bring the same one, and so may anybody else. The server refuses such a CRD, but \
               takes the APIService.",
        example: include_str!("../../../testdata/lint/group-without-dot/example.yaml"),
        remedy: "Use a name below a domain of your own: `gauges.example.com`.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, scope: &Scope<'_>, out: &mut Vec<Finding>) {
    let group = service.group();
    if service.has_group_version()
        && !group.is_empty()
        && !group.contains('.')
        && !scope.is_built_in_group(group)
    {
        let message = format!("the group `{group}` has no domain, as only Kubernetes' own have");
        let finding = service.finding(&RULE, "spec.group", message);
        out.push(finding.help("use a name below a domain of your own"));
    }
}
