//! What is counted of a request's way through the chain.

use std::borrow::Cow;
use std::fmt::Write;

use super::event::Event;
use super::row::Key;
use kube_aggregation::routing::{Decision, Outcome, RequestInfo, Route, Server};

/// What stands for a request whose handler cannot be told.
pub const UNKNOWN: &str = "(unknown)";

/// A request's way, as far as it is counted.
#[derive(Debug, Clone, Copy)]
pub(super) struct AnsweredBy {
    /// The part of a row's key that follows from it.
    pub(super) key: Key,
    pub(super) outcome: Outcome,
    /// Whether somebody would answer where things are compared, or nothing is.
    pub(super) works_then: bool,
    pub(super) long_running: bool,
}

/// Who handles a request: an APIService that leads to a Service, or the server that answers.
pub fn handler<'a>(route: &Route<'a>) -> Cow<'a, str> {
    let Some(hop) = route.last_hop() else { return Server::Aggregator.as_str().into() };
    match (route.outcome, hop.decision) {
        (_, Decision::Proxy(service) | Decision::Refuse(service, _)) => {
            Cow::Borrowed(&service.name)
        }
        (_, Decision::ProxyToUnknownService(gv)) => gv.api_service_name().into(),
        (Outcome::Unknown, _) => UNKNOWN.into(),
        _ => hop.server.as_str().into(),
    }
}

/// Whether somebody answers.
pub(super) fn works(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Served | Outcome::Proxied | Outcome::Redirect | Outcome::Unknown)
}

/// What must be equal for a request to end as before.
pub(super) fn ending<'a>(route: &Route<'a>) -> (Outcome, Cow<'a, str>, &'a str, &'a str) {
    let (first, second) = match route.last_hop().map(|hop| hop.decision) {
        Some(Decision::Proxy(s) | Decision::Refuse(s, _)) => {
            s.service.as_ref().map_or(("", ""), |s| (s.namespace.as_str(), s.name.as_str()))
        }
        Some(Decision::Custom(crd) | Decision::CustomVerb(crd)) => (crd.name.as_str(), ""),
        _ => ("", ""),
    };
    // Whoever does not answer may be anybody.
    let handler = if route.outcome == Outcome::NotFound { "".into() } else { handler(route) };
    (route.outcome, handler, first, second)
}

/// `deployments.v1.apps/scale`, as one would name it to kubectl; nothing for what is no resource.
pub(super) fn resource(info: Option<&RequestInfo<'_>>, text: &mut String) {
    let Some(info) = info.filter(|info| info.resource_request) else { return };
    let _ = write!(text, "{}.{}", info.resource, info.version);
    if !info.group.is_empty() {
        let _ = write!(text, ".{}", info.group);
    }
    if !info.subresource.is_empty() {
        let _ = write!(text, "/{}", info.subresource);
    }
}

/// The path of a request with its names left open.
pub(super) fn pattern(info: Option<&RequestInfo<'_>>, event: &Event<'_>, text: &mut String) {
    let Some(info) = info.filter(|info| info.resource_request) else {
        text.push_str(&event.path);
        return;
    };
    let _ = match info.group {
        "" => write!(text, "/api/{}", info.version),
        group => write!(text, "/apis/{group}/{}", info.version),
    };
    if !info.namespace.is_empty() && info.resource != "namespaces" {
        text.push_str("/namespaces/{namespace}");
    }
    let _ = write!(text, "/{}", info.resource);
    if !info.name.is_empty() {
        text.push_str("/{name}");
    }
    if !info.subresource.is_empty() {
        let _ = write!(text, "/{}", info.subresource);
    }
}

/// As the server's own check: these may take as long as they like.
pub(super) fn is_long_running(info: &Option<RequestInfo<'_>>, event: &Event<'_>) -> bool {
    match info {
        Some(info) if info.resource_request => {
            matches!(&*event.verb, "watch" | "proxy")
                || matches!(info.subresource, "attach" | "exec" | "proxy" | "log" | "portforward")
        }
        _ => event.path.starts_with("/debug/pprof/"),
    }
}
