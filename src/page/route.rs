//! Routes a request that the user types into the page.

use super::error::Refusal;
use crate::render::{self, Answer, Routed, RoutedNow, RoutesAnswer, Suggestion};
use kube_aggregation::model::Snapshot;
use kube_aggregation::names;
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::{Method, Outcome, Router};

/// Routes a request. In a what-if, `before` is the snapshot without the changes.
pub(super) fn route(
    router: &Router<'_>,
    before: Option<&Snapshot>,
    request: &str,
) -> Result<String, Refusal> {
    let registry = router.registry();
    let (method, text) = parse(request);
    let named = (!text.starts_with('/')).then(|| names::path_of(registry, text, None)).flatten();
    let text = named.as_deref().unwrap_or(text);
    let target = render::parse_target(method, text).map_err(Refusal::input)?;
    let route = router.route(&target);
    let mut suggestion = Suggestion::default();
    if route.outcome == Outcome::NotFound && before.is_none() {
        suggestion.path = router.suggest(route.method, route.path);
        suggestion.served = router.served(&route);
    }
    let remarks = router.remarks(&route, suggestion.path.is_some());
    let registry_now = before.map(Registry::new);
    let router_now = registry_now.as_ref().map(Router::new);
    let now = router_now.as_ref().map(|router| {
        let route = router.route(&target);
        let remarks = router.remarks(&route, false);
        RoutedNow { route, remarks, passage: None, peers: None }
    });
    let answer = RoutesAnswer {
        origin: &registry.snapshot.origin,
        now: before.map(|snapshot| &snapshot.origin),
        requests: &[Routed {
            origin: &registry.snapshot.origin,
            route,
            remarks,
            suggestion,
            passage: None,
            peers: None,
            now,
        }],
    };
    Ok(render::line(&answer.json())?)
}

/// Splits a request into its method, GET by default, and its path or resource.
fn parse(request: &str) -> (Method, &str) {
    let request = request.trim();
    let (first, rest) = request.split_once(char::is_whitespace).unwrap_or((request, ""));
    match Method::parse(first) {
        Some(method) if !rest.is_empty() => (method, rest.trim_start()),
        _ => (Method::Get, request),
    }
}
