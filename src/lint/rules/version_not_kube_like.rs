//! The version is not of the form that Kubernetes can compare.

use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};
use crate::model::KubeVersion;

pub(super) static RULE: Rule = Rule {
    name: "version-not-kube-like",
    category: Category::Priorities,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    server_rejects: false,
    fixable: false,
    summary: "The version is not of the form that Kubernetes can compare",
    docs: Docs {
        what: "Reports a version that is not `v1`, `v1beta1`, `v2alpha3` or alike, where another \
               version of the group has the same `versionPriority`.",
        why: "Versions of equal priority are compared by their names, and one that is not kube- \
               like comes last: `v1` before `2024-05-01`, `v1alpha1` before `stable`.",
        example: include_str!("../../../testdata/lint/version-not-kube-like/example.yaml"),
        remedy: "Use a kube-like version, or give each version its own `versionPriority`. `aggctl \
               sort-versions --explain` shows the order.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, scope: &Scope<'_>, out: &mut Vec<Finding>) {
    if KubeVersion::parse(service.version()).is_some() || !service.has_group_version() {
        return;
    }
    let Some(group) = scope.group(service) else { return };
    if let Some(other) = group.kube_like_at(service.version_priority) {
        let message = format!(
            "`{}` comes after `{other}` at the same versionPriority, since it is not kube-like",
            service.version()
        );
        out.push(service.finding(&RULE, "spec.version", message));
    }
}
