//! The maintainers' recordings of authorization decisions and of health endpoints.

use std::path::PathBuf;

use crate::harness::repository;
use crate::{decisions, health, recorded};

/// Returns a folder or file of the maintainers' recordings.
pub(crate) fn folder(path: &str) -> PathBuf {
    let shared = std::env::var_os("AGGCTL_SHARED").map(PathBuf::from);
    shared.unwrap_or_else(|| repository("../shared")).join(path)
}

/// Returns the folders in a folder whose names start like this.
pub(crate) fn folders(path: &str, start: &str) -> Vec<PathBuf> {
    let all = std::fs::read_dir(folder(path)).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<_> =
        all.filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with(start)).collect();
    assert!(!found.is_empty(), "{path} has no {start}*");
    found.sort();
    found
}

pub(crate) fn authorization_decisions_agree() {
    let mut compared = 0;
    for recording in folders("oracle", "") {
        if let Ok(lines) = std::fs::read_to_string(recording.join("access.jsonl")) {
            decisions::check(&lines, &recorded::load(&recording.join("dump")));
            compared += 1;
        }
    }
    assert!(compared > 0, "no recording has access.jsonl");
}

pub(crate) fn health_is_predicted() {
    for recording in folders("openapi/recordings", "health-") {
        let predicted = health::check_recording(&recording);
        assert!(predicted > 400, "{}: {predicted}", recording.display());
    }
}
