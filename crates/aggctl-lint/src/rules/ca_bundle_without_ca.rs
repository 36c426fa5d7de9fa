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
    if bundle.certificates.iter().all(|c| !c.ca) {
        let message = format!(
            "no certificate of the caBundle is an authority; `{}` verifies only itself",
            first.subject
        );
        out.push(service.finding(&RULE, "spec.caBundle", message));
    }
}
