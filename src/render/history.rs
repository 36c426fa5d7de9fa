//! The answer of `versions`: when Kubernetes served which group versions and resources.

use std::fmt::Write;

use schemars::JsonSchema;
use serde::Serialize;

use super::format::Format;
use super::table::{Grid, Table};
use super::{Answer, ResponseMeta, TextBuilder, TextOptions, joined};
use kube_aggregation::baseline::{MINORS, Row};
use kube_aggregation::model::Minor;

const YES: char = '●';
const NO: char = '·';
/// Served if `--runtime-config` enables it.
const MAYBE: char = '○';

/// Group versions and resources, and when Kubernetes served them.
#[derive(Debug)]
pub struct HistoryAnswer<'a> {
    /// Each group version, followed by its resources.
    pub rows: &'a [Row],
    /// Whether to explain what replaced removed group versions.
    pub explain: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct HistoryJson<'a> {
    /// The built-in minors, which `served` lists.
    kubernetes: Vec<String>,
    items: Vec<HistoryRowJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct HistoryRowJson<'a> {
    group_version: String,
    /// Null for the whole group version.
    resource: Option<&'a str>,
    /// The built-in minors that serve it by default.
    served: Vec<String>,
    /// The first minor that served it, if it is known.
    since: Option<String>,
    /// The last minor that served it; null if the newest one does.
    until: Option<String>,
    /// What the newest minor has in its place, or what had it for longer.
    instead: Option<InsteadJson>,
    /// Whether a server only serves it if `--runtime-config` enables it.
    off_by_default: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct InsteadJson {
    group_version: String,
    since: Option<String>,
    /// The last minor that served it; null if the newest one does.
    until: Option<String>,
}

impl<'a> HistoryRowJson<'a> {
    fn new(row: &'a Row) -> Self {
        let served = MINORS.iter().filter(|minor| row.span.recorded.contains(**minor));
        Self {
            group_version: row.group_version.to_string(),
            resource: row.resource.as_deref(),
            served: served.map(ToString::to_string).collect(),
            since: row.span.since.map(|minor| minor.to_string()),
            until: row.span.until.map(|minor| minor.to_string()),
            instead: row.instead.as_ref().map(|(gv, since)| InsteadJson {
                group_version: gv.to_string(),
                since: since.map(|minor| minor.to_string()),
                until: row.instead_until.map(|minor| minor.to_string()),
            }),
            off_by_default: row.optional,
        }
    }
}

impl Answer for HistoryAnswer<'_> {
    const MORE_FORMATS: &'static [Format] = &[Format::Name, Format::Csv, Format::Markdown];

    /// Returns a line per row, with a column per minor.
    fn text(&self, page: TextOptions) -> String {
        let names = names(self.rows);
        let longest = names.iter().map(String::len).max().unwrap_or(0);
        let width = longest.max(if page.headers { HEADER.len() } else { 0 });
        let mut sheet = TextBuilder::new(page);
        if page.headers {
            let minors = joined(MINORS.map(|minor| minor.minor), " ");
            let header = format!("{HEADER:width$} {minors} SERVED");
            sheet.line(page.paint.strong(header));
        }
        for (row, name) in self.rows.iter().zip(&names) {
            let cells = joined(cells(row).map(|mark| format!("{mark:>2}")), " ");
            let name = format!("{name:width$}");
            let name = match (row.span.until, &row.resource) {
                (Some(_), _) => page.paint.faint(name),
                (None, None) => page.paint.strong(name),
                (None, Some(_)) => name.as_str().into(),
            };
            sheet.line(format_args!("{name} {cells} {}", range(row)));
        }
        let legends = [
            (
                self.rows.iter().any(|row| row.optional),
                MAYBE,
                "off by default; --runtime-config enables it",
            ),
            (
                self.rows.iter().any(|row| row.span.since.is_none()),
                '?',
                "the first version is unknown",
            ),
        ];
        let stories = self.rows.iter().any(|row| row.span.until.is_some()) && self.explain;
        if stories || legends.iter().any(|(shown, ..)| *shown) {
            sheet.gap();
        }
        for (_, mark, meaning) in legends.iter().filter(|(shown, ..)| *shown) {
            sheet.line(format_args!("{mark} {meaning}"));
        }
        if self.explain {
            let mut whole = None;
            for row in self.rows.iter().filter(|row| row.span.until.is_some()) {
                // A resource that was removed together with its group version needs no sentence.
                let story = (row.span.until, &row.instead);
                match row.resource {
                    Some(_) if whole == Some(story) => continue,
                    Some(_) => {}
                    None => whole = Some(story),
                }
                sheet.paragraph("", "  ", last_served(row));
            }
        }
        sheet.into_text()
    }

    fn json(&self) -> impl Serialize {
        let kubernetes = MINORS.iter().map(ToString::to_string).collect();
        let items = self.rows.iter().map(HistoryRowJson::new).collect();
        ResponseMeta::none().answer("VersionHistory", HistoryJson { kubernetes, items })
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        self.rows
            .iter()
            .map(|row| ResponseMeta::none().answer("ServedVersion", HistoryRowJson::new(row)))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        let whole = self.rows.iter().filter(|row| row.resource.is_none());
        whole.map(|row| row.group_version.to_string())
    }

    fn table(&self, options: TextOptions) -> Option<Grid> {
        let minor = |minor: Option<Minor>| minor.map(|m| m.to_string()).unwrap_or_default();
        let served = |row: &Row| {
            joined(MINORS.iter().filter(|minor| row.span.recorded.contains(**minor)), " ")
        };
        let table = Table::new(self.rows, options)
            .column("GROUP VERSION", |row| row.group_version.to_string())
            .column("RESOURCE", |row| row.resource.as_deref().unwrap_or_default())
            .column("SINCE", |row| minor(row.span.since))
            .column("UNTIL", |row| minor(row.span.until))
            .column("SERVED", served)
            .column("DEFAULT", |row| if row.optional { "off" } else { "on" });
        Some(table.grid())
    }

    fn markdown(&self) -> Option<String> {
        Some(markdown(self.rows))
    }
}

