//! Compares routes and merged discovery with what real API servers answered.
//!
//! This package contains one recording. The repository contains more.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests read files and fail loudly"
)]

mod agreement;

use std::path::{Path, PathBuf};

use agreement::Disagreement;
use kube_aggregation::{Snapshot, SnapshotBuilder};

#[test]
fn routes_agree_with_the_servers() {
    check(agreement::routes);
}

#[test]
fn legacy_discovery_agrees_with_the_servers() {
    check(agreement::legacy_discovery);
}

#[test]
fn aggregated_discovery_agrees_with_the_servers() {
    check(agreement::aggregated_discovery);
}

fn check(compare: fn(Snapshot, &Path) -> Result<(), Disagreement>) {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let packaged = folders(&package.join("testdata"));
    assert_eq!(packaged.len(), 1);
    for recording in packaged.into_iter().chain(folders(&package.join("../../testdata/recordings")))
    {
        let result = compare(load(&recording), &recording);
        assert!(result.is_ok(), "{}: {}", recording.display(), result.unwrap_err());
    }
}

/// Returns the folders inside a folder.
fn folders(of: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(of) else { return vec![] };
    entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect()
}

/// Reads every document of a recorded dump.
fn load(recording: &Path) -> Snapshot {
    let mut builder = SnapshotBuilder::default();
    for entry in std::fs::read_dir(recording.join("dump")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        builder.add_json(name, &std::fs::read_to_string(&path).unwrap()).unwrap();
    }
    builder.build("recording").0
}
