//! Who uses what.

mod json;
mod text;

pub(in crate::render) use json::{RowJson, UsageJson};
pub(in crate::render) use text::{comparison, verdict};

use serde::Serialize;

use super::answer::{Answer, Page};
use super::csv::csv;
use super::json::Basis;
use crate::usage::{Dimension, Report, ReportRow, rfc3339};

/// Requests, counted.
#[derive(Debug)]
pub struct UsageAnswer<'a> {
    /// What was counted.
    pub report: &'a Report,
    /// Whether reading was ended before the end of the logs.
    pub interrupted: bool,
    /// What it rests on.
    pub basis: Basis<'a>,
}

impl Answer for UsageAnswer<'_> {
    fn text(&self, page: Page) -> String {
        match self.report.by.contains(&Dimension::Then) {
            true => text::comparison(self.report, page),
            false => text::table(self.report, page),
        }
    }

    fn json(&self) -> impl Serialize {
        self.basis.answer("Usage", UsageJson::new(self.report, self.interrupted))
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        let rows = self.report.rows.iter().map(|row| RowJson::new(self.report, row));
        rows.map(|row| self.basis.answer("UsageRow", row))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        self.report.rows.iter().filter_map(|row| row.names.first().cloned())
    }
}

/// Rows for spreadsheets.
pub fn usage_csv(report: &Report) -> String {
    csv(headers(report), report.rows.iter().map(|row| cells(report, row)))
}

/// Rows for a ticket.
pub fn usage_markdown(report: &Report) -> String {
    let escaped = |cell: String| super::sanitise(&cell).replace('|', "\\|");
    let line = |cells: Vec<String>| {
        let cells: Vec<String> = cells.into_iter().map(escaped).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let headers = headers(report);
    let rule = format!("|{}\n", "---|".repeat(headers.len()));
    let rows = report.rows.iter().map(|row| line(cells(report, row)));
    line(headers) + &rule + &rows.collect::<String>()
}

fn headers(report: &Report) -> Vec<String> {
    let by = report.by.iter().map(|one| one.as_str());
    let counts = [
        "requests",
        "share",
        "status_4xx",
        "status_5xx",
        "long_running",
        "running",
        "p50_ms",
        "p99_ms",
        "clients",
        "first_seen",
        "last_seen",
    ];
    by.chain(counts).map(str::to_owned).collect()
}

fn cells(report: &Report, one: &ReportRow) -> Vec<String> {
    let row = &one.row;
    let (client, server) = row.errors();
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    let time = |time: Option<i64>| time.map(rfc3339).unwrap_or_default();
    let counts = [
        row.requests.to_string(),
        json::share(row, &report.total).to_string(),
        client.to_string(),
        server.to_string(),
        row.long_running.to_string(),
        row.running.to_string(),
        number(json::millis(row, 0.5)),
        number(json::millis(row, 0.99)),
        row.clients().to_string(),
        time(row.first),
        time(row.last),
    ];
    one.names.iter().cloned().chain(counts).collect()
}
