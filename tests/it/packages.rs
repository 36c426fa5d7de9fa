//! What packages and recipes say of themselves.

use crate::repository;

/// The files that name a version of aggctl.
const FILES: [&str; 9] = [
    "README.md",
    "action.yml",
    "deploy/cronjob.yaml",
    "deploy/pushgateway.yaml",
    "docs/ci.md",
    "docs/install.md",
    "docs/monitoring.md",
    "packaging/README.md",
    "packaging/gitlab-ci.yml",
];

/// What stands directly before one.
const BEFORE: [&str; 9] = [
    "aggctl:",
    "aggctl==",
    "aggctl-v",
    "aggctl@v",
    "download/v",
    "raw/v",
    "rev: v",
    "AGGCTL_VERSION: ",
    "    default: ",
];

#[test]
fn recipes_are_of_this_version() {
    let version = env!("CARGO_PKG_VERSION");
    for file in FILES {
        let text = std::fs::read_to_string(repository(file)).unwrap();
        assert!(text.contains(version), "{file} does not name {version}");
        for before in BEFORE {
            for (at, _) in text.match_indices(before) {
                let rest = &text[at + before.len()..];
                if rest.starts_with(|c: char| c.is_ascii_digit()) {
                    let named = rest.split(['-', '/', ' ', '\n', ']', '`', ':']).next().unwrap();
                    let named = named.trim_end_matches(".cdx.json");
                    assert_eq!(named, version, "{file}: {before}{named}");
                }
            }
        }
    }
    let changelog = std::fs::read_to_string(repository("CHANGELOG.md")).unwrap();
    assert!(changelog.contains(&format!("\n## {version}")), "no entry for {version}");
}
