//! The router: the chain of three servers, compiled from a registry, and a request's path through
//! it.

use std::sync::OnceLock;

use super::crd_handler::CrdHandler;
use super::method::Method;
use super::mux::{Match, Mux};
use super::outcome::{Decision, Hop, Outcome, ProxyRefusal, Route, Server};
use super::request::RequestInfo;
use super::restful::{Methods, ResourceRoutes};
use super::statuses::{End, OK, READ, SUBRESOURCE_PROXY, statuses};
use super::target::Target;
use crate::availability::{Controller, lacks_transport};
use crate::model::{ApiService, GroupVersion, Minor};
use crate::registry::{Anomaly, Backend, Registry};

/// The compiled server chain. Routing time does not depend on the number of APIServices.
#[derive(Debug)]
pub struct Router<'s> {
    pub(super) registry: &'s Registry<'s>,
    pub(super) aggregator: Mux<Handler<'s>>,
    pub(super) kube_apiserver: Mux<Handler<'s>>,
    pub(super) extensions: Mux<Handler<'s>>,
    /// The routes of each group version, if its resources are known. Compiled on first use, because
    /// a request needs only one of them.
    pub(super) routes: Vec<OnceLock<Option<ResourceRoutes>>>,
    /// The APIServices, in the order of the registry.
    pub(super) registered: Vec<Registered<'s>>,
    crds: CrdHandler<'s>,
    /// Created on first use, because only warnings need it.
    controller: OnceLock<Controller<'s>>,
}

/// A handler that a server has registered at a path.
#[derive(Debug, Clone, Copy)]
pub(super) enum Handler<'s> {
    /// The APIService with this index in the registry.
    ApiService(usize),
    /// `/apis` or the document of one group, served by the aggregator.
    GroupDocument,
    /// Any path outside the API groups.
    NonApi,
    /// The documents of `/openapi/v3`.
    OpenApiV3,
    Redirect,
    /// A web service with one document at its root.
    Document,
    /// A web service that accepts any path below its root.
    Tree,
    /// The web service of a group version, with the index of its routes.
    GroupVersion(&'s GroupVersion, usize),
    /// A web service that probably exists, with unknown contents.
    Unclear,
    /// The CRD handler.
    Custom,
}

/// An APIService in the aggregator.
#[derive(Debug)]
pub(super) struct Registered<'s> {
    pub(super) service: &'s ApiService,
    forwarding: Forwarding,
    /// Whether its caBundle makes a connection impossible. Checked on first use.
    lacks_transport: OnceLock<bool>,
    /// The warnings about its requests. Found on first use, and boxed because most have none.
    pub(super) warnings: OnceLock<Box<ServiceWarnings<'s>>>,
}

/// The warnings about requests to one APIService.
#[derive(Debug, Default)]
pub(super) struct ServiceWarnings<'s> {
    /// Anomalies that concern requests.
    pub(super) anomalies: Vec<Anomaly<'s>>,
    /// Why the proxy cannot dial the Service although the condition is good.
    pub(super) unusable: Option<Anomaly<'s>>,
}

impl<'s> Registered<'s> {
    pub(super) fn new(service: &'s ApiService, forwarding: Forwarding) -> Self {
        let (lacks_transport, warnings) = (OnceLock::new(), OnceLock::new());
        Self { service, forwarding, lacks_transport, warnings }
    }

    /// Returns how its requests are forwarded: not at all if the caBundle makes a connection
    /// impossible.
    fn forwarding(&self, minor: Minor) -> Forwarding {
        match self.forwarding {
            Forwarding::Proxy
                if *self.lacks_transport.get_or_init(|| lacks_transport(self.service, minor)) =>
            {
                Forwarding::Refuse(ProxyRefusal::NoTransport)
            }
            forwarding => forwarding,
        }
    }
}

/// How the aggregator forwards the requests of an APIService.
#[derive(Debug, Clone, Copy)]
pub(super) enum Forwarding {
    /// To the next server.
    Local(Backend),
    /// To an unknown Service.
    Somewhere,
    /// To its Service, unless the caBundle prevents it.
    Proxy,
    /// Not at all.
    Refuse(ProxyRefusal),
}

/// The methods that a document supports.
const DOCUMENT: Methods = Methods::of(Method::Get);
/// Statuses of a proxied request: whatever the extension server returns, or 503 if it is
/// unreachable.
const PROXIED: &[u16] = &[200, 503];

impl<'s> Router<'s> {
    /// Compiles the chain from a registry.
    pub fn new(registry: &'s Registry<'s>) -> Self {
        let mut router = Self {
            registry,
            aggregator: Mux::new(),
            kube_apiserver: Mux::new(),
            extensions: Mux::new(),
            routes: vec![],
            registered: vec![],
            crds: CrdHandler::new(registry),
            controller: OnceLock::new(),
        };
        router.register_non_api();
        router.register_own_groups();
        router.register_api_services();
        router
    }

    /// Returns the registry that the chain was compiled from.
    pub fn registry(&self) -> &'s Registry<'s> {
        self.registry
    }

