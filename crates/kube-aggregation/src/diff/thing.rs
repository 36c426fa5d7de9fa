//! The things that a diff compares, one type per kind: APIServices, CRDs, groups, resources,
//! routes.

use std::collections::BTreeSet;
use std::fmt;

use crate::model::{
    AggregatedResource, AggregatedSubresource, ApiService, Crd, Freshness, GroupVersion,
    NOT_IN_SOURCE,
};
use crate::registry::{ApiServiceReview, Backend, Manager};
use crate::routing::{Outcome, RouteSummary};

/// The name of a compared thing. Differences are shown in this order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// An APIService.
    ApiService(String),
    /// A CRD.
    Crd(String),
    /// A group, with its versions.
    Group(String),
    /// A group version.
    GroupVersion(GroupVersion),
    /// A resource, or a subresource such as `deployments/scale`.
    Resource(GroupVersion, String),
    /// A GET request for a path.
    Route(String),
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ApiService(name) | Self::Crd(name) | Self::Group(name) => f.write_str(name),
            Self::GroupVersion(gv) => write!(f, "{gv}"),
            Self::Resource(gv, name) => write!(f, "{gv} {name}"),
            Self::Route(path) => write!(f, "GET {path}"),
        }
    }
}

/// The compared data of one thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Thing {
    /// An APIService.
    ApiService(Registration),
    /// A CRD.
    Crd(Definition),
    /// The versions of a group, preferred version first.
    Group(Vec<String>),
    /// A group version.
    GroupVersion(Service),
    /// A resource or subresource.
    Resource(Resource),
    /// The outcome of a request.
    Route(Ending),
}

/// The compared fields of an APIService.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registration {
    /// Whether it is available.
    pub available: Available,
    /// `spec.groupPriorityMinimum`
    pub group_priority: i32,
    /// `spec.versionPriority`
    pub version_priority: i32,
    /// The Service and port of its backend.
    pub service: Option<String>,
    /// The kind of its backend.
    pub backing: Backend,
    /// Which controller manages it.
    pub manager: Manager,
    /// Which serving certificates kube-apiserver accepts from the backend.
    pub trust: Option<Trust>,
}

/// The condition Available.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Available {
    /// True. Always the case for a local APIService.
    True,
    /// Any other status, with its reason.
    Not(String, String),
    /// The APIService does not have this condition.
    NoCondition,
    /// Unknown: the source has no status.
    NotInSource,
}

/// Which serving certificates kube-apiserver accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trust {
    /// Any: `insecureSkipTLSVerify`.
    Any,
    /// Those signed by the caBundle. Stores only a checksum, to compare bundles.
    Bundle(u32),
    /// Those signed by the system's roots.
    System,
}

/// The compared fields of a CRD.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// The served versions.
    pub served: Vec<String>,
    /// Whether its resources are namespaced.
    pub namespaced: bool,
    /// How far the server has processed it.
    pub state: DefinitionState,
}

/// How far the server has processed a CRD.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefinitionState {
    /// It is being deleted.
    Terminating,
    /// It is served.
    Established,
    /// Its names are accepted, but it is not served yet.
    NotEstablished,
    /// Its names are not accepted, because another CRD uses one of them.
    NamesNotAccepted,
}

/// What serves a group version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Service {
    /// The backend.
    pub by: ServedBy,
    /// Whether discovery lists it as current; `None` if the aggregated documents do not list it.
    pub freshness: Option<Freshness>,
}

/// The backend of a group version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServedBy {
    /// A Service, as namespace and name if known.
    Service(Option<String>),
    /// kube-apiserver, or apiextensions-apiserver for its own group.
    ApiServer,
    /// CRDs.
    Crds,
    /// Unserved: no server serves it.
    Unserved,
    /// Unknown.
    Unknown,
}

/// The discovery entry of a resource or subresource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resource {
    /// The kind of its objects.
    pub kind: String,
    /// Whether the resource is namespaced; `None` for a subresource.
    pub namespaced: Option<bool>,
    /// The supported verbs.
    pub verbs: BTreeSet<String>,
    /// Its short names.
    pub short_names: BTreeSet<String>,
    /// Its categories.
    pub categories: BTreeSet<String>,
}

/// The outcome of a request. The path through the server chain is not compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    /// The outcome.
    pub outcome: Outcome,
    /// The outcome in words, with the handler.
    pub words: String,
    /// The handler that answers; empty if none does.
    pub handler: String,
    /// The Service that the request is forwarded to.
    pub service: Option<String>,
    /// The APIService that determined the route.
    pub api_service: Option<String>,
}

impl From<RouteSummary> for Ending {
    fn from(way: RouteSummary) -> Self {
        Self {
            outcome: way.outcome,
            words: way.to_string(),
            handler: way.handler,
            service: way.service,
            api_service: way.api_service,
        }
    }
}

impl Registration {
    pub(super) fn new(review: &ApiServiceReview<'_>) -> Self {
        let service = review.service;
        Self {
            available: Available::of(service),
            group_priority: service.group_priority,
            version_priority: service.version_priority,
            service: service.service.as_ref().map(|r| format!("{}:{}", r.id(), r.port)),
            backing: review.backing,
            manager: review.manager,
            trust: Trust::of(service),
        }
    }
}

impl Available {
    fn of(service: &ApiService) -> Self {
        match &service.available {
            _ if service.service.is_none() => Self::True,
            Some(condition) if condition.status == "True" => Self::True,
            Some(condition) if condition.reason == NOT_IN_SOURCE => Self::NotInSource,
            Some(condition) => Self::Not(condition.status.clone(), condition.reason.clone()),
            None => Self::NoCondition,
        }
    }
}

impl Trust {
    fn of(service: &ApiService) -> Option<Self> {
        match &service.ca_bundle {
            _ if service.insecure_skip_tls_verify => Some(Self::Any),
            Some(bundle) => Some(Self::Bundle(checksum(bundle))),
            None => service.service.is_some().then_some(Self::System),
        }
    }
}

/// Returns an FNV-1a hash: short, stable, and sufficient to detect that two bundles differ.
fn checksum(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

impl From<&Crd> for Definition {
    fn from(crd: &Crd) -> Self {
        let served = crd.versions.iter().filter(|version| version.served);
        Self {
            served: served.map(|version| version.name.clone()).collect(),
            namespaced: crd.namespaced,
            state: match (crd.terminating, crd.established, crd.names_accepted) {
                (true, ..) => DefinitionState::Terminating,
                (false, true, _) => DefinitionState::Established,
                (false, false, true) => DefinitionState::NotEstablished,
                (false, false, false) => DefinitionState::NamesNotAccepted,
            },
        }
    }
}

impl From<&AggregatedResource> for Resource {
    fn from(one: &AggregatedResource) -> Self {
        Self {
            kind: one.response_kind.kind.clone(),
            namespaced: Some(one.namespaced),
            verbs: one.verbs.iter().map(ToString::to_string).collect(),
            short_names: one.short_names.iter().cloned().collect(),
            categories: one.categories.iter().cloned().collect(),
        }
    }
}

impl From<&AggregatedSubresource> for Resource {
    fn from(one: &AggregatedSubresource) -> Self {
        Self {
            kind: one.response_kind.kind.clone(),
            namespaced: None,
            verbs: one.verbs.iter().map(ToString::to_string).collect(),
            short_names: BTreeSet::new(),
            categories: BTreeSet::new(),
        }
    }
}
