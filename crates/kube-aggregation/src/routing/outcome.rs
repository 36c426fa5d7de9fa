//! The result of routing a request: its hops, outcome, handler and expected statuses.

use super::method::Method;
use super::mux::Match;
use super::request::RequestInfo;
use super::restful::Methods;
use super::target::Target;
use crate::model::{ApiService, Crd, GroupVersion, words};

words! {
    /// A server of the chain, in order.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Server {
        /// `kube-aggregator`
        Aggregator = "kube-aggregator",
        /// `kube-apiserver`
        KubeApiserver = "kube-apiserver",
        /// `apiextensions-apiserver`
        Extensions = "apiextensions-apiserver",
    }
}

impl Server {
    /// Describes its role.
    pub fn role(self) -> &'static str {
        match self {
            Self::Aggregator => "receives every request first",
            Self::KubeApiserver => "serves the built-in groups",
            Self::Extensions => "serves custom resources",
        }
    }

    /// Describes which requests it passes to the next server.
    pub fn passes_on(self) -> &'static str {
        match self {
            Self::Aggregator => "requests that match no APIService or a local one",
            Self::KubeApiserver => "requests outside the built-in groups",
            Self::Extensions => "everything else",
        }
    }
}

words! {
    /// How a request ends. The words match the recordings.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Outcome {
        /// A handler runs, even if it then does not find the object.
        Served = "served",
        /// The request is forwarded to an extension API server.
        Proxied = "proxied",
        /// 503, without contacting a backend.
        Unavailable = "unavailable",
        /// No handler exists.
        NotFound = "not-found",
        /// A handler exists, but not for this method.
        MethodNotAllowed = "method-not-allowed",
        /// The client is redirected.
        Redirect = "redirect",
        /// The server cannot parse the request.
        BadRequest = "bad-request",
        /// The request is not authenticated.
        Unauthorized = "unauthorized",
        /// The user lacks permission.
        Forbidden = "forbidden",
        /// Unknown, because the source lacks data. Never occurs in recordings.
        Unknown = "unknown",
        /// The API server that has the resource was killed, and its address is still known: 503.
        PeerUnreachable = "peer-unreachable",
        /// The API server that has the resource was killed, and its address has expired: 503.
        PeerAddressUnknown = "peer-address-unknown",
    }
}

/// One server that received the request, what matched there, and what it did.
#[derive(Debug, Clone, Copy)]
pub struct Hop<'a> {
    /// The server.
    pub server: Server,
    /// What matched.
    pub matched: Match<'a>,
    /// What the server did.
    pub decision: Decision<'a>,
}

/// What one server does with a request, and why.
#[derive(Debug, Clone, Copy)]
pub enum Decision<'a> {
    /// Nothing matched: passed to the next server.
    PassOn,
    /// A local APIService: passed to the next server.
    Delegate(&'a ApiService),
    /// An APIService with a Service as its backend.
    Proxy(&'a ApiService),
    /// A group version with a Service as its backend, but the Service is unknown.
    ProxyToUnknownService(&'a GroupVersion),
    /// The APIService is not available: 503.
    Refuse(&'a ApiService, ProxyRefusal),
    /// A document of the aggregator: the list of groups, or one group.
    GroupDocument,
    /// A path outside the API groups: health, metrics, OpenAPI and others.
    NonApi,
    /// A redirect to the same path plus a slash.
    Redirect,
    /// The `/openapi/v3` document of a group version; whether it exists, if known.
    OpenApi(Option<bool>),
    /// A web service's own document, such as `/apis/apps/v1` or `/version`.
    Document,
    /// A route of a built-in group version.
    BuiltIn(&'a GroupVersion),
    /// A web service without a matching route, and its group version, if any.
    NoRoute(Option<&'a GroupVersion>),
    /// A web service with the route, but only for these other methods.
    WrongMethod(Methods),
    /// A collection that can be listed, but not watched.
    NotWatchable(&'a GroupVersion),
    /// A web service with unknown routes.
    RoutesUnknown,
    /// The document of a custom group version or group.
    CustomDocument,
    /// A custom resource.
    Custom(&'a Crd),
    /// A custom resource, but it does not support the verb.
    CustomVerb(&'a Crd),
    /// The CRD handler found nothing and answers 404.
    NoCustom(CrdLookupFailure<'a>),
    /// Possibly a custom resource: the CRDs are unknown.
    CustomUnknown,
}

/// Why requests for an APIService end without contacting the backend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProxyRefusal {
    /// Its condition Available is not `True`.
    NotAvailable,
    /// Its caBundle contains no certificate, so no connection can be built: 500.
    NoTransport,
}

/// Why the CRD handler finds nothing for a request.
#[derive(Debug, Clone, Copy)]
pub enum CrdLookupFailure<'a> {
    /// The path is not that of a resource, a group or a version.
    NotAResource,
    /// No CRD serves the group.
    NoGroup,
    /// No CRD serves the group version.
    NoGroupVersion,
    /// No CRD has that name.
    NoCrd,
    /// The CRD is cluster-scoped, the path has a namespace.
    ClusterScoped(&'a Crd),
    /// The CRD is namespaced, the path has no namespace, and the verb is not list or watch.
    Namespaced(&'a Crd),
    /// The CRD does not serve that version.
    NotServed(&'a Crd),
    /// The CRD's names were not accepted.
    NotAccepted(&'a Crd),
}

/// The result of routing one request.
#[derive(Debug)]
pub struct Route<'a> {
    /// The method.
    pub method: Method,
    /// The decoded path.
    pub path: &'a str,
    pub(super) info: Option<RequestInfo<'a>>,
    hops: [Option<Hop<'a>>; 3],
    /// The index of the APIService that matched, in the registry of the router.
    pub(super) registered: Option<usize>,
    /// The outcome.
    pub outcome: Outcome,
    /// The expected statuses.
    pub status: &'static [u16],
}

impl<'a> Route<'a> {
    /// Creates a route that ends with 404 unless a server answers.
    pub(super) fn new(target: &'a Target<'_>, info: Option<RequestInfo<'a>>) -> Self {
        Self {
            method: target.method,
            path: &target.path,
            info,
            hops: [None; 3],
            registered: None,
            outcome: Outcome::NotFound,
            status: &[404],
        }
    }

    /// Returns what the request is for; `None` if the path ends with a verb and the server answers
    /// 500.
    pub fn info(&self) -> Option<RequestInfo<'a>> {
        self.info.clone()
    }

    /// Returns the servers that received the request, in order.
    pub fn hops(&self) -> impl Iterator<Item = &Hop<'a>> {
        self.hops.iter().flatten()
    }

    /// Returns the last server that received it.
    pub fn last_hop(&self) -> Option<&Hop<'a>> {
        self.hops().last()
    }

    /// Returns the APIService that determined the route, if one matched.
    pub fn api_service(&self) -> Option<&'a ApiService> {
        self.hops().find_map(|hop| match hop.decision {
            Decision::Delegate(s) | Decision::Proxy(s) | Decision::Refuse(s, _) => Some(s),
            _ => None,
        })
    }

    /// Returns the same request with an outcome from before the chain. An unknown outcome keeps the
    /// hops, because the request may continue.
    #[must_use]
    pub fn ending(mut self, outcome: Outcome, status: &'static [u16]) -> Self {
        if outcome != Outcome::Unknown {
            self.hops = [None; 3];
        }
        (self.outcome, self.status) = (outcome, status);
        self
    }

    pub(super) fn push(&mut self, hop: Hop<'a>) {
        self.hops[hop.server as usize] = Some(hop);
    }
}
