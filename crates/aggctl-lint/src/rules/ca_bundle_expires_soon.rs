//! Rule: the certificates of the caBundle expire soon.

use crate::{ApiService, Category, Confidence, Finding, LintContext, Rule, Severity};
use aggctl_certificate::date;

pub(super) static RULE: Rule = Rule {
    name: "ca-bundle-expires-soon",
    category: Category::Certificates,
    severity: Severity::Warning,
    confidence: Confidence::High,
    fixable: false,
};

pub(super) fn check(service: &ApiService<'_>, scope: &LintContext<'_>, out: &mut Vec<Finding>) {
    let Some(bundle) = service.bundle() else { return };
    let now = scope.options.now;
    let Some(last) = bundle.certificates.iter().max_by_key(|c| c.not_after) else { return };
    if last.not_after >= now && last.not_after - now < scope.options.expires_within {
        let days = (last.not_after - now) / 86_400;
        let message = format!(
            "the caBundle's certificate `{}` expires on {}, in {days} days",
            last.subject,
            date(last.not_after)
        );
        out.push(service.finding(&RULE, "spec.caBundle", message));
    }
}
