//! The caBundle has no certificate in it.

use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "ca-bundle-without-certificate",
    category: Category::Certificates,
    severity: Severity::Error,
    confidence: Confidence::High,
    server_rejects: false,
    fixable: false,
    summary: "The caBundle has no certificate in it",
    docs: Docs {
        what: "Reports a `spec.caBundle` that is PEM, but has no block `CERTIFICATE` that can be \
               parsed.",
        why: "The server stores it, and then answers every request to this group version with 500: \
               a pool without certificates is an error.",
        example: include_str!("../../../testdata/lint/ca-bundle-without-certificate/example.yaml"),
        remedy: "Put the certificate of the authority there, not a key or a request.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, _scope: &Scope<'_>, out: &mut Vec<Finding>) {
    let Some(bundle) = service.bundle() else { return };
    if bundle.blocks.is_empty() || !bundle.certificates.is_empty() {
        return;
    }
    let message = if bundle.blocks.iter().any(|label| label == "CERTIFICATE") {
        "no certificate in the caBundle can be parsed".to_owned()
    } else {
        format!("the caBundle has no certificate, only `{}`", bundle.blocks.join("`, `"))
    };
    out.push(service.finding(&RULE, "spec.caBundle", message));
}
