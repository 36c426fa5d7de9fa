//! A field of the metadata is not allowed.

use super::refused;
use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::server::Refusal;
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "invalid-metadata",
    category: Category::Server,
    severity: Severity::Error,
    confidence: Confidence::High,
    server_rejects: true,
    fixable: false,
    summary: "A field of the metadata is not allowed",
    docs: Docs {
        what: "Reports owner references that are incomplete or of which two are controllers, \
               finalizers that are no qualified names or that exclude each other, and a negative \
               generation.",
        why: "The server answers 422.",
        example: include_str!("../../../testdata/lint/invalid-metadata/example.yaml"),
        remedy: "Remove the field: a manifest rarely needs it.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, _scope: &Scope<'_>, out: &mut Vec<Finding>) {
    refused(service, &RULE, Refusal::Metadata, out);
}
