//! What a user relies on, through the library's front door and through the real binary.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "tests read files and fail loudly"
)]

#[path = "../harness/mod.rs"]
mod harness;

mod access;
mod architecture;
mod bad_input;
mod bundles;
mod diff;
mod discovery;
mod distributions;
mod doctor;
mod documented;
mod expectations;
mod formats;
mod generated;
mod health;
mod layouts;
mod lint;
mod openapi;
mod output;
mod packages;
mod partial;
mod random;
mod recordings;
mod report;
mod scenarios;
mod schema;
mod trials;
mod upgrade;
mod usage;
mod versions;
mod what_if;

use std::io::Read;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde::Deserialize;
use serde_json::Value;

use aggctl_source::{self, Source};
use harness::{recording, recordings, repository};
use kube_aggregation::model::Snapshot;
use kube_aggregation::routing::{Method, Target};

/// The dump of a recording.
fn dump(name: &str) -> PathBuf {
    recording(name).join("dump")
}

/// The dump of a recording, read.
fn load(recording: &Path) -> Snapshot {
    aggctl_source::load(&Source::Dump(vec![recording.join("dump")])).unwrap().snapshot
}

/// A request that was sent to a real server, and what became of it.
#[derive(Clone, Deserialize)]
struct Recorded {
    method: String,
    path: String,
    #[serde(default)]
    hops: Vec<RecordedHop>,
    outcome: String,
    status: Option<u16>,
    service: Option<String>,
}

#[derive(Clone, Deserialize)]
struct RecordedHop {
    server: String,
    r#match: String,
    pattern: Option<String>,
}

impl Recorded {
    fn method(&self) -> Method {
        Method::parse(&self.method).unwrap()
    }

    fn target(&self) -> Target<'_> {
        Target::parse(self.method(), &self.path).unwrap()
    }
}

/// The requests of a recording.
fn requests(recording: &Path) -> Vec<Recorded> {
    let lines = std::fs::read_to_string(recording.join("requests.jsonl")).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Recordings that are too large for this repository, where they are at hand.
fn shared(path: &str) -> PathBuf {
    let shared = std::env::var_os("AGGCTL_SHARED").map(PathBuf::from);
    shared.unwrap_or_else(|| repository("../shared")).join(path)
}

/// The text of a file that gzip packed.
fn unpacked(file: &Path) -> String {
    let packed = std::fs::File::open(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let mut text = String::new();
    flate2::read::GzDecoder::new(packed).read_to_string(&mut text).unwrap();
    text
}

/// Fails with the first of many complaints.
#[track_caller]
fn assert_none(wrong: &[String]) {
    let first = &wrong[..wrong.len().min(20)];
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), first.join("\n"));
}

/// What a machine may have configured, and no test may see.
const BLIND: [&str; 5] =
    ["AGGCTL_DUMP", "KUBECONFIG", "NO_COLOR", "CLICOLOR_FORCE", "KUBERNETES_SERVICE_HOST"];

/// The real binary, blind to whatever the machine that runs the tests has configured.
fn aggctl(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("aggctl").unwrap();
    command.args(arguments);
    for name in BLIND {
        command.env_remove(name);
    }
    command.env("COLUMNS", "80").env("HOME", env!("CARGO_TARGET_TMPDIR"));
    command
}

/// The same in the root of the repository, for paths that are shown.
fn aggctl_at_root(arguments: &[&str]) -> Command {
    let mut command = aggctl(arguments);
    command.current_dir(repository(""));
    command
}

/// What a run printed and how it ended.
struct Run {
    out: String,
    err: String,
    code: i32,
}

impl Run {
    /// What was printed, as JSON.
    fn json(&self) -> Value {
        json(&self.out)
    }
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

fn run(arguments: &[&str]) -> Run {
    finish(&mut aggctl(arguments))
}

/// Asks a question about a dump.
fn run_on(dump: &Path, arguments: &[&str]) -> Run {
    run(&[arguments, &["--dump", dump.to_str().unwrap()]].concat())
}

/// The same about the recording that has something of everything.
fn run_on_mixed(arguments: &[&str]) -> Run {
    run_on(&dump("v1.36-mixed"), arguments)
}

fn finish(command: &mut Command) -> Run {
    let output = command.output().unwrap();
    Run {
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap(),
    }
}
