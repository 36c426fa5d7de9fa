//! Two groups are tied, and the two forms of discovery order them differently.

use super::protected_group::METRICS_GROUPS;
use crate::lint::{ApiService, Category, Check, Confidence, Finding, Rule, Scope, Severity};
use std::collections::BTreeMap;

pub(super) static RULE: Rule = Rule {
    name: "priority-tie",
    category: Category::Priorities,
    severity: Severity::Info,
    confidence: Confidence::High,
    fixable: false,
    check: Check::Together(check),
};

fn check(scope: &Scope<'_>, out: &mut Vec<Finding>) {
    // Each group stands where its highest priority puts it; of equals, the first name carries it.
    let mut tied: BTreeMap<(usize, i32), Vec<&ApiService<'_>>> = BTreeMap::new();
    for (unit, group) in scope.groups() {
        let carrier = group.own_carrier;
        // What the metrics groups serve is for programs, which name the group.
        if carrier.group_priority > 0 && !METRICS_GROUPS.contains(&carrier.group()) {
            tied.entry((unit, carrier.group_priority)).or_default().push(carrier);
        }
    }
    for carriers in tied.values() {
        let mut by_name = carriers.clone();
        by_name.sort_by_key(|c| &c.name);
        // `scope.groups` is sorted, so the carriers are in the order of their groups.
        for (legacy, aggregated) in by_name.iter().zip(carriers) {
            if legacy.group() != aggregated.group() {
                let message = format!(
                    "groupPriorityMinimum {} is shared, and `{}` takes the place of `{}` in the legacy /apis",
                    legacy.group_priority,
                    legacy.group(),
                    aggregated.group()
                );
                out.push(legacy.finding(&RULE, "spec.groupPriorityMinimum", message));
            }
        }
    }
}
