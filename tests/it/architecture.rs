//! Checks the invariants of ARCHITECTURE.md that neither the compiler nor a lint checks.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::{assert_none, repository};

/// Each library crate, and the crates of this workspace that it may depend on.
pub(crate) const LAYERS: &[(&str, &[&str])] = &[
    ("kube-aggregation", &[]),
    ("located-document", &[]),
    ("aggctl-certificate", &["kube-aggregation"]),
    ("aggctl-client", &["kube-aggregation", "located-document"]),
    ("aggctl-usage", &["kube-aggregation"]),
    ("aggctl-verify", &["kube-aggregation"]),
    ("aggctl-diagnose", &["aggctl-certificate", "kube-aggregation"]),
    ("aggctl-openapi", &["aggctl-diagnose", "kube-aggregation"]),
    (
        "aggctl-lint",
        &["aggctl-certificate", "aggctl-diagnose", "kube-aggregation", "located-document"],
    ),
    (
        "aggctl-source",
        &[
            "aggctl-certificate",
            "aggctl-client",
            "aggctl-diagnose",
            "aggctl-usage",
            "kube-aggregation",
            "located-document",
        ],
    ),
];

/// Crates that do I/O, use a terminal or parse arguments. Only `aggctl-source` and the binary may
/// depend on the first group, and only the binary on the second.
const NETWORK: &[&str] = &["hyper", "reqwest", "rustls", "tokio", "walkdir"];
const TERMINAL: &[&str] = &["anyhow", "clap", "colored", "dialoguer"];

