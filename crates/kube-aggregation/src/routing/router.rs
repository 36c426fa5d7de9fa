//! The chain of three servers, compiled from a registry, and a request's way through it.

use std::sync::OnceLock;

use super::crd_handler::CrdHandler;
use super::method::Method;
use super::mux::{Match, Mux};
use super::outcome::{Decision, Hop, Outcome, ProxyRefusal, Route, Server};
use super::request::RequestInfo;
use super::restful::{Methods, ResourceRoutes};
use super::statuses::{End, OK, READ, statuses};
use super::target::Target;
use crate::availability::{Controller, lacks_transport};
use crate::model::{ApiService, GroupVersion};
use crate::registry::{Backend, Registry};

/// Everything needed to route requests, independent of how many APIServices there are.
#[derive(Debug)]
pub struct Router<'s> {
    pub(super) registry: &'s Registry<'s>,
    pub(super) aggregator: Mux<Handler<'s>>,
    pub(super) kube_apiserver: Mux<Handler<'s>>,
    pub(super) extensions: Mux<Handler<'s>>,
    /// A request needs those of one group version; each is compiled with the first, if its
    /// resources are known.
    pub(super) routes: Vec<OnceLock<Option<ResourceRoutes>>>,
    /// caBundles, and whether nobody can connect with them.
    pub(super) bundles: Vec<(&'s ApiService, OnceLock<bool>)>,
    crds: CrdHandler<'s>,
    /// Only warnings need it.
    controller: OnceLock<Controller<'s>>,
}

