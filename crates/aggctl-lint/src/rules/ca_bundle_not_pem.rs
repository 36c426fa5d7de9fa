//! Rule: the caBundle is not PEM.

use super::missing_ca_bundle::filled_in_later;
use crate::{ApiService, Category, Confidence, Finding, LintContext, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    name: "ca-bundle-not-pem",
    category: Category::Certificates,
    severity: Severity::Error,
    confidence: Confidence::High,
    fixable: false,
};

pub(super) fn check(service: &ApiService<'_>, scope: &LintContext<'_>, out: &mut Vec<Finding>) {
    let Some(bundle) = service.bundle() else { return };
    if !bundle.blocks.is_empty() || filled_in_later(service, scope) {
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
