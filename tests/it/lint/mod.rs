//! Tests `aggctl lint`: its rules, formats and fixes, verdicts of real servers, hostile input.

mod command;
mod findings;
mod hostile;
mod recordings;
mod repositories;
mod rules;
mod trust;

use aggctl::render::{Answer, Paint, ResponseMeta, TextOptions, lint::Lint};
use aggctl_lint::{LintInput, LintOptions, LintReport, run};
use kube_aggregation::baseline;
use kube_aggregation::model::Minor;

/// 2026-11-16, the date for which the certificates in `testdata/lint` were made.
const NOW: i64 = 1_794_787_200;

/// Checks files against built-in Kubernetes.
fn on_plain(inputs: &[LintInput], options: &LintOptions) -> LintReport {
    run(inputs, baseline::server(Minor::new(options.minor)), options)
}

fn answer<'a>(report: &'a LintReport, inputs: &'a [LintInput]) -> Lint<'a> {
    let (meta, fails) = (ResponseMeta::none(), |_: &_| false);
    let (unread, now) = (&[][..], NOW);
    Lint { report, inputs, meta, show_suppressed: false, summary: false, fails, unread, now }
}

/// Returns a report as text.
fn shown(report: &LintReport, inputs: &[LintInput]) -> String {
    answer(report, inputs).text(TextOptions::plain(Paint::new(false)))
}
