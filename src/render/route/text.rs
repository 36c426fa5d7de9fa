//! The text of one route, drawn as hops through the chain.

use std::fmt::{Display, Write};

use colored::{ColoredString, Colorize};
use textwrap::core::display_width;

use super::filters::{Names, ROOM, filter_lines, identity};
use super::peer_hop::PeerHop;
use crate::render::{TextBuilder, TextOptions, joined, paragraph, sanitize};
use aggctl_diagnose::access::FilterOutcome;
use aggctl_diagnose::knowledge::sentence;
use kube_aggregation::registry::Code;
use kube_aggregation::routing::{Decision, Hop, Match, Outcome, ProxyRefusal, Remarks, Route};

/// Draws one route: the request, the hops, the outcome as a sentence, and the next command.
pub(super) fn picture(
    route: &Route<'_>,
    remarks: &Remarks<'_>,
    (passage, peers): (Option<&FilterOutcome<'_, '_>>, Option<&PeerHop<'_>>),
    next: Option<&str>,
    page: TextOptions,
) -> String {
    let paint = page.paint;
    let mut sheet = TextBuilder::new(page);
    heading(&mut sheet, route, peers.map(|peers| peers.asked));
    sheet.gap();
    let longest = route.hops().map(|hop| hop.server.as_str().len()).max();
    let proxy = peers.is_some_and(|peers| !peers.decision.is_empty());
    let column = Names::new(longest, passage, proxy, page.width);
    if let Some(passage) = passage {
        filter_lines(&mut sheet, passage, column);
    }
    if let Some(peers) = peers {
        peers.lines(&mut sheet, column);
    }
    for hop in route.hops() {
        hop_lines(&mut sheet, hop, route, column);
    }
    if route.outcome == Outcome::BadRequest {
        sheet.line("  The path ends with a verb and names no resource.");
    }
    sheet.gap();
    verdict(&mut sheet, route);
    // The hop already says why the APIService is unavailable.
    let warnings = remarks.warnings.iter().filter(|one| one.code != Code::Unavailable);
    for warning in warnings {
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

/// Writes the request: method, path, what it asks for, and the server that was asked.
fn heading(sheet: &mut TextBuilder, route: &Route<'_>, asked: Option<&str>) {
    let (paint, path) = (sheet.page.paint, sanitize(route.path));
    let request = format!("{} {path}", route.method);
    let asked = asked.filter(|asked| !asked.is_empty());
    let asked = asked.map(|asked| format!("asked of {}", sanitize(asked)));
    let subject = subject(route).map(|subject| sanitize(&subject).into_owned());
    let details = joined(subject.into_iter().chain(asked), ", ");
    let shown = paint.strong(&request);
    if details.is_empty() {
        sheet.line(shown);
    } else if display_width(&request) + display_width(&details) + 4 <= sheet.page.width {
        sheet.line(format_args!("{shown}    {}", paint.faint(details)));
    } else {
        sheet.line(format_args!("{shown}\n{}", paint.faint(details)));
    }
}

/// Returns the request in words: `list deployments in namespace default (apps/v1)`.
fn subject(route: &Route<'_>) -> Option<String> {
    let info = route.info().filter(|info| info.resource_request)?;
    let verb = if info.verb.is_empty() { "no verb for" } else { info.verb };
    let mut text = format!("{verb} {}", info.resource);
    if !info.name.is_empty() {
        let _ = write!(text, "/{}", info.name);
    }
    if !info.subresource.is_empty() {
        let _ = write!(text, "/{}", info.subresource);
    }
    if !info.namespace.is_empty() && info.resource != "namespaces" {
        let _ = write!(text, " in namespace {}", info.namespace);
    }
    let group = if info.group.is_empty() { "core" } else { info.group };
    let _ = write!(text, " ({group}/{})", info.version);
    Some(text)
}

fn hop_lines(sheet: &mut TextBuilder, hop: &Hop<'_>, route: &Route<'_>, column: Names) {
    let paint = sheet.page.paint;
    let last = route.last_hop().is_some_and(|end| std::ptr::eq(end, hop));
    let mark = match hop.decision {
        _ if !last => paint.faint("│"),
        Decision::Proxy(_) | Decision::ProxyToUnknownService(_) => paint.away("→"),
        _ => match route.outcome {
            Outcome::Served | Outcome::Redirect => paint.good("✓"),
            Outcome::Unknown => paint.odd("?"),
            _ => paint.bad("✗"),
        },
    };
    let mut lines = described(hop);
    if sheet.page.verbose || sheet.page.wide {
        lines.extend(matched(hop));
    }
    column.lines(sheet, (mark, hop.server.as_str(), last), &lines);
}

/// Returns what a server does with the request, one line per fact.
fn described(hop: &Hop<'_>) -> Vec<String> {
    match hop.decision {
        Decision::PassOn => vec!["no match".to_owned()],
        Decision::Delegate(service) if hop.decision.as_str() == "delegate" => {
            vec![format!("APIService {} is local", service.name)]
        }
        Decision::Custom(crd) => vec![format!("CRD {}", crd.name)],
        Decision::Proxy(service) => {
            let to = service.service.as_ref();
            let to = to.map(|to| format!("proxied to Service {}:{}", to.id(), to.port));
            std::iter::once(format!("APIService {}", service.name)).chain(to).collect()
        }
        Decision::Refuse(service, ProxyRefusal::NotAvailable) => {
            let why = service.available.as_ref();
            let why = why.map(|why| joined(non_empty([&why.reason, &why.message]), ": "));
            let unset = || "its condition Available is not set yet".to_owned();
            let why = why.unwrap_or_else(unset);
            vec![format!("APIService {} is unavailable", service.name), why]
        }
        _ => vec![hop.reason().to_string()],
    }
}

fn non_empty<const N: usize>(texts: [&String; N]) -> impl Iterator<Item = &String> {
    texts.into_iter().filter(|text| !text.is_empty())
}

/// Returns the pattern that matched.
fn matched(hop: &Hop<'_>) -> Option<String> {
    match hop.matched {
        Match::WebService(root) => Some(format!("matched web service {root}")),
        Match::Exact => Some("exact match".to_owned()),
        Match::Prefix(prefix) => Some(format!("matched prefix {prefix}")),
        Match::None => None,
    }
}

/// Writes the outcome as a sentence: the status, the server that sends it, and the alternatives.
fn verdict(sheet: &mut TextBuilder, route: &Route<'_>) {
    let (paint, status) = (sheet.page.paint, statuses(route));
    let (status, rest) = match route.outcome {
        Outcome::Served | Outcome::Redirect => {
            let from = route.last_hop().map_or("", |hop| hop.server.as_str());
            let rest = match (route.outcome, route.status) {
                (Outcome::Served, [200, 404]) => ", or 404 if the object does not exist",
                (Outcome::Served, [_, _, ..]) => ", unless the server rejects the object",
                _ => "",
            };
            (paint.good(status), format!(" from {from}{rest}."))
        }
        Outcome::Proxied => {
            let service = route.api_service().and_then(|s| s.service.as_ref());
            let service = service.map(|service| sanitize(&service.id()).into_owned());
            let service = service.unwrap_or_else(|| "the extension API server".to_owned());
            (
                paint.away("The status"),
                format!(" is that of {service}, or 503 if it cannot be reached."),
            )
        }
        Outcome::Unknown => {
            (paint.odd(status), ". The source does not have enough data to tell.".to_owned())
        }
        Outcome::Unavailable => {
            let rest = ". The request never reaches the extension API server.";
            (paint.bad(status), rest.to_owned())
        }
        Outcome::BadRequest | Outcome::Unauthorized | Outcome::Forbidden => {
            (paint.bad(status), ". The request is rejected before routing.".to_owned())
        }
        Outcome::PeerUnreachable => {
            let body = "error trying to reach service: dial tcp …";
            (paint.bad(status), format!(" with \"{body}\", for 10 to 15 seconds."))
        }
        Outcome::PeerAddressUnknown => {
            let body = "Error getting ip and port info of the remote server while proxying";
            (paint.bad(status), format!(" with \"{body}\"."))
        }
        Outcome::NotFound | Outcome::MethodNotAllowed => (paint.bad(status), ".".to_owned()),
    };
    // The status is part of the sentence, so that both are wrapped as one text.
    let plain = status.clone().clear();
    let sentence = paragraph("", "", &format!("{plain}{rest}"), sheet.page.width);
    sheet.push(&sentence.replacen(&plain.to_string(), &status.to_string(), 1));
}

/// Returns the expected status in words.
fn statuses(route: &Route<'_>) -> String {
    let first = route.status.first().copied().unwrap_or(0);
    match (route.outcome, route.status) {
        (Outcome::Unknown, all) => joined(all, " or "),
        (Outcome::Served, _) => first.to_string(),
        _ => match reason_phrase(first) {
            "" => first.to_string(),
            phrase => format!("{first} {phrase}"),
        },
    }
}

fn reason_phrase(status: u16) -> &'static str {
    match status {
        301 => "Moved Permanently",
        302 => "Found",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        500 => "Internal Server Error",
        503 => "Service Unavailable",
        _ => "",
    }
}

/// Adds a labeled remark; on a narrow terminal, below its label.
fn remark(sheet: &mut TextBuilder, label: ColoredString, message: impl Display) {
    if sheet.page.width < display_width(&label.to_string()) + ROOM {
        sheet.line(label);
        sheet.indented(4, message);
    } else {
        sheet.hang(label, message);
    }
}
