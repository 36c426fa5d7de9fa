//! The answer of `order`: groups and versions by priority.

use schemars::JsonSchema;
use serde::Serialize;

use super::format::Format;
use super::json::non_empty;
use super::table::Grid;
use super::{Answer, ResponseMeta, Table, TextOptions, joined};
use kube_aggregation::priority::{OrderedGroup, Precedence, Registered};

/// Groups in the order of one endpoint.
#[derive(Debug)]
pub struct OrderAnswer<'a> {
    /// The endpoint: `legacy`, `aggregated` or `openapi-v2`.
    pub form: &'a str,
    /// All groups, in order.
    pub groups: &'a [OrderedGroup<'a>],
    /// The places of the groups to show; all of them if there are none.
    pub shown: &'a [usize],
    pub meta: ResponseMeta<'a>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct OrderJson<'a> {
    form: &'a str,
    groups: Vec<OrderedGroupJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct PlacedJson<'a> {
    form: &'a str,
    place: usize,
    #[serde(flatten)]
    group: OrderedGroupJson<'a>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct OrderedGroupJson<'a> {
    name: &'a str,
    /// Null if no APIService of the source sets it.
    priority: Option<i32>,
    api_service: Option<&'a str>,
    preferred_version: Option<&'a str>,
    versions: Vec<OrderedVersionJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct OrderedVersionJson<'a> {
    version: &'a str,
    priority: Option<i32>,
    group_priority: Option<i32>,
    api_service: Option<&'a str>,
}

impl<'a> From<&'a OrderedGroup<'a>> for OrderedGroupJson<'a> {
    fn from(g: &'a OrderedGroup<'a>) -> Self {
        let known = |of: &Registered<'_>| !of.inferred;
        let versions = g.versions.iter().map(|v| OrderedVersionJson {
            version: v.version,
            priority: known(v).then_some(v.version_priority),
            group_priority: known(v).then_some(v.group_priority),
            api_service: non_empty(v.name),
        });
        Self {
            name: g.name,
            priority: known(&g.carrier).then_some(g.carrier.group_priority),
            api_service: non_empty(g.carrier.name),
            preferred_version: g.versions.first().map(|v| v.version),
            versions: versions.collect(),
        }
    }
}

impl Answer for OrderAnswer<'_> {
    const MORE_FORMATS: &'static [Format] =
        &[Format::Wide, Format::Name, Format::Csv, Format::Markdown];

    fn text(&self, page: TextOptions) -> String {
        table(&self.places(), page).text()
    }

    fn json(&self) -> impl Serialize {
        let groups =
            self.places().iter().map(|(_, group)| OrderedGroupJson::from(*group)).collect();
        self.meta.answer("Order", OrderJson { form: self.form, groups })
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        let placed = self.places().into_iter().map(|(place, group)| {
            let group = OrderedGroupJson::from(group);
            PlacedJson { form: self.form, place, group }
        });
        placed.map(|group| self.meta.answer("OrderedGroup", group))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        self.places().into_iter().map(|(_, group)| group.name.to_owned())
    }

    fn table(&self, options: TextOptions) -> Option<Grid> {
        Some(table(&self.places(), options))
    }
}

impl<'a> OrderAnswer<'a> {
    /// Returns the groups to show, with their place in the order.
    fn places(&self) -> Vec<(usize, &'a OrderedGroup<'a>)> {
        let is_shown = |place: &usize| self.shown.is_empty() || self.shown.contains(place);
        let all = self.groups.iter().enumerate().filter(|(place, _)| is_shown(place));
        all.map(|(place, group)| (place + 1, group)).collect()
    }
}

/// Returns one row per group, with the version whose APIService sets the group's priority.
fn table(groups: &[(usize, &OrderedGroup<'_>)], page: TextOptions) -> Grid {
    let priorities = |group: &OrderedGroup<'_>| {
        let each = group.versions.iter();
        joined(each.map(|v| format!("{}={}", v.version, priority(v, v.version_priority))), " ")
    };
    Table::new(groups, page)
        .column("#", |(place, _)| place.to_string())
        .column("GROUP", |(_, group)| if group.name.is_empty() { "(core)" } else { group.name })
        .column("PRIORITY", |(_, group)| priority(&group.carrier, group.carrier.group_priority))
        .column("SET BY", |(_, group)| group.carrier.version)
        .column("VERSIONS", |(_, group)| joined(group.versions.iter().map(|v| v.version), " "))
        .wrapped()
        .wide("APISERVICE", |(_, group)| group.carrier.name)
        .wide("VERSION PRIORITIES", |(_, group)| priorities(group))
        .grid()
}

fn priority(of: &Registered<'_>, number: i32) -> String {
    if of.inferred { "?".to_owned() } else { number.to_string() }
}

/// Explains why one of two groups, each with its position, comes first.
pub fn group_order(
    (place, first): (usize, &str),
    (later, second): (usize, &str),
    why: &Precedence<'_>,
) -> String {
    format!("{first} (#{place}) comes before {second} (#{later}): {why}.")
}

/// Explains why one of two versions of a group comes first.
pub fn version_order(group: &str, first: &str, second: &str, why: &Precedence<'_>) -> String {
    format!("{group}/{first} comes before {group}/{second}: {why}.")
}
