//! Rule: the caBundle contains no CA certificate.

use crate::{ApiService, Category, Confidence, Finding, LintContext, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    name: "ca-bundle-without-ca",
    category: Category::Certificates,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    fixable: false,
};

pub(super) fn check(service: &ApiService<'_>, _scope: &LintContext<'_>, out: &mut Vec<Finding>) {
    let Some(bundle) = service.bundle() else { return };
    let Some(first) = bundle.certificates.first() else { return };
    // A self-signed serving certificate is often pinned on purpose.
    if bundle.certificates.iter().all(|c| !c.may_sign() && !c.is_self_issued()) {
        let message = format!(
            "no certificate in the caBundle is a CA; `{}` verifies only itself",
            first.subject
        );
        out.push(service.finding(&RULE, "spec.caBundle", message));
    }
}
