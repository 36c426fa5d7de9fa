//! The answer of `sort-versions`: version strings in order.

use schemars::JsonSchema;
use serde::Serialize;

use super::format::Format;
use super::table::Grid;
use super::{Answer, ResponseMeta, Table, TextOptions, sanitize};
use kube_aggregation::model::KubeVersion;
use kube_aggregation::priority::version_words;

/// Version strings in order.
#[derive(Debug)]
pub struct VersionsAnswer<'a> {
    /// Version strings, preferred first.
    pub versions: &'a [String],
    /// Whether to explain the order.
    pub explain: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct VersionOrderJson<'a> {
    versions: Vec<SortedVersionJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SortedVersionJson<'a> {
    version: &'a str,
    kube_like: bool,
    reason: String,
}

impl<'a> From<&'a String> for SortedVersionJson<'a> {
    fn from(version: &'a String) -> Self {
        let kube_like = KubeVersion::parse(version).is_some();
        Self { version, kube_like, reason: version_words(version) }
    }
}

impl VersionsAnswer<'_> {
    fn grid(&self, options: TextOptions) -> Grid {
        Table::new(self.versions, options)
            .numbered()
            .column("VERSION", |version| version)
            .column("WHY", |version| version_words(version))
            .grid()
    }
}

impl Answer for VersionsAnswer<'_> {
    const MORE_FORMATS: &'static [Format] =
        &[Format::Wide, Format::Name, Format::Csv, Format::Markdown];

    fn text(&self, page: TextOptions) -> String {
        if self.explain || page.wide {
            return self.grid(page).text();
        }
        let line = |name: &String| format!("{}\n", sanitize(name));
        self.versions.iter().map(line).collect()
    }

    fn json(&self) -> impl Serialize {
        let versions = self.versions.iter().map(SortedVersionJson::from).collect();
        ResponseMeta::none().answer("VersionOrder", VersionOrderJson { versions })
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        let versions = self.versions.iter().map(SortedVersionJson::from);
        versions.map(|version| ResponseMeta::none().answer("Version", version))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        self.versions.iter().cloned()
    }

    fn table(&self, options: TextOptions) -> Option<Grid> {
        Some(self.grid(options))
    }
}
