//! Orders for people.

use crate::priority::{OrderedGroup, Registered};
use crate::render::{Page, Table, joined};

/// Groups in order, a row each, with the version whose APIService gave the group its priority.
pub(super) fn table(groups: &[OrderedGroup<'_>], page: Page) -> String {
    let priorities = |group: &OrderedGroup<'_>| {
        let each = group.versions.iter();
        joined(each.map(|v| format!("{}={}", v.version, priority(v, v.version_priority))), " ")
    };
    Table::new(groups, page)
        .numbered()
        .column("GROUP", |group| if group.name.is_empty() { "(core)" } else { group.name })
        .column("PRIORITY", |group| priority(&group.carrier, group.carrier.group_priority))
        .column("FROM", |group| group.carrier.version)
        .column("VERSIONS", |group| joined(group.versions.iter().map(|v| v.version), " "))
        .wide("APISERVICE", |group| group.carrier.name)
        .wide("VERSION PRIORITIES", priorities)
        .render()
}

fn priority(of: &Registered<'_>, number: i32) -> String {
    if of.inferred { "?".to_owned() } else { number.to_string() }
}
