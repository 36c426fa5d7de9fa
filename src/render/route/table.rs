//! Several requests, a row each.

use super::super::answer::Page;
use super::super::layout::paragraph;
use super::super::sanitise::sanitise;
use super::super::table::{Table, Tone};
use super::{RoutesAnswer, Suggestion};
use crate::access::Passage;
use crate::routing::{Hop, Match, Outcome, Remarks, Route};

/// A row each, with warnings and suggestions as footnotes.
pub(super) fn table(answer: &RoutesAnswer<'_>, page: Page) -> String {
    let mut headers = vec!["METHOD", "PATH", "OUTCOME", "STATUS", "HANDLER"];
    if page.wide {
        headers.push("HOPS");
    }
    let mut footnotes: Vec<String> = vec![];
    let mut marks: Vec<Vec<String>> = vec![];
    for (at, (told, suggestion)) in answer.remarks.iter().zip(answer.suggestions).enumerate() {
        let mut mark = vec![];
        let refused = answer.passage(at).and_then(Passage::forbidden);
        for text in refused.into_iter().chain(remarks(told, suggestion)) {
            let index = footnotes.iter().position(|one| *one == text).unwrap_or_else(|| {
                footnotes.push(text);
                footnotes.len() - 1
            });
            mark.push((index + 1).to_string());
        }
        marks.push(mark);
    }
    if !footnotes.is_empty() {
        headers.push("NOTES");
    }
    let mut table = Table::new(&headers, page);
    for (route, mark) in answer.routes.iter().zip(marks) {
        let tone = match route.outcome {
            Outcome::Served | Outcome::Redirect | Outcome::Proxied => Tone::Good,
            Outcome::Unknown => Tone::Odd,
            _ => Tone::Bad,
        };
        let mut cells = vec![
            (route.method.as_str().to_owned(), Tone::Plain),
            (route.path.to_owned(), Tone::Plain),
            (route.outcome.as_str().to_owned(), tone),
            (first_status(route).to_string(), Tone::Plain),
            (handler(route), Tone::Plain),
        ];
        if page.wide {
            let hops: Vec<String> = route.hops().map(short_hop).collect();
            cells.push((hops.join(" > "), Tone::Plain));
        }
        if !footnotes.is_empty() {
            cells.push((mark.join(","), Tone::Odd));
        }
        table.toned(cells);
    }
    let mut text = table.render();
    for (index, footnote) in footnotes.iter().enumerate() {
        if index == 0 {
            text.push('\n');
        }
        text.push_str(&paragraph(&format!("[{}] ", index + 1), "    ", footnote, page.width));
    }
    text
}

/// What there is to say about one request beside its row.
fn remarks(told: &Remarks, suggestion: &Suggestion) -> impl Iterator<Item = String> {
    let warnings = told.warnings.iter().map(|w| format!("warning[{}]: {}", w.code, w.message));
    let hints = suggestion.hints();
    let next = suggestion.next.as_ref().map(|command| format!("next: {command}"));
    warnings.chain(hints).chain(next)
}

/// Who answers. The server behind an APIService that is not available is never asked.
fn handler(route: &Route<'_>) -> String {
    match route.outcome {
        Outcome::Unavailable => String::new(),
        _ => route.handler_name(),
    }
}

/// Several requests under two snapshots, a row each.
pub(super) fn comparison(now: &[Route<'_>], then: &[Route<'_>], page: Page) -> String {
    let mut table = Table::new(&["METHOD", "PATH", "NOW", "THEN"], page);
    for (now, then) in now.iter().zip(then) {
        let (before, after) = (now.way(), then.way());
        let change = if before == after {
            ("no change".to_owned(), Tone::Plain)
        } else if before.to_string() == after.to_string() {
            (format!("{after}, by other hops"), Tone::Odd)
        } else {
            (after.to_string(), Tone::Odd)
        };
        let plain = |text: String| (text, Tone::Plain);
        let method = plain(then.method.as_str().to_owned());
        table.toned([method, plain(then.path.to_owned()), plain(before.to_string()), change]);
    }
    table.render()
}

/// One row of a stream: fixed columns first, so that nothing has to be known of later rows.
pub fn route_row(route: &Route<'_>) -> String {
    format!(
        "{:<18}  {:<6}  {:<7}  {}  {}",
        route.outcome.as_str(),
        first_status(route),
        route.method.as_str(),
        sanitise(route.path),
        sanitise(&handler(route)),
    )
}

fn first_status(route: &Route<'_>) -> u16 {
    route.status.first().copied().unwrap_or(0)
}

fn short_hop(hop: &Hop<'_>) -> String {
    match hop.matched {
        Match::WebService(root) => format!("{}[webservice {root}]", hop.server.as_str()),
        Match::Exact => format!("{}[exact]", hop.server.as_str()),
        Match::Prefix(prefix) => format!("{}[prefix {prefix}]", hop.server.as_str()),
        Match::None => format!("{}[-]", hop.server.as_str()),
    }
}
