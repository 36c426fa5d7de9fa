//! Tests that every documented command works from a checkout as written, and prints what its page
//! shows.
//!
//! Runs the commands of `console` blocks in the README and in docs/, one page after the other in
//! its own copy of the checkout. `…` matches any text in a line, or any lines if it is on its own.
//! A command without output must not end with a usage or input error. A command marked
//! `# needs a cluster` is not run. `AGGCTL_BLESS=1` rewrites the outputs.

use std::path::{Path, PathBuf};

use crate::{BLIND, repository};

/// The end of a command that is not run.
const NEEDS_CLUSTER: &str = "# needs a cluster";

/// Programs that pages use to prepare files for aggctl.
const HELPERS: [&str; 7] = ["cat", "cp", "echo", "grep", "mkdir", "sed", "rm"];

/// The sample cluster that the pages use.
const SAMPLE: &str = "examples/cluster";

/// A command, and its output on a page.
#[derive(Debug)]
struct Example {
    /// The index of the line with the command.
    line: usize,
    command: String,
    output: Vec<String>,
}

impl Example {
    /// Returns what to type in a shell, with the programs that the test has.
    fn typed(&self) -> Option<String> {
        let command = self.command.replace("cargo run --release --", "aggctl");
        let command = command.split(" | jq ").next().unwrap_or_default().to_owned();
        let program = command.split_whitespace().next().unwrap_or_default();
        let known = program == "aggctl" || HELPERS.contains(&program);
        let endless = command.starts_with("aggctl serve") || command.contains("curl ");
        (known && !endless && !command.ends_with(NEEDS_CLUSTER)).then_some(command)
    }

    /// Returns whether it starts aggctl, which must then be run or be marked.
    fn uses_aggctl(&self) -> bool {
        self.command.starts_with("aggctl ") || self.command.contains("| aggctl ")
    }
}

