//! The filters before the chain, drawn as hops.

use std::fmt::Display;

use colored::ColoredString;

use crate::render::{TextBuilder, joined, sanitize};
use aggctl_diagnose::access::{AccessDecision, FilterOutcome, FilterStep};
use kube_aggregation::routing::Outcome;

/// The minimum width next to a label. With less room, the text is below the label.
pub(super) const ROOM: usize = 24;

/// The name of the peer proxy among the hops.
pub(super) const PEER_PROXY: &str = "peer proxy";

/// The column of names at the left of the hops.
#[derive(Debug, Clone, Copy)]
pub(super) struct Names {
    /// The width of the longest name; 0 on a narrow terminal, where the text is below the name.
    width: usize,
}

impl Names {
    /// Returns the column for the hops of one request.
    pub(super) fn new(
        longest: Option<usize>,
        passage: Option<&FilterOutcome<'_, '_>>,
        peers: bool,
        width: usize,
    ) -> Self {
        let filters = passage.map(FilterOutcome::steps).unwrap_or_default();
        let filters = filters.iter().map(|step| step.filter.as_str().len());
        let peers = peers.then_some(PEER_PROXY.len());
        let longest = filters.chain(longest).chain(peers).max().unwrap_or_default();
        Self { width: if width < longest + 7 + ROOM { 0 } else { longest } }
    }

    /// Draws one hop: its mark and name, whether it is the last, and lines next to the name.
    pub(super) fn lines<T: Display>(
        self,
        sheet: &mut TextBuilder,
        (mark, name, last): (ColoredString, &str, bool),
        lines: &[T],
    ) {
        let paint = sheet.page.paint;
        let padded = format!("{name:0$}", self.width);
        let name = if last { paint.strong(padded) } else { paint.faint(padded) };
        let rail = if last { " ".into() } else { paint.faint("│") };
        let rest = format!("  {rail} {:1$}   ", "", self.width);
        let mut first = format!("  {mark} {name}   ");
        if self.width == 0 {
            sheet.line(first.trim_end());
            first.clone_from(&rest);
        }
        for line in lines {
            sheet.paragraph(&first, &rest, line);
            first.clone_from(&rest);
        }
    }
}

/// Draws the filters as hops.
pub(super) fn filter_lines(
    sheet: &mut TextBuilder,
    passage: &FilterOutcome<'_, '_>,
    column: Names,
) {
    let paint = sheet.page.paint;
    let steps = passage.steps();
    let last = steps.len().saturating_sub(1);
    for (index, FilterStep { filter, says, stops }) in steps.into_iter().enumerate() {
        let mark = match passage.end() {
            Some((Outcome::Unknown, _)) if stops => paint.odd("?"),
            Some(_) if stops => paint.bad("✗"),
            _ => paint.faint("│"),
        };
        let more = if index == last { details(passage) } else { vec![] };
        let lines: Vec<String> = std::iter::once(says).chain(more).collect();
        column.lines(sheet, (mark, &filter.as_str().replace('-', " "), stops), &lines);
    }
}

/// Returns the details of a decision.
fn details(passage: &FilterOutcome<'_, '_>) -> Vec<String> {
    let mut lines = vec![];
    if passage.is_unauthenticated() {
        return lines;
    }
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
        lines.push(format!("this would be enough: {enough}"));
    }
    if let Some(nearest) = &passage.nearest {
        lines.push(format!("closest rule: {nearest}"));
    }
    lines
}

/// Returns the identity headers that an extension server receives.
pub(super) fn identity(passage: &FilterOutcome<'_, '_>) -> String {
    let headers = passage.identity().into_iter();
    joined(headers.map(|(name, value)| format!("{name}: {}", sanitize(value))), ", ")
}
