//! Anomalies: suspicious registrations, as typed facts. The entry of the code provides the wording.

use std::fmt;

use super::Code;
use crate::model::{
    ApiService, Automanaged, Crd, GroupVersion, Minor, ServiceReference, SlowDocument, some_of,
};

/// How many names to list when there may be thousands.
pub(super) const MAX_NAMES: usize = 3;

/// The last version in which `/openapi/v2` rejects only the part that cannot be merged.
pub const LAST_REFUSED_ALONE: Minor = Minor::new(27);

/// Something suspicious about an APIService, a CRD or a group version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anomaly<'r> {
    /// The kind of anomaly.
    pub code: Code,
    /// The object or group concerned.
    pub subject: AnomalySubject<'r>,
    /// Values for placeholders of the entry, in addition to those that the subject fills.
    pub facts: Vec<(&'static str, Detail<'r>)>,
    /// The conflict behind it, if any, for `aggctl conflicts`.
    pub contest: Option<Conflict<'r>>,
}

/// The object or group that an anomaly is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnomalySubject<'r> {
    /// An APIService.
    ApiService(&'r ApiService),
    /// A CRD.
    Crd(&'r Crd),
    /// A group.
    Group(&'r str),
}

impl<'r> AnomalySubject<'r> {
    /// Returns the group of the subject.
    pub fn group(&self) -> &'r str {
        match self {
            Self::ApiService(service) => &service.group_version.group,
            Self::Crd(crd) => &crd.group,
            Self::Group(group) => group,
        }
    }
}

impl fmt::Display for AnomalySubject<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ApiService(service) => write!(f, "APIService {}", service.name),
            Self::Crd(crd) => write!(f, "CRD {}", crd.name),
            Self::Group("") => f.write_str("the core group"),
            Self::Group(group) => write!(f, "the group {group}"),
        }
    }
}

/// One fact about an anomaly. `Display` provides its wording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Detail<'r> {
    /// CRDs.
    Crds(Vec<&'r Crd>),
    /// A Service.
    Service(&'r ServiceReference),
    /// Some of these Services, and how many more there are.
    Services(Vec<&'r ServiceReference>, usize),
    /// A port.
    Port(i32),
    /// A timestamp, or text from the server.
    Text(&'r str),
    /// Names of fields.
    Fields(Vec<&'r str>),
    /// A version of Kubernetes.
    Minor(Minor),
    /// Why a group version is unserved: CRDs that are not established, if any.
    Unserved(Vec<&'r Crd>),
    /// The path of a group version itself.
    Prefix(&'r GroupVersion),
    /// The effect on `/openapi/v2` of a path that occurs twice, depending on the version.
    Unmerged(Minor),
    /// The same, if it is unknown whether the Service publishes OpenAPI.
    UnmergedIf(Minor),
    /// What happens to kube-apiserver's own registration.
    Return(Option<Automanaged>),
    /// The backend that no longer exists: the Service, and possibly its namespace.
    Gone {
        /// Whether the namespace does not exist either.
        namespace: bool,
    },
    /// Whether an APIService is known to be available, or only not known to be unavailable.
    KnownAvailable(bool),
    /// Whether a CRD keeps names that were accepted earlier.
    KeepsNames(bool),
    /// A slow request for an OpenAPI document.
    Slow(&'r SlowDocument),
}

impl fmt::Display for Detail<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Crds(crds) => {
                f.write_str(if crds.len() == 1 { "CRD " } else { "CRDs " })?;
                let names = crds.iter().map(|crd| &crd.name);
                f.write_str(&some_of(names, crds.len(), MAX_NAMES))
            }
            Self::Service(service) => f.write_str(&service.id()),
            Self::Services(some, more) => {
                let names = some.iter().map(|service| service.id());
                f.write_str(&some_of(names, some.len() + more, MAX_NAMES))
            }
            Self::Port(port) => write!(f, "{port}"),
            Self::Text(text) => f.write_str(text),
            Self::Fields(fields) => f.write_str(&fields.join(", ")),
            Self::Minor(minor) => write!(f, "{minor}"),
            Self::Prefix(gv) => write!(f, "{}/", gv.root_path()),
            Self::Unmerged(minor) => write!(f, "The API server {}", Unmerged(*minor)),
            Self::UnmergedIf(minor) => write!(
                f,
                "If the Service publishes OpenAPI, as generic API servers do, the API server {}",
                Unmerged(*minor)
            ),
            Self::Unserved(crds) => match crds.as_slice() {
                [] => f.write_str("neither kube-apiserver nor a CRD serves it"),
                [first, ..] => write!(f, "{}", Waiting(first)),
            },
            Self::Return(Some(_)) => {
                f.write_str("At its next start, the API server restores its own registration.")
            }
            Self::Return(None) => f.write_str(
                "The API server does not touch it, because it lacks the automanaged label. Once it is deleted, the next start registers the version again.",
            ),
            Self::Gone { namespace: true } => f.write_str("its Service and the namespace do not exist"),
            Self::Gone { namespace: false } => f.write_str("its Service does not exist"),
            Self::Slow(request) => write!(f, "{request}"),
            Self::KnownAvailable(true) => f.write_str("is available, but"),
            Self::KnownAvailable(false) => {
                f.write_str("may or may not be available, and")
            }
            Self::KeepsNames(true) => f.write_str("It keeps the names that it had."),
            Self::KeepsNames(false) => f.write_str("It is not established and serves nothing."),
        }
    }
}

/// Formats what the API server does with a path that occurs twice.
struct Unmerged(Minor);

impl fmt::Display for Unmerged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0 <= LAST_REFUSED_ALONE {
            "leaves it out of /openapi/v2"
        } else {
            "cannot merge /openapi/v2, and answers 503 for it after a restart"
        })
    }
}

/// Formats why a CRD does not serve yet.
struct Waiting<'r>(&'r Crd);

