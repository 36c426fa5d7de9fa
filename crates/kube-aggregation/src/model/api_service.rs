use std::collections::BTreeMap;

use super::{GroupVersion, Ownership};

/// An APIService, reduced to what decides where its requests go.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ApiService {
    /// `metadata.name`, by rule `<version>.<group>`.
    pub name: String,
    /// The group version that it registers.
    pub group_version: GroupVersion,
    /// Where its traffic goes; `None` for a local one, served by this very API server.
    pub service: Option<ServiceReference>,
    /// `spec.groupPriorityMinimum`
    pub group_priority: i32,
    /// `spec.versionPriority`
    pub version_priority: i32,
    /// `spec.caBundle` as written, base64.
    pub ca_bundle: Option<String>,
    /// `spec.insecureSkipTLSVerify`
    pub insecure_skip_tls_verify: bool,
    /// Which controller keeps it in shape, from its automanaged label.
    pub automanaged: Option<Automanaged>,
    /// The condition `Available`, if the status has one.
    pub available: Option<Condition>,
    /// `metadata.creationTimestamp` as written.
    pub created: Option<String>,
    /// Who wrote it, as far as it says so itself.
    pub provenance: Ownership,
    /// Set where no APIService was in the source and this one follows from something else.
    pub inferred: bool,
}

impl ApiService {
    /// One that this very API server serves.
    pub(crate) fn local(
        group_version: GroupVersion,
        group_priority: i32,
        version_priority: i32,
    ) -> Self {
        Self {
            name: group_version.api_service_name(),
            group_version,
            service: None,
            group_priority,
            version_priority,
            ca_bundle: None,
            insecure_skip_tls_verify: false,
            automanaged: None,
            available: Some(Condition::local()),
            created: None,
            provenance: Ownership::default(),
            inferred: false,
        }
    }

    /// Whether the aggregator lets requests through: local, or Available is exactly `True`; and
    /// where that is still to be found out, it is taken to be so ([`NOT_CHECKED`]).
    pub fn is_available(&self) -> bool {
        self.service.is_none()
            || self.available.as_ref().is_some_and(|c| c.status == "True" || c.is_assumed())
    }

    /// Whether its availability is an assumption, as that of an APIService that does not exist yet.
    pub fn is_not_checked(&self) -> bool {
        self.service.is_some() && self.available.as_ref().is_some_and(Condition::is_assumed)
    }
}

/// The reason of a condition that no server has written yet: everything that the availability of
/// an APIService needs is there or unknown, and only its first check can tell.
pub const NOT_CHECKED: &str = "NotCheckedYet";

/// The reason of a condition that was lost on the way: the source has no status of anything.
pub const NOT_IN_SOURCE: &str = "NotInSource";

/// The Service that an APIService sends its traffic to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ServiceReference {
    /// The Service's namespace.
    pub namespace: String,
    /// The Service's name.
    pub name: String,
    /// `spec.service.port`, 443 unless given.
    pub port: i32,
}

impl ServiceReference {
    /// `namespace/name`, as the JSON contract writes it.
    pub fn id(&self) -> String {
        format!("{}/{}", self.namespace, self.name)
    }

    /// Whether both name the same Service, through whatever port.
    pub(crate) fn is_same_service(&self, other: &Self) -> bool {
        (&self.namespace, &self.name) == (&other.namespace, &other.name)
    }
}

/// The value of the label `kube-aggregator.kubernetes.io/automanaged`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Automanaged {
    /// `onstart`: a built-in group version, written when the API server starts.
    OnStart,
    /// `true`: a custom resource's group version, kept in step with the CRDs.
    CrdController,
}

impl Automanaged {
    /// The label itself.
    pub const LABEL: &str = "kube-aggregator.kubernetes.io/automanaged";

    /// Which controller labels stand for.
    pub(crate) fn of(labels: &BTreeMap<String, String>) -> Option<Self> {
        match labels.get(Self::LABEL).map(String::as_str) {
            Some("onstart") => Some(Self::OnStart),
            Some("true") => Some(Self::CrdController),
            _ => None,
        }
    }
}

/// One condition of a status.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Condition {
    /// `True`, `False` or `Unknown`, as written.
    pub status: String,
    /// A word for machines.
    pub reason: String,
    /// A sentence for people.
    pub message: String,
    /// `lastTransitionTime` as written.
    pub since: Option<String>,
}

impl Condition {
    /// The condition that every local APIService has.
    pub(crate) fn local() -> Self {
        Self {
            status: "True".to_owned(),
            reason: "Local".to_owned(),
            message: "Local APIServices are always available".to_owned(),
            since: None,
        }
    }

    /// Whether no server wrote it, so that it is only taken to hold.
    pub(crate) fn is_assumed(&self) -> bool {
        self.reason == NOT_CHECKED || self.reason == NOT_IN_SOURCE
    }
}