    /// Returns the availability controller's view of the snapshot.
    pub(super) fn controller(&self) -> &Controller<'s> {
        self.controller.get_or_init(|| Controller::new(self.registry.snapshot))
    }

    /// Routes a request through the chain.
    pub fn route<'a>(&'a self, target: &'a Target<'_>) -> Route<'a> {
        let segments = target.segments();
        let mut route = Route::new(target, RequestInfo::resolve(target, &segments).ok());
        if route.info.is_none() {
            (route.outcome, route.status) = (Outcome::BadRequest, &[500]);
            return route;
        }
        let chain = [
            (Server::Aggregator, &self.aggregator),
            (Server::KubeApiserver, &self.kube_apiserver),
            (Server::Extensions, &self.extensions),
        ];
        for (server, mux) in chain {
            let (matched, handler) = mux.find(route.path);
            let Some(handler) = handler else {
                route.push(Hop { server, matched, decision: Decision::PassOn });
                continue;
            };
            if let Handler::ApiService(index) = handler {
                route.registered = Some(*index);
            }
            let (decision, end) = self.decide(handler, matched, &segments, &route);
            route.push(Hop { server, matched, decision });
            if let Some(end) = end {
                (route.outcome, route.status) = end;
                break;
            }
        }
        if route.outcome == Outcome::NotFound && self.may_lead_elsewhere(&route) {
            // The aggregator serves the document of a group itself.
            let status: &[u16] = if is_group(route.path) { &[200, 404] } else { &[200, 404, 503] };
            (route.outcome, route.status) = (Outcome::Unknown, status);
        }
        route
    }

    /// Returns whether an APIService that is missing from the source may match the request.
    fn may_lead_elsewhere(&self, route: &Route<'_>) -> bool {
        match route.api_service() {
            Some(service) => service.inferred && service.automanaged.is_none(),
            None => {
                let below = route.path.strip_prefix("/apis/").unwrap_or_default();
                // The aggregator's own web services precede any APIService.
                let own = route.hops().next().is_some_and(|hop| hop.matched != Match::None);
                !self.registry.registrations_known
                    && !own
                    && self.switched_off(route).is_none()
                    && (is_group(route.path) || below.trim_end_matches('/').contains('/'))
            }
        }
    }

    /// Returns what a handler does. Without an end, the next server gets the request.
    fn decide<'a>(
        &'a self,
        handler: &'a Handler<'s>,
        matched: Match<'a>,
        segments: &[&'a str],
        route: &Route<'a>,
    ) -> (Decision<'a>, End) {
        match handler {
            Handler::ApiService(index) => match self.registered.get(*index) {
                Some(one) => through(one.service, one.forwarding(self.registry.minor)),
                None => (Decision::PassOn, None),
            },
            Handler::GroupDocument => (Decision::GroupDocument, Some((Outcome::Served, OK))),
            Handler::NonApi => {
                // Below a prefix, the handler itself decides which paths exist.
                let status = if matches!(matched, Match::Prefix(_)) { READ } else { OK };
                (Decision::NonApi, Some((Outcome::Served, status)))
            }
            Handler::Redirect => (Decision::Redirect, Some((Outcome::Redirect, &[302]))),
            Handler::OpenApiV3 => self.openapi_v3(route.path),
            Handler::Tree => {
                web_service(route.method, Some(DOCUMENT), Decision::Document, None, OK)
            }
            Handler::Document => {
                let document = at_root(matched, route.path).then_some(DOCUMENT);
                web_service(route.method, document, Decision::Document, None, OK)
            }
            Handler::GroupVersion(gv, routes) => {
                let resources = || self.registry.resources(gv).map(|(list, _)| list);
                let compiled = || resources().map(ResourceRoutes::new);
                let routes = self.routes.get(*routes).map(|routes| routes.get_or_init(compiled));
                group_version(gv, routes.and_then(Option::as_ref), matched, segments, route)
            }
            Handler::Unclear => {
                (Decision::RoutesUnknown, Some((Outcome::Unknown, &[200, 404, 405])))
            }
            Handler::Custom => self.crds.handle(segments, route.info.as_ref()),
        }
    }

    fn openapi_v3<'a>(&self, path: &str) -> (Decision<'a>, End) {
        let key = path.strip_prefix("/openapi/v3/").unwrap_or(path);
        let known = match self.registry.snapshot.openapi_v3.loaded() {
            Some(keys) if keys.contains(key) => Some(true),
            // The index only covers servers that were already asked.
            Some(_) => self.openapi_service(path).is_none().then_some(false),
            None => self.expects_openapi(key),
        };
        let end = match known {
            Some(true) => (Outcome::Served, OK),
            Some(false) => (Outcome::NotFound, &[404u16][..]),
            None => (Outcome::Unknown, &[200, 404][..]),
        };
        (Decision::OpenApi(known), Some(end))
    }

    /// Returns the APIService of an OpenAPI document if its Service has not been checked yet.
    pub(super) fn openapi_service(&self, path: &str) -> Option<&ApiService> {
        let gv = GroupVersion::parse(path.strip_prefix("/openapi/v3/apis/")?)?;
        let (service, _) = self.registry.api_service(&gv.api_service_name())?;
        Some(service).filter(|service| service.is_not_checked())
    }

    /// Returns whether a document exists, if the index is missing. Built-in group versions have
    /// one; a Service may have one.
    fn expects_openapi(&self, key: &str) -> Option<bool> {
        let path = format!("/{key}");
        let (_, handler) = self.aggregator.find(&path);
        match handler {
            Some(Handler::ApiService(index)) => {
                match self.registered.get(*index)?.forwarding(self.registry.minor) {
                    Forwarding::Local(Backend::Unserved) | Forwarding::Refuse(_) => Some(false),
                    Forwarding::Local(Backend::Unknown)
                    | Forwarding::Somewhere
                    | Forwarding::Proxy => None,
                    Forwarding::Local(_) => Some(!key.ends_with('/')),
                }
            }
            None => Some(false),
            Some(_) => Some(!key.is_empty() && !key.ends_with('/')),
        }
    }
}

