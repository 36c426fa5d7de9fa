//! versionPriority is missing or out of range.

use super::refused;
use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::server::Refusal;
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "invalid-version-priority",
    category: Category::Server,
    severity: Severity::Error,
    confidence: Confidence::High,
    server_rejects: true,
    fixable: false,
    summary: "versionPriority is missing or out of range",
    docs: Docs {
        what: "Reports a `spec.versionPriority` outside of 1 to 1000.",
        why: "The server answers 422. Its message says \"less than 1000\", but takes 1000 itself.",
        example: include_str!("../../../testdata/lint/invalid-version-priority/example.yaml"),
        remedy: "Use a number from 1 to 1000; 15 is customary for a single version.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, _scope: &Scope<'_>, out: &mut Vec<Finding>) {
    refused(service, &RULE, Refusal::VersionPriority, out);
}
