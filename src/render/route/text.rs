//! One request's way through the chain: as a picture, as a row, as JSON.

use std::borrow::Cow;
use std::fmt::Write;

use serde::{Serialize, Serializer};

use crate::model::ServiceReference;
use crate::render::json::{API_VERSION, SourceJson};
use crate::render::sanitise::sanitise;
use crate::render::table::{Table, Tone};
use crate::render::wrap;
use crate::render::{Page, Paint};
use crate::routing::{Decision, Hop, Match, Outcome, Route, Router, Warning};

/// The width of the longest server name, `apiextensions-apiserver`.
const SERVER_WIDTH: usize = 23;

/// Text that would have less room than this beside its label stands below it.
const ROOM: usize = 24;

/// The picture of one request's way: who was asked, what matched, who answers, and why.
pub fn route_text(
    router: &Router<'_>,
    route: &Route<'_>,
    suggestion: Option<&str>,
    paint: Paint,
    width: usize,
) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{} {}", paint.strong(route.method), paint.strong(sanitise(route.path)));
    if let Some(subject) = subject(route) {
        let _ = writeln!(text, "{}", paint.faint(sanitise(&subject)));
    }
    text.push('\n');
    for hop in route.hops() {
        hop_lines(&mut text, hop, route, paint, width);
    }
    if route.hops().next().is_none() {
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
    remark(&mut text, &shown.to_string(), outcome.len(), &verdict(route), width);
    for Warning { code, message } in warnings(router, route, suggestion) {
        remark(
            &mut text,
            &format!("{}", paint.odd(format!("warning[{code}]:"))),
            code.len() + 10,
            &message,
            width,
        );
    }
    for message in router.assumptions(route) {
        let message = message.to_string();
        remark(&mut text, &format!("{}", paint.faint("assumed:")), 8, &message, width);
    }
    text
}

/// What will surprise. That no CRD can answer in a built-in group surprises nobody who only
/// mistyped a path.
fn warnings(router: &Router<'_>, route: &Route<'_>, suggestion: Option<&str>) -> Vec<Warning> {
    let mut all = router.warnings(route);
    all.retain(|warning| suggestion.is_none() || warning.code != "built-in-group");
    all
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
    let beside = if width < SERVER_WIDTH + 6 + ROOM { 0 } else { SERVER_WIDTH };
    let reason = hop.reason().to_string();
    let rail = if last { " ".into() } else { paint.faint("│") };
    for line in wrap(&sanitise(&reason), width.saturating_sub(beside + 6)) {
        let _ = writeln!(text, "  {rail} {:beside$}  {line}", "");
    }
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
        Outcome::BadRequest => format!("{status}, before any routing"),
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

fn remark(text: &mut String, label: &str, label_width: usize, message: &str, width: usize) {
    let message = sanitise(message);
    if width < label_width + ROOM {
        let _ = writeln!(text, "{label}");
        for line in wrap(&message, width.saturating_sub(4)) {
            let _ = writeln!(text, "    {line}");
        }
        return;
    }
    for (index, line) in wrap(&message, width.saturating_sub(label_width + 1)).iter().enumerate() {
        if index == 0 {
            let _ = writeln!(text, "{label} {line}");
        } else {
            let _ = writeln!(text, "{:label_width$} {line}", "");
        }
    }
}

/// Several requests, a row each.
pub fn routes_table(router: &Router<'_>, routes: &[Route<'_>], page: Page) -> String {
    let mut headers = vec!["METHOD", "PATH", "OUTCOME", "STATUS", "HANDLER"];
    if page.wide {
        headers.extend(["HOPS", "WARNINGS"]);
    }
    let mut table = Table::new(&headers, page);
    for route in routes {
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
            (route.handler_name(), Tone::Plain),
        ];
        if page.wide {
            let hops: Vec<String> = route.hops().map(short_hop).collect();
            let codes: Vec<&str> = router.warnings(route).iter().map(|w| w.code).collect();
            cells.push((hops.join(" > "), Tone::Plain));
            cells.push((codes.join(","), Tone::Odd));
        }
        table.toned(cells);
    }
    table.render()
}

/// Several requests under two snapshots, a row each.
pub fn routes_comparison(now: &[Route<'_>], then: &[Route<'_>], page: Page) -> String {
    let mut table = Table::new(&["METHOD", "PATH", "NOW", "THEN"], page);
    for (now, then) in now.iter().zip(then) {
        let (before, after) = (now.way(), then.way());
        let change = if before == after {
            ("the same".to_owned(), Tone::Plain)
        } else if before.to_string() == after.to_string() {
            (format!("{after}, another way"), Tone::Odd)
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
        sanitise(&route.handler_name()),
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

/// One answer, as the JSON contract has it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RouteJson<'a> {
    api_version: &'static str,
    kind: &'static str,
    source: SourceJson<'a>,
    request: RequestJson<'a>,
    hops: Vec<HopJson<'a>>,
    outcome: &'static str,
    service: Option<ServiceId<'a>>,
    status: &'static [u16],
    handler: Option<HandlerJson<'a>>,
    warnings: Vec<WarningJson>,
    assumptions: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestion: Option<String>,
    /// Set with manifests as if applied: whether they change the way of this request.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<bool>,
    /// The way as it is now, where it is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<Box<RouteJson<'a>>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RequestJson<'a> {
    method: &'static str,
    path: &'a str,
    resource: bool,
    verb: Option<&'a str>,
    group: Option<&'a str>,
    version: Option<&'a str>,
    namespace: Option<&'a str>,
    name: Option<Cow<'a, str>>,
    resource_name: Option<&'a str>,
    subresource: Option<&'a str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct HopJson<'a> {
    server: &'static str,
    r#match: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pattern: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    api_service: Option<&'a str>,
    decision: &'static str,
    #[serde(serialize_with = "displayed")]
    reason: &'a Hop<'a>,
}

fn displayed<S: Serializer>(hop: &&Hop<'_>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&hop.reason())
}

/// A Service as `namespace/name`.
#[derive(Debug, Clone, Copy)]
struct ServiceId<'a>(&'a ServiceReference);

impl Serialize for ServiceId<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{}/{}", self.0.namespace, self.0.name))
    }
}

