//! Groups and versions in their order.

use serde::Serialize;

use super::paint::Paint;
use super::table::Table;
use crate::priority::OrderedGroup;

/// Groups in order, a row each.
pub fn order_table(groups: &[OrderedGroup<'_>], paint: Paint, wide: bool) -> String {
    let mut headers = vec!["#", "GROUP", "PRIORITY", "FROM APISERVICE", "VERSIONS"];
    if wide {
        headers.push("VERSION PRIORITIES");
    }
    let mut table = Table::new(&headers, paint);
    for (index, group) in groups.iter().enumerate() {
        let versions: Vec<&str> = group.versions.iter().map(|v| v.version).collect();
        let mut cells = vec![
            (index + 1).to_string(),
            if group.name.is_empty() { "(core)".to_owned() } else { group.name.to_owned() },
            group.carrier.group_priority.to_string(),
            group.carrier.name.to_owned(),
            versions.join(" "),
        ];
        if wide {
            let each = |v: &crate::priority::Registered<'_>| {
                format!("{}={}", v.version, v.version_priority)
            };
            cells.push(group.versions.iter().map(each).collect::<Vec<_>>().join(" "));
        }
        table.row(cells);
    }
    table.render()
}

#[derive(Debug, Serialize)]
struct OrderJson<'a> {
    form: &'a str,
    groups: Vec<GroupJson<'a>>,
}

#[derive(Debug, Serialize)]
struct PlacedJson<'a> {
    form: &'a str,
    place: usize,
    #[serde(flatten)]
    group: GroupJson<'a>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct GroupJson<'a> {
    name: &'a str,
    priority: i32,
    api_service: Option<&'a str>,
    preferred_version: Option<&'a str>,
    versions: Vec<VersionJson<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct VersionJson<'a> {
    version: &'a str,
    priority: i32,
    group_priority: i32,
    api_service: Option<&'a str>,
}

/// Groups in order, as the JSON contract has them.
pub fn order_json<'a>(form: &'a str, groups: &'a [OrderedGroup<'a>]) -> impl Serialize + 'a {
    OrderJson { form, groups: groups.iter().map(GroupJson::from).collect() }
}

/// Groups in order, each with its place, for a line each.
pub fn ordered_groups_json<'a>(
    form: &'a str,
    groups: &'a [OrderedGroup<'a>],
) -> Vec<impl Serialize + 'a> {
    let placed =
        |(index, group)| PlacedJson { form, place: index + 1, group: GroupJson::from(group) };
    groups.iter().enumerate().map(placed).collect()
}

impl<'a> From<&'a OrderedGroup<'a>> for GroupJson<'a> {
    fn from(g: &'a OrderedGroup<'a>) -> Self {
        let named = |name: &'a str| (!name.is_empty()).then_some(name);
        let versions = g.versions.iter().map(|v| VersionJson {
            version: v.version,
            priority: v.version_priority,
            group_priority: v.group_priority,
            api_service: named(v.name),
        });
        Self {
            name: g.name,
            priority: g.carrier.group_priority,
            api_service: named(g.carrier.name),
            preferred_version: g.versions.first().map(|v| v.version),
            versions: versions.collect(),
        }
    }
}
