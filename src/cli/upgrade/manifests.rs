//! Finds the objects of `-f` manifests that a newer Kubernetes does not serve, whatever their kind.

use std::collections::BTreeMap;
use std::path::PathBuf;

use aggctl_lint::{RemovedObject, removed_objects};
use aggctl_source::manifests::{self, Configuration};
use kube_aggregation::model::{GroupVersion, Minor};
use kube_aggregation::upgrade::{UpgradeFinding, What};

/// Returns a finding per kind and group version. What cannot be read was reported when the manifests
/// were applied.
pub(super) fn removed(files: &[PathBuf], to: Minor) -> Vec<UpgradeFinding> {
    let mut found: BTreeMap<(GroupVersion, String), (Minor, Vec<String>)> = BTreeMap::new();
    for manifest in manifests::read(files, &Configuration::None).manifests {
        for object in removed_objects(&manifest.bytes, to) {
            let RemovedObject { line, kind, group_version, since, .. } = object;
            let place = format!("{}:{line}", manifest.name);
            found.entry((group_version, kind)).or_insert((since, vec![])).1.push(place);
        }
    }
    let finding =
        |((gv, kind), (since, places)): ((GroupVersion, String), (Minor, Vec<String>))| {
            let finding = UpgradeFinding::new(What::ManifestsGone { gv, kind, places, to });
            UpgradeFinding { since: Some(since), ..finding }
        };
    found.into_iter().map(finding).collect()
}
