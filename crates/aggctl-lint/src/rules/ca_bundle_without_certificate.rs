//! Rule: the caBundle contains no certificate.

use super::missing_ca_bundle::filled_in_later;
use crate::{ApiService, Category, Confidence, Finding, LintContext, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    name: "ca-bundle-without-certificate",
    category: Category::Certificates,
    severity: Severity::Error,
    confidence: Confidence::High,
    fixable: false,
};

pub(super) fn check(service: &ApiService<'_>, scope: &LintContext<'_>, out: &mut Vec<Finding>) {
    let Some(bundle) = service.bundle() else { return };
    if bundle.blocks.is_empty()
        || !bundle.certificates.is_empty()
        || filled_in_later(service, scope)
    {
        return;
    }
    let message = if bundle.blocks.iter().any(|label| label == "CERTIFICATE") {
        "the API server cannot parse any certificate in the caBundle".to_owned()
    } else {
        format!("the caBundle has no certificate, only `{}`", bundle.blocks.join("`, `"))
    };
    out.push(service.finding(&RULE, "spec.caBundle", message));
}
