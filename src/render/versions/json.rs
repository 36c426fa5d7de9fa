//! Versions as the JSON contract has them.

use schemars::JsonSchema;
use serde::Serialize;

use crate::model::KubeVersion;
use crate::priority::version_words;

#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::render) struct VersionOrderJson<'a> {
    versions: Vec<VersionJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct VersionJson<'a> {
    version: &'a str,
    kube_like: bool,
    reason: String,
}

impl<'a> VersionOrderJson<'a> {
    pub(super) fn new(versions: &'a [String]) -> Self {
        Self { versions: versions.iter().map(|version| VersionJson::new(version)).collect() }
    }
}

impl<'a> VersionJson<'a> {
    pub(super) fn new(version: &'a str) -> Self {
        Self {
            version,
            kube_like: KubeVersion::parse(version).is_some(),
            reason: version_words(version),
        }
    }
}