fn examples(text: &str) -> Vec<Example> {
    let mut found: Vec<Example> = vec![];
    let mut inside = false;
    for (line, content) in text.lines().enumerate() {
        if content.starts_with("```") {
            inside = content == "```console";
        } else if let Some(command) = content.strip_prefix("$ ").filter(|_| inside) {
            let command = command.trim_end().to_owned();
            found.push(Example { line, command, output: vec![] });
        } else if let (true, Some(last)) = (inside, found.last_mut()) {
            last.output.push(content.to_owned());
        }
    }
    for one in &mut found {
        while one.output.last().is_some_and(String::is_empty) {
            one.output.pop();
        }
    }
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

/// Returns whether a line matches the one on the page, except for ages. `…` matches other text that
/// changes.
fn fits(shown: &str, line: &str) -> bool {
    match shown.split_once('…') {
        _ if ageless(shown) == ageless(line) => true,
        None => false,
        Some((start, end)) => line.strip_prefix(start).is_some_and(|rest| rest.ends_with(end)),
    }
}

/// Returns a line without its ages, such as "7 days" and "7d".
fn ageless(line: &str) -> String {
    let units = ["second", "minute", "hour", "day", "week", "month", "year"];
    let words: Vec<&str> = line.split(' ').collect();
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    let aged = words.iter().enumerate().map(|(at, word)| {
        let next = words.get(at + 1).copied().unwrap_or_default();
        let short = word.trim_end_matches(',').strip_suffix(['s', 'm', 'h', 'd', 'y']);
        let is_age = is_number(word) && units.iter().any(|unit| next.starts_with(unit))
            || short.is_some_and(is_number);
        if is_age { "AGE" } else { word }
    });
    aged.collect::<Vec<_>>().join(" ")
}

/// Returns the lines to put on the page. What the page left out stays left out: as many lines as
/// before surround a `…`, and a line with a `…` stays if it still fits.
fn blessed(shown: &[String], lines: &[&str]) -> Vec<String> {
    let kept = |line: &&str| {
        let fitting = shown.iter().find(|old| *old != "…" && old.contains('…') && fits(old, line));
        fitting.cloned().unwrap_or_else(|| (*line).to_owned())
    };
    let Some(cut) = shown.iter().position(|line| line == "…") else {
        return lines.iter().map(kept).collect();
    };
    let (head, tail) = (cut, shown.len() - cut - 1);
    if head + tail >= lines.len() {
        return lines.iter().map(kept).collect();
    }
    let start = lines[..head].iter().map(kept);
    let end = lines[lines.len() - tail..].iter().map(kept);
    start.chain(["…".to_owned()]).chain(end).collect()
}

/// A copy of the checkout, as far as pages use it.
struct Checkout(tempfile::TempDir);

impl Checkout {
    fn new() -> Self {
        let place = tempfile::tempdir().unwrap();
        copy(&repository("examples"), &place.path().join("examples"));
        #[cfg(unix)]
        {
            use std::os::unix::fs::symlink;
            for name in ["testdata", "deploy", "docs"] {
                symlink(repository(name), place.path().join(name)).unwrap();
            }
            std::fs::create_dir(place.path().join(".bin")).unwrap();
            let binary = assert_cmd::cargo::cargo_bin("aggctl");
            symlink(binary, place.path().join(".bin/aggctl")).unwrap();
        }
        Self(place)
    }

    /// Runs a line in a shell. Returns both streams in the order of writing, and the exit code.
    fn run(&self, line: &str) -> (String, i32) {
        let file = tempfile::NamedTempFile::new().unwrap();
        let output = std::fs::OpenOptions::new().append(true).open(file.path()).unwrap();
        let mut command = std::process::Command::new("sh");
        command.args(["-c", line]).current_dir(&self.0).stdin(std::process::Stdio::null());
        command.stdout(output.try_clone().unwrap()).stderr(output);
        BLIND.iter().for_each(|name| {
            command.env_remove(name);
        });
        let path = format!("{}:/usr/bin:/bin", self.0.path().join(".bin").display());
        command.env("PATH", path).env("COLUMNS", "80").env("HOME", env!("CARGO_TARGET_TMPDIR"));
        let code = command.status().unwrap().code().unwrap();
        (std::fs::read_to_string(file.path()).unwrap(), code)
    }
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

/// Returns the README and every page of docs/.
pub(crate) fn pages() -> Vec<PathBuf> {
    let mut found = vec![repository("README.md"), repository("CONTRIBUTING.md")];
    let mut folders = vec![repository("docs")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[cfg_attr(not(unix), ignore = "needs sh")]
#[test]
fn documented_commands_work_as_written() {
    let bless = std::env::var_os("AGGCTL_BLESS").is_some();
    let (mut wrong, mut count) = (vec![], 0);
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let checkout = Checkout::new();
        let mut changes: Vec<(usize, usize, Vec<String>)> = vec![];
        for example in examples(&text) {
            let place = format!("{}:{}", page.display(), example.line + 1);
            let Some(typed) = example.typed() else {
                let marked = example.command.ends_with(NEEDS_CLUSTER)
                    || example.command.starts_with("aggctl serve");
                if example.uses_aggctl() && !marked {
                    wrong.push(format!("{place}: not run, and not marked: {}", example.command));
                }
                continue;
            };
            count += 1;
            let (printed, code) = checkout.run(&typed);
            let printed: Vec<&str> = printed.trim_end().lines().collect();
            let right = match example.output.as_slice() {
                [] => code <= 1,
                shown => shows(shown, &printed),
            };
            // An error is only ever shown on purpose.
            if !right && bless && !example.output.is_empty() && code <= 1 {
                let new = blessed(&example.output, &printed);
                changes.push((example.line + 1, example.output.len(), new));
            } else if !right {
                wrong.push(format!("{place}: $ {typed}\n{}\n[exit {code}]", printed.join("\n")));
            }
        }
        for (start, old, new) in changes.into_iter().rev() {
            lines.splice(start..start + old, new);
            std::fs::write(&page, lines.join("\n") + "\n").unwrap();
        }
    }
    assert!(count > 50, "{count}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// The commands of the README's table work on the sample cluster.
#[cfg_attr(not(unix), ignore = "needs sh")]
#[test]
fn the_readme_works_from_a_checkout() {
    let text = std::fs::read_to_string(repository("README.md")).unwrap();
    assert!(text.lines().count() <= 150, "{} lines", text.lines().count());
    assert!(text.contains("\n$ cargo test --locked\n"));
    assert!(text.matches("\n$ cargo run --release -- ").count() >= 2);
    let (checkout, cli, mut count) = (Checkout::new(), crate::command_line(), 0);
    for row in text.lines().filter(|line| line.starts_with("| ")) {
        for command in row.split('`').skip(1).step_by(2).filter(|code| code.starts_with("aggctl "))
        {
            let name = command.split_whitespace().nth(1).unwrap();
            let definition = cli.find_subcommand(name).unwrap_or_else(|| panic!("{command}"));
            if matches!(name, "serve" | "dump" | "verify") {
                continue;
            }
            let takes_source = definition.get_arguments().any(|one| one.get_id() == "dump");
            let named = command.contains("--dump") || command.contains("builtin");
            let line = match takes_source && !named && name != "lint" {
                true => format!("{command} --dump {SAMPLE}"),
                false => command.to_owned(),
            };
            let (printed, code) = checkout.run(&line);
            assert!(code <= 1, "$ {line}\n{printed}");
            count += 1;
        }
    }
    assert!(count >= 10, "{count}");
}

#[test]
fn blessing_keeps_what_a_page_leaves_out() {
    let check = |shown: &[&str], lines: &[&str], want: &[&str]| {
        let shown: Vec<String> = shown.iter().map(|line| (*line).to_owned()).collect();
        assert_eq!(blessed(&shown, lines), want);
    };
    check(&["a", "…"], &["x", "y", "z"], &["x", "…"]);
    check(&["a", "…", "d"], &["x", "y", "z"], &["x", "…", "z"]);
    check(&["a", "…", "d"], &["x", "z"], &["x", "z"]);
    check(&["port … of", "b"], &["port 17 of", "x"], &["port … of", "x"]);
}

#[test]
fn ages_are_not_compared() {
    assert!(fits("for 7 days, x", "for 12 days, x") && fits("helm, 12d ago", "helm, 3h ago"));
    assert!(!fits("port 443", "port 8443") && !fits("7 checks", "8 checks"));
}