/// What a server has registered at a path.
#[derive(Debug, Clone, Copy)]
pub(super) enum Handler<'s> {
    /// An APIService, and what becomes of its requests.
    ApiService(&'s ApiService, Forwarding),
    /// `/apis` or the document of one group, by the aggregator.
    GroupDocument,
    /// Anything that is no API.
    NonApi,
    /// The documents of `/openapi/v3`.
    OpenApiV3,
    Redirect,
    /// A web service with one document at its root.
    Document,
    /// A web service that takes any path below its root.
    Tree,
    /// A web service of a group version, with the index of its routes.
    GroupVersion(&'s GroupVersion, usize),
    /// A web service that is likely there; what it has is not known.
    Unclear,
    /// The CRD handler.
    Custom,
}

/// What the aggregator does with the requests of an APIService.
#[derive(Debug, Clone, Copy)]
pub(super) enum Forwarding {
    /// To the next server.
    Local(Backend),
    /// To a Service that is not known.
    Somewhere,
    /// To its Service, if the caBundle of that index lets it.
    Proxy(Option<usize>),
    /// Nowhere.
    Refuse(ProxyRefusal),
}

/// The methods that a document takes.
const DOCUMENT: Methods = Methods::of(Method::Get);
/// Whatever the extension server says; 503 if it cannot be reached.
const PROXIED: &[u16] = &[200, 503];

impl<'s> Router<'s> {
    /// Compiles the chain.
    pub fn new(registry: &'s Registry<'s>) -> Self {
        let mut router = Self {
            registry,
            aggregator: Mux::new(),
            kube_apiserver: Mux::new(),
            extensions: Mux::new(),
            routes: vec![],
            bundles: vec![],
            crds: CrdHandler::new(registry),
            controller: OnceLock::new(),
        };
        router.register_non_api();
        router.register_own_groups();
        router.register_api_services();
        router
    }

    /// The registry that the chain was compiled from.
    pub fn registry(&self) -> &'s Registry<'s> {
        self.registry
    }

    /// What the availability controller sees.
    pub(super) fn controller(&self) -> &Controller<'s> {
        self.controller.get_or_init(|| Controller::new(self.registry.snapshot))
    }

    /// Sends a request through the chain.
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
            let (decision, end) = self.decide(handler, matched, &segments, &route);
            route.push(Hop { server, matched, decision });
            if let Some(end) = end {
                (route.outcome, route.status) = end;
                break;
            }
        }
        if route.outcome == Outcome::NotFound && self.may_lead_elsewhere(&route) {
            // The aggregator writes the document of a group itself.
            let status: &[u16] = if is_group(route.path) { &[200, 404] } else { &[200, 404, 503] };
            (route.outcome, route.status) = (Outcome::Unknown, status);
        }
        route
    }

    /// Whether an APIService that is not in the source may take the request.
    fn may_lead_elsewhere(&self, route: &Route<'_>) -> bool {
        match route.api_service() {
            Some(service) => service.inferred && service.automanaged.is_none(),
            None => {
                let below = route.path.strip_prefix("/apis/").unwrap_or_default();
                // The aggregator's own web services come before any APIService.
                let own = route.hops().next().is_some_and(|hop| hop.matched != Match::None);
                !self.registry.registrations_known
                    && !own
                    && self.switched_off(route).is_none()
                    && (is_group(route.path) || below.trim_end_matches('/').contains('/'))
            }
        }
    }

    /// What a handler does; without an end, the next server gets the request.
    fn decide<'a>(
        &'a self,
        handler: &'a Handler<'s>,
        matched: Match<'a>,
        segments: &[&'a str],
        route: &Route<'a>,
    ) -> (Decision<'a>, End) {
        match handler {
            Handler::ApiService(service, forwarding) => through(service, self.checked(*forwarding)),
            Handler::GroupDocument => (Decision::GroupDocument, Some((Outcome::Served, OK))),
            Handler::NonApi => {
                // Below a prefix the handler itself knows which paths there are.
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

    /// What is done with requests that have a caBundle to be sent with.
    fn checked(&self, forwarding: Forwarding) -> Forwarding {
        let Forwarding::Proxy(Some(bundle)) = forwarding else { return forwarding };
        let lacks = self.bundles.get(bundle).is_some_and(|(service, lacks)| {
            *lacks.get_or_init(|| lacks_transport(service, self.registry.minor))
        });
        if lacks { Forwarding::Refuse(ProxyRefusal::NoTransport) } else { forwarding }
    }

    fn openapi_v3<'a>(&self, path: &str) -> (Decision<'a>, End) {
        let key = path.strip_prefix("/openapi/v3/").unwrap_or(path);
        let known = match self.registry.snapshot.openapi_v3.loaded() {
            Some(keys) if keys.contains(key) => Some(true),
            // Only a server that has been asked has told what it has.
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

    /// The APIService of an OpenAPI document, where nobody has asked its Service yet.
    pub(super) fn openapi_service(&self, path: &str) -> Option<&ApiService> {
        let gv = GroupVersion::parse(path.strip_prefix("/openapi/v3/apis/")?)?;
        let (service, _) = self.registry.api_service(&gv.api_service_name())?;
        Some(service).filter(|service| service.is_not_checked())
    }

    /// Without the index: the servers' own group versions have a document, a Service's may.
    fn expects_openapi(&self, key: &str) -> Option<bool> {
        let path = format!("/{key}");
        let (_, handler) = self.aggregator.find(&path);
        match handler {
            Some(Handler::ApiService(_, forwarding)) => match self.checked(*forwarding) {
                Forwarding::Local(Backend::Nobody) | Forwarding::Refuse(_) => Some(false),
                Forwarding::Local(Backend::Unknown)
                | Forwarding::Somewhere
                | Forwarding::Proxy(_) => None,
                Forwarding::Local(_) => Some(!key.ends_with('/')),
            },
            None => Some(false),
            Some(_) => Some(!key.is_empty() && !key.ends_with('/')),
        }
    }
}

/// What the aggregator does with a request of an APIService.
fn through(service: &ApiService, forwarding: Forwarding) -> (Decision<'_>, End) {
    match forwarding {
        Forwarding::Local(_) => (Decision::Delegate(service), None),
        Forwarding::Proxy(_) => (Decision::Proxy(service), Some((Outcome::Proxied, PROXIED))),
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

/// What the web service of a group version does.
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
    // The route is that of list: only its handler finds that there is nothing to watch with.
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
    let status = statuses(verb, name);
    web_service(route.method, methods, Decision::BuiltIn(gv), Some(gv), status)
}

/// Whether a path is that of the document of a group.
fn is_group(path: &str) -> bool {
    let group = path.strip_prefix("/apis/").unwrap_or_default();
    let group = group.strip_suffix('/').unwrap_or(group);
    !group.is_empty() && !group.contains('/')
}

/// Whether a path is the root of the web service that it matched, give or take slashes at its end.
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

/// The name in segments that some route takes, where they are those of an object.
fn object_name<'a>(rest: &[&'a str]) -> Option<&'a str> {
    match rest {
        ["watch", ..] => None,
        ["namespaces", name, "status" | "finalize"] | ["namespaces", name] => Some(name),
        ["namespaces", _, _] => None,
        ["namespaces", _, _, name, ..] | [_, name, ..] => Some(name),
        _ => None,
    }
}
