//! When Kubernetes served what, as the JSON contract has it.

use schemars::JsonSchema;
use serde::Serialize;

use crate::baseline::{MINORS, Row};

#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::render) struct HistoryJson<'a> {
    /// The minors that are built in: those that `served` is about.
    kubernetes: Vec<String>,
    items: Vec<RowJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct RowJson<'a> {
    group_version: String,
    /// Null for the whole group version.
    resource: Option<&'a str>,
    /// The built-in minors that serve it by default.
    served: Vec<String>,
    /// The first minor that served it, where that is known.
    since: Option<String>,
    /// The last minor that served it; null where the newest one does.
    until: Option<String>,
    /// What the newest has in its place.
    instead: Option<InsteadJson>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct InsteadJson {
    group_version: String,
    since: Option<String>,
}

impl<'a> HistoryJson<'a> {
    pub(super) fn new(rows: &'a [Row]) -> Self {
        Self {
            kubernetes: MINORS.iter().map(ToString::to_string).collect(),
            items: rows.iter().map(RowJson::new).collect(),
        }
    }
}

impl<'a> RowJson<'a> {
    pub(super) fn new(row: &'a Row) -> Self {
        let served = MINORS.iter().filter(|minor| row.span.recorded.contains(**minor));
        Self {
            group_version: row.group_version.to_string(),
            resource: row.resource.as_deref(),
            served: served.map(ToString::to_string).collect(),
            since: row.span.since.map(|minor| minor.to_string()),
            until: row.span.until.map(|minor| minor.to_string()),
            instead: row.instead.as_ref().map(|(gv, since)| InsteadJson {
                group_version: gv.to_string(),
                since: since.map(|minor| minor.to_string()),
            }),
        }
    }
}
