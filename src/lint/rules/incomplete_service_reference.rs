//! The Service has no name or no namespace.

use super::refused;
use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::server::Refusal;
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "incomplete-service-reference",
    category: Category::Server,
    severity: Severity::Error,
    confidence: Confidence::High,
    server_rejects: true,
    fixable: false,
    summary: "The Service has no name or no namespace",
    docs: Docs {
        what: "Reports a `spec.service` without `name` or `namespace`.",
        why: "The server answers 422.",
        example: include_str!("../../../testdata/lint/incomplete-service-reference/example.yaml"),
        remedy: "Give both. An APIService has no namespace of its own that could be meant.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, _scope: &Scope<'_>, out: &mut Vec<Finding>) {
    refused(service, &RULE, Refusal::ServiceReference, out);
}
