//! The version is missing or not a valid name.

use super::refused;
use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::server::Refusal;
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "invalid-version",
    category: Category::Server,
    severity: Severity::Error,
    confidence: Confidence::High,
    server_rejects: true,
    fixable: false,
    summary: "The version is missing or not a valid name",
    docs: Docs {
        what: "Reports a `spec.version` that is not a DNS label that starts with a letter.",
        why: "The server answers 422.",
        example: include_str!("../../../testdata/lint/invalid-version/example.yaml"),
        remedy: "Use `v1`, `v1beta1`, `v2alpha3` and the like.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, _scope: &Scope<'_>, out: &mut Vec<Finding>) {
    refused(service, &RULE, Refusal::Version, out);
}
