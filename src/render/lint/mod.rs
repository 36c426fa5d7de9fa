//! The answers of `lint` and `rules`: reports, one file per format, and the reference of the rules.

mod answer;
mod diff;
mod github;
mod json;
mod junit;
mod policy;
mod rules;
mod sarif;
mod text;

pub use answer::Lint;
pub use diff::diff;
pub(super) use json::{LintFindingJson, LintReportJson};
pub use policy::Policies;
pub(super) use rules::{RuleJson, RulesJson, rule_json, rule_text};
pub use rules::{Rules, rule_markdown, rules_markdown};

use super::format::Format;
use super::table::{Grid, Table};
use super::{Answer, TextOptions};
use serde::Serialize;

impl Answer for Lint<'_> {
    const MORE_FORMATS: &'static [Format] = &[
        Format::Name,
        Format::Csv,
        Format::Markdown,
        Format::Sarif,
        Format::Junit,
        Format::Github,
    ];

    fn text(&self, page: TextOptions) -> String {
        self.pieces(page).collect()
    }

    fn pieces(&self, page: TextOptions) -> impl Iterator<Item = String> {
        text::pieces(self, page)
    }

    fn json(&self) -> impl Serialize {
        self.meta.answer("LintReport", json::report(self))
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        self.shown().map(|one| self.meta.answer("Finding", json::finding(one, self)))
    }

    /// Returns the files with findings.
    fn names(&self) -> impl IntoIterator<Item = String> {
        let mut files: Vec<usize> =
            self.report.findings.iter().map(|l| l.finding.place.file).collect();
        files.dedup();
        files.into_iter().map(|file| self.name(file).to_owned())
    }

    fn table(&self, options: TextOptions) -> Option<Grid> {
        let rows: Vec<_> = self.shown().collect();
        let table = Table::new(&rows, options)
            .column("FILE", |one| self.name(one.finding.place.file))
            .column("LINE", |one| one.start.line.to_string())
            .column("COLUMN", |one| one.start.column.to_string())
            .column("SEVERITY", |one| one.finding.severity.as_str())
            .column("RULE", |one| one.finding.rule.name)
            .column("OBJECT", |one| one.finding.object.as_deref().unwrap_or_default())
            .column("MESSAGE", |one| &one.finding.message);
        Some(table.grid())
    }

    fn sarif(&self) -> Option<String> {
        Some(sarif::sarif(self))
    }

    fn junit(&self) -> Option<String> {
        Some(junit::junit(self))
    }

    fn github(&self) -> Option<String> {
        Some(github::github(self))
    }
}
