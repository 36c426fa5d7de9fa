//! The caBundle is not PEM.

use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "ca-bundle-not-pem",
    category: Category::Certificates,
    severity: Severity::Error,
    confidence: Confidence::High,
    server_rejects: false,
    fixable: false,
    summary: "The caBundle is not PEM",
    docs: Docs {
        what: "Reports a `spec.caBundle` whose bytes contain no PEM block at all: DER, PEM that was \
               encoded twice, or something else.",
        why: "The server stores it, and then answers every request to this group version with 500, \
               since it cannot build a connection from it.",
        example: include_str!("../../../testdata/lint/ca-bundle-not-pem/example.yaml"),
        remedy: "Encode the PEM text once: `base64 -w0 ca.crt`.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, _scope: &Scope<'_>, out: &mut Vec<Finding>) {
    let Some(bundle) = service.bundle() else { return };
    if !bundle.blocks.is_empty() {
        return;
    }
    let finding = if bundle.encoded_twice {
        service
            .finding(&RULE, "spec.caBundle", "the caBundle was encoded in base64 twice")
            .help("encode the PEM text once: `base64 -w0 ca.crt`")
    } else {
        service.finding(
            &RULE,
            "spec.caBundle",
            "the caBundle is not PEM, so the API server cannot connect with it",
        )
    };
    out.push(finding);
}
