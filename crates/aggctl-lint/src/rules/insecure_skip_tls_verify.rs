//! Rule: the Service's certificate is not verified.

use crate::{ApiService, Category, Confidence, Finding, LintContext, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    name: "insecure-skip-tls-verify",
    category: Category::Certificates,
    severity: Severity::Warning,
    confidence: Confidence::High,
    fixable: false,
};

pub(super) fn check(service: &ApiService<'_>, _scope: &LintContext<'_>, out: &mut Vec<Finding>) {
    if service.insecure_skip_tls_verify && service.service.is_some() {
        let message = "the certificate of the Service is not verified";
        let finding = service.finding(&RULE, "spec.insecureSkipTLSVerify", message);
        out.push(finding.help("set a caBundle instead"));
    }
}
