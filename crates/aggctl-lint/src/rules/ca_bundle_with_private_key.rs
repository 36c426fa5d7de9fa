//! Rule: the caBundle contains a private key.

use crate::{ApiService, Category, Confidence, Finding, LintContext, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    name: "ca-bundle-with-private-key",
    category: Category::Certificates,
    severity: Severity::Error,
    confidence: Confidence::High,
    fixable: false,
};

pub(super) fn check(service: &ApiService<'_>, _scope: &LintContext<'_>, out: &mut Vec<Finding>) {
    let Some(bundle) = service.bundle() else { return };
    if bundle.blocks.iter().any(|label| label.ends_with("PRIVATE KEY")) {
        let message =
            "the caBundle contains a private key, readable by anyone who can list APIServices";
        out.push(service.finding(&RULE, "spec.caBundle", message));
    }
}
