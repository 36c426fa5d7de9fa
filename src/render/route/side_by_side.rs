//! One request to several servers, drawn once per route.

use std::fmt::Write as _;

use super::answer::Routed;
use super::peer_hop::PeerHop;
use super::text;
use crate::render::{TextBuilder, TextOptions, joined, sanitize};
use kube_aggregation::routing::Outcome;

/// Draws one request to several servers: how many serve it, then each distinct route once.
pub(super) fn side_by_side(requests: &[Routed<'_>], page: TextOptions) -> Option<String> {
    let first = requests.first()?;
    let same = |one: &Routed<'_>| {
        one.route.path == first.route.path && one.route.method == first.route.method
    };
    let names: Vec<&str> = requests.iter().filter_map(asked).collect();
    if requests.len() < 2 || names.len() < requests.len() || !requests.iter().all(same) {
        return None;
    }
    // Servers that do the same are shown once.
    let mut ways: Vec<(&Routed<'_>, Vec<&str>)> = vec![];
    for (one, name) in requests.iter().zip(names) {
        let alike = |known: &(&Routed<'_>, Vec<&str>)| {
            let proxied = |one: &Routed<'_>| one.peers.as_ref().is_some_and(PeerHop::is_proxied);
            known.0.route.way() == one.route.way()
                && proxied(known.0) == proxied(one)
                && (!proxied(one) || handled_by(known.0) == handled_by(one))
        };
        match ways.iter_mut().find(|known| alike(known)) {
            Some((_, names)) => names.push(name),
            None => ways.push((one, vec![name])),
        }
    }
    let mut sheet = TextBuilder::new(page);
    sheet.paragraph("", "", summary(requests));
    for (one, names) in &ways {
        sheet.gap();
        let names = joined(names.iter().map(|name| sanitize(name)), ", ");
        sheet.line(format_args!("{}", page.paint.strong(format!("==> {names} <=="))));
        let both = (one.passage.as_ref(), one.peers.as_ref());
        let next = one.suggestion.next.as_deref();
        sheet.push(&text::picture(&one.route, &one.remarks, both, next, page));
    }
    Some(sheet.into_text())
}

fn handled_by<'r>(one: &'r Routed<'_>) -> Option<&'r [&'r str]> {
    one.peers.as_ref().map(|hop| hop.handled_by.as_slice())
}

fn asked<'a>(one: &Routed<'a>) -> Option<&'a str> {
    one.peers.as_ref().map(|peers| peers.asked)
}

/// Returns how many servers serve a request, and what the others answer.
fn summary(requests: &[Routed<'_>]) -> String {
    let all = requests.len();
    let mut groups: Vec<(String, Vec<&str>)> = vec![];
    let (mut served, mut unknown) = (0, vec![]);
    for one in requests {
        let name = asked(one).unwrap_or_default();
        let status = one.route.status.first().copied().unwrap_or_default();
        let words = match one.route.outcome {
            Outcome::Served | Outcome::Proxied | Outcome::Redirect => {
                served += 1;
                continue;
            }
            Outcome::Unknown => {
                unknown.push(name);
                continue;
            }
            _ => format!("returns {status}"),
        };
        match groups.iter_mut().find(|(known, _)| *known == words) {
            Some((_, names)) => names.push(name),
            None => groups.push((words, vec![name])),
        }
    }
    let mut text = match served {
        0 if unknown.is_empty() => format!("none of {all} servers serves this"),
        0 => "no server is known to serve this".to_owned(),
        _ if served == all => format!("all {all} servers serve this"),
        1 => format!("1 of {all} servers serves this"),
        _ => format!("{served} of {all} servers serve this"),
    };
    for (words, names) in groups {
        let words = if names.len() > 1 { words.replace("returns", "return") } else { words };
        let _ = write!(text, "; {} {words}", sanitize(&joined(names, ", ")));
    }
    if !unknown.is_empty() {
        let _ = write!(text, "; unknown what {} answers", sanitize(&joined(unknown, " or ")));
    }
    let by_peers =
        requests.iter().filter(|one| one.peers.as_ref().is_some_and(|hop| hop.decision == "proxy"));
    let by_peers: Vec<&str> = by_peers.filter_map(asked).collect();
    if !by_peers.is_empty() {
        let verb = if by_peers.len() == 1 { "sends" } else { "send" };
        let _ = write!(text, "; {} {verb} it to a peer", sanitize(&joined(by_peers, ", ")));
    }
    text
}
