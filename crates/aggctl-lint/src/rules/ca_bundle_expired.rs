//! Rule: the certificates of the caBundle have expired.

use crate::{ApiService, Category, Confidence, Finding, LintContext, Rule, Severity};
use aggctl_certificate::date;

pub(super) static RULE: Rule = Rule {
    name: "ca-bundle-expired",
    category: Category::Certificates,
    severity: Severity::Error,
    confidence: Confidence::High,
    fixable: false,
};

pub(super) fn check(service: &ApiService<'_>, scope: &LintContext<'_>, out: &mut Vec<Finding>) {
    let Some(bundle) = service.bundle() else { return };
    let expired = bundle.certificates.iter().filter(|c| c.not_after < scope.options.now);
    let Some(last) = expired.clone().max_by_key(|c| c.not_after) else { return };
    let whose = format!("`{}` expired on {}", last.subject, date(last.not_after));
    let finding = if expired.count() == bundle.certificates.len() {
        service.finding(&RULE, "spec.caBundle", format!("the caBundle's certificate {whose}"))
    } else {
        let message = format!("one of the caBundle's certificates, {whose}");
        service.finding(&RULE, "spec.caBundle", message).severity(Severity::Info)
    };
    out.push(finding);
}
