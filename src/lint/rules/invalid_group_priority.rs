//! groupPriorityMinimum is missing or out of range.

use super::refused;
use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::server::Refusal;
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "invalid-group-priority",
    category: Category::Server,
    severity: Severity::Error,
    confidence: Confidence::High,
    server_rejects: true,
    fixable: false,
    summary: "groupPriorityMinimum is missing or out of range",
    docs: Docs {
        what: "Reports a `spec.groupPriorityMinimum` outside of 1 to 20000.",
        why: "The server answers 422. Its message says \"less than 20000\", but takes 20000 itself.",
        example: include_str!("../../../testdata/lint/invalid-group-priority/example.yaml"),
        remedy: "Use a number from 1 to 20000. CRDs have 1000; most aggregated servers do well with \
               100 to 2000.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, _scope: &Scope<'_>, out: &mut Vec<Finding>) {
    refused(service, &RULE, Refusal::GroupPriority, out);
}
