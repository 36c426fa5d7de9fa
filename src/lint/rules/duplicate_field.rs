//! A key is given twice.

use super::refused;
use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::server::Refusal;
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "duplicate-field",
    category: Category::Server,
    severity: Severity::Error,
    confidence: Confidence::High,
    server_rejects: true,
    fixable: false,
    summary: "A key is given twice",
    docs: Docs {
        what: "Reports a key that appears twice in the same object.",
        why: "The server refuses it with strict field validation. Clients that convert YAML first \
               keep the last one and drop the other without a word.",
        example: include_str!("../../../testdata/lint/duplicate-field/example.yaml"),
        remedy: "Remove one of them.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, _scope: &Scope<'_>, out: &mut Vec<Finding>) {
    refused(service, &RULE, Refusal::DuplicateField, out);
}
