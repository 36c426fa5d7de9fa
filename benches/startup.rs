//! Measures cold starts: one command on a dump, with and without aggctl's own manifest, and on
//! built-in data, compared with `kubectl version --client` if kubectl is on the PATH. Only ratios
//! within one run are meaningful.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "benchmarks fail loudly, read the clock and print"
)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The number of rounds, and of runs per command in each round.
const ROUNDS: usize = 8;
const RUNS: usize = 10;

fn main() {
    let dump = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/recordings/v1.36-mixed/dump");
    let own = tempfile::tempdir().unwrap();
    with_manifest(Path::new(dump), own.path());
    let own = own.path().to_str().unwrap();
    let path = "/apis/apps/v1/deployments";
    let aggctl = env!("CARGO_BIN_EXE_aggctl");
    let commands: [(&str, &[&str]); 5] = [
        ("kubectl version --client", &["kubectl", "version", "--client"]),
        ("aggctl route, own dump", &[aggctl, "route", path, "--dump", own]),
        ("aggctl route, other dump", &[aggctl, "route", path, "--dump", dump]),
        ("aggctl route, builtin", &[aggctl, "route", path, "--builtin"]),
        ("aggctl --version", &[aggctl, "--version"]),
    ];
    // Commands run in rounds, so that other load affects all of them alike. The first run of a
    // command in a round does not count, because it warms up the caches.
    let mut times = commands.map(|_| Vec::with_capacity(ROUNDS * RUNS));
    for _ in 0..ROUNDS {
        for ((_, command), times) in commands.iter().zip(&mut times) {
            once(command);
            times.extend((0..RUNS).filter_map(|_| once(command)));
        }
    }
    let medians = times.map(|mut times| {
        times.sort();
        times.get(times.len() / 2).copied()
    });
    let kubectl = medians[0];
    for ((name, _), median) in commands.iter().zip(medians) {
        let Some(median) = median else {
            println!("{name:26} not on the PATH");
            continue;
        };
        let times = kubectl.map(|kubectl| kubectl.as_secs_f64() / median.as_secs_f64());
        let ratio = times.map(|times| format!("{times:6.1} times faster")).unwrap_or_default();
        println!("{name:26} {:8.2} ms {ratio}", median.as_secs_f64() * 1000.0);
    }
}

/// Returns the time that a command takes; `None` if it cannot be run.
fn once(command: &[&str]) -> Option<Duration> {
    let (program, arguments) = command.split_first().unwrap();
    let start = Instant::now();
    let mut process = Command::new(program);
    process.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let status = process.status().ok()?;
    let took = start.elapsed();
    status.success().then_some(took)
}

/// Copies a dump in the form that `aggctl dump` writes: with a manifest, and without documents of
/// groups.
fn with_manifest(dump: &Path, own: &Path) {
    let mut collected = vec![];
    for file in std::fs::read_dir(dump).unwrap() {
        let file = file.unwrap();
        let text = std::fs::read_to_string(file.path()).unwrap();
        let document: Value = serde_json::from_str(&text).unwrap();
        if document["kind"] == "APIGroup" {
            continue;
        }
        std::fs::write(own.join(file.file_name()), text).unwrap();
        collected.push(json!({"file": file.file_name().to_str()}));
    }
    let manifest =
        json!({"kind": "DumpManifest", "apiVersion": "aggctl/v1", "collected": collected});
    std::fs::write(own.join("aggctl-dump.json"), manifest.to_string()).unwrap();
}
