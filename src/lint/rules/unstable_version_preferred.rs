//! A version is preferred over a more stable one.

use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "unstable-version-preferred",
    category: Category::Priorities,
    severity: Severity::Warning,
    confidence: Confidence::High,
    server_rejects: false,
    fixable: false,
    summary: "A version is preferred over a more stable one",
    docs: Docs {
        what: "Reports an alpha or beta version with a higher `versionPriority` than a more stable \
               version of the same group, in the input or in the cluster.",
        why: "The version with the highest priority is the preferred one: kubectl and others use \
               it where no version is named.",
        example: include_str!("../../../testdata/lint/unstable-version-preferred/example.yaml"),
        remedy: "Give more stable versions the higher `versionPriority`.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, scope: &Scope<'_>, out: &mut Vec<Finding>) {
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
