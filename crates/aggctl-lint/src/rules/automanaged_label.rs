//! Rule: the automanaged label makes controllers overwrite or delete the APIService.

use crate::{ApiService, Category, Confidence, Finding, LintContext, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    name: "automanaged-label",
    category: Category::Conflicts,
    severity: Severity::Error,
    confidence: Confidence::High,
    fixable: false,
};

pub(super) fn check(service: &ApiService<'_>, _scope: &LintContext<'_>, out: &mut Vec<Finding>) {
    const LABEL: &str = "kube-aggregator.kubernetes.io/automanaged";
    let Some(label) = service.node(&["metadata", "labels", LABEL]) else { return };
    if matches!(label.as_str(), Some("onstart" | "true")) {
        let message = "with this label, controllers overwrite or delete the object";
        let finding = Finding::new(&RULE, service.place_of(label.span), message)
            .field("metadata.labels")
            .object(service.title());
        out.push(finding);
    }
}
