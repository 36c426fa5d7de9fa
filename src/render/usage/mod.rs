//! The answer of `usage`: who calls which APIs.

mod json;
mod text;

pub(in crate::render) use json::{UsageJson, UsageRowJson};
pub(in crate::render) use text::{comparison, verdict};

use serde::Serialize;

use super::csv::csv;
use super::format::Format;
use super::{Answer, ResponseMeta, TextBuilder, TextOptions, markdown, sanitize};
use aggctl_usage::{Dimension, ReportRow, Row, UsageReport, rfc3339};

/// Counted requests.
#[derive(Debug)]
pub struct UsageAnswer<'a> {
    pub report: &'a UsageReport,
    /// Whether the user interrupted reading.
    pub interrupted: bool,
    pub meta: ResponseMeta<'a>,
}

impl Answer for UsageAnswer<'_> {
    const MORE_FORMATS: &'static [Format] =
        &[Format::Wide, Format::Csv, Format::Markdown, Format::Name];

    fn text(&self, page: TextOptions) -> String {
        if !self.report.by.contains(&Dimension::Then) {
            return text::table(self.report, page);
        }
        let mut sheet = TextBuilder::new(page);
        text::comparison(&mut sheet, self.report);
        sheet.into_text()
    }

    fn json(&self) -> impl Serialize {
        self.meta.answer("Usage", UsageJson::new(self.report, self.interrupted))
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        let rows = self.report.rows.iter().map(|row| UsageRowJson::new(self.report, row));
        rows.map(|row| self.meta.answer("UsageRow", row))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        self.report.rows.iter().filter_map(|row| row.names.first().cloned())
    }

    fn csv(&self) -> Option<String> {
        let headers = headers(self.report).into_iter().map(str::to_owned);
        Some(csv(headers, self.report.rows.iter().map(|row| cells(self.report, row))))
    }

    fn markdown(&self) -> Option<String> {
        let escape = |cell: String| sanitize(&cell).replace('|', "\\|");
        let rows = self.report.rows.iter().map(|row| cells(self.report, row).map(escape));
        Some(markdown::table(&headers(self.report), rows))
    }
}

/// A column after the keys: its name, and its value for a row and the total.
type Count = (&'static str, fn(&Row, &Row) -> String);

const COUNTS: [Count; 11] = [
    ("requests", |row, _| row.requests.to_string()),
    ("share", |row, total| json::share(row, total).to_string()),
    ("status_4xx", |row, _| row.errors().0.to_string()),
    ("status_5xx", |row, _| row.errors().1.to_string()),
    ("long_running", |row, _| row.long_running.to_string()),
    ("running", |row, _| row.running.to_string()),
    ("p50_ms", |row, _| millis(row, 0.5)),
    ("p99_ms", |row, _| millis(row, 0.99)),
    ("clients", |row, _| row.clients().to_string()),
    ("first_seen", |row, _| row.first.map(rfc3339).unwrap_or_default()),
    ("last_seen", |row, _| row.last.map(rfc3339).unwrap_or_default()),
];

fn millis(row: &Row, share: f64) -> String {
    json::millis(row, share).map(|millis| millis.to_string()).unwrap_or_default()
}

fn headers(report: &UsageReport) -> Vec<&'static str> {
    report.by.iter().map(|one| one.as_str()).chain(COUNTS.map(|(name, _)| name)).collect()
}

fn cells(report: &UsageReport, one: &ReportRow) -> impl Iterator<Item = String> {
    let counts = COUNTS.map(|(_, cell)| cell(&one.row, &report.total));
    one.names.iter().cloned().chain(counts)
}
