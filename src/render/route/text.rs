//! One request's way through the chain, as a picture.

use std::fmt::Write;

use super::super::answer::Page;
use super::super::layout::{hang, indented, paragraph};
use super::super::paint::Paint;
use super::super::sanitise::sanitise;

use super::passage::{filter_lines, identity};
use crate::access::Passage;
use crate::routing::{Decision, Hop, Match, Outcome, Remarks, Route, Warning};

/// The width of the longest server name, `apiextensions-apiserver`.
pub(super) const SERVER_WIDTH: usize = 23;

/// Text that would have less room than this beside its label stands below it.
const ROOM: usize = 24;

/// The picture of one request's way: who was asked, what matched, who answers, and why.
pub(super) fn picture(
    route: &Route<'_>,
    remarks: Option<&Remarks>,
    passage: Option<&Passage<'_, '_>>,
    next: Option<&str>,
    page: Page,
) -> String {
    let Page { paint, width, .. } = page;
    let mut text = String::new();
    let _ = writeln!(text, "{} {}", paint.strong(route.method), paint.strong(sanitise(route.path)));
    if let Some(subject) = subject(route) {
        let _ = writeln!(text, "{}", paint.faint(sanitise(&subject)));
    }
    text.push('\n');
    if let Some(passage) = passage {
        filter_lines(&mut text, passage, paint, width);
    }
    for hop in route.hops() {
        hop_lines(&mut text, hop, route, paint, width);
    }
    if route.outcome == Outcome::BadRequest {
        text.push_str("  no server is asked: the path ends with a verb and no resource\n");
    }
    text.push('\n');
    let outcome = format!("{}:", route.outcome.as_str());
    let shown = match route.outcome {
        Outcome::Served | Outcome::Redirect => paint.good(&outcome),
        Outcome::Proxied => paint.away(&outcome),
        Outcome::Unknown => paint.odd(&outcome),
        _ => paint.bad(&outcome),
    };
    text.push_str(&remark(&shown.to_string(), &verdict(route), width));
    for Warning { code, message } in remarks.iter().flat_map(|remarks| &remarks.warnings) {
        let label = paint.odd(format!("warning[{code}]:")).to_string();
        text.push_str(&remark(&label, message, width));
    }
    if let (Some(passage), Outcome::Proxied) = (passage, route.outcome) {
        let label = paint.faint("identity:").to_string();
        text.push_str(&remark(&label, &identity(passage), width));
    }
    let assumptions = remarks.into_iter().flat_map(|remarks| remarks.assumptions.clone());
    for assumption in assumptions.chain(passage.into_iter().flat_map(Passage::assumptions)) {
        let label = paint.faint("assumed:").to_string();
        text.push_str(&remark(&label, &assumption.to_string(), width));
    }
    if let Some(command) = next {
        // Never wrapped: it is there to be copied.
        let _ = writeln!(text, "{} {}", paint.strong("next:"), paint.away(sanitise(command)));
    }
    text
}

/// What the request asks for, in words: `list deployments of apps/v1 in namespace default`.
fn subject(route: &Route<'_>) -> Option<String> {
    let info = route.info().filter(|info| info.resource_request)?;
    let verb = if info.verb.is_empty() { "no verb, on" } else { info.verb };
    let mut text = format!("{verb} {}", info.resource);
    if !info.subresource.is_empty() {
        let _ = write!(text, "/{}", info.subresource);
    }
    if !info.name.is_empty() {
        let _ = write!(text, " {:?}", info.name);
    }
    let group = if info.group.is_empty() { String::new() } else { format!("{}/", info.group) };
    let _ = write!(text, " of {group}{}", info.version);
    if !info.namespace.is_empty() && info.resource != "namespaces" {
        let _ = write!(text, " in namespace {}", info.namespace);
    }
    Some(text)
}

fn hop_lines(text: &mut String, hop: &Hop<'_>, route: &Route<'_>, paint: Paint, width: usize) {
    let last = route.last_hop().is_some_and(|end| std::ptr::eq(end, hop));
    let mark = match hop.decision {
        _ if !last => paint.faint("│"),
        Decision::Proxy(_) | Decision::ProxySomewhere(_) => paint.away("→"),
        _ => match route.outcome {
            Outcome::Served | Outcome::Redirect => paint.good("●"),
            Outcome::Unknown => paint.odd("?"),
            _ => paint.bad("×"),
        },
    };
    let matched = match hop.matched {
        Match::WebService(root) => format!("web service {}", sanitise(root)),
        Match::Exact => "exactly this path".to_owned(),
        Match::Prefix(prefix) => format!("prefix {}", sanitise(prefix)),
        Match::None => "no match".to_owned(),
    };
    let name = format!("{:SERVER_WIDTH$}", hop.server.as_str());
    let name = if last { paint.strong(name) } else { paint.faint(name) };
    let _ = writeln!(text, "  {mark} {name}  {matched}");
    if matches!(hop.decision, Decision::PassOn) {
        return;
    }
    let rail = if last { " ".into() } else { paint.faint("│") };
    let indent = format!("  {rail} {:1$}  ", "", beside(width));
    text.push_str(&paragraph(&indent, &indent, &hop.reason().to_string(), width));
}

/// How far from the left what a hop says begins; on a narrow page, below its name.
pub(super) fn beside(width: usize) -> usize {
    if width < SERVER_WIDTH + 6 + ROOM { 0 } else { SERVER_WIDTH }
}

/// Who answers, with which status.
fn verdict(route: &Route<'_>) -> String {
    let status = statuses(route);
    match route.outcome {
        Outcome::Served => match route.last_hop() {
            Some(hop) => format!("{} answers, {status}", hop.server.as_str()),
            None => status,
        },
        Outcome::Proxied => match route.api_service().and_then(|s| s.service.as_ref()) {
            Some(service) => format!("Service {} answers, {status}", sanitise(&service.id())),
            None => format!("an extension API server answers, {status}"),
        },
        Outcome::BadRequest | Outcome::Unauthorized | Outcome::Forbidden => {
            format!("{status}, before any routing")
        }
        Outcome::Unavailable => format!("{status}, without asking the extension API server"),
        _ => status,
    }
}

/// The status to expect, in words.
fn statuses(route: &Route<'_>) -> String {
    match (route.outcome, route.status) {
        (Outcome::Proxied, _) => {
            "with a status of its own (503 if it cannot be reached)".to_owned()
        }
        (Outcome::Served, [200, 404]) => "status 200, or 404 if there is no such object".to_owned(),
        (Outcome::Served, [first, _, ..]) => {
            format!("status {first} unless the request is refused")
        }
        (Outcome::Unknown, all) => {
            let all: Vec<String> = all.iter().map(u16::to_string).collect();
            format!("status {}", all.join(" or "))
        }
        (_, all) => format!("status {}", all.first().copied().unwrap_or(0)),
    }
}

/// A labelled remark; on a narrow page, below its label.
fn remark(label: &str, message: &str, width: usize) -> String {
    if width < textwrap::core::display_width(label) + ROOM {
        return format!("{label}\n{}", indented(4, message, width));
    }
    hang(label, message, width)
}
