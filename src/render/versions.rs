//! Version strings in order, and why they sort as they do.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Answer, ResponseMeta, Table, TextOptions, sanitise};
use kube_aggregation::model::KubeVersion;
use kube_aggregation::priority::version_words;

/// Version strings in order.
#[derive(Debug)]
pub struct VersionsAnswer<'a> {
    /// Preferred first.
    pub versions: &'a [String],
    /// Say why each stands where it stands.
    pub explain: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct VersionOrderJson<'a> {
    versions: Vec<VersionJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct VersionJson<'a> {
    version: &'a str,
    kube_like: bool,
    reason: String,
}

impl<'a> From<&'a String> for VersionJson<'a> {
    fn from(version: &'a String) -> Self {
        let kube_like = KubeVersion::parse(version).is_some();
        Self { version, kube_like, reason: version_words(version) }
    }
}

impl Answer for VersionsAnswer<'_> {
    fn text(&self, page: TextOptions) -> String {
        if self.explain || page.wide {
            return Table::new(self.versions, page)
                .numbered()
                .column("VERSION", |version| version)
                .column("WHY", |version| version_words(version))
                .render();
        }
        let line = |name: &String| format!("{}\n", sanitise(name));
        self.versions.iter().map(line).collect()
    }

    fn json(&self) -> impl Serialize {
        let versions = self.versions.iter().map(VersionJson::from).collect();
        ResponseMeta::none().answer("VersionOrder", VersionOrderJson { versions })
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        let versions = self.versions.iter().map(VersionJson::from);
        versions.map(|version| ResponseMeta::none().answer("Version", version))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        self.versions.iter().cloned()
    }
}
