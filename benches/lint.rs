//! Measures how fast manifests are checked, without reading files: `cargo bench --bench lint`.

use aggctl_lint::{self, LintInput, LintOptions};

fn main() {
    divan::main();
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
