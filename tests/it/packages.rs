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

/// The pages in Markdown, from the root of the repository.
fn pages() -> Vec<String> {
    let own = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"];
    let mut pages: Vec<String> = own.map(str::to_owned).into();
    for folder in ["docs", "packaging"] {
        let files = std::fs::read_dir(repository(folder)).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        pages.extend(names.filter(|n| n.ends_with(".md")).map(|n| format!("{folder}/{n}")));
    }
    pages
}

#[test]
fn links_lead_somewhere() {
    for page in pages() {
        let text = std::fs::read_to_string(repository(&page)).unwrap();
        let folder = repository(&page).parent().unwrap().to_owned();
        for (at, _) in text.match_indices("](") {
            let link = text[at + 2..].split(')').next().unwrap();
            let file = link.split('#').next().unwrap();
            let elsewhere = link.contains("://") || file.is_empty() || link.contains(' ');
            assert!(elsewhere || folder.join(file).exists(), "{page}: {link}");
        }
    }
}

#[test]
fn the_site_has_every_page() {
    let summary = std::fs::read_to_string(repository("docs/SUMMARY.md")).unwrap();
    for page in pages().iter().filter_map(|page| page.strip_prefix("docs/")) {
        let listed = page == "SUMMARY.md" || summary.contains(&format!("]({page})"));
        assert!(listed, "docs/SUMMARY.md lacks {page}");
    }
}
