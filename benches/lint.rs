//! Measures how fast manifests are checked: with the real binary, compared with kubeconform if it is
//! installed, and without reading files.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "benchmarks fail loudly, print, write files and read the clock"
)]

mod process;

use std::path::Path;

use aggctl_lint::{self, LintInput, LintOptions};
use serde_json::{Value, json};

fn main() {
    compare();
    divan::main();
}

/// The number of rounds. The median counts.
const ROUNDS: usize = 7;

/// Checks 10,000 files with aggctl, and with kubeconform against a schema of APIServices.
fn compare() {
    if std::env::args().any(|a| a == "--test" || a == "--list") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let manifests = folder.path().join("manifests");
    std::fs::create_dir(&manifests).unwrap();
    for input in files(10_000) {
        std::fs::write(manifests.join(&input.name), &input.bytes).unwrap();
    }
    std::fs::write(folder.path().join("apiservice.json"), schema().to_string()).unwrap();
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let schemas = text(&folder.path().join("{{.ResourceKind}}.json"));
    let manifests = text(&manifests);
    let aggctl = [env!("CARGO_BIN_EXE_aggctl"), "lint", &manifests];
    let kubeconform = ["kubeconform", "-strict", "-schema-location", &schemas, &manifests];
    // Commands run in rounds, so that other load affects both alike.
    let (mut ours, mut theirs) = (vec![], vec![]);
    for _ in 0..ROUNDS {
        ours.extend(process::run(&aggctl).map(|(seconds, _)| seconds));
        theirs.extend(process::run(&kubeconform).map(|(seconds, _)| seconds));
    }
    let median = |mut all: Vec<f64>| {
        all.sort_by(f64::total_cmp);
        all.get(all.len() / 2).copied()
    };
    let ours = median(ours).unwrap();
    match median(theirs) {
        Some(theirs) => println!(
            "10,000 files: aggctl {ours:.2} s, kubeconform {theirs:.2} s, {:.1} times faster",
            theirs / ours
        ),
        None => println!("10,000 files: aggctl {ours:.2} s, kubeconform is not installed"),
    }
}

/// Returns a JSON Schema of what the manifests contain.
fn schema() -> Value {
    let object = |properties: Value| json!({"type": "object", "properties": properties, "additionalProperties": false});
    let (text, number) = (json!({"type": "string"}), json!({"type": "integer"}));
    object(json!({
        "apiVersion": text, "kind": text,
        "metadata": {"type": "object"},
        "spec": object(json!({
            "group": text, "version": text, "caBundle": text, "groupPriorityMinimum": number,
            "versionPriority": number, "insecureSkipTLSVerify": {"type": "boolean"},
            "service": object(json!({"name": text, "namespace": text, "port": number})),
        })),
    }))
}

const MANIFEST: &str = include_str!("../testdata/clean.yaml");

fn options() -> LintOptions {
    LintOptions { minor: 36, now: 1_794_787_200, expires_within: 0, select: vec![], ignore: vec![] }
}

/// Returns this number of files, each with its own APIService.
fn files(count: usize) -> Vec<LintInput> {
    (0..count)
        .map(|number| {
            let text = MANIFEST.replace("gauges.example.com", &format!("g{number}.example.com"));
            LintInput::manifest(format!("{number}.yaml"), text)
        })
        .collect()
}

/// The whole run. A hundred thousand files should take ten times as long as ten thousand.
#[divan::bench(args = [1_000, 10_000, 100_000], sample_count = 5, sample_size = 1)]
fn files_checked(bencher: divan::Bencher<'_, '_>, count: usize) {
    let inputs = files(count);
    let bytes: usize = inputs.iter().map(|input| input.bytes.len()).sum();
    let cluster = kube_aggregation::baseline::server(kube_aggregation::model::Minor::new(36));
    let options = options();
    bencher
        .counter(divan::counter::BytesCount::new(bytes))
        .bench_local(|| aggctl_lint::run(&inputs, cluster, &options));
}

/// One file with many documents, each with a finding. Includes computing lines and columns.
#[divan::bench(args = [1_000, 10_000], sample_count = 5, sample_size = 1)]
fn documents_with_findings(bencher: divan::Bencher<'_, '_>, count: usize) {
    let text = format!("---\n{}", MANIFEST.replace("1000", "0")).repeat(count);
    let inputs = [LintInput::manifest("all.yaml", text)];
    let cluster = kube_aggregation::baseline::server(kube_aggregation::model::Minor::new(36));
    let options = options();
    bencher.bench_local(|| aggctl_lint::run(&inputs, cluster, &options));
}

#[divan::bench(args = ["yaml", "json"])]
fn parsing(bencher: divan::Bencher<'_, '_>, syntax: &str) {
    let documents = located_document::parse(MANIFEST.as_bytes());
    let json = documents.into_iter().flatten().next().map(|d| d.to_json_value().to_string());
    let text = if syntax == "json" { json.unwrap_or_default() } else { MANIFEST.to_owned() };
    bencher
        .counter(divan::counter::BytesCount::new(text.len()))
        .bench_local(|| located_document::parse(text.as_bytes()).len());
}
