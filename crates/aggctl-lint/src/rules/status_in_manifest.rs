//! Rule: the manifest contains a status.

use crate::{ApiService, Category, Confidence, Finding, Fix, LintContext, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    name: "status-in-manifest",
    category: Category::Operation,
    severity: Severity::Warning,
    confidence: Confidence::High,
    fixable: true,
};

pub(super) fn check(service: &ApiService<'_>, _scope: &LintContext<'_>, out: &mut Vec<Finding>) {
    if service.node(&["status"]).is_some() {
        let message = "status belongs to the server, which ignores it here";
        let mut finding = service.finding(&RULE, "status", message);
        finding.fix = Fix::remove(service.object.node, &["status"], "remove status").map(Box::new);
        out.push(finding);
    }
}
