//! Tests that the README and the other pages show the actual output of the binary.
//!
//! Runs every command `$ aggctl` of a `console` block, in a directory with `dump`, `deploy`,
//! `routes.yaml` and `audit.log`, and compares the output. `…` matches any text in a line, or any
//! lines if it is on its own. The dump is that of a recording, unless a comment before the block
//! names another: `<!-- dump: testdata/… -->`.

use std::path::Path;

use crate::{BLIND, repository};

const PAGES: [&str; 15] = [
    "docs/commands.md",
    "docs/access.md",
    "docs/ci.md",
    "docs/conflicts.md",
    "docs/doctor.md",
    "docs/explain.md",
    "docs/health.md",
    "docs/lint.md",
    "docs/live.md",
    "docs/mixed-control-planes.md",
    "docs/openapi.md",
    "docs/test.md",
    "docs/upgrade.md",
    "docs/usage.md",
    "docs/what-if.md",
];

const USUAL_DUMP: &str = "testdata/recordings/v1.36-mixed/dump";

/// A command, and its output on a page.
struct Example {
    place: String,
    dump: String,
    command: String,
    output: Vec<String>,
}

fn examples(page: &str) -> Vec<Example> {
    let text = std::fs::read_to_string(repository(page)).unwrap();
    let mut found: Vec<Example> = vec![];
    let (mut dump, mut inside) = (USUAL_DUMP.to_owned(), false);
    for (number, line) in text.lines().enumerate() {
        if let Some(rest) = line.strip_prefix("<!-- dump: ") {
            dump = rest.trim_end_matches(" -->").to_owned();
        } else if line.starts_with("```") {
            if inside {
                dump = USUAL_DUMP.to_owned();
            }
            inside = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| inside) {
            let place = format!("{page}:{}", number + 1);
            let (dump, command) = (dump.clone(), command.to_owned());
            found.push(Example { place, dump, command, output: vec![] });
        } else if let (true, Some(last)) = (inside, found.last_mut()) {
            last.output.push(line.to_owned());
        }
    }
    // Commands of other programs and commands without output are not run.
    found.retain(|one| one.command.starts_with("aggctl ") && !one.output.is_empty());
    found
}

/// Returns whether the lines match those on the page.
fn shows(shown: &[String], lines: &[&str]) -> bool {
    match shown.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first == "…" => {
            (0..=lines.len()).any(|skipped| shows(rest, &lines[skipped..]))
        }
        Some((first, rest)) => {
            lines.split_first().is_some_and(|(line, lines)| fits(first, line) && shows(rest, lines))
        }
    }
}

/// Returns whether a line matches the one on the page. `…` matches text that changes, such as ages.
fn fits(shown: &str, line: &str) -> bool {
    match shown.split_once('…') {
        _ if shown == line => true,
        None => false,
        Some((start, end)) => line.strip_prefix(start).is_some_and(|rest| rest.ends_with(end)),
    }
}

fn place_for(dump: &str) -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    copy(&repository(dump), &place.path().join("dump"));
    copy(&repository("testdata/examples"), place.path());
    copy(&repository("testdata/usage/audit.log.zst"), &place.path().join("audit.log"));
    place
}

fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        std::fs::create_dir_all(to).unwrap();
        for entry in std::fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            copy(&entry.path(), &to.join(entry.file_name()));
        }
    } else {
        std::fs::copy(from, to).unwrap();
    }
}

/// Runs aggctl and returns both streams in the order of writing.
fn printed(arguments: &[&str], directory: &Path) -> String {
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("aggctl"));
    command.args(arguments).current_dir(directory).stdin(std::process::Stdio::null());
    let output = std::fs::OpenOptions::new().append(true).open(file.path()).unwrap();
    command.stdout(output.try_clone().unwrap()).stderr(output);
    BLIND.iter().for_each(|name| {
        command.env_remove(name);
    });
    command.env("COLUMNS", "80").env("HOME", env!("CARGO_TARGET_TMPDIR"));
    command.status().unwrap();
    std::fs::read_to_string(file.path()).unwrap()
}

/// The commands of the README work as written in a checkout.
#[test]
fn the_readme_works_from_a_checkout() {
    const RUN: &str = "$ cargo run --release -- ";
    let text = std::fs::read_to_string(repository("README.md")).unwrap();
    let mut count = 0;
    for block in text.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        let Some(command) = block.strip_prefix(RUN) else { continue };
        let (command, output) = command.split_once('\n').unwrap();
        let words: Vec<&str> = command.split_whitespace().collect();
        assert_eq!(printed(&words, &repository("")), output, "$ {command}");
        count += 1;
    }
    assert_eq!(count, 2);
    assert!(text.contains("\n$ cargo test --locked\n"));
    assert!(text.lines().count() <= 150, "{} lines", text.lines().count());
}

#[test]
fn every_shown_output_is_real() {
    let (mut wrong, mut count) = (vec![], 0);
    for example in PAGES.iter().flat_map(|page| examples(page)) {
        count += 1;
        let place = place_for(&example.dump);
        let words: Vec<&str> = example.command.split_whitespace().skip(1).collect();
        let text = printed(&words, place.path());
        if !shows(&example.output, &text.lines().collect::<Vec<_>>()) {
            wrong.push(format!("{}: $ {}\n{text}", example.place, example.command));
        }
    }
    assert!(count > 15, "{count}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
