//! Rule: the certificates of the caBundle are not valid yet.

use crate::{ApiService, Category, Confidence, Finding, LintContext, Rule, Severity};
use aggctl_certificate::date;

pub(super) static RULE: Rule = Rule {
    name: "ca-bundle-not-yet-valid",
    category: Category::Certificates,
    severity: Severity::Warning,
    confidence: Confidence::High,
    fixable: false,
};

pub(super) fn check(service: &ApiService<'_>, scope: &LintContext<'_>, out: &mut Vec<Finding>) {
    let Some(bundle) = service.bundle() else { return };
    let Some(first) = bundle.certificates.iter().min_by_key(|c| c.not_before) else { return };
    if first.not_before > scope.options.now {
        let message = format!(
            "the caBundle's certificate `{}` is not valid before {}",
            first.subject,
            date(first.not_before)
        );
        out.push(service.finding(&RULE, "spec.caBundle", message));
    }
}
