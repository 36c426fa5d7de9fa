//! Version strings and why they sort as they do.

use serde::Serialize;

use super::paint::Paint;
use super::table::Table;
use crate::model::{KubeVersion, Stage};

/// Why a version string sorts where it does, in a few words.
pub fn version_words(version: &str) -> String {
    match KubeVersion::parse(version) {
        Some(KubeVersion { stage: Stage::Ga, major, .. }) => format!("stable, major {major}"),
        Some(KubeVersion { stage: Stage::Beta, major, minor }) => {
            format!("beta {minor} of major {major}")
        }
        Some(KubeVersion { stage: Stage::Alpha, major, minor }) => {
            format!("alpha {minor} of major {major}")
        }
        None => "not kube-like: after all that are, by bytes".to_owned(),
    }
}

/// Versions in order with the reason for each place.
pub fn versions_table(versions: &[String], paint: Paint) -> String {
    let mut table = Table::new(&["#", "VERSION", "WHY"], paint);
    for (index, version) in versions.iter().enumerate() {
        table.row([(index + 1).to_string(), version.clone(), version_words(version)]);
    }
    table.render()
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct VersionJson<'a> {
    version: &'a str,
    kube_like: bool,
    reason: String,
}

/// Versions in order, as the JSON contract has them.
pub fn versions_json(versions: &[String]) -> Vec<impl Serialize + '_> {
    let version = |text| VersionJson {
        version: text,
        kube_like: KubeVersion::parse(text).is_some(),
        reason: version_words(text),
    };
    versions.iter().map(String::as_str).map(version).collect()
}
