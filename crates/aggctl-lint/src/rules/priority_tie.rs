//! Rule: two groups have equal priorities, and the two forms of discovery order them differently.

use super::protected_group::METRICS_GROUPS;
use crate::{ApiService, Category, Confidence, Finding, LintContext, Rule, Severity};
use std::collections::BTreeMap;

pub(super) static RULE: Rule = Rule {
    name: "priority-tie",
    category: Category::Priorities,
    severity: Severity::Info,
    confidence: Confidence::High,
    fixable: false,
};

pub(super) fn check(scope: &LintContext<'_>, out: &mut Vec<Finding>) {
    // The highest priority determines a group's place. Ties are broken by the name of the
    // APIService.
    let mut tied: BTreeMap<(usize, i32), Vec<&ApiService<'_>>> = BTreeMap::new();
    for (unit, group) in scope.groups() {
        let carrier = group.own_carrier;
        // Only programs use the metrics groups, and they name the group.
        if carrier.group_priority > 0 && !METRICS_GROUPS.contains(&carrier.group()) {
            tied.entry((unit, carrier.group_priority)).or_default().push(carrier);
        }
    }
    for carriers in tied.values() {
        let mut by_name = carriers.clone();
        by_name.sort_by_key(|c| &c.name);
        // `scope.groups` is sorted, so the carriers are in group order.
        let moved = |(a, b): (&&ApiService<'_>, &&ApiService<'_>)| a.group() != b.group();
        let Some(first) = by_name.iter().zip(carriers).position(moved) else { continue };
        let last = by_name.iter().zip(carriers).rposition(moved).unwrap_or(first);
        let message = format!(
            "groups share groupPriorityMinimum {}: the order is {} in legacy discovery, but {} in aggregated discovery",
            by_name[first].group_priority,
            listed(&by_name[first..=last]),
            listed(&carriers[first..=last])
        );
        out.push(by_name[first].finding(&RULE, "spec.groupPriorityMinimum", message));
    }
}

fn listed(services: &[&ApiService<'_>]) -> String {
    const MAX: usize = 4;
    let names = services.iter().take(MAX).map(|service| format!("`{}`", service.group()));
    let mut text = names.collect::<Vec<_>>().join(", ");
    if let more @ 1.. = services.len().saturating_sub(MAX) {
        text.push_str(&format!(" and {more} more"));
    }
    text
}
