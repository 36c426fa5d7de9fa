//! Several requests, a row each.

use std::collections::BTreeSet;

use super::{PeerHop, Routed};
use crate::render::{Table, TextBuilder, TextOptions, Tone, joined, sanitise};
use aggctl_diagnose::access::FilterOutcome;
use aggctl_diagnose::knowledge::sentence;
use kube_aggregation::routing::{Hop, Match, Outcome, Route};

/// A row each, with warnings and suggestions as footnotes.
pub(super) fn table(requests: &[Routed<'_>], page: TextOptions) -> String {
    let mut footnotes: Vec<String> = vec![];
    let mut rows: Vec<(&Route<'_>, String, Option<&PeerHop<'_>>)> = vec![];
    for one in requests {
        let marks = remarks(one).map(|text| {
            let known = footnotes.iter().position(|one| *one == text);
            known.unwrap_or_else(|| {
                footnotes.push(text);
                footnotes.len() - 1
            }) + 1
        });
        let marks = joined(marks, ",");
        rows.push((&one.route, marks, one.peers.as_ref()));
    }
    let mut table = Table::new(&rows, page)
        .column("METHOD", |(route, ..)| route.method.as_str())
        .column("PATH", |(route, ..)| route.path);
    // With several servers, which one was asked, and which one handles it.
    if requests.iter().any(|one| one.peers.as_ref().is_some_and(|hop| !hop.asked.is_empty())) {
        table = table
            .column("ASKED", |(.., peers)| peers.map_or("", |hop| hop.asked))
            .column("HANDLED BY", |(.., peers)| {
                peers.map_or_else(String::new, |hop| joined(&hop.handled_by, " or "))
            });
    }
    table = table
        .toned("OUTCOME", |(route, ..)| (route.outcome.as_str(), tone(route.outcome)))
        .column("STATUS", |(route, ..)| status(route))
        .column("HANDLER", |(route, ..)| handler(route))
        .wide("HOPS", |(route, ..)| joined(route.hops().map(short_hop), " > "));
    if !footnotes.is_empty() {
        table = table.toned("NOTES", |(_, marks, _)| (marks, Tone::Odd));
    }
    let mut sheet = TextBuilder::new(page);
    sheet.push(&table.render());
    if !footnotes.is_empty() {
        sheet.gap();
    }
    for (index, footnote) in footnotes.iter().enumerate() {
        sheet.paragraph(format_args!("[{}] ", index + 1), "    ", footnote);
    }
    sheet.into_text()
}

fn tone(outcome: Outcome) -> Tone {
    match outcome {
        Outcome::Served | Outcome::Redirect | Outcome::Proxied => Tone::Good,
        Outcome::Unknown => Tone::Odd,
        _ => Tone::Bad,
    }
}

/// What there is to say about one request beside its row.
fn remarks(one: &Routed<'_>) -> impl Iterator<Item = String> {
    let refused = one.passage.as_ref().and_then(FilterOutcome::forbidden);
    let warnings = one.remarks.warnings.iter();
    let warnings = warnings.map(|w| format!("warning[{}]: {}", w.code, sentence(w)));
    let next = one.suggestion.next.as_ref().map(|command| format!("next: {command}"));
    let said = refused.into_iter().chain(warnings).chain(assumed(one));
    said.chain(one.suggestion.hints()).chain(next)
}

/// What the answer to one request rests on, a line each.
fn assumed(one: &Routed<'_>) -> impl Iterator<Item = String> {
    let passage = one.passage.iter().flat_map(FilterOutcome::assumptions);
    let all = one.remarks.assumptions.iter().cloned().chain(passage);
    all.map(|assumption| format!("assumed: {assumption}"))
}

/// Who answers, where that is known. The server behind an APIService that is not available is
/// never asked.
fn handler(route: &Route<'_>) -> String {
    match route.outcome {
        Outcome::Unavailable | Outcome::Unknown => String::new(),
        _ => route.handler_name(),
    }
}

/// Several requests under two snapshots, a row each.
pub(super) fn comparison(requests: &[Routed<'_>], page: TextOptions) -> String {
    let rows: Vec<(&Route<'_>, &Route<'_>)> =
        requests.iter().filter_map(|one| Some((&one.now.as_ref()?.0, &one.route))).collect();
    let table = Table::new(&rows, page)
        .column("METHOD", |(_, then)| then.method.as_str())
        .column("PATH", |(_, then)| then.path)
        .column("NOW", |(now, _)| now.way().to_string())
        .toned("THEN", |(now, then)| {
            let (before, after) = (now.way(), then.way());
            if before == after {
                ("no change".to_owned(), Tone::Plain)
            } else if before.to_string() == after.to_string() {
                (format!("{after}, by other hops"), Tone::Odd)
            } else {
                (after.to_string(), Tone::Odd)
            }
        });
    let mut sheet = TextBuilder::new(page);
    sheet.push(&table.render());
    let assumptions: BTreeSet<String> = requests.iter().flat_map(assumed).collect();
    if !assumptions.is_empty() {
        sheet.gap();
    }
    for assumption in &assumptions {
        sheet.paragraph("", "    ", assumption);
    }
    sheet.into_text()
}

/// One row of a stream: fixed columns first, so that nothing has to be known of later rows.
pub fn route_row(route: &Route<'_>) -> String {
    format!(
        "{:<18}  {:<6}  {:<7}  {}  {}",
        route.outcome.as_str(),
        status(route),
        route.method.as_str(),
        sanitise(route.path),
        sanitise(&handler(route)),
    )
}

/// The status to expect first, where that is known.
fn status(route: &Route<'_>) -> String {
    match route.outcome {
        Outcome::Unknown => "?".to_owned(),
        _ => route.status.first().copied().unwrap_or(0).to_string(),
    }
}

fn short_hop(hop: &Hop<'_>) -> String {
    let matched = match hop.matched {
        Match::WebService(root) => format!("webservice {root}"),
        Match::Exact => "exact".to_owned(),
        Match::Prefix(prefix) => format!("prefix {prefix}"),
        Match::None => "-".to_owned(),
    };
    format!("{}[{matched}]", hop.server.as_str())
}