impl fmt::Display for Waiting<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.0.name;
        match &self.0.refusal {
            Some(refusal) => write!(f, "the server rejects a name of CRD {name} ({refusal})"),
            None if self.0.terminating => write!(f, "CRD {name} is being deleted"),
            None => write!(f, "CRD {name} is not established"),
        }
    }
}

/// A conflict: several claimants for the same thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict<'r> {
    /// The contested thing.
    pub over: ConflictSubject<'r>,
    /// The claimants. The first one wins.
    pub parties: Vec<Claimant<'r>>,
}

/// The thing that a conflict is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConflictSubject<'r> {
    /// A group version.
    GroupVersion(&'r GroupVersion),
    /// A group.
    Group(&'r str),
    /// A name of a resource.
    Name(&'r str),
    /// An APIService object itself.
    ApiService(&'r ApiService),
}

impl fmt::Display for ConflictSubject<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GroupVersion(gv) => write!(f, "{gv}"),
            Self::Group(name) | Self::Name(name) => f.write_str(name),
            Self::ApiService(service) => write!(f, "APIService {}", service.name),
        }
    }
}

/// One side of a conflict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claimant<'r> {
    /// An APIService, with its Service.
    ApiService(&'r ApiService),
    /// A CRD.
    Crd(&'r Crd),
    /// kube-apiserver, which serves a whole group.
    KubeApiserver,
    /// The aggregator, which serves its own group.
    Aggregator,
    /// The resources built into kube-apiserver.
    BuiltInResources,
    /// A field manager that writes an APIService.
    Writer(&'r str),
    /// The controller that manages an APIService.
    Controller(Automanaged),
}

impl fmt::Display for Claimant<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ApiService(one) => match &one.service {
                Some(service) => write!(f, "APIService {} → {}", one.name, service.id()),
                None => write!(f, "APIService {}", one.name),
            },
            Self::Crd(crd) => write!(f, "CRD {}", crd.name),
            Self::KubeApiserver => f.write_str("kube-apiserver"),
            Self::Aggregator => f.write_str("kube-aggregator"),
            Self::BuiltInResources => f.write_str("the API server's own resources"),
            Self::Writer(name) => f.write_str(name),
            Self::Controller(Automanaged::OnStart) => {
                f.write_str("kube-apiserver, which rewrites it at every start")
            }
            Self::Controller(Automanaged::CrdController) => {
                f.write_str("kube-apiserver, which writes it back at once")
            }
        }
    }
}

impl<'r> Anomaly<'r> {
    /// Creates an anomaly without facts.
    pub(crate) fn about(code: Code, subject: AnomalySubject<'r>) -> Self {
        Self { code, subject, facts: vec![], contest: None }
    }

    /// Creates an anomaly about an APIService.
    pub fn of(code: Code, service: &'r ApiService) -> Self {
        Self::about(code, AnomalySubject::ApiService(service))
    }

    /// Adds a fact for a placeholder of the entry.
    pub fn with(mut self, placeholder: &'static str, fact: Detail<'r>) -> Self {
        self.facts.push((placeholder, fact));
        self
    }

    /// Adds a conflict.
    pub(crate) fn contested(
        mut self,
        over: ConflictSubject<'r>,
        parties: Vec<Claimant<'r>>,
    ) -> Self {
        self.contest = Some(Conflict { over, parties });
        self
    }

    /// Returns the value of a placeholder.
    pub fn fill(&self, placeholder: &str) -> Option<String> {
        let known = self.facts.iter().find(|(name, _)| *name == placeholder);
        known.map(|(_, fact)| fact.to_string()).or_else(|| self.subject.fill(placeholder))
    }
}

impl AnomalySubject<'_> {
    fn fill(&self, placeholder: &str) -> Option<String> {
        let text = match (self, placeholder) {
            (Self::ApiService(one), "apiservice") => one.name.clone(),
            (Self::ApiService(one), "gv") => one.group_version.to_string(),
            (Self::ApiService(one), "group") => one.group_version.group.clone(),
            (Self::ApiService(one), "path") => one.group_version.root_path(),
            (Self::Crd(crd), "crd") => crd.name.clone(),
            (Self::Crd(crd), "group") => crd.group.clone(),
            (Self::Group(group), "group") => (*group).to_owned(),
            _ => return None,
        };
        Some(text)
    }
}
