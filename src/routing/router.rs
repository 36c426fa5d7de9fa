//! The chain of three servers, compiled from a registry, and a request's way through it.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::crd_handler::CrdHandler;
use super::mux::{Match, Mux};
use super::outcome::{Decision, Hop, Outcome, Refusal, Route, Server};
use super::request::{Method, RequestInfo, Target};
use super::restful::{Methods, ResourceRoutes};
use super::unlisted::{LOGS, Place, UNLISTED, Unlisted, WEB_SERVICES};
use crate::model::{AGGREGATOR_GROUP, ApiService, GroupVersion, ServiceType};
use crate::registry::{Backing, Registry};

/// Everything needed to route requests, independent of how many APIServices there are.
#[derive(Debug)]
pub struct Router<'s> {
    registry: &'s Registry<'s>,
    aggregator: Mux<'s, Handler<'s>>,
    kube_apiserver: Mux<'s, Handler<'s>>,
    extensions: Mux<'s, Handler<'s>>,
    routes: HashMap<&'s GroupVersion, ResourceRoutes, FixedState>,
    crds: CrdHandler<'s>,
}

/// What a server has registered at a path.
#[derive(Debug, Clone, Copy)]
pub(super) enum Handler<'s> {
    /// An APIService and what stands behind it.
    ApiService(&'s ApiService, Backing),
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
    /// A web service of a group version.
    GroupVersion(&'s GroupVersion),
    /// The CRD handler.
    Custom,
}

/// What `get` and `delete` on one object, and the body-carrying verbs, can answer.
const OK: &[u16] = &[200];
const READ: &[u16] = &[200, 404];
const CREATE: &[u16] = &[201, 400, 409, 415, 422];
const WRITE: &[u16] = &[200, 201, 400, 404, 409, 415, 422];
const DELETE: &[u16] = &[200, 202, 404];
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
            routes: HashMap::with_hasher(FixedState::default()),
            crds: CrdHandler::new(registry),
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

    fn register_non_api(&mut self) {
        for path in self.registry.root_paths {
            if path == "/apis" || path == "/apis/" || path.starts_with("/apis/") || path == "/api" || path.starts_with("/api/") {
                continue;
            }
            match WEB_SERVICES.iter().find(|(root, _)| root == path) {
                Some((_, Place::AggregatorWebService)) => {}
                Some((root, Place::KubeWebService)) => {
                    let handler = if *root == LOGS { Handler::Tree } else { Handler::Document };
                    self.kube_apiserver.web_service(*root, handler);
                }
                None if path.ends_with('/') => {
                    let v3 = path == "/openapi/v3/";
                    self.aggregator.prefix(path, if v3 { Handler::OpenApiV3 } else { Handler::NonApi });
                }
                None => self.aggregator.exact(path, Handler::NonApi),
            }
        }
        for (root, place) in WEB_SERVICES {
            if place == Place::AggregatorWebService {
                self.aggregator.web_service(root, Handler::Document);
            }
        }
        for (path, how, since) in UNLISTED {
            if since > self.registry.minor {
                continue;
            }
            match how {
                Unlisted::Exact => self.aggregator.exact(path, Handler::NonApi),
                Unlisted::Prefix => self.aggregator.prefix(path, Handler::NonApi),
                Unlisted::Redirect => self.aggregator.exact(path, Handler::Redirect),
            }
        }
    }

    /// `/apis`, the aggregator's own group, and the CRD handler: always there.
    fn register_own_groups(&mut self) {
        self.aggregator.exact("/apis", Handler::GroupDocument);
        self.aggregator.exact("/apis/", Handler::GroupDocument);
        self.aggregator.web_service(format!("/apis/{AGGREGATOR_GROUP}"), Handler::Document);
        for version in self.registry.aggregator_versions() {
            let root = format!("/apis/{AGGREGATOR_GROUP}/{version}");
            let gv = self.registry.snapshot.resource_lists.keys().find(|gv| gv.root_path() == root);
            match gv.or_else(|| plain(self.registry, &root)) {
                Some(gv) => {
                    self.install(gv);
                    self.aggregator.web_service(root, Handler::GroupVersion(gv));
                }
                None => self.aggregator.web_service(root, Handler::Document),
            }
        }
        self.extensions.exact("/apis", Handler::Custom);
        self.extensions.prefix("/apis/", Handler::Custom);
    }

    fn register_api_services(&mut self) {
        for (service, backing) in self.registry.api_services() {
            let gv = &service.group_version;
            let root = gv.root_path();
            let handler = Handler::ApiService(service, backing);
            if gv.group.is_empty() {
                self.aggregator.exact("/api", handler);
                self.aggregator.prefix("/api/", handler);
            } else {
                self.aggregator.prefix(format!("{root}/"), handler);
                self.aggregator.exact(root.clone(), handler);
                self.aggregator.exact(format!("/apis/{}", gv.group), Handler::GroupDocument);
                self.aggregator.exact(format!("/apis/{}/", gv.group), Handler::GroupDocument);
            }
            let server = match backing {
                Backing::BuiltIn => &mut self.kube_apiserver,
                Backing::Extensions => &mut self.extensions,
                _ => continue,
            };
            server.web_service(root, Handler::GroupVersion(gv));
            let group = if gv.group.is_empty() { "/api".to_owned() } else { format!("/apis/{}", gv.group) };
            server.web_service(group, Handler::Document);
            self.install(gv);
        }
    }

    fn install(&mut self, gv: &'s GroupVersion) {
        if let Some((list, _)) = self.registry.resources(gv) {
            self.routes.insert(gv, ResourceRoutes::new(list));
        }
    }

    /// Sends a request through the chain.
    pub fn route<'a>(&'a self, target: &'a Target<'_>) -> Route<'a> {
        let Ok(info) = target.info() else {
            return Route::new(target.method, &target.path, None).end(Outcome::BadRequest, &[500]);
        };
        let path = target.path.as_ref();
        let mut route = Route::new(target.method, path, Some(info));
        let chain = [
            (Server::Aggregator, &self.aggregator),
            (Server::KubeApiserver, &self.kube_apiserver),
            (Server::Extensions, &self.extensions),
        ];
        for (server, mux) in chain {
            let (matched, handler) = mux.find(path);
            let Some(handler) = handler else {
                route.push(Hop { server, matched, decision: Decision::PassOn });
                continue;
            };
            let (decision, end) = self.decide(handler, matched, target, &route);
            route.push(Hop { server, matched, decision });
            if let Some((outcome, status)) = end {
                return route.end(outcome, status);
            }
        }
        route
    }

    /// What a handler does; without an end, the next server gets the request.
    fn decide<'a>(
        &'a self,
        handler: &'a Handler<'s>,
        matched: Match<'a>,
        target: &'a Target<'_>,
        route: &Route<'a>,
    ) -> (Decision<'a>, Option<(Outcome, &'static [u16])>) {
        match handler {
            Handler::ApiService(service, backing) => self.through(service, *backing),
            Handler::GroupDocument => (Decision::GroupDocument, Some((Outcome::Served, OK))),
            Handler::NonApi => (Decision::NonApi, Some((Outcome::Served, OK))),
            Handler::Redirect => (Decision::Redirect, Some((Outcome::Redirect, &[302]))),
            Handler::OpenApiV3 => self.openapi_v3(&target.path),
            Handler::Tree => web_service(target.method, Some(Methods::of(Method::Get)), Decision::Document, None, OK),
            Handler::Document => {
                let document = at_root(matched, &target.path).then_some(Methods::of(Method::Get));
                web_service(target.method, document, Decision::Document, None, OK)
            }
            Handler::GroupVersion(gv) => self.group_version(gv, matched, target, route),
            Handler::Custom => self.crds.handle(target, route.info.as_ref()),
        }
    }

    /// The aggregator's proxy handler, in the order of its own checks.
    fn through<'a>(
        &'a self,
        service: &'a ApiService,
        backing: Backing,
    ) -> (Decision<'a>, Option<(Outcome, &'static [u16])>) {
        let Some(reference) = &service.service else {
            return match backing {
                Backing::Service => {
                    (Decision::ProxySomewhere(&service.group_version), Some((Outcome::Proxied, PROXIED)))
                }
                _ => (Decision::Delegate(service), None),
            };
        };
        let refuse = |why| (Decision::Refuse(service, why), Some((Outcome::Unavailable, &[503u16][..])));
        if !service.is_available() {
            return refuse(Refusal::NotAvailable);
        }
        // A Service that is not there may only be missing from the source: the condition, which
        // the server checks every 30 seconds, knows better. One that is there speaks for itself.
        let found = self.registry.snapshot.service(&reference.namespace, &reference.name);
        if let Some(found) = found.filter(|s| s.kind != ServiceType::ExternalName) {
            if found.kind == ServiceType::ClusterIp && found.cluster_ip.as_deref() == Some("None") {
                return refuse(Refusal::Headless);
            }
            if !found.ports.iter().any(|p| p.port == reference.port) {
                return refuse(Refusal::NoPort);
            }
        }
        (Decision::Proxy(service), Some((Outcome::Proxied, PROXIED)))
    }

    fn openapi_v3<'a>(&self, path: &str) -> (Decision<'a>, Option<(Outcome, &'static [u16])>) {
        let key = path.strip_prefix("/openapi/v3/").unwrap_or(path);
        let known = self.registry.snapshot.openapi_v3.loaded().map(|keys| keys.contains(key));
        let known = known.or_else(|| self.expects_openapi(key));
        let end = match known {
            Some(true) => (Outcome::Served, OK),
            Some(false) => (Outcome::NotFound, &[404u16][..]),
            None => (Outcome::Unknown, &[200, 404][..]),
        };
        (Decision::OpenApi(known), Some(end))
    }

    /// Without the index: the servers' own group versions have a document, a Service's may.
    fn expects_openapi(&self, key: &str) -> Option<bool> {
        let (_, handler) = self.aggregator.find(&format!("/{key}"));
        match handler {
            Some(Handler::ApiService(_, Backing::Service | Backing::Unknown)) => None,
            Some(Handler::ApiService(_, Backing::Nobody)) | None => Some(false),
            Some(_) => Some(!key.is_empty() && !key.ends_with('/')),
        }
    }

    fn group_version<'a>(
        &'a self,
        gv: &'a GroupVersion,
        matched: Match<'a>,
        target: &'a Target<'_>,
        route: &Route<'a>,
    ) -> (Decision<'a>, Option<(Outcome, &'static [u16])>) {
        if at_root(matched, &target.path) {
            return web_service(target.method, Some(Methods::of(Method::Get)), Decision::Document, Some(gv), OK);
        }
        let Some(routes) = self.routes.get(gv) else {
            return (Decision::RoutesUnknown, Some((Outcome::Unknown, &[200, 404, 405])));
        };
        let segments = target.segments();
        let above = if gv.group.is_empty() { 2 } else { 3 };
        let rest = segments.kept().get(above..).unwrap_or_default();
        let methods = routes.methods(rest, segments.count().saturating_sub(above));
        let status = route.info.as_ref().map_or(OK, statuses);
        web_service(target.method, methods, Decision::BuiltIn(gv), Some(gv), status)
    }
}

