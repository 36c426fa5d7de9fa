//! The port of the Service is out of range.

use super::refused;
use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::server::Refusal;
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "invalid-port",
    category: Category::Server,
    severity: Severity::Error,
    confidence: Confidence::High,
    server_rejects: true,
    fixable: false,
    summary: "The port of the Service is out of range",
    docs: Docs {
        what: "Reports a `spec.service.port` outside of 1 to 65535. Zero is not \"the default\": only \
               leaving the port out means 443.",
        why: "The server answers 422.",
        example: include_str!("../../../testdata/lint/invalid-port/example.yaml"),
        remedy: "Give the port of the Service (not of the pod), or leave it out for 443.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, _scope: &Scope<'_>, out: &mut Vec<Finding>) {
    refused(service, &RULE, Refusal::Port, out);
}
