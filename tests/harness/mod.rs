//! Helpers for all test binaries: where the test data is, and how a run looks in a snapshot.

use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::Value;

/// Returns a file or folder of this repository.
pub(crate) fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The recording inside the package kube-aggregation, which is tested on its own too.
const PACKAGED: &str = "crates/kube-aggregation/testdata/v1.36-crds";

/// Returns the folder of one recording that is not packed.
pub(crate) fn recording(name: &str) -> PathBuf {
    let packaged = repository(PACKAGED);
    if packaged.ends_with(name) { packaged } else { repository("testdata/recordings").join(name) }
}

/// Returns the folders of all recordings of real API servers, sorted by name. Unpacks the packed
/// ones, once per content.
pub(crate) fn recordings() -> Vec<PathBuf> {
    static FOUND: OnceLock<Vec<PathBuf>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let root = repository("testdata/recordings");
        let mut found: Vec<_> =
            std::fs::read_dir(root).unwrap().map(|e| unpacked_folder(e.unwrap().path())).collect();
        found.push(repository(PACKAGED));
        found.sort_by_key(|path| path.file_name().map(ToOwned::to_owned));
        assert!(found.len() >= 15, "{found:?}");
        found
    });
    found.clone()
}

fn unpacked_folder(path: PathBuf) -> PathBuf {
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

/// Returns the text of a gzip file.
pub(crate) fn unpacked(file: &Path) -> String {
    let packed = std::fs::File::open(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let mut text = String::new();
    flate2::read::GzDecoder::new(packed).read_to_string(&mut text).unwrap();
    text
}

/// Parses JSON, and shows it if it is not.
pub(crate) fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

/// Fails with the first of many complaints.
#[track_caller]
pub(crate) fn assert_none(wrong: &[String]) {
    let first = &wrong[..wrong.len().min(20)];
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), first.join("\n"));
}

/// Compares a committed file with what the code generates. `AGGCTL_BLESS=1` writes the file.
#[track_caller]
pub(crate) fn assert_generated(file: &str, text: &str) {
    let path = repository(file);
    if std::env::var_os("AGGCTL_BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == text, "{file} is stale: run the tests with AGGCTL_BLESS=1");
}

/// What one run of aggctl printed, and how it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) code: i32,
}

impl Run {
    /// Parses standard output as JSON.
    pub(crate) fn json(&self) -> Value {
        json(&self.out)
    }

    /// Replaces text that differs between machines or runs, such as a port or a temporary folder.
    pub(crate) fn showing(self, text: &str, name: &str) -> Self {
        Self { out: self.out.replace(text, name), err: self.err.replace(text, name), ..self }
    }
}

/// Formats a run for a snapshot: standard output, standard error behind `2> `, and the exit code
/// unless it is 0.
impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.out)?;
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            writeln!(f, "[no newline]")?;
        }
        for line in self.err.lines() {
            // An empty line stays free of trailing blanks.
            writeln!(f, "2>{}{line}", if line.is_empty() { "" } else { " " })?;
        }
        match self.code {
            0 => Ok(()),
            code => writeln!(f, "[exit {code}]"),
        }
    }
}

/// Runs several commands and returns what a terminal would show, for one snapshot of all of them.
/// Single quotes keep an argument together.
pub(crate) fn session<const N: usize>(run: impl Fn(&[&str]) -> Run, commands: [&str; N]) -> String {
    let show = |command: &str| {
        let arguments = split(command);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        format!("$ aggctl {command}\n{}", run(&arguments))
    };
    commands.map(show).join("\n")
}

fn split(command: &str) -> Vec<String> {
    let mut words = vec![];
    for (index, part) in command.split('\'').enumerate() {
        // Every second part was between quotes.
        match index % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}
