//! Orders as the JSON contract has them.

use schemars::JsonSchema;
use serde::Serialize;

use crate::priority::{OrderedGroup, Registered};
use crate::render::json::non_empty;

#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::render) struct OrderJson<'a> {
    form: &'a str,
    groups: Vec<GroupJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::render) struct PlacedJson<'a> {
    form: &'a str,
    place: usize,
    #[serde(flatten)]
    group: GroupJson<'a>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct GroupJson<'a> {
    name: &'a str,
    /// Absent where no APIService of the source says it.
    priority: Option<i32>,
    api_service: Option<&'a str>,
    preferred_version: Option<&'a str>,
    versions: Vec<VersionJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct VersionJson<'a> {
    version: &'a str,
    priority: Option<i32>,
    group_priority: Option<i32>,
    api_service: Option<&'a str>,
}

impl<'a> OrderJson<'a> {
    pub(super) fn new(form: &'a str, groups: &'a [OrderedGroup<'a>]) -> Self {
        Self { form, groups: groups.iter().map(GroupJson::from).collect() }
    }
}

impl<'a> PlacedJson<'a> {
    pub(super) fn all(form: &'a str, groups: &'a [OrderedGroup<'a>]) -> impl Iterator<Item = Self> {
        let groups = groups.iter().enumerate();
        groups.map(move |(index, group)| Self { form, place: index + 1, group: group.into() })
    }
}

impl<'a> From<&'a OrderedGroup<'a>> for GroupJson<'a> {
    fn from(g: &'a OrderedGroup<'a>) -> Self {
        let known = |of: &Registered<'_>| !of.inferred;
        let versions = g.versions.iter().map(|v| VersionJson {
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
