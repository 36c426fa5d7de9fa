//! Reports of the linter, one file a format, and the reference of its rules.

mod diff;
mod github;
mod json;
mod junit;
mod rules;
mod sarif;
mod text;

pub use diff::diff;
pub(super) use json::{FindingJson, ReportJson};
pub(super) use rules::{RuleJson, RulesJson, rule_json, rule_text};
pub use rules::{Rules, rule_markdown, rules_markdown};

use super::{Answer, ResponseMeta, TextOptions};
use aggctl_lint::{LintInput, LintReport, Located, Severity};
use serde::Serialize;

/// What a run found, in files.
#[derive(Debug, Clone, Copy)]
pub struct Lint<'a> {
    /// What was found.
    pub report: &'a LintReport,
    /// The files that findings are in.
    pub inputs: &'a [LintInput],
    /// The cluster that the files were judged for.
    pub basis: ResponseMeta<'a>,
    /// Whether allowed findings are shown too.
    pub show_suppressed: bool,
    /// Whether the last line counts what was found.
    pub summary: bool,
    /// The least severity that makes the command fail.
    pub fail_on: Option<Severity>,
}

impl Lint<'_> {
    fn name(&self, file: usize) -> &str {
        self.inputs.get(file).map_or("", |input| input.name.as_str())
    }

    /// The findings, and behind them those that are allowed where these are shown.
    fn shown(&self) -> impl Iterator<Item = &Located> {
        let allowed = self.report.suppressed.iter().filter(|_| self.show_suppressed);
        self.report.findings.iter().chain(allowed)
    }
}

impl Answer for Lint<'_> {
    fn text(&self, page: TextOptions) -> String {
        self.pieces(page).collect()
    }

    fn pieces(&self, page: TextOptions) -> impl Iterator<Item = String> {
        text::pieces(self, page)
    }

    fn json(&self) -> impl Serialize {
        self.basis.answer("LintReport", json::report(self))
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        self.shown().map(|one| self.basis.answer("Finding", json::finding(one, self)))
    }

    /// The files that something was found in.
    fn names(&self) -> impl IntoIterator<Item = String> {
        let mut files: Vec<usize> =
            self.report.findings.iter().map(|l| l.finding.place.file).collect();
        files.dedup();
        files.into_iter().map(|file| self.name(file).to_owned())
    }
}
