//! APIServices, their Service references and status conditions.

use std::collections::BTreeMap;

use super::{GroupVersion, Ownership};

/// An APIService, reduced to the fields that determine how its requests are routed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ApiService {
    /// `metadata.name`, which must be `<version>.<group>`.
    pub name: String,
    /// The group version that it registers.
    pub group_version: GroupVersion,
    /// The Service that receives its requests; `None` if it is local, served by this API server
    /// itself.
    pub service: Option<ServiceReference>,
    /// `spec.groupPriorityMinimum`
    pub group_priority: i32,
    /// `spec.versionPriority`
    pub version_priority: i32,
    /// `spec.caBundle` as written, base64.
    pub ca_bundle: Option<String>,
    /// `spec.insecureSkipTLSVerify`
    pub insecure_skip_tls_verify: bool,
    /// The controller that manages it, from its automanaged label.
    pub automanaged: Option<Automanaged>,
    /// The condition `Available`, if the status has one.
    pub available: Option<Condition>,
    /// `metadata.creationTimestamp` as written.
    pub created: Option<String>,
    /// Ownership metadata: what the object reveals about who wrote it.
    pub provenance: Ownership,
    /// Set if the source has no such APIService and it was derived from other data.
    pub inferred: bool,
}

impl ApiService {
    /// Returns a local APIService.
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

    /// Returns whether the aggregator forwards its requests: it is local, or Available is exactly
    /// `True`. An APIService that was not checked yet counts as available ([`NOT_CHECKED`]).
    pub fn is_available(&self) -> bool {
        self.service.is_none()
            || self.available.as_ref().is_some_and(|c| c.status == "True" || c.is_assumed())
    }

    /// Returns whether its availability is assumed, for example because it does not exist yet.
    pub fn is_not_checked(&self) -> bool {
        self.service.is_some() && self.available.as_ref().is_some_and(Condition::is_assumed)
    }
}

/// The reason of an assumed condition: everything that availability needs is present or unknown,
/// and only the server's first check would decide.
pub const NOT_CHECKED: &str = "NotCheckedYet";

/// The reason of a condition that is missing because the source contains no status at all.
pub const NOT_IN_SOURCE: &str = "NotInSource";

/// The Service that an APIService forwards requests to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ServiceReference {
    /// The Service's namespace.
    pub namespace: String,
    /// The Service's name.
    pub name: String,
    /// `spec.service.port`, 443 by default.
    pub port: i32,
}

impl ServiceReference {
    /// Returns `namespace/name`, as in the JSON output.
    pub fn id(&self) -> String {
        format!("{}/{}", self.namespace, self.name)
    }

    /// Returns whether both name the same Service, regardless of the port.
    pub(crate) fn is_same_service(&self, other: &Self) -> bool {
        (&self.namespace, &self.name) == (&other.namespace, &other.name)
    }
}

/// The value of the label `kube-aggregator.kubernetes.io/automanaged`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Automanaged {
    /// `onstart`: a built-in group version, registered when kube-apiserver starts.
    OnStart,
    /// `true`: a group version of CRDs, managed by the CRD registration controller.
    CrdController,
}

impl Automanaged {
    /// The name of the label.
    pub const LABEL: &str = "kube-aggregator.kubernetes.io/automanaged";

    /// Returns the controller that the labels name.
    pub(crate) fn of(labels: &BTreeMap<String, String>) -> Option<Self> {
        match labels.get(Self::LABEL).map(String::as_str) {
            Some("onstart") => Some(Self::OnStart),
            Some("true") => Some(Self::CrdController),
            _ => None,
        }
    }

    /// Returns the value of the label.
    pub(crate) fn value(self) -> &'static str {
        match self {
            Self::OnStart => "onstart",
            Self::CrdController => "true",
        }
    }
}

/// One status condition.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Condition {
    /// `True`, `False` or `Unknown`, as written.
    pub status: String,
    /// The machine-readable reason.
    pub reason: String,
    /// The human-readable message.
    pub message: String,
    /// `lastTransitionTime` as written.
    pub since: Option<String>,
}

impl Condition {
    /// Returns the condition that every local APIService has.
    pub(crate) fn local() -> Self {
        Self {
            status: "True".to_owned(),
            reason: "Local".to_owned(),
            message: "Local APIServices are always available".to_owned(),
            since: None,
        }
    }

    /// Returns whether the condition is assumed rather than reported by a server.
    pub(crate) fn is_assumed(&self) -> bool {
        self.reason == NOT_CHECKED || self.reason == NOT_IN_SOURCE
    }
}