/// Returns what the aggregator does with a request for an APIService.
fn through(service: &ApiService, forwarding: Forwarding) -> (Decision<'_>, End) {
    match forwarding {
        Forwarding::Local(_) => (Decision::Delegate(service), None),
        Forwarding::Proxy => (Decision::Proxy(service), Some((Outcome::Proxied, PROXIED))),
        Forwarding::Somewhere => {
            let decision = Decision::ProxyToUnknownService(&service.group_version);
            (decision, Some((Outcome::Proxied, PROXIED)))
        }
        Forwarding::Refuse(why) => {
            let status: &[u16] = if why == ProxyRefusal::NoTransport { &[500] } else { &[503] };
            (Decision::Refuse(service, why), Some((Outcome::Unavailable, status)))
        }
    }
}

/// Returns what the web service of a group version does.
fn group_version<'a>(
    gv: &'a GroupVersion,
    routes: Option<&ResourceRoutes>,
    matched: Match<'a>,
    segments: &[&'a str],
    route: &Route<'a>,
) -> (Decision<'a>, End) {
    if at_root(matched, route.path) {
        return web_service(route.method, Some(DOCUMENT), Decision::Document, Some(gv), OK);
    }
    let Some(routes) = routes else {
        return (Decision::RoutesUnknown, Some((Outcome::Unknown, &[200, 404, 405])));
    };
    let above = if gv.group.is_empty() { 2 } else { 3 };
    let rest = segments.get(above..).unwrap_or_default();
    let methods = routes.methods(rest);
    let name = object_name(rest);
    // The route is that of list. Only its handler detects that watch is not supported.
    if route.method == Method::Get
        && routes.only_lists(rest)
        && route.info.as_ref().is_some_and(|info| info.verb == "watch")
    {
        return (Decision::NotWatchable(gv), Some((Outcome::MethodNotAllowed, &[405])));
    }
    let verb = match route.method {
        Method::Post => "create",
        Method::Put | Method::Patch => "update",
        Method::Delete if name.is_some() => "delete",
        _ if name.is_some() => "get",
        _ => "list",
    };
    // Storage checks names. A resource that can be listed but not watched is not stored.
    let stored = name.filter(|_| !routes.only_lists(rest.get(..1).unwrap_or_default()));
    let status = match rest {
        ["namespaces", "", _, _, ..] if matches!(verb, "get" | "delete") => &[400],
        _ if route.info.as_ref().is_some_and(|info| info.subresource == "proxy") => {
            SUBRESOURCE_PROXY
        }
        _ => statuses(verb, stored),
    };
    web_service(route.method, methods, Decision::BuiltIn(gv), Some(gv), status)
}

/// Returns whether a path is that of a group's document.
fn is_group(path: &str) -> bool {
    let group = path.strip_prefix("/apis/").unwrap_or_default();
    let group = group.strip_suffix('/').unwrap_or(group);
    !group.is_empty() && !group.contains('/')
}

/// Returns whether a path is the root of the web service it matched, ignoring trailing slashes.
fn at_root(matched: Match<'_>, path: &str) -> bool {
    match matched {
        Match::WebService(root) => {
            path.get(root.len()..).is_some_and(|rest| rest.bytes().all(|b| b == b'/'))
        }
        _ => false,
    }
}

fn web_service<'a>(
    method: Method,
    methods: Option<Methods>,
    found: Decision<'a>,
    gv: Option<&'a GroupVersion>,
    status: &'static [u16],
) -> (Decision<'a>, End) {
    match methods {
        None => (Decision::NoRoute(gv), Some((Outcome::NotFound, &[404]))),
        Some(methods) if methods.contains(method) => (found, Some((Outcome::Served, status))),
        Some(methods) => {
            (Decision::WrongMethod(methods), Some((Outcome::MethodNotAllowed, &[405])))
        }
    }
}

/// Returns the object name in the segments of a route, if they name an object.
fn object_name<'a>(rest: &[&'a str]) -> Option<&'a str> {
    match rest {
        ["watch", ..] => None,
        ["namespaces", name, "status" | "finalize"] | ["namespaces", name] => Some(name),
        ["namespaces", _, _] => None,
        ["namespaces", _, _, name, ..] | [_, name, ..] => Some(name),
        _ => None,
    }
}
