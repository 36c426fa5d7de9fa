//! The value that the lint formats show: a report, and the files that it is about.

use crate::render::ResponseMeta;
use aggctl_lint::{LintInput, LintReport, Located, Severity};

/// What a run found, in files.
#[derive(Debug, Clone, Copy)]
pub struct Lint<'a> {
    /// What was found.
    pub report: &'a LintReport,
    /// The files that findings are in.
    pub inputs: &'a [LintInput],
    /// The cluster that the files were judged for.
    pub meta: ResponseMeta<'a>,
    /// Whether allowed findings are shown too.
    pub show_suppressed: bool,
    /// Whether the last line counts what was found.
    pub summary: bool,
    /// Whether a severity makes the command fail.
    pub fails: fn(&Severity) -> bool,
}

impl Lint<'_> {
    pub(super) fn name(&self, file: usize) -> &str {
        self.inputs.get(file).map_or("", |input| input.name.as_str())
    }

    /// The findings, and behind them those that are allowed where these are shown.
    pub(super) fn shown(&self) -> impl Iterator<Item = &Located> {
        let allowed = self.report.suppressed.iter().filter(|_| self.show_suppressed);
        self.report.findings.iter().chain(allowed)
    }
}
