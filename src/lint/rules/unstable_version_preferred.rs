//! An alpha or beta version is preferred over a stable one.

use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};
use crate::model::{KubeVersion, Stage};

pub(super) static RULE: Rule = Rule {
    name: "unstable-version-preferred",
    category: Category::Priorities,
    severity: Severity::Warning,
    confidence: Confidence::High,
    server_rejects: false,
    fixable: false,
    summary: "An alpha or beta version is preferred over a stable one",
    docs: Docs {
        what: "Reports an alpha or beta version with a higher `versionPriority` than a stable \
               version of the same group, in the input or in the cluster.",
        why: "The version with the highest priority is the preferred one: kubectl and others use \
               it where no version is named.",
        example: include_str!("../../../testdata/lint/unstable-version-preferred/example.yaml"),
        remedy: "Give stable versions the higher `versionPriority`.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, scope: &Scope<'_>, out: &mut Vec<Finding>) {
    let unstable =
        |version: &str| KubeVersion::parse(version).is_some_and(|v| v.stage != Stage::Ga);
    if !unstable(service.version) || !service.has_group_version() {
        return;
    }
    let best = scope.group(service.group).and_then(|group| group.best_stable);
    if let Some(other) = best.filter(|v| v.version_priority < service.version_priority) {
        let message = format!(
            "{} is preferred over the stable {}: versionPriority {} against {}",
            service.version, other.version, service.version_priority, other.version_priority
        );
        out.push(service.finding(&RULE, "spec.versionPriority", message));
    }
}
