//! Routes a request that the user types into the page.

use super::error::Refusal;
use super::site::Site;
use super::world::with_plane;
use crate::render::{self, Answer, PeerHop, Routed, RoutedNow, RoutesAnswer, Suggestion};
use kube_aggregation::names;
use kube_aggregation::peers::ControlPlane;
use kube_aggregation::registry::{Code, Registry};
use kube_aggregation::routing::{Method, Outcome, Router, Target};

/// Routes a request. The server of `router` is the first of the control plane, if there is one. In
/// a what-if, `before` is the site without the changes.
pub(super) fn route(
    router: &Router<'_>,
    plane: Option<&ControlPlane<'_, '_>>,
    before: Option<&Site<'_>>,
    request: &str,
) -> Result<String, Refusal> {
    let registry = router.registry();
    let (method, text) = parse(request);
    let named = (!text.starts_with('/')).then(|| names::path_of(registry, text, None)).flatten();
    let text = named.as_deref().unwrap_or(text);
    let target = render::parse_target(method, text).map_err(Refusal::input)?;
    let RoutedNow { route, mut remarks, peers, .. } = routed(router, plane, &target);
    let mut suggestion = Suggestion::default();
    if route.outcome == Outcome::NotFound && before.is_none() {
        suggestion.path = router.suggest(route.method, route.path);
        suggestion.served = router.served(&route);
    }
    if suggestion.path.is_some() {
        remarks.warnings.retain(|warning| warning.code != Code::BuiltInGroup);
    }
    let origin = &registry.snapshot.origin;
    let answer = |now: Option<RoutedNow<'_>>| {
        let requests = [Routed { origin, route, remarks, suggestion, passage: None, peers, now }];
        let now = before.map(|site| &site.snapshot.origin);
        Ok(render::line(&RoutesAnswer { origin, now, requests: &requests }.json())?)
    };
    let Some(site) = before else { return answer(None) };
    let registry = Registry::new(site.snapshot);
    let router = Router::new(&registry);
    with_plane(site, &[], &registry, |plane| answer(Some(routed(&router, plane, &target))))
}

/// Routes a request through the peer proxy, if there are peers, and the chain.
fn routed<'a>(
    router: &'a Router<'_>,
    plane: Option<&'a ControlPlane<'_, '_>>,
    target: &'a Target<'_>,
) -> RoutedNow<'a> {
    let Some((plane, found)) = plane.and_then(|plane| Some((plane, plane.route(0, target)?)))
    else {
        let route = router.route(target);
        let remarks = router.remarks(&route, false);
        return RoutedNow { route, remarks, passage: None, peers: None };
    };
    let peers = PeerHop::new(plane, &found);
    let handler = found.handled_by().first().and_then(|member| plane.router(*member));
    let mut remarks = handler.map(|router| router.remarks(&found.route, false)).unwrap_or_default();
    remarks.assumptions.extend(found.assumptions);
    RoutedNow { route: found.route, remarks, passage: None, peers: Some(peers) }
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
