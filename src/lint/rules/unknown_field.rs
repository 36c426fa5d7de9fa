//! A field that an APIService does not have.

use super::refused;
use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::server::Refusal;
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "unknown-field",
    category: Category::Server,
    severity: Severity::Error,
    confidence: Confidence::High,
    server_rejects: true,
    fixable: false,
    summary: "A field that an APIService does not have",
    docs: Docs {
        what: "Reports fields that the API server does not know, at any depth.",
        why: "With strict field validation, kubectl's default, the server answers 400. Without it \
               the field is dropped silently, and what it was meant to say never happens.",
        example: include_str!("../../../testdata/lint/unknown-field/example.yaml"),
        remedy: "Correct the spelling, case included, or remove the field.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, _scope: &Scope<'_>, out: &mut Vec<Finding>) {
    refused(service, &RULE, Refusal::UnknownField, out);
}
