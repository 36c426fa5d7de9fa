//! Rule: versions of one group have different group priorities.

use crate::{ApiService, Category, Confidence, Finding, LintContext, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    name: "group-priority-mismatch",
    category: Category::Priorities,
    severity: Severity::Warning,
    confidence: Confidence::High,
    fixable: false,
};

pub(super) fn check(service: &ApiService<'_>, scope: &LintContext<'_>, out: &mut Vec<Finding>) {
    if !service.has_group_version() || service.group_priority <= 0 {
        return;
    }
    let Some(group) = scope.group(service) else { return };
    let highest = group.carrier;
    if highest.group_priority > service.group_priority {
        let message = format!(
            "groupPriorityMinimum {} has no effect: {} gives the group {}, and the highest counts",
            service.group_priority, highest.name, highest.group_priority
        );
        out.push(service.finding(&RULE, "spec.groupPriorityMinimum", message));
    }
}
