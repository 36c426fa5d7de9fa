//! The text of one route, drawn as hops through the chain.

use std::fmt::{Display, Write};

use colored::ColoredString;

use super::filters::{ROOM, SERVER_WIDTH, beside, filter_lines, identity};
use super::peer_hop::PeerHop;
use crate::render::{TextBuilder, TextOptions, joined, sanitize};
use aggctl_diagnose::access::FilterOutcome;
use aggctl_diagnose::knowledge::sentence;
use kube_aggregation::routing::{Decision, Hop, Match, Outcome, Remarks, Route};

/// Draws one route: the hops, what matched, who answers, and why.
pub(super) fn picture(
    route: &Route<'_>,
    remarks: &Remarks<'_>,
    (passage, peers): (Option<&FilterOutcome<'_, '_>>, Option<&PeerHop<'_>>),
    next: Option<&str>,
    page: TextOptions,
) -> String {
    let paint = page.paint;
    let mut sheet = TextBuilder::new(page);
    let (method, path) = (paint.strong(route.method), paint.strong(sanitize(route.path)));
    match peers.map(|peers| peers.asked).filter(|asked| !asked.is_empty()) {
        Some(asked) => {
            let asked = paint.strong(sanitize(asked));
            sheet.line(format_args!("{method} {path}, asked of {asked}"));
        }
        None => sheet.line(format_args!("{method} {path}")),
    }
    if let Some(subject) = subject(route) {
        sheet.line(paint.faint(sanitize(&subject)));
    }
    sheet.gap();
    if let Some(passage) = passage {
        filter_lines(&mut sheet, passage);
    }
    if let Some(peers) = peers {
        peers.lines(&mut sheet);
    }
    for hop in route.hops() {
        hop_lines(&mut sheet, hop, route);
    }
    if route.outcome == Outcome::BadRequest {
        sheet.line("  no server is asked: the path ends with a verb and no resource");
    }
    sheet.gap();
    let outcome = format!("{}:", route.outcome.as_str());
    let shown = match route.outcome {
        Outcome::Served | Outcome::Redirect => paint.good(&outcome),
        Outcome::Proxied => paint.away(&outcome),
        Outcome::Unknown => paint.odd(&outcome),
        _ => paint.bad(&outcome),
    };
    remark(&mut sheet, shown, verdict(route));
    for warning in &remarks.warnings {
        let label = paint.odd(format!("warning[{}]:", warning.code));
        remark(&mut sheet, label, sentence(warning));
    }
    if let (Some(passage), Outcome::Proxied) = (passage, route.outcome) {
        remark(&mut sheet, paint.faint("identity:"), identity(passage));
    }
    let assumptions = remarks.assumptions.iter().cloned();
    for assumption in assumptions.chain(passage.into_iter().flat_map(FilterOutcome::assumptions)) {
        remark(&mut sheet, paint.faint("assumed:"), assumption);
    }
    if let Some(command) = next {
        sheet.command(paint.strong("next:"), command);
    }
    sheet.into_text()
}

/// Returns the request in words: `list deployments of apps/v1 in namespace default`.
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

fn hop_lines(sheet: &mut TextBuilder, hop: &Hop<'_>, route: &Route<'_>) {
    let paint = sheet.page.paint;
    let last = route.last_hop().is_some_and(|end| std::ptr::eq(end, hop));
    let mark = match hop.decision {
        _ if !last => paint.faint("│"),
        Decision::Proxy(_) | Decision::ProxyToUnknownService(_) => paint.away("→"),
        _ => match route.outcome {
            Outcome::Served | Outcome::Redirect => paint.good("●"),
            Outcome::Unknown => paint.odd("?"),
            _ => paint.bad("×"),
        },
    };
    let matched = match hop.matched {
        Match::WebService(root) => format!("web service {}", sanitize(root)),
        Match::Exact => "exactly this path".to_owned(),
        Match::Prefix(prefix) => format!("prefix {}", sanitize(prefix)),
        Match::None => "no match".to_owned(),
    };
    let name = format!("{:SERVER_WIDTH$}", hop.server.as_str());
    let name = if last { paint.strong(name) } else { paint.faint(name) };
    sheet.line(format_args!("  {mark} {name}  {matched}"));
    if matches!(hop.decision, Decision::PassOn) {
        return;
    }
    let rail = if last { " ".into() } else { paint.faint("│") };
    let indent = format!("  {rail} {:1$}  ", "", beside(sheet.page.width));
    sheet.paragraph(&indent, &indent, hop.reason());
}

/// Returns who answers, with which status.
fn verdict(route: &Route<'_>) -> String {
    let status = statuses(route);
    match route.outcome {
        Outcome::Served => match route.last_hop() {
            Some(hop) => format!("{} answers, {status}", hop.server.as_str()),
            None => status,
        },
        Outcome::Proxied => match route.api_service().and_then(|s| s.service.as_ref()) {
            Some(service) => format!("Service {} answers, {status}", sanitize(&service.id())),
            None => format!("an extension API server answers, {status}"),
        },
        Outcome::BadRequest | Outcome::Unauthorized | Outcome::Forbidden => {
            format!("{status}, before any routing")
        }
        Outcome::PeerUnreachable => format!(
            "{status}, text \"error trying to reach service: dial tcp …\", for 10 to 15 seconds"
        ),
        Outcome::PeerAddressUnknown => format!(
            "{status}, \"Error getting ip and port info of the remote server while proxying\""
        ),
        Outcome::Unavailable => format!("{status}, without asking the extension API server"),
        _ => status,
    }
}

/// Returns the expected status in words.
fn statuses(route: &Route<'_>) -> String {
    match (route.outcome, route.status) {
        (Outcome::Proxied, _) => {
            "with a status of its own (503 if it cannot be reached)".to_owned()
        }
        (Outcome::Served, [200, 404]) => "status 200, or 404 if there is no such object".to_owned(),
        (Outcome::Served, [first, _, ..]) => {
            format!("status {first} unless the request is refused")
        }
        (Outcome::Unknown, all) => format!("status {}", joined(all, " or ")),
        (_, all) => format!("status {}", all.first().copied().unwrap_or(0)),
    }
}

/// Adds a labeled remark; on a narrow terminal, below its label.
fn remark(sheet: &mut TextBuilder, label: ColoredString, message: impl Display) {
    if sheet.page.width < textwrap::core::display_width(&label.to_string()) + ROOM {
        sheet.line(label);
        sheet.indented(4, message);
    } else {
        sheet.hang(label, message);
    }
}
