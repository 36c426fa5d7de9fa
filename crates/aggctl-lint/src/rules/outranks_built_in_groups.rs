//! Rule: the group precedes built-in groups.

use crate::{ApiService, Category, Confidence, Finding, LintContext, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    name: "outranks-built-in-groups",
    category: Category::Priorities,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    fixable: false,
};

pub(super) fn check(service: &ApiService<'_>, scope: &LintContext<'_>, out: &mut Vec<Finding>) {
    if scope.is_built_in_group(service.group()) || !service.has_group_version() {
        return;
    }
    let below = scope.built_in_groups_below(service.group_priority);
    if let Some(first) = below.first() {
        let others = match below.len() - 1 {
            0 => String::new(),
            count => format!(" and {count} more built-in groups"),
        };
        let message = format!(
            "groupPriorityMinimum {} puts this group before `{first}`{others}",
            service.group_priority
        );
        out.push(service.finding(&RULE, "spec.groupPriorityMinimum", message));
    }
}
