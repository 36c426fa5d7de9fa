//! Discovery documents and `/version`, as the API server writes them.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer};

use super::{Metadata, lenient};
use crate::model::{Minor, Verb, verb};

fn verbs<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Verb>, D::Error> {
    #[derive(Deserialize)]
    struct Word<'a>(#[serde(borrow)] Cow<'a, str>);
    let words: Vec<Word<'_>> = lenient(deserializer)?;
    Ok(words.into_iter().map(|word| verb(&word.0)).collect())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResourceList {
    pub group_version: String,
    #[serde(default, deserialize_with = "lenient")]
    pub resources: Vec<Resource>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Resource {
    #[serde(deserialize_with = "lenient")]
    pub name: String,
    #[serde(deserialize_with = "lenient")]
    pub singular_name: String,
    #[serde(deserialize_with = "lenient")]
    pub namespaced: bool,
    #[serde(deserialize_with = "lenient")]
    pub group: String,
    #[serde(deserialize_with = "lenient")]
    pub version: String,
    #[serde(deserialize_with = "lenient")]
    pub kind: String,
    #[serde(deserialize_with = "verbs")]
    pub verbs: Vec<Verb>,
    #[serde(deserialize_with = "lenient")]
    pub short_names: Vec<String>,
    #[serde(deserialize_with = "lenient")]
    pub categories: Vec<String>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Group {
    #[serde(deserialize_with = "lenient")]
    pub name: String,
    #[serde(deserialize_with = "lenient")]
    pub versions: Vec<VersionName>,
    #[serde(deserialize_with = "lenient")]
    pub preferred_version: VersionName,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct VersionName {
    #[serde(deserialize_with = "lenient")]
    pub version: String,
}

#[derive(Deserialize)]
pub(crate) struct AggregatedList {
    #[serde(default, deserialize_with = "lenient")]
    pub items: Vec<AggregatedGroup>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct AggregatedGroup {
    #[serde(deserialize_with = "lenient")]
    pub metadata: Metadata,
    #[serde(deserialize_with = "lenient")]
    pub versions: Vec<AggregatedVersion>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct AggregatedVersion {
    #[serde(deserialize_with = "lenient")]
    pub version: String,
    #[serde(deserialize_with = "lenient")]
    pub resources: Vec<AggregatedResource>,
    #[serde(deserialize_with = "lenient")]
    pub freshness: String,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct AggregatedResource {
    #[serde(deserialize_with = "lenient")]
    pub resource: String,
    #[serde(deserialize_with = "lenient")]
    pub response_kind: Kind,
    #[serde(deserialize_with = "lenient")]
    pub scope: String,
    #[serde(deserialize_with = "lenient")]
    pub singular_resource: String,
    #[serde(deserialize_with = "verbs")]
    pub verbs: Vec<Verb>,
    #[serde(deserialize_with = "lenient")]
    pub short_names: Vec<String>,
    #[serde(deserialize_with = "lenient")]
    pub categories: Vec<String>,
    #[serde(deserialize_with = "lenient")]
    pub subresources: Vec<AggregatedSubresource>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct AggregatedSubresource {
    #[serde(deserialize_with = "lenient")]
    pub subresource: String,
    #[serde(deserialize_with = "lenient")]
    pub response_kind: Kind,
    #[serde(deserialize_with = "verbs")]
    pub verbs: Vec<Verb>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct Kind {
    #[serde(deserialize_with = "lenient")]
    pub group: String,
    #[serde(deserialize_with = "lenient")]
    pub version: String,
    #[serde(deserialize_with = "lenient")]
    pub kind: String,
}

/// `/version`. Some distributions write a minor like `36+`.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Version {
    #[serde(deserialize_with = "lenient")]
    pub major: String,
    #[serde(deserialize_with = "lenient")]
    pub minor: String,
    #[serde(deserialize_with = "lenient")]
    pub git_version: String,
    #[serde(deserialize_with = "lenient")]
    pub emulation_major: String,
    #[serde(deserialize_with = "lenient")]
    pub emulation_minor: String,
}

impl Version {
    /// The version that the server emulates, which servers say since 1.33.
    pub(crate) fn emulation(&self) -> Option<Minor> {
        Minor::parse(&format!("{}.{}", self.emulation_major, self.emulation_minor))
    }
}
