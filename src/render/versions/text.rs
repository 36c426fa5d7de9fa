//! Versions for people.

use super::super::answer::Page;
use super::super::table::Table;
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
        None => "not a Kubernetes version: sorted last, by bytes".to_owned(),
    }
}

/// Versions in order with the reason for each place.
pub(super) fn table(versions: &[String], page: Page) -> String {
    let mut table = Table::new(&["#", "VERSION", "WHY"], page);
    for (index, version) in versions.iter().enumerate() {
        table.row([(index + 1).to_string(), version.clone(), version_words(version)]);
    }
    table.render()
}