/// Returns the rows as a Markdown table.
fn markdown(rows: &[Row]) -> String {
    let mut text = "| |".to_owned();
    for minor in MINORS {
        let _ = write!(text, " {minor} |");
    }
    text.push_str(" served |\n|---|");
    text.push_str(&":-:|".repeat(MINORS.len()));
    text.push_str("---|\n");
    for row in rows {
        let name = match &row.resource {
            Some(resource) => resource.clone(),
            None => format!("**{}**", row.group_version),
        };
        let _ = write!(text, "| {name} |");
        for mark in cells(row) {
            match mark {
                NO => text.push_str(" |"),
                mark => {
                    let _ = write!(text, " {mark} |");
                }
            }
        }
        let _ = writeln!(text, " {} |", range(row));
    }
    text
}

/// Returns when a removed group version or resource was last served, and what to use instead.
fn last_served(row: &Row) -> String {
    let gv = &row.group_version;
    let mut text = row.resource.as_ref().map_or_else(String::new, |name| format!("{name} of "));
    let last = row.span.until.map(|minor| minor.to_string()).unwrap_or_default();
    let _ = write!(text, "{gv}: last served by Kubernetes {last}");
    let _ = match (&row.instead, row.instead_until) {
        (Some((other, _)), Some(until)) => write!(text, "; {other} served it until {until}"),
        (Some((other, Some(since))), None) => write!(text, "; use {other} (since {since})"),
        (Some((other, None)), None) => write!(text, "; use {other}"),
        (None, _) => Ok(()),
    };
    text
}

/// The header of the first column. The minors follow it.
const HEADER: &str = "KUBERNETES 1.";

/// Returns the names of the rows. A resource names its group version unless that is above it.
fn names(rows: &[Row]) -> Vec<String> {
    let mut above = None;
    let name = |row: &Row| match &row.resource {
        Some(resource) if above.as_ref() == Some(&row.group_version) => format!("  {resource}"),
        Some(resource) => format!("{}/{resource}", row.group_version),
        None => {
            above = Some(row.group_version.clone());
            row.group_version.to_string()
        }
    };
    rows.iter().map(name).collect()
}

fn cells(row: &Row) -> impl Iterator<Item = char> {
    let (span, optional) = (row.span, row.optional);
    MINORS.into_iter().map(move |minor| match optional {
        true if span.has(minor) => MAYBE,
        false if span.recorded.contains(minor) => YES,
        _ => NO,
    })
}

/// Returns the range, such as `1.21-1.24`, or `1.21+` if the newest minor serves it.
fn range(row: &Row) -> String {
    let since = row.span.since.map_or_else(|| "?".to_owned(), |minor| minor.to_string());
    row.span.until.map_or_else(|| format!("{since}+"), |until| format!("{since}-{until}"))
}
