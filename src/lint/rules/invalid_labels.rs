//! A label has a key or a value that is not allowed.

use super::refused;
use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::server::Refusal;
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "invalid-labels",
    category: Category::Server,
    severity: Severity::Error,
    confidence: Confidence::High,
    server_rejects: true,
    fixable: false,
    summary: "A label has a key or a value that is not allowed",
    docs: Docs {
        what: "Reports label keys and values that break Kubernetes' rules for them.",
        why: "The server answers 422.",
        example: include_str!("../../../testdata/lint/invalid-labels/example.yaml"),
        remedy: "Keys are `name` or `prefix/name`; keys and values have at most 63 letters, digits, \
               `-`, `_` and `.`, and start and end with a letter or a digit.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, _scope: &Scope<'_>, out: &mut Vec<Finding>) {
    refused(service, &RULE, Refusal::Labels, out);
}
