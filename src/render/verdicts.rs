//! The answer of `test`: whether expectations hold.

use schemars::JsonSchema;
use serde::Serialize;

use super::format::Format;
use super::junit::{self, JunitCase, JunitSuite};
use super::table::Grid;
use super::{Answer, ResponseMeta, Table, TextBuilder, TextOptions, joined, sanitize};
use crate::expectation::{ExpectationVerdict, FieldMismatch};

/// A file, with a verdict for each of its expectations.
pub type JudgedFile<'a> = (String, Vec<ExpectationVerdict<'a>>);

/// Verdicts by file.
#[derive(Debug)]
pub struct VerdictsAnswer<'a> {
    pub files: &'a [JudgedFile<'a>],
    /// Whether to show only failures.
    pub only_failures: bool,
    pub meta: ResponseMeta<'a>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct RouteTestJson<'a> {
    passed: usize,
    failed: usize,
    items: Vec<RouteTestResultJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct RouteTestResultJson<'a> {
    file: &'a str,
    line: usize,
    method: &'static str,
    path: &'a str,
    holds: bool,
    mismatches: Vec<MismatchJson<'a>>,
    why: &'a [String],
}

#[derive(Debug, Serialize, JsonSchema)]
struct MismatchJson<'a> {
    field: &'static str,
    expected: &'a str,
    got: &'a str,
}

impl<'a> From<(&'a str, &'a ExpectationVerdict<'a>)> for RouteTestResultJson<'a> {
    fn from((file, verdict): (&'a str, &'a ExpectationVerdict<'a>)) -> Self {
        let expectation = verdict.expectation;
        Self {
            file,
            line: expectation.position.line,
            method: expectation.method.as_str(),
            path: &expectation.path,
            holds: verdict.mismatches.is_empty(),
            mismatches: (verdict.mismatches.iter())
                .map(|m| MismatchJson { field: m.field, expected: &m.expected, got: &m.got })
                .collect(),
            why: &verdict.why,
        }
    }
}

impl<'a> VerdictsAnswer<'a> {
    /// Returns every verdict with its file.
    fn all(&self) -> impl Iterator<Item = (&'a str, &'a ExpectationVerdict<'a>)> + use<'a> {
        let files = self.files.iter();
        files.flat_map(|(file, verdicts)| verdicts.iter().map(move |verdict| (&**file, verdict)))
    }
}

impl Answer for VerdictsAnswer<'_> {
    const MORE_FORMATS: &'static [Format] =
        &[Format::Name, Format::Csv, Format::Markdown, Format::Junit];

    /// Returns one line per verdict, with reasons for failures.
    fn text(&self, page: TextOptions) -> String {
        let paint = page.paint;
        let mut sheet = TextBuilder::new(page);
        for (file, verdict) in self.all() {
            let one = verdict.expectation;
            let request = format!("{} {}", one.method, one.path);
            if verdict.mismatches.is_empty() {
                if !self.only_failures {
                    sheet.line(format_args!("{}  {}", paint.good("✓"), sanitize(&request)));
                }
                continue;
            }
            let place = format!("{file}:{}:{}", one.position.line, one.position.column);
            let request = paint.strong(sanitize(&request));
            sheet.line(format_args!("{}  {request}", paint.bad("✗")));
            sheet.line(format_args!("   {}", paint.faint(format!("at {}", sanitize(&place)))));
            for miss in &verdict.mismatches {
                sheet.paragraph("   ", "     ", mismatch(miss));
            }
            for why in &verdict.why {
                let line = format!("reason: {why}").replace("reason: assumed:", "assumed:");
                sheet.paragraph("   ", "     ", line);
            }
        }
        sheet.into_text()
    }

    fn json(&self) -> impl Serialize {
        let items: Vec<RouteTestResultJson<'_>> =
            self.all().map(RouteTestResultJson::from).collect();
        let passed = items.iter().filter(|item| item.holds).count();
        let failed = items.len() - passed;
        self.meta.answer("RouteTest", RouteTestJson { passed, failed, items })
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        self.all().map(|one| self.meta.answer("RouteTestResult", RouteTestResultJson::from(one)))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        let failed = self.all().filter(|(_, verdict)| !verdict.mismatches.is_empty());
        failed.map(|(_, v)| format!("{} {}", v.expectation.method, v.expectation.path))
    }

    fn table(&self, options: TextOptions) -> Option<Grid> {
        let shown = |(_, one): &(&str, &ExpectationVerdict<'_>)| {
            !self.only_failures || !one.mismatches.is_empty()
        };
        let rows: Vec<_> = self.all().filter(shown).collect();
        let table = Table::new(&rows, options)
            .column("FILE", |(file, _)| file)
            .column("LINE", |(_, one)| one.expectation.position.line.to_string())
            .column("METHOD", |(_, one)| one.expectation.method.as_str())
            .column("PATH", |(_, one)| &one.expectation.path)
            .column("HOLDS", |(_, one)| one.mismatches.is_empty().to_string())
            .column("MISMATCHES", |(_, one)| joined(one.mismatches.iter().map(mismatch), "; "));
        Some(table.grid())
    }

    fn junit(&self) -> Option<String> {
        let suite = |(file, verdicts): &JudgedFile<'_>| JunitSuite {
            name: file.clone(),
            cases: verdicts.iter().map(case).collect(),
        };
        Some(junit::junit("aggctl test", self.files.iter().map(suite)))
    }
}

fn case(verdict: &ExpectationVerdict<'_>) -> JunitCase {
    let one = verdict.expectation;
    let message = joined(verdict.mismatches.iter().map(mismatch), "; ");
    let details = std::iter::once(&message).chain(&verdict.why);
    JunitCase {
        name: format!("{} {}", one.method, one.path),
        line: Some(one.position.line),
        details: joined(details, "\n"),
        fails: !message.is_empty(),
        message: (!message.is_empty()).then_some(message),
    }
}

/// Describes a mismatch.
fn mismatch(FieldMismatch { field, expected, got }: &FieldMismatch) -> String {
    format!("{field}: expected {expected}, got {got}")
}
