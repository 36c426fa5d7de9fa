//! What both integration binaries share: where the material is.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A file or folder of this repository.
pub(crate) fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// All recordings of real API servers, sorted by name. Some are packed; they are unpacked once.
pub(crate) fn recordings() -> Vec<PathBuf> {
    static FOUND: OnceLock<Vec<PathBuf>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let root = repository("testdata/recordings");
        let mut found: Vec<_> =
            std::fs::read_dir(root).unwrap().map(|e| unpacked(e.unwrap().path())).collect();
        found.sort_by_key(|path| path.file_name().map(ToOwned::to_owned));
        assert!(found.len() >= 15, "{found:?}");
        found
    });
    found.clone()
}

/// The folder of a recording that may be packed: a new place for every content.
fn unpacked(path: PathBuf) -> PathBuf {
    let name = path.file_name().unwrap().to_str().unwrap();
    let Some(name) = name.strip_suffix(".tar.gz") else { return path };
    let packed = std::fs::read(&path).unwrap();
    let sum = packed.iter().fold(0u64, |sum, byte| sum.wrapping_mul(31) + u64::from(*byte));
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("recordings");
    let place = root.join(format!("{sum:x}"));
    if !place.is_dir() {
        std::fs::create_dir_all(&root).unwrap();
        let fresh = tempfile::tempdir_in(&root).unwrap();
        tar::Archive::new(flate2::read::GzDecoder::new(&*packed)).unpack(fresh.path()).unwrap();
        // Another process may have been faster.
        let _ = std::fs::rename(fresh.path(), &place);
    }
    place.join(name)
}

/// One recording.
pub(crate) fn recording(name: &str) -> PathBuf {
    repository("testdata/recordings").join(name)
}
