//! Rule: the version is not in the form that Kubernetes can compare.

use crate::{ApiService, Category, Confidence, Finding, LintContext, Rule, Severity};
use kube_aggregation::model::KubeVersion;

pub(super) static RULE: Rule = Rule {
    name: "version-not-kube-like",
    category: Category::Priorities,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    fixable: false,
};

pub(super) fn check(service: &ApiService<'_>, scope: &LintContext<'_>, out: &mut Vec<Finding>) {
    if KubeVersion::parse(service.version()).is_some() || !service.has_group_version() {
        return;
    }
    let Some(group) = scope.group(service) else { return };
    if let Some(other) = group.kube_like_at(service.version_priority) {
        let message = format!(
            "`{}` sorts after `{other}` at the same versionPriority, because it does not look like v1 or v1beta1",
            service.version()
        );
        out.push(service.finding(&RULE, "spec.version", message));
    }
}
