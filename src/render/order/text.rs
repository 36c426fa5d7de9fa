//! Orders for people.

use super::super::answer::Page;
use super::super::table::Table;
use crate::priority::{OrderedGroup, Registered};

/// Groups in order, a row each, with the version whose APIService gave the group its priority.
pub(super) fn table(groups: &[OrderedGroup<'_>], page: Page) -> String {
    let mut headers = vec!["#", "GROUP", "PRIORITY", "FROM", "VERSIONS"];
    if page.wide {
        headers.extend(["APISERVICE", "VERSION PRIORITIES"]);
    }
    let mut table = Table::new(&headers, page);
    for (index, group) in groups.iter().enumerate() {
        let versions: Vec<&str> = group.versions.iter().map(|v| v.version).collect();
        let mut cells = vec![
            (index + 1).to_string(),
            if group.name.is_empty() { "(core)".to_owned() } else { group.name.to_owned() },
            priority(&group.carrier, group.carrier.group_priority),
            group.carrier.version.to_owned(),
            versions.join(" "),
        ];
        if page.wide {
            let each =
                |v: &Registered<'_>| format!("{}={}", v.version, priority(v, v.version_priority));
            cells.push(group.carrier.name.to_owned());
            cells.push(group.versions.iter().map(each).collect::<Vec<_>>().join(" "));
        }
        table.row(cells);
    }
    table.render()
}

fn priority(of: &Registered<'_>, number: i32) -> String {
    if of.inferred { "?".to_owned() } else { number.to_string() }
}
