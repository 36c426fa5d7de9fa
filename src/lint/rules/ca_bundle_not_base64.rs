//! The caBundle is not base64.

use super::refused;
use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::server::Refusal;
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "ca-bundle-not-base64",
    category: Category::Server,
    severity: Severity::Error,
    confidence: Confidence::High,
    server_rejects: true,
    fixable: false,
    summary: "The caBundle is not base64",
    docs: Docs {
        what: "Reports a `spec.caBundle` that cannot be decoded from base64.",
        why: "The server answers 400. Often the PEM text itself was pasted, or a line break became \
               a space.",
        example: include_str!("../../../testdata/lint/ca-bundle-not-base64/example.yaml"),
        remedy: "Encode the PEM file once: `base64 -w0 ca.crt`.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, _scope: &Scope<'_>, out: &mut Vec<Finding>) {
    refused(service, &RULE, Refusal::Base64, out);
}
