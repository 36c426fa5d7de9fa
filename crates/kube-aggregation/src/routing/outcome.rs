//! The answer to "who handles this request": hops, outcome, handler, statuses.

use super::mux::Match;
use super::request::{Method, RequestInfo};
use super::restful::Methods;
use super::target::Target;
use crate::model::{ApiService, Crd, GroupVersion, words};

words! {
    /// The servers of the chain, in their order.
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
    /// What it is there for.
    pub fn role(self) -> &'static str {
        match self {
            Self::Aggregator => "sees every request first",
            Self::KubeApiserver => "the built-in groups",
            Self::Extensions => "custom resources",
        }
    }

    /// What it leaves to the next one.
    pub fn passes_on(self) -> &'static str {
        match self {
            Self::Aggregator => "what matches no APIService, and what is local",
            Self::KubeApiserver => "what is in no built-in group",
            Self::Extensions => "everything else",
        }
    }
}

words! {
    /// How a request ends. The words are those of the recordings.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Outcome {
        /// A handler runs, whatever it then says of the object.
        Served = "served",
        /// The request leaves for an extension API server.
        Proxied = "proxied",
        /// 503 before anybody is asked.
        Unavailable = "unavailable",
        /// No handler.
        NotFound = "not-found",
        /// A handler, but not for this method.
        MethodNotAllowed = "method-not-allowed",
        /// The client is sent elsewhere.
        Redirect = "redirect",
        /// The server cannot make sense of the request.
        BadRequest = "bad-request",
        /// The server does not know who asks.
        Unauthorized = "unauthorized",
        /// Whoever asks may not.
        Forbidden = "forbidden",
        /// It cannot be told from what is there. Not a word of the recordings: servers know.
        Unknown = "unknown",
        /// The API server that has the resource was killed, and its address is still known: 503.
        PeerUnreachable = "peer-unreachable",
        /// The API server that has the resource was killed, and its address has expired: 503.
        PeerAddressUnknown = "peer-address-unknown",
    }
}

/// One server that saw the request, what matched there, and what it did.
#[derive(Debug, Clone, Copy)]
pub struct Hop<'a> {
    /// Which server.
    pub server: Server,
    /// What matched.
    pub matched: Match<'a>,
    /// What the server did about it.
    pub decision: Decision<'a>,
}

/// What one server does with a request, and why.
#[derive(Debug, Clone, Copy)]
pub enum Decision<'a> {
    /// Nothing matched: the next server gets it.
    PassOn,
    /// A local APIService: the next server gets it.
    Delegate(&'a ApiService),
    /// An APIService with a Service behind it.
    Proxy(&'a ApiService),
    /// A group version that somebody's Service must answer for; which one is not known.
    ProxyToUnknownService(&'a GroupVersion),
    /// The APIService is not available: 503.
    Refuse(&'a ApiService, ProxyRefusal),
    /// A document of the aggregator: the group list or one group.
    GroupDocument,
    /// Something that is no API: health, metrics, OpenAPI, …
    NonApi,
    /// A redirect to the same path with a slash.
    Redirect,
    /// The `/openapi/v3` document of a group version; whether there is one.
    OpenApi(Option<bool>),
    /// A web service's own document, such as `/apis/apps/v1` or `/version`.
    Document,
    /// A route of a built-in group version.
    BuiltIn(&'a GroupVersion),
    /// A web service that has no route of this form; which group version it is of, if of one.
    NoRoute(Option<&'a GroupVersion>),
    /// A web service that has the route, but not for this method: these are.
    WrongMethod(Methods),
    /// A collection that can be listed, but not watched.
    NotWatchable(&'a GroupVersion),
    /// A web service whose routes are not known.
    RoutesUnknown,
    /// The resources of a custom group version, or of a custom group.
    CustomDocument,
    /// A custom resource.
    Custom(&'a Crd),
    /// A custom resource, but the verb is none that it has.
    CustomVerb(&'a Crd),
    /// The CRD handler finds nothing and answers 404.
    NoCustom(CrdLookupFailure<'a>),
    /// There may be such a custom resource: the CRDs are not known.
    CustomUnknown,
}

/// Why an APIService's requests end before anybody is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProxyRefusal {
    /// Its condition Available is not `True`.
    NotAvailable,
    /// Its caBundle holds no certificate, so no connection can be built: 500.
    NoTransport,
}

/// Why the CRD handler has nothing for a request.
#[derive(Debug, Clone, Copy)]
pub enum CrdLookupFailure<'a> {
    /// It is not the path of a resource, a group or a version.
    NotAResource,
    /// No CRD serves the group.
    NoGroup,
    /// No CRD serves the group version.
    NoGroupVersion,
    /// No CRD of that name.
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

/// The answer.
#[derive(Debug)]
pub struct Route<'a> {
    /// The method.
    pub method: Method,
    /// The decoded path.
    pub path: &'a str,
    pub(super) info: Option<RequestInfo<'a>>,
    hops: [Option<Hop<'a>>; 3],
    /// How it ends.
    pub outcome: Outcome,
    /// The statuses to expect.
    pub status: &'static [u16],
}

impl<'a> Route<'a> {
    /// Starts a route that ends with 404 unless a server answers.
    pub(super) fn new(target: &'a Target<'_>, info: Option<RequestInfo<'a>>) -> Self {
        Self {
            method: target.method,
            path: &target.path,
            info,
            hops: [None; 3],
            outcome: Outcome::NotFound,
            status: &[404],
        }
    }

    /// Returns what the request is about; `None` if the path ends with a verb and the server
    /// answers 500.
    pub fn info(&self) -> Option<RequestInfo<'a>> {
        self.info.clone()
    }

    /// The servers that saw the request, in order.
    pub fn hops(&self) -> impl Iterator<Item = &Hop<'a>> {
        self.hops.iter().flatten()
    }

    /// The last server that saw it.
    pub fn last_hop(&self) -> Option<&Hop<'a>> {
        self.hops().last()
    }

    /// The APIService that decided, if one matched.
    pub fn api_service(&self) -> Option<&'a ApiService> {
        self.hops().find_map(|hop| match hop.decision {
            Decision::Delegate(s) | Decision::Proxy(s) | Decision::Refuse(s, _) => Some(s),
            _ => None,
        })
    }

    /// The same request, as it ends before the chain; one that may go on keeps its hops.
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
