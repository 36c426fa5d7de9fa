//! The value that the lint formats show: a report, and the files that it is about.

use crate::render::ResponseMeta;
use aggctl_lint::{LintInput, LintReport, Located, Severity};

/// The findings of a run.
#[derive(Debug, Clone, Copy)]
pub struct Lint<'a> {
    pub report: &'a LintReport,
    /// The checked files.
    pub inputs: &'a [LintInput],
    /// The cluster that the files were checked for.
    pub meta: ResponseMeta<'a>,
    /// Whether to show allowed findings too.
    pub show_suppressed: bool,
    /// Whether to end with a summary.
    pub summary: bool,
    /// Whether a severity makes the command fail.
    pub fails: fn(&Severity) -> bool,
    /// What could not be read or checked. If there is anything, the report is not complete.
    pub unread: &'a [String],
    /// When the files were checked, in seconds since 1970.
    pub now: i64,
}

impl Lint<'_> {
    pub(super) fn name(&self, file: usize) -> &str {
        self.inputs.get(file).map_or("", |input| input.name.as_str())
    }

    /// Returns the findings, and then the allowed ones if they are shown.
    pub(super) fn shown(&self) -> impl Iterator<Item = &Located> {
        let allowed = self.report.suppressed.iter().filter(|_| self.show_suppressed);
        self.report.findings.iter().chain(allowed)
    }
}
