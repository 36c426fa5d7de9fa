//! What is compared: everything that a client can notice, each kind with fields of its own.

use std::collections::BTreeSet;
use std::fmt;

use crate::model::{
    AggregatedResource, AggregatedSubresource, ApiService, Crd, Freshness, GroupVersion,
    NOT_IN_SOURCE,
};
use crate::registry::{ApiServiceReview, Backend, Manager};
use crate::routing::{Outcome, RouteSummary};

/// The name of something that is compared. Its order is the one in which differences are shown.
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
    /// A resource, or a subresource as `deployments/scale`.
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

/// Something that is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Thing {
    /// An APIService.
    ApiService(Registration),
    /// A CRD.
    Crd(Definition),
    /// The versions of a group, the preferred one first.
    Group(Vec<String>),
    /// A group version.
    GroupVersion(Service),
    /// A resource or subresource.
    Resource(Resource),
    /// Where a request ends.
    Route(Ending),
}

/// What an APIService says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registration {
    /// Whether it is available.
    pub available: Available,
    /// `spec.groupPriorityMinimum`
    pub group_priority: i32,
    /// `spec.versionPriority`
    pub version_priority: i32,
    /// The Service and port that it leads to.
    pub service: Option<String>,
    /// What stands behind it.
    pub backing: Backend,
    /// Who keeps it in shape.
    pub manager: Manager,
    /// Whose certificates the API server accepts there.
    pub trust: Option<Trust>,
}

/// The condition Available.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Available {
    /// True; every local APIService is.
    True,
    /// Something else: status and reason.
    Not(String, String),
    /// There is no such condition.
    NoCondition,
    /// The source has no status.
    NotInSource,
}

/// Whose certificates the API server accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trust {
    /// Any: `insecureSkipTLSVerify`.
    Any,
    /// Those that a caBundle signs. Only a checksum: whether two bundles are the same.
    Bundle(u32),
    /// Those that the system's roots sign.
    System,
}

/// What a CRD says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// The versions that are served.
    pub served: Vec<String>,
    /// Whether its objects live in namespaces.
    pub namespaced: bool,
    /// How far the server has taken it.
    pub state: DefinitionState,
}

/// How far the server has taken a CRD.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefinitionState {
    /// It is being deleted.
    Terminating,
    /// It is served.
    Established,
    /// Its names are accepted, but it is not served.
    NotEstablished,
    /// Another CRD has one of its names.
    NamesNotAccepted,
}

/// Who serves a group version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Service {
    /// Who does.
    pub by: ServedBy,
    /// Whether discovery has it up to date; `None` where no aggregated document lists it.
    pub freshness: Option<Freshness>,
}

/// Who serves a group version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServedBy {
    /// A Service, by namespace and name where that is known.
    Service(Option<String>),
    /// kube-apiserver, or apiextensions-apiserver for its own group.
    ApiServer,
    /// CRDs.
    Crds,
    /// Nobody.
    Nobody,
    /// It cannot be told.
    Unknown,
}

/// What discovery says of a resource or subresource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resource {
    /// The kind of its objects.
    pub kind: String,
    /// Whether they live in namespaces; a subresource is where its resource is.
    pub namespaced: Option<bool>,
    /// What can be done with it.
    pub verbs: BTreeSet<String>,
    /// Its short names.
    pub short_names: BTreeSet<String>,
    /// Its categories.
    pub categories: BTreeSet<String>,
}

/// Where a request ends. Two ways to the same end are no difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    /// How it ends.
    pub outcome: Outcome,
    /// That in words, with who answers.
    pub words: String,
    /// Who answers; empty where nobody does.
    pub handler: String,
    /// The Service that traffic leaves for.
    pub service: Option<String>,
    /// The APIService that decided.
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

/// FNV-1a: short, stable, and good enough to see that two bundles are not the same.
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