/// The plain server's name for a group version, where the snapshot has no list of it.
fn plain<'s>(registry: &Registry<'_>, root: &str) -> Option<&'s GroupVersion> {
    let plain = crate::baseline::server(registry.minor);
    plain.resource_lists.keys().find(|gv| gv.root_path() == root)
}

/// Whether a path is the root of the web service that it matched, give or take slashes at its end.
fn at_root(matched: Match<'_>, path: &str) -> bool {
    match matched {
        Match::WebService(root) => path.get(root.len()..).is_some_and(|rest| rest.bytes().all(|b| b == b'/')),
        _ => false,
    }
}

fn web_service<'a>(
    method: Method,
    methods: Option<Methods>,
    found: Decision<'a>,
    gv: Option<&'a GroupVersion>,
    status: &'static [u16],
) -> (Decision<'a>, Option<(Outcome, &'static [u16])>) {
    match methods {
        None => (Decision::NoRoute(gv), Some((Outcome::NotFound, &[404]))),
        Some(methods) if methods.contains(method) => (found, Some((Outcome::Served, status))),
        Some(methods) => (Decision::WrongMethod(methods), Some((Outcome::MethodNotAllowed, &[405]))),
    }
}

/// What a handler that runs can answer.
pub(super) fn statuses(info: &RequestInfo<'_>) -> &'static [u16] {
    match info.verb {
        "get" => READ,
        "create" => CREATE,
        "update" | "patch" => WRITE,
        "delete" => DELETE,
        _ => OK,
    }
}
