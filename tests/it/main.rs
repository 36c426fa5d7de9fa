//! Tests aggctl from the user's perspective: the binary, and the library behind it, on dumps and
//! built-in data.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "tests read files and fail loudly"
)]

#[path = "../../crates/kube-aggregation/tests/agreement/mod.rs"]
mod agreement;
#[path = "../harness/decisions.rs"]
mod decisions;
#[path = "../harness/mod.rs"]
mod harness;
#[path = "../harness/recorded.rs"]
mod recorded;

mod access;
mod anonymize;
mod architecture;
mod bad_input;
mod bundles;
mod client;
mod command_pages;
mod control_planes;
mod cycles;
mod diff;
mod discovery;
mod distributions;
mod doctor;
mod documented;
mod expectations;
mod files;
mod formats;
mod generated;
mod health;
mod language;
mod layouts;
mod lint;
mod mcp;
mod mistakes;
mod monitoring;
mod openapi;
mod output;
mod packages;
mod partial;
mod peers;
mod pipes;
mod promises;
mod random;
mod recordings;
mod report;
mod scarcity;
mod scenarios;
mod schema;
mod trials;
mod upgrade;
mod usage;
mod verify;
mod versions;
mod what_if;
mod widths;

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use tempfile::TempDir;

use harness::{
    Run, assert_generated, assert_none, json, recording, recordings, repository, session, unpacked,
};
use kube_aggregation::model::Snapshot;
use recorded::{Recorded, requests};

/// Returns the dump of a recording.
fn dump(name: &str) -> PathBuf {
    recording(name).join("dump")
}

/// Reads the dump of a recording.
fn load(recording: &Path) -> Snapshot {
    recorded::load(&recording.join("dump"))
}

/// Returns the definition of the command line, with all of its commands.
fn command_line() -> clap::Command {
    let mut command = aggctl::cli::described(false);
    command.build();
    command
}

/// Environment variables that may be set on the machine and must not affect tests.
const BLIND: [&str; 5] =
    ["AGGCTL_DUMP", "KUBECONFIG", "NO_COLOR", "CLICOLOR_FORCE", "KUBERNETES_SERVICE_HOST"];

/// Returns the binary with arguments, in the root of the repository, independent of the machine's
/// configuration.
fn aggctl(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("aggctl").unwrap();
    command.args(arguments).current_dir(repository(""));
    for name in BLIND {
        command.env_remove(name);
    }
    command.env("COLUMNS", "80").env("HOME", env!("CARGO_TARGET_TMPDIR"));
    command
}

fn finish(command: &mut Command) -> Run {
    let output = command.output().unwrap();
    Run {
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap(),
    }
}

fn run(arguments: &[&str]) -> Run {
    finish(&mut aggctl(arguments))
}

/// Runs a command on a dump. The output contains paths relative to the repository.
fn run_on(dump: &Path, arguments: &[&str]) -> Run {
    let dump = dump.strip_prefix(repository("")).unwrap_or(dump);
    run(&[arguments, &["--dump", dump.to_str().unwrap()]].concat())
}

/// Runs a command on the recording that covers the most cases.
fn run_on_mixed(arguments: &[&str]) -> Run {
    run_on(&dump("v1.36-mixed"), arguments)
}

/// A temporary folder with files. Commands run in it, so their output contains relative paths.
struct Place {
    folder: TempDir,
}

impl Place {
    fn with(files: &[(&str, &str)]) -> Self {
        let place = Self { folder: TempDir::new().unwrap() };
        for (name, text) in files {
            place.write(name, text);
        }
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    /// Copies the files of a folder into this one.
    fn copy(&self, folder: &Path) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            std::fs::copy(&path, self.path(path.file_name().unwrap().to_str().unwrap())).unwrap();
        }
    }

    fn run(&self, arguments: &[&str]) -> Run {
        self.run_with(arguments, "")
    }

    fn run_with(&self, arguments: &[&str], input: &str) -> Run {
        finish(aggctl(arguments).current_dir(&self.folder).write_stdin(input))
    }

    /// Runs a command in a folder below.
    fn run_in(&self, folder: &str, arguments: &[&str]) -> Run {
        finish(aggctl(arguments).current_dir(self.path(folder)).write_stdin(""))
    }

    /// Runs a command with the folder itself as the dump.
    fn ask(&self, arguments: &[&str]) -> Run {
        self.run(&[arguments, &["--dump", "."]].concat())
    }
}

/// Replaces the times of a JUnit report.
fn timeless(run: Run) -> Run {
    Run { out: without_times(&run.out), ..run }
}

fn without_times(report: &str) -> String {
    const START: &str = "timestamp=\"";
    let mut parts = report.split(START);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (_, rest) = part.split_once('"').unwrap();
        out += &format!("{START}TIME\"{rest}");
    }
    out
}
