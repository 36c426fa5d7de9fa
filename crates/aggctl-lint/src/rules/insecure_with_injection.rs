//! Rule: the server will reject an injected caBundle, because verification is disabled.

use super::dead_ca_annotation::injector;
use crate::{ApiService, Category, Confidence, Finding, LintContext, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    name: "insecure-with-injection",
    category: Category::Certificates,
    severity: Severity::Error,
    confidence: Confidence::High,
    fixable: false,
};

pub(super) fn check(service: &ApiService<'_>, _scope: &LintContext<'_>, out: &mut Vec<Finding>) {
    if let (true, Some(key)) = (service.insecure_skip_tls_verify, injector(service)) {
        let message = format!(
            "`{key}` requests a caBundle, which the server rejects together with insecureSkipTLSVerify"
        );
        out.push(service.finding(&RULE, "spec.insecureSkipTLSVerify", message));
    }
}
