//! Rule: a version is preferred over a more stable one.

use crate::{ApiService, Category, Confidence, Finding, LintContext, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    name: "unstable-version-preferred",
    category: Category::Priorities,
    severity: Severity::Warning,
    confidence: Confidence::High,
    fixable: false,
};

pub(super) fn check(service: &ApiService<'_>, scope: &LintContext<'_>, out: &mut Vec<Finding>) {
    if !service.has_group_version() {
        return;
    }
    if let Some(other) = scope.group(service).and_then(|group| group.passed_over(service)) {
        let message = format!(
            "{} is preferred over the more stable {}: versionPriority {} against {}",
            service.version(),
            other.group_version.version,
            service.version_priority,
            other.version_priority
        );
        out.push(service.finding(&RULE, "spec.versionPriority", message));
    }
}
