//! The invariants of ARCHITECTURE.md that no lint can hold.

use std::path::Path;

use crate::{assert_none, repository};

/// What the pure core must not mention.
const IMPURE: &str = "crate::source crate::render crate::cli std::fs std::net std::env std::process \
                      clap colored reqwest tokio";

/// A module, and the words that its files must not mention.
const BOUNDARIES: &[(&str, &str)] = &[
    ("src/model", "crate:: serde std::fs std::io std::env clap colored"),
    ("src/routing", IMPURE),
    ("src/registry", IMPURE),
    ("src/discovery", IMPURE),
    ("src/health", IMPURE),
    ("src/priority.rs", IMPURE),
    ("src/priority", IMPURE),
    ("src/baseline", IMPURE),
    ("src/document", IMPURE),
    ("src/lint", IMPURE),
    ("src/doctor", IMPURE),
    ("src/access", IMPURE),
    ("src/flags.rs", IMPURE),
    ("src/gates", IMPURE),
    ("src/runtime_config.rs", IMPURE),
    ("src/availability", IMPURE),
    ("src/what_if", IMPURE),
    ("src/upgrade", IMPURE),
    ("src/usage", IMPURE),
    ("src/routes.rs", IMPURE),
    ("src/diff", IMPURE),
    ("src/conflict.rs", IMPURE),
    ("src/names", IMPURE),
    ("src/openapi", IMPURE),
    ("src/expectation", IMPURE),
    ("src/explain", IMPURE),
    ("src/knowledge", IMPURE),
    // It writes documents as `render` does, for its answers are bytes.
    (
        "src/replay",
        "crate::source crate::serve crate::cli std::fs std::net std::env std::process clap colored \
         hyper reqwest tokio",
    ),
    // The listener passes questions on: it knows no facts.
    ("src/serve", "crate::source crate::cli crate::registry crate::routing crate::render clap"),
    // Renderers decide nothing: they are given values, never what computes them.
    ("src/render", "crate::source crate::cli std::fs std::env clap Registry Router"),
    ("src/page", "crate::source crate::cli std::fs std::net std::env clap"),
    ("src/source", "crate::render crate::cli crate::routing clap colored"),
];

#[test]
fn modules_mention_only_what_they_may() {
    check(BOUNDARIES);
}

fn check(boundaries: &[(&str, &str)]) {
    let mut wrong = vec![];
    for &(module, forbidden) in boundaries {
        let files = rust_files(&repository(module));
        assert!(!files.is_empty(), "{module}");
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap();
            if is_test(&file) {
                continue;
            }
            for (number, line) in code.lines().enumerate() {
                let line = line.split("//").next().unwrap();
                if module == "src/model" && line.contains("crate::model") {
                    continue;
                }
                for word in forbidden.split(' ').filter(|word| line.contains(word)) {
                    wrong.push(format!("{}:{}: {word}", file.display(), number + 1));
                }
            }
        }
    }
    assert_none(&wrong);
}

/// What modules of the core must not know of each other: knowledge flows from the model upwards.
const DIRECTIONS: &[(&str, &str)] = &[
    ("src/registry", "crate::doctor crate::lint crate::routing crate::knowledge"),
    ("src/baseline", "crate::registry crate::routing"),
    ("src/access", "crate::doctor crate::lint crate::explain"),
    ("src/availability", "crate::doctor crate::lint crate::routing"),
    ("src/knowledge", "crate::doctor crate::lint crate::routing crate::explain"),
    ("src/routing", "crate::doctor crate::lint crate::explain"),
    ("src/discovery", "crate::doctor crate::lint crate::routing"),
    ("src/health", "crate::doctor crate::lint crate::explain"),
    ("src/names", "crate::doctor crate::lint crate::routing"),
    ("src/source", "crate::doctor crate::lint crate::explain"),
];

#[test]
fn knowledge_flows_one_way() {
    check(DIRECTIONS);
}

/// A code, its words and its documentation are one entry; a spelling is in no other place.
#[test]
fn every_code_is_one_entry() {
    for code in kube_aggregation::registry::Code::ALL {
        let entry = repository(&format!("src/knowledge/entries/{code}.md"));
        let text = std::fs::read_to_string(&entry).unwrap();
        for section in ["## Says", "## Why", "## Severity", "## What it means", "## What to run"] {
            assert_eq!(text.matches(section).count(), 1, "{code}: {section}");
        }
    }
}

/// Names that only the recordings have: the code models the mechanism, not the sample.
#[test]
fn no_name_of_a_recording_is_in_the_code() {
    let names = "wardle acme.io kcp.test zoo.dev edge.net broken.example metrics.example \
                 legacy.example.org nectar.test birch.missing umber.tie amber.example";
    for file in rust_files(&repository("src")) {
        let text = std::fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap();
        if is_test(&file) {
            continue;
        }
        for name in names.split(' ') {
            assert!(!code.contains(name), "{}: {name}", file.display());
        }
    }
}

fn is_test(file: &Path) -> bool {
    file.ends_with("tests.rs") || file.parent().is_some_and(|folder| folder.ends_with("tests"))
}

fn rust_files(path: &Path) -> Vec<std::path::PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let mut files = vec![];
    for entry in std::fs::read_dir(path).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    files
}

/// What all commands share, and is no command.
const SHARED: [&str; 4] = ["cluster.rs", "mod.rs", "source.rs", "terminal.rs"];

#[test]
fn files_stay_small_enough_to_read() {
    let commands = repository("src/cli");
    for file in rust_files(&repository("src")) {
        let lines = std::fs::read_to_string(&file).unwrap().lines().count();
        let name = file.file_name().unwrap().to_str().unwrap();
        let command = file.starts_with(&commands) && !SHARED.contains(&name);
        let most = if command { 200 } else { 450 };
        assert!(lines <= most, "{}: {lines} lines", file.display());
    }
}
