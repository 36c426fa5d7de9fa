//! Rule: the caBundle contains no certificate.

use crate::{ApiService, Category, Confidence, Finding, LintContext, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    name: "ca-bundle-without-certificate",
    category: Category::Certificates,
    severity: Severity::Error,
    confidence: Confidence::High,
    fixable: false,
};

pub(super) fn check(service: &ApiService<'_>, _scope: &LintContext<'_>, out: &mut Vec<Finding>) {
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
