//! The group is missing or not a valid name.

use super::refused;
use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::server::Refusal;
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "invalid-group",
    category: Category::Server,
    severity: Severity::Error,
    confidence: Confidence::High,
    server_rejects: true,
    fixable: false,
    summary: "The group is missing or not a valid name",
    docs: Docs {
        what: "Reports a `spec.group` that is not a DNS subdomain, or that is empty. Only `v1` of \
               the core group has an empty one.",
        why: "The server answers 422.",
        example: include_str!("../../../testdata/lint/invalid-group/example.yaml"),
        remedy: "Use lowercase letters, digits, `-` and `.`, at most 253 of them: \
               `gauges.example.com`.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, _scope: &Scope<'_>, out: &mut Vec<Finding>) {
    refused(service, &RULE, Refusal::Group, out);
}
