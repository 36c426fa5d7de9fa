//! Something odd, as facts. The words are the entry's of its code.

use std::fmt;

use super::Code;
use crate::model::{
    ApiService, Automanaged, Crd, GroupVersion, Minor, ServiceReference, SlowDocument, some_of,
};

/// How many names are listed where there may be thousands.
pub(super) const MOST_NAMES: usize = 3;

/// The last version in which a part that cannot be merged into `/openapi/v2` is refused alone.
pub const LAST_REFUSED_ALONE: Minor = Minor::new(27);

/// Something odd about an APIService, a CRD or a group version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anomaly<'r> {
    /// What it is.
    pub code: Code,
    /// What it is about.
    pub subject: AnomalySubject<'r>,
    /// What the entry's placeholders stand for, beside those that the subject fills.
    pub facts: Vec<(&'static str, Detail<'r>)>,
    /// Who wants to have the same, where that is so: `aggctl conflicts` shows it.
    pub contest: Option<Conflict<'r>>,
}

/// What an oddity is about.
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
    /// The group that it is in.
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

/// One fact about an oddity, worded by its `Display`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Detail<'r> {
    /// CRDs.
    Crds(Vec<&'r Crd>),
    /// A Service.
    Service(&'r ServiceReference),
    /// Some of these Services, and how many more.
    Services(Vec<&'r ServiceReference>, usize),
    /// A port.
    Port(i32),
    /// A time, or words of the server's own.
    Text(&'r str),
    /// Names of fields.
    Fields(Vec<&'r str>),
    /// A version of Kubernetes.
    Minor(Minor),
    /// Why nobody serves a group version: CRDs that are not established, if any.
    Nobody(Vec<&'r Crd>),
    /// The path of a group version itself.
    Prefix(&'r GroupVersion),
    /// What becomes of `/openapi/v2` where a path is there twice, by version.
    Unmerged(Minor),
    /// The same of a Service of which it is not known whether it publishes anything.
    UnmergedIf(Minor),
    /// What becomes of kube-apiserver's own registration.
    Return(Option<Automanaged>),
    /// What is gone behind an APIService: its Service, and perhaps the namespace too.
    Gone {
        /// Whether the namespace does not exist either.
        namespace: bool,
    },
    /// Whether an APIService is known to be available, or only not known not to be.
    KnownAvailable(bool),
    /// Whether a CRD keeps names that it had before.
    KeepsNames(bool),
    /// A request for an OpenAPI document that took long.
    Slow(&'r SlowDocument),
}

impl fmt::Display for Detail<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Crds(crds) => {
                f.write_str(if crds.len() == 1 { "CRD " } else { "CRDs " })?;
                let names = crds.iter().map(|crd| &crd.name);
                f.write_str(&some_of(names, crds.len(), MOST_NAMES))
            }
            Self::Service(service) => f.write_str(&service.id()),
            Self::Services(some, more) => {
                let names = some.iter().map(|service| service.id());
                f.write_str(&some_of(names, some.len() + more, MOST_NAMES))
            }
            Self::Port(port) => write!(f, "{port}"),
            Self::Text(text) => f.write_str(text),
            Self::Fields(fields) => f.write_str(&fields.join(", ")),
            Self::Minor(minor) => write!(f, "{minor}"),
            Self::Prefix(gv) => write!(f, "{}/", gv.root_path()),
            Self::Unmerged(minor) if *minor <= LAST_REFUSED_ALONE => {
                f.write_str("the part is left out")
            }
            Self::Unmerged(_) => {
                f.write_str("nothing can be merged, and a restarted API server answers 503")
            }
            Self::UnmergedIf(minor) => write!(
                f,
                "if it publishes /openapi/v2, as generic API servers do, {}",
                Self::Unmerged(*minor)
            ),
            Self::Nobody(crds) => match crds.as_slice() {
                [] => f.write_str("neither kube-apiserver nor a CRD serves it"),
                [first, ..] => write!(f, "{}", Waiting(first)),
            },
            Self::Return(Some(_)) => {
                f.write_str("At its next start the API server writes its own registration back.")
            }
            Self::Return(None) => f.write_str(
                "The API server leaves it alone, since it does not carry its label; once it is deleted, the next start registers the version again.",
            ),
            Self::Gone { namespace: true } => f.write_str("its Service and even the namespace are gone"),
            Self::Gone { namespace: false } => f.write_str("its Service does not exist"),
            Self::Slow(request) => write!(f, "{request}"),
            Self::KnownAvailable(true) => f.write_str("is available, but"),
            Self::KnownAvailable(false) => {
                f.write_str("whether it is available is not known, and")
            }
            Self::KeepsNames(true) => f.write_str("It keeps the names that it had."),
            Self::KeepsNames(false) => f.write_str("It is not established, and answers nothing."),
        }
    }
}

/// Why a CRD does not serve yet.
struct Waiting<'r>(&'r Crd);

impl fmt::Display for Waiting<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.0.name;
        match &self.0.refusal {
            Some(refusal) => write!(f, "the server refuses a name of CRD {name} ({refusal})"),
            None if self.0.terminating => write!(f, "CRD {name} is being deleted"),
            None => write!(f, "CRD {name} is not established"),
        }
    }
}

/// Something that several want to have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict<'r> {
    /// What.
    pub over: ConflictSubject<'r>,
    /// Who, the one that has it first.
    pub parties: Vec<Claimant<'r>>,
}

/// What several want to have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConflictSubject<'r> {
    /// A group version.
    GroupVersion(&'r GroupVersion),
    /// A group.
    Group(&'r str),
    /// A name of a resource.
    Name(&'r str),
    /// An APIService itself.
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

/// One who wants to have something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claimant<'r> {
    /// An APIService, with the Service that it leads to.
    ApiService(&'r ApiService),
    /// A CRD.
    Crd(&'r Crd),
    /// kube-apiserver, which answers a whole group.
    KubeApiserver,
    /// The aggregator, which answers its own group.
    Aggregator,
    /// The resources that are built into kube-apiserver.
    BuiltInResources,
    /// Somebody who writes an APIService.
    Writer(&'r str),
    /// The controller that keeps an APIService in shape.
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
    /// An oddity with nothing more to say.
    pub(crate) fn about(code: Code, subject: AnomalySubject<'r>) -> Self {
        Self { code, subject, facts: vec![], contest: None }
    }

    /// The same of an APIService.
    pub fn of(code: Code, service: &'r ApiService) -> Self {
        Self::about(code, AnomalySubject::ApiService(service))
    }

    /// The same, with a fact for a placeholder of its entry.
    pub fn with(mut self, placeholder: &'static str, fact: Detail<'r>) -> Self {
        self.facts.push((placeholder, fact));
        self
    }

    /// The same, as something that these want to have.
    pub(crate) fn contested(
        mut self,
        over: ConflictSubject<'r>,
        parties: Vec<Claimant<'r>>,
    ) -> Self {
        self.contest = Some(Conflict { over, parties });
        self
    }

    /// What a placeholder of its entry stands for.
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
