//! `aggctl lint`: rules, formats, recordings, hostile input.

mod command;
mod hostile;
mod recordings;
mod repositories;
mod rules;

use aggctl_lint::{LintInput, LintOptions, LintReport, run};
use kube_aggregation::baseline;
use kube_aggregation::model::Minor;

/// The day that the certificates in the cases were made for: 2026-11-16.
const NOW: i64 = 1_794_787_200;

/// Checks files against a plain Kubernetes.
fn on_plain(inputs: &[LintInput], options: &LintOptions) -> LintReport {
    run(inputs, baseline::server(Minor::new(options.minor)), options)
}
