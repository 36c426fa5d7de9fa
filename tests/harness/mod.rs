//! What both integration binaries share: where the material is.

use std::path::{Path, PathBuf};

/// A file or folder of this repository.
pub(crate) fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// All recordings of real API servers, sorted by name.
pub(crate) fn recordings() -> Vec<PathBuf> {
    let root = repository("testdata/recordings");
    let mut found: Vec<_> = std::fs::read_dir(root).unwrap().map(|e| e.unwrap().path()).collect();
    found.sort();
    assert!(found.len() >= 6, "{found:?}");
    found
}

/// One recording.
pub(crate) fn recording(name: &str) -> PathBuf {
    repository("testdata/recordings").join(name)
}