#[derive(Debug, Serialize)]
struct HandlerJson<'a> {
    server: &'static str,
    name: Name<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Name<'a> {
    Service(ServiceId<'a>),
    Text(&'a str),
}

#[derive(Debug, Serialize)]
struct WarningJson {
    code: &'static str,
    message: String,
}

impl<'a> RouteJson<'a> {
    /// The answer to one request.
    pub fn new(router: &'a Router<'_>, route: &'a Route<'a>, suggestion: Option<String>) -> Self {
        let warning = |w: Warning| WarningJson { code: w.code, message: w.message };
        Self {
            api_version: API_VERSION,
            kind: "Route",
            source: (&router.registry().snapshot.origin).into(),
            request: RequestJson::new(route),
            hops: route.hops().map(HopJson::from).collect(),
            outcome: route.outcome.as_str(),
            service: route.api_service().and_then(|s| s.service.as_ref()).map(ServiceId),
            status: route.status,
            handler: HandlerJson::new(route),
            warnings: (warnings(router, route, suggestion.as_deref()).into_iter())
                .map(warning)
                .collect(),
            assumptions: router.assumptions(route).iter().map(ToString::to_string).collect(),
            suggestion,
            changed: None,
            before: None,
        }
    }

    /// What the answer rests on that the source does not have.
    pub fn assumptions(&self) -> &[String] {
        &self.assumptions
    }

    /// Adds how it is now to an answer of how it would be.
    #[must_use]
    pub fn compared(mut self, now: Option<RouteJson<'a>>) -> Self {
        self.changed = Some(now.is_some());
        self.before = now.map(Box::new);
        self
    }
}

impl<'a> RequestJson<'a> {
    fn new(route: &Route<'a>) -> Self {
        let some = |text: &'a str| (!text.is_empty()).then_some(text);
        let info = route.info();
        let verb = info.as_ref().and_then(|i| some(i.verb));
        let about = info.filter(|info| info.resource_request);
        let of = about.as_ref();
        Self {
            method: route.method.as_str(),
            path: route.path,
            resource: of.is_some(),
            verb,
            group: of.map(|i| i.group),
            version: of.and_then(|i| some(i.version)),
            namespace: of.and_then(|i| some(i.namespace)),
            resource_name: of.and_then(|i| some(i.resource)),
            subresource: of.and_then(|i| some(i.subresource)),
            name: about.map(|i| i.name).filter(|name| !name.is_empty()),
        }
    }
}

impl<'a> From<&'a Hop<'a>> for HopJson<'a> {
    fn from(hop: &'a Hop<'a>) -> Self {
        let (r#match, pattern) = match hop.matched {
            Match::WebService(root) => ("webservice", Some(root)),
            Match::Exact => ("exact", None),
            Match::Prefix(prefix) => ("prefix", Some(prefix)),
            Match::None => ("none", None),
        };
        let api_service = match hop.decision {
            Decision::Delegate(s) | Decision::Proxy(s) | Decision::Refuse(s, _) => {
                Some(s.name.as_str())
            }
            _ => None,
        };
        Self {
            server: hop.server.as_str(),
            r#match,
            pattern,
            api_service,
            decision: hop.decision.as_str(),
            reason: hop,
        }
    }
}

impl<'a> HandlerJson<'a> {
    fn new(route: &'a Route<'a>) -> Option<Self> {
        let hop = route.last_hop()?;
        if matches!(route.outcome, Outcome::NotFound | Outcome::BadRequest | Outcome::Unavailable) {
            return None;
        }
        Some(match hop.decision {
            Decision::Proxy(s) => {
                let reference = s.service.as_ref()?;
                let ServiceReference { namespace, name, port } = reference;
                let url = format!("https://{name}.{namespace}.svc:{port}{}", route.path);
                Self {
                    server: "extension",
                    name: Name::Service(ServiceId(reference)),
                    url: Some(url),
                }
            }
            Decision::ProxySomewhere(_) => {
                Self { server: "extension", name: Name::Text("unknown"), url: None }
            }
            Decision::Custom(crd) | Decision::CustomVerb(crd) => {
                Self { server: hop.server.as_str(), name: Name::Text(&crd.name), url: None }
            }
            _ => {
                let pattern = match hop.matched {
                    Match::WebService(pattern) | Match::Prefix(pattern) => pattern,
                    _ => route.path,
                };
                Self { server: hop.server.as_str(), name: Name::Text(pattern), url: None }
            }
        })
    }
}
