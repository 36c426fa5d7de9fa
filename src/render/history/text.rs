//! When Kubernetes served what, for people and for Markdown.

use std::fmt::Write;

use super::HistoryAnswer;
use crate::baseline::{self, MINORS, Row};
use crate::model::Minor;
use crate::render::{Page, Sheet, joined};

const YES: char = '●';
const NO: char = '·';

/// A line for each row, a column for each minor, and from when to when.
pub(super) fn text(answer: &HistoryAnswer<'_>, page: Page) -> String {
    let width = answer.rows.iter().map(|row| name(row).len()).max().unwrap_or(0);
    let mut sheet = Sheet::new(page);
    if page.headers {
        let minors = joined(MINORS.map(|minor| minor.minor), " ");
        let header = format!("{:width$} {minors}  SERVED", "KUBERNETES 1.");
        sheet.line(page.paint.strong(header));
    }
    for row in answer.rows {
        let cells = joined(cells(row).map(|mark| format!("{mark:>2}")), " ");
        let name = format!("{:width$}", name(row));
        let name = match (row.span.until, &row.resource) {
            (Some(_), _) => page.paint.faint(name),
            (None, None) => page.paint.strong(name),
            (None, Some(_)) => name.as_str().into(),
        };
        sheet.line(format_args!("{name} {cells}  {}", range(row)));
    }
    if answer.explain {
        let mut whole = None;
        for row in answer.rows.iter().filter(|row| row.span.until.is_some()) {
            // A resource is told of where it is another story than that of its group version.
            let story = (row.span.until, &row.instead);
            match row.resource {
                Some(_) if whole == Some(story) => continue,
                Some(_) => {}
                None => whole = Some(story),
            }
            let when = baseline::when(&row.group_version, row.resource.as_deref(), None);
            sheet.indented(0, when.map(|when| when.to_string()).unwrap_or_default());
        }
    }
    sheet.into_text()
}

/// The same as a table in Markdown.
pub fn history_markdown(rows: &[Row]) -> String {
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
            text.push_str(if mark == YES { " ● |" } else { " |" });
        }
        let _ = writeln!(text, " {} |", range(row));
    }
    text
}

fn name(row: &Row) -> String {
    match &row.resource {
        Some(resource) => format!("  {resource}"),
        None => row.group_version.to_string(),
    }
}

fn cells(row: &Row) -> impl Iterator<Item = char> {
    let recorded = row.span.recorded;
    MINORS.into_iter().map(move |minor| if recorded.contains(minor) { YES } else { NO })
}

/// `1.21-1.24`, with nothing where it is not known, or not over.
fn range(row: &Row) -> String {
    let word = |minor: Option<Minor>| minor.map(|m| m.to_string()).unwrap_or_default();
    format!("{}-{}", word(row.span.since), word(row.span.until))
}
