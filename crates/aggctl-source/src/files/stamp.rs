//! Detects whether files have changed.

use std::hash::{BuildHasher, Hash, Hasher};
use std::path::PathBuf;

use super::walk::walk;

/// Hashes the names, sizes and modification times of all files below `paths`, including unreadable
/// files.
pub fn stamp(paths: &[PathBuf]) -> u64 {
    let mut sum = foldhash::fast::FixedState::default().build_hasher();
    for path in paths {
        let Ok(found) = walk(path, &|_, _| true) else { continue };
        for entry in found.files {
            entry.path.hash(&mut sum);
            let metadata = std::fs::metadata(&entry.path).ok();
            let state = metadata.map(|m| (m.len(), m.modified().ok()));
            state.hash(&mut sum);
        }
    }
    sum.finish()
}
