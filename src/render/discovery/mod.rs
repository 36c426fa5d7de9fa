//! Discovery documents: as tables, and as the server writes them.

mod json;
mod text;

pub(in crate::render) use json::{
    AggregatedGroupJson, AggregatedJson, DiscoveryGroupJson, GroupsJson, ResourcesJson,
    VersionsJson,
};

use serde::Serialize;

use super::format::Format;
use super::table::Grid;
use super::{Answer, ResponseMeta, TextOptions};
use kube_aggregation::discovery::{DiscoveryDocument, DocumentPage};
use kube_aggregation::model::GroupVersion;

/// A discovery document.
#[derive(Debug)]
pub struct DiscoveryAnswer<'a> {
    pub path: &'a str,
    pub page: &'a DocumentPage<'a>,
    pub meta: ResponseMeta<'a>,
}

impl Answer for DiscoveryAnswer<'_> {
    const MORE_FORMATS: &'static [Format] =
        &[Format::Wide, Format::Name, Format::Csv, Format::Markdown];

    fn text(&self, page: TextOptions) -> String {
        text::table(self.page, page).text()
    }

    fn json(&self) -> impl Serialize {
        json::document(self.page, self.meta)
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        json::lines(self.page, self.meta)
    }

    /// Returns the entries of the document as paths, which `route` and `discovery` take.
    fn names(&self) -> impl IntoIterator<Item = String> {
        let path =
            |group: &str, version: &String| GroupVersion::new(group, version.as_str()).root_path();
        match &self.page.document {
            DiscoveryDocument::Groups(groups) => (groups.iter())
                .flat_map(|g| g.versions.iter().map(|v| path(&g.name, v)))
                .collect::<Vec<_>>(),
            DiscoveryDocument::Group(group) => {
                group.versions.iter().map(|v| path(&group.name, v)).collect()
            }
            DiscoveryDocument::Aggregated(groups) => (groups.iter())
                .flat_map(|g| g.versions.iter().map(|v| path(&g.name, &v.version)))
                .collect(),
            DiscoveryDocument::Resources(gv, list) => (list.iter())
                // A subresource has no path without an object.
                .filter(|r| !r.name.contains('/'))
                .map(|r| format!("{}/{}", gv.root_path(), r.name))
                .collect(),
            DiscoveryDocument::Versions(versions) => {
                let root = self.path.trim_end_matches('/');
                versions.iter().map(|v| format!("{root}/{v}")).collect()
            }
        }
    }

    fn table(&self, options: TextOptions) -> Option<Grid> {
        Some(text::table(self.page, options))
    }
}
