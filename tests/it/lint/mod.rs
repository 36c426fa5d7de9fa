//! `aggctl lint`: its rules, formats and fixes, verdicts of real servers, hostile input.

mod command;
mod findings;
mod hostile;
mod recordings;
mod repositories;
mod rules;

use aggctl::baseline;
use aggctl::lint::{Input, Options, Report, run};
use aggctl::model::Minor;
use aggctl::render::{Answer, Basis, Page, Paint, lint::Lint};

/// 2026-11-16, the day that the certificates in `testdata/lint` were made for.
const NOW: i64 = 1_794_787_200;

/// Checks files against built-in Kubernetes.
fn on_plain(inputs: &[Input], options: &Options) -> Report {
    run(inputs, baseline::server(Minor::new(options.minor)), options)
}

fn answer<'a>(report: &'a Report, inputs: &'a [Input]) -> Lint<'a> {
    let (basis, fail_on) = (Basis::none(), None);
    Lint { report, inputs, basis, show_suppressed: false, summary: false, fail_on }
}

/// Returns a report as text.
fn shown(report: &Report, inputs: &[Input]) -> String {
    answer(report, inputs).text(Page::plain(Paint::new(false)))
}
