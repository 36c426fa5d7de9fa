//! The text of several routes, one row each.

use std::collections::BTreeSet;

use super::answer::Routed;
use crate::render::table::Grid;
use crate::render::{Table, TextBuilder, TextOptions, Tone, joined, sanitize};
use aggctl_diagnose::access::FilterOutcome;
use aggctl_diagnose::knowledge::sentence;
use kube_aggregation::routing::{Hop, Match, Outcome, Route};

/// What precedes a command in a remark.
const NEXT: &str = "next: ";

/// Returns one row per request, with warnings and suggestions as footnotes.
pub(super) fn table(requests: &[Routed<'_>], page: TextOptions) -> String {
    let mut footnotes: Vec<String> = vec![];
    let mut rows: Vec<(&Routed<'_>, String)> = vec![];
    for one in requests {
        let marks = remarks(one).map(|text| {
            let known = footnotes.iter().position(|one| *one == text);
            known.unwrap_or_else(|| {
                footnotes.push(text);
                footnotes.len() - 1
            }) + 1
        });
        let marks = joined(marks, ",");
        rows.push((one, marks));
    }
    let mut table = columns(Table::new(&rows, page), requests, |(one, _)| *one);
    if !footnotes.is_empty() {
        table = table.toned("NOTES", |(_, marks)| (marks, Tone::Odd));
    }
    let mut sheet = TextBuilder::new(page);
    sheet.push(&table.render());
    if !footnotes.is_empty() {
        sheet.gap();
    }
    for (index, footnote) in footnotes.iter().enumerate() {
        let number = format!("[{}] ", index + 1);
        match footnote.strip_prefix(NEXT) {
            Some(command) => sheet.command(format_args!("{number}{}", NEXT.trim_end()), command),
            None => sheet.paragraph(number, "    ", footnote),
        }
    }
    sheet.into_text()
}

/// Returns the requests, one per row, without footnotes.
pub(super) fn grid(requests: &[Routed<'_>], options: TextOptions) -> Grid {
    columns(Table::new(requests, options), requests, |one| one)
        .column("NOTES", |one| joined(remarks(one), "; "))
        .grid()
}

/// Adds the columns that every table of requests has. With several servers, it also shows which one
/// was asked, and which one handles the request.
fn columns<'t, 'r: 't, T>(
    table: Table<'t, T>,
    requests: &[Routed<'_>],
    request: impl Fn(&'t T) -> &'t Routed<'r>,
) -> Table<'t, T> {
    let (route, peers) = (|row| &request(row).route, |row| request(row).peers.as_ref());
    let mut table = table
        .column("METHOD", |row| route(row).method.as_str())
        .column("PATH", |row| route(row).path);
    if requests.iter().any(|one| one.peers.as_ref().is_some_and(|hop| !hop.asked.is_empty())) {
        table = table
            .column("ASKED", |row| peers(row).map_or("", |hop| hop.asked))
            .column("HANDLED BY", |row| {
                peers(row).map_or_else(String::new, |hop| joined(&hop.handled_by, " or "))
            });
    }
    table
        .toned("STATUS", |row| (status(route(row)), tone(route(row).outcome)))
        .toned("OUTCOME", |row| (route(row).outcome.as_str(), tone(route(row).outcome)))
        .droppable()
        .column("SERVED BY", |row| handler(route(row)))
        .wide("HOPS", |row| joined(route(row).hops().map(short_hop), " > "))
}

fn tone(outcome: Outcome) -> Tone {
    match outcome {
        Outcome::Served | Outcome::Redirect | Outcome::Proxied => Tone::Good,
        Outcome::Unknown => Tone::Odd,
        _ => Tone::Bad,
    }
}

/// Returns the remarks on one request.
fn remarks(one: &Routed<'_>) -> impl Iterator<Item = String> {
    let refused = one.passage.as_ref().and_then(FilterOutcome::forbidden);
    let warnings = one.remarks.warnings.iter();
    let warnings = warnings.map(|w| format!("warning[{}]: {}", w.code, sentence(w)));
    let next = one.suggestion.next.as_ref().map(|command| format!("{NEXT}{command}"));
    let said = refused.into_iter().chain(warnings).chain(assumed(one));
    said.chain(one.suggestion.hints()).chain(next)
}

/// Returns the assumptions of one route.
fn assumed(one: &Routed<'_>) -> impl Iterator<Item = String> {
    let passage = one.passage.iter().flat_map(FilterOutcome::assumptions);
    let all = one.remarks.assumptions.iter().cloned().chain(passage);
    all.map(|assumption| format!("assumed: {assumption}"))
}

/// Returns who answers, if that is known. The backend of an unavailable APIService is never asked.
fn handler(route: &Route<'_>) -> String {
    match route.outcome {
        Outcome::Unavailable | Outcome::Unknown => String::new(),
        _ => route.handler_name(),
    }
}

/// Returns one row per request, with its present route and that of the what-if.
pub(super) fn comparison(requests: &[Routed<'_>], page: TextOptions) -> String {
    let mut sheet = TextBuilder::new(page);
    sheet.push(&compared_grid(requests, page).text());
    let assumptions: BTreeSet<String> = requests.iter().flat_map(assumed).collect();
    if !assumptions.is_empty() {
        sheet.gap();
    }
    for assumption in &assumptions {
        sheet.paragraph("", "    ", assumption);
    }
    sheet.into_text()
}

/// Returns the rows of [`comparison`].
pub(super) fn compared_grid(requests: &[Routed<'_>], page: TextOptions) -> Grid {
    let rows: Vec<(&Route<'_>, &Route<'_>)> =
        requests.iter().filter_map(|one| Some((&one.now.as_ref()?.route, &one.route))).collect();
    Table::new(&rows, page)
        .column("METHOD", |(_, then)| then.method.as_str())
        .column("PATH", |(_, then)| then.path)
        .column("NOW", |(now, _)| now.way().to_string())
        .toned("WHAT IF", |(now, then)| {
            let (before, after) = (now.way(), then.way());
            if before == after {
                ("no change".to_owned(), Tone::Plain)
            } else if before.to_string() == after.to_string() {
                (format!("{after}, by other hops"), Tone::Odd)
            } else {
                (after.to_string(), Tone::Odd)
            }
        })
        .grid()
}

/// Returns one line of a stream. Columns of fixed width come first, because later lines are not
/// known yet.
pub(super) fn row(route: &Route<'_>) -> String {
    format!(
        "{:<18}  {:<6}  {:<7}  {}  {}",
        route.outcome.as_str(),
        status(route),
        route.method.as_str(),
        sanitize(route.path),
        sanitize(&handler(route)),
    )
}

/// Returns the first expected status, if it is known.
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
