//! Rule: the group is reserved for the Kubernetes project.

use crate::{ApiService, Category, Confidence, Finding, LintContext, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    name: "protected-group",
    category: Category::Conflicts,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    fixable: false,
};

/// Groups that the project defines and that others implement.
pub(super) const METRICS_GROUPS: [&str; 3] =
    ["metrics.k8s.io", "custom.metrics.k8s.io", "external.metrics.k8s.io"];

pub(super) fn check(service: &ApiService<'_>, scope: &LintContext<'_>, out: &mut Vec<Finding>) {
    let group = service.group();
    let protected = [".k8s.io", ".kubernetes.io"].iter().any(|suffix| group.ends_with(suffix))
        || matches!(group, "k8s.io" | "kubernetes.io");
    if protected
        && !METRICS_GROUPS.contains(&group)
        && !scope.is_built_in_group(group)
        && group != kube_aggregation::model::AGGREGATOR_GROUP
        && service.annotation("api-approved.kubernetes.io").is_none()
    {
        let message = format!("the group `{group}` is reserved for the Kubernetes project");
        out.push(service.finding(&RULE, "spec.group", message));
    }
}
