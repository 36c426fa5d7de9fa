//! Cold starts: one question to a dump, with and without aggctl's own manifest, and to the embedded
//! servers, beside `kubectl version --client` where a kubectl is on the PATH. Only ratios of one run
//! mean anything.

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

/// Rounds, and how often each command runs in one.
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
    // In rounds, so that whatever else the machine does hits all of them; several runs each, after
    // one that does not count, for the first finds caches as another command left them.
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

/// How long a command takes; `None` where there is none.
fn once(command: &[&str]) -> Option<Duration> {
    let (program, arguments) = command.split_first().unwrap();
    let start = Instant::now();
    let mut process = Command::new(program);
    process.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let status = process.status().ok()?;
    let took = start.elapsed();
    status.success().then_some(took)
}

/// Copies a dump as `aggctl dump` writes it: with a manifest, and without documents of groups.
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