#[test]
fn crates_depend_only_on_lower_layers() {
    let folders: BTreeSet<String> = std::fs::read_dir(repository("crates"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let listed: BTreeSet<String> = LAYERS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(folders, listed, "LAYERS lists every crate");
    for (name, layers) in LAYERS {
        let dependencies = dependencies(name);
        let own: Vec<&str> = (dependencies.iter().map(String::as_str))
            .filter(|dependency| listed.contains(*dependency))
            .collect();
        assert_eq!(&own, layers, "{name}");
        let allowed = |word: &&&str| *name == "aggctl-source" && NETWORK.contains(word);
        let forbidden = NETWORK.iter().chain(TERMINAL).filter(|word| !allowed(word));
        let wrong: Vec<_> = forbidden.filter(|word| dependencies.contains(**word)).collect();
        assert!(wrong.is_empty(), "{name} depends on {wrong:?}");
    }
}

/// Returns the keys of `[dependencies]`.
fn dependencies(name: &str) -> BTreeSet<String> {
    let manifest = repository(&format!("crates/{name}/Cargo.toml"));
    let text = std::fs::read_to_string(manifest).unwrap();
    let (_, section) = text.split_once("[dependencies]\n").unwrap();
    let section = section.split("\n[").next().unwrap();
    let key = |line: &str| line.split(['.', ' ']).next().unwrap().to_owned();
    section.lines().filter(|line| !line.is_empty()).map(key).collect()
}

/// Modules of the binary crate, and words that they must not mention.
const BOUNDARIES: &[(&str, &str)] = &[
    // It writes documents like `render`, because its responses are bytes.
    ("src/replay", "aggctl_source crate::serve crate::cli std::fs std::net std::env tokio hyper"),
    // The listener passes requests on and has no domain knowledge.
    ("src/serve", "aggctl_source crate::cli kube_aggregation crate::render clap"),
    // Renderers decide nothing. They get values, never what computes them.
    ("src/render", "crate::cli std::fs std::env clap Registry Router"),
    ("src/page", "crate::cli std::fs std::net std::env clap"),
    ("src/anonymize", "aggctl_source crate::cli std::fs std::env clap"),
    ("src/expectation", "crate::cli crate::render aggctl_source std::fs std::env clap"),
];

#[test]
fn modules_of_the_binary_keep_their_boundaries() {
    let mut wrong = vec![];
    for &(module, forbidden) in BOUNDARIES {
        let files = rust_files(&repository(module));
        assert!(!files.is_empty(), "{module}");
        for file in files {
            for (number, line) in code_lines(&file) {
                for word in forbidden.split(' ').filter(|word| line.contains(word)) {
                    wrong.push(format!("{}:{number}: {word}", file.display()));
                }
            }
        }
    }
    assert_none(&wrong);
}

/// A code, its wording and its documentation are one entry.
#[test]
fn every_code_is_one_entry() {
    for code in kube_aggregation::registry::Code::ALL {
        let entry = repository(&format!("crates/aggctl-diagnose/src/knowledge/entries/{code}.md"));
        let text = std::fs::read_to_string(&entry).unwrap();
        for section in ["## Says", "## Why", "## Severity", "## What it means", "## What to run"] {
            assert_eq!(text.matches(section).count(), 1, "{code}: {section}");
        }
    }
}

/// The code models the mechanism, so it contains no name that occurs only in recordings.
#[test]
fn no_name_of_a_recording_is_in_the_code() {
    let names = "wardle acme.io kcp.test zoo.dev edge.net broken.example metrics.example \
                 legacy.example.org nectar.test birch.missing umber.tie amber.example";
    for file in source_files() {
        for (number, line) in code_lines(&file) {
            for name in names.split(' ') {
                assert!(!line.contains(name), "{}:{number}: {name}", file.display());
            }
        }
    }
}

/// Options of aggctl that library crates may name, by file: in a command to copy, or because
/// kubectl has an option with the same name.
const NAMED_OPTIONS: &[(&str, &str)] = &[
    ("aggctl-diagnose/src/explain/commands.rs", "--as"),
    ("aggctl-diagnose/src/explain/refused.rs", "--as"),
    ("aggctl-diagnose/src/explain/refused.rs", "--user"),
    ("kube-aggregation/src/upgrade/finding.rs", "--direct"),
];

/// Errors of library crates are typed, and only `cli` knows the spelling of options. Options of
/// other programs, such as kube-apiserver, are allowed. Rust has no operator `--`, so every `--` in
/// code is inside a string.
#[test]
fn library_crates_name_no_options() {
    fn add(command: &clap::Command, options: &mut BTreeSet<String>) {
        let long = command.get_arguments().filter_map(clap::Arg::get_long);
        options.extend(long.map(|name| format!("--{name}")));
        command.get_subcommands().for_each(|command| add(command, options));
    }
    let mut options = BTreeSet::new();
    add(&crate::command_line(), &mut options);
    assert!(options.contains("--insecure-skip-tls-verify"), "{options:?}");
    let (mut wrong, mut used) = (vec![], BTreeSet::new());
    for file in source_files() {
        let Ok(inside) = file.strip_prefix(repository("crates")) else { continue };
        let inside = inside.to_str().unwrap().replace('\\', "/");
        for (number, line) in code_lines(&file) {
            let words = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
            for word in words.filter(|word| options.contains(*word)) {
                match NAMED_OPTIONS.iter().find(|known| **known == (inside.as_str(), word)) {
                    Some(known) => drop(used.insert(known)),
                    None => wrong.push(format!("{inside}:{number}: {word}")),
                }
            }
        }
    }
    assert_none(&wrong);
    assert_eq!(used.len(), NAMED_OPTIONS.len(), "an entry of NAMED_OPTIONS is unused: {used:?}");
}

#[test]
fn files_stay_small_enough_to_read() {
    for file in source_files() {
        let lines = std::fs::read_to_string(&file).unwrap().lines().count();
        assert!(lines <= 600, "{}: {lines} lines", file.display());
    }
}

/// Returns all Rust files of the binary and of the library crates.
fn source_files() -> Vec<PathBuf> {
    let crates = LAYERS.iter().map(|(name, _)| repository(&format!("crates/{name}/src")));
    crates.chain([repository("src")]).flat_map(|folder| rust_files(&folder)).collect()
}

/// Returns the numbered lines of a file outside tests, without comments. A test module starts at
/// `#[cfg(test)]` and ends at the next unindented brace.
fn code_lines(file: &Path) -> Vec<(usize, String)> {
    if file.ends_with("tests.rs") || file.components().any(|part| part.as_os_str() == "tests") {
        return vec![];
    }
    let text = std::fs::read_to_string(file).unwrap();
    let mut lines = vec![];
    let mut in_test = false;
    for (index, line) in text.lines().enumerate() {
        if line == "#[cfg(test)]" {
            in_test = true;
        } else if in_test && (line == "}" || line.starts_with("mod ") && line.ends_with(';')) {
            in_test = false;
        } else if !in_test {
            lines.push((index + 1, line.split("//").next().unwrap().to_owned()));
        }
    }
    lines
}

pub(crate) fn rust_files(path: &Path) -> Vec<PathBuf> {
    let files = walkdir::WalkDir::new(path).sort_by_file_name().into_iter();
    let files = files.map(|entry| entry.unwrap().into_path());
    files.filter(|file| file.extension().is_some_and(|extension| extension == "rs")).collect()
}
