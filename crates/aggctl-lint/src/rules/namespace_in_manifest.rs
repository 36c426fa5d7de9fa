//! Rule: the manifest sets a namespace, but APIServices are cluster-scoped.

use crate::{ApiService, Category, Confidence, Finding, Fix, LintContext, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    name: "namespace-in-manifest",
    category: Category::Operation,
    severity: Severity::Warning,
    confidence: Confidence::High,
    fixable: true,
};

pub(super) fn check(service: &ApiService<'_>, _scope: &LintContext<'_>, out: &mut Vec<Finding>) {
    let Some(namespace) = service.node(&["metadata", "namespace"]) else { return };
    if namespace.as_str().is_some_and(|n| !n.is_empty()) {
        let message = "an APIService is cluster-wide: the server drops the namespace";
        let mut finding = service.finding(&RULE, "metadata.namespace", message);
        finding.fix =
            Fix::remove(service.object.node, &["metadata", "namespace"], "remove the namespace")
                .map(Box::new);
        out.push(finding);
    }
}
