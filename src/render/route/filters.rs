//! The filters before the chain, drawn as hops.

use crate::render::{TextBuilder, joined, sanitize};
use aggctl_diagnose::access::{AccessDecision, FilterOutcome, FilterStep};
use kube_aggregation::routing::Outcome;

/// The width of the longest server name, `apiextensions-apiserver`.
pub(super) const SERVER_WIDTH: usize = 23;

/// The minimum width beside a label. With less room, the text is below the label.
pub(super) const ROOM: usize = 24;

/// Returns the column of a hop's text; 0 on a narrow terminal, where the text is below the name.
pub(super) fn beside(width: usize) -> usize {
    if width < SERVER_WIDTH + 6 + ROOM { 0 } else { SERVER_WIDTH }
}

/// Draws the filters as hops.
pub(super) fn filter_lines(sheet: &mut TextBuilder, passage: &FilterOutcome<'_, '_>) {
    let (paint, column) = (sheet.page.paint, beside(sheet.page.width));
    let mut rest = String::new();
    for FilterStep { filter, says, stops } in passage.steps() {
        let mark = match passage.end() {
            Some((Outcome::Unknown, _)) if stops => paint.odd("?"),
            Some(_) if stops => paint.bad("×"),
            _ => paint.faint("│"),
        };
        let name = format!("{:SERVER_WIDTH$}", filter.as_str().replace('-', " "));
        let name = if stops { paint.strong(name) } else { paint.faint(name) };
        let rail = if stops { " ".into() } else { paint.faint("│") };
        rest = format!("  {rail} {:column$}  ", "");
        if column == 0 {
            sheet.line(format_args!("  {mark} {}", name.to_string().trim_end()));
            sheet.paragraph(&rest, &rest, says);
        } else {
            sheet.paragraph(format_args!("  {mark} {name}  "), &rest, says);
        }
    }
    for more in details(passage) {
        sheet.paragraph(&rest, &rest, more);
    }
}

/// Returns the details of a decision.
fn details(passage: &FilterOutcome<'_, '_>) -> Vec<String> {
    let mut lines = vec![];
    if let AccessDecision::Allowed(grant) = &passage.decision {
        lines.push(format!("rule: {}", grant.rule()));
    }
    match passage.also.as_slice() {
        [] => {}
        [one] => lines.push(format!("also allowed by {one}")),
        [one, more @ ..] => {
            lines.push(format!("also allowed by {one} and {} more", more.len()));
        }
    }
    if let Some(enough) = passage.enough() {
        lines.push(format!("enough would be: {enough}"));
    }
    if let Some(nearest) = &passage.nearest {
        lines.push(format!("nearest rule {nearest}"));
    }
    lines
}

/// Returns the identity headers that an extension server receives.
pub(super) fn identity(passage: &FilterOutcome<'_, '_>) -> String {
    let headers = passage.identity().into_iter();
    joined(headers.map(|(name, value)| format!("{name}: {}", sanitize(value))), ", ")
}
