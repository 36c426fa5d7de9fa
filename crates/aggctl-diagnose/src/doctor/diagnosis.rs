//! A diagnosis as data: the verdict, what decides it, and what to do.

use super::age::Age;
use super::agreement::Agreement;
use super::check::{CheckState, DoctorCheck};
use super::fact::Fact;
use super::writer::Writer;
use crate::knowledge::{self, GroupOwner};
use crate::probe::Probe;
use aggctl_certificate::Bundle;
use kube_aggregation::availability::{AvailabilityCheck, AvailabilityStep, EndpointKind};
use kube_aggregation::model::{
    ApiService, Condition, GroupVersion, ServiceReference, Severity, words,
};
use kube_aggregation::registry::{Backend, Code};

/// The diagnosis of one APIService, healthy or not.
#[derive(Debug)]
pub struct Diagnosis<'r> {
    /// The diagnosed APIService.
    pub service: &'r ApiService,
    /// What serves its group version.
    pub backend: Backend,
    /// How bad it is.
    pub verdict: DoctorVerdict,
    /// What decides the verdict.
    pub summary: Summary<'r>,
    /// The availability controller's view; `None` for a local APIService.
    pub availability: Option<AvailabilityCheck<'r>>,
    /// The checks in order; empty for a local APIService.
    pub checks: Vec<DoctorCheck<'r>>,
    /// What the condition reports, and whether the checks agree with it.
    pub reported: Option<Reported<'r>>,
    /// Who last changed the fields that matter.
    pub writers: Vec<Writer<'r>>,
    /// Issues that no check covers.
    pub findings: Vec<DoctorFinding>,
    /// What else breaks.
    pub consequences: Vec<Consequence<'r>>,
    /// What to do next.
    pub advice: Vec<Advice<'r>>,
    /// The result of a direct connection, if one was made.
    pub probe: Option<&'r Probe>,
}

words! {
    /// How bad the state of an APIService is, from good to bad.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum DoctorVerdict {
        /// Nothing is known to be wrong.
        Healthy = "healthy",
        /// It works, but deserves attention.
        Warning = "warning",
        /// It does not work, at least not for all clients.
        Broken = "broken",
    }
}

/// What decides the verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Summary<'r> {
    /// A check that is broken or odd.
    Check(Fact<'r>),
    /// A finding, described by its knowledge entry.
    Finding(String),
    /// There is no condition `Available`.
    NoCondition,
    /// The condition is not `True`, and nothing in the source shows why.
    Unexplained(&'r Condition),
    /// The source does not show whether the Service answers.
    Unknown(&'r ServiceReference),
    /// The Service answers.
    Answers {
        reference: &'r ServiceReference,
        /// Whether the certificate was verified.
        is_verified: bool,
    },
    /// The API server serves the group version itself.
    Local(Backend),
}

/// The reported condition, compared with the checks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reported<'r> {
    /// The condition itself.
    pub condition: &'r Condition,
    /// The time since its last transition.
    pub age: Option<Age>,
    /// Whether the checks agree with the condition.
    pub agreement: Agreement<'r>,
}

/// An issue with an APIService.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DoctorFinding {
    /// The kind of issue.
    pub code: Code,
    /// How much it matters.
    pub severity: Severity,
    /// What is wrong, in the words of its knowledge entry.
    pub what: String,
    /// Why it matters, in the words of its knowledge entry.
    pub why: String,
}

/// Something that breaks along with an APIService.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Consequence<'r> {
    /// What breaks.
    pub effect: Effect<'r>,
    /// Whether it is certain. Otherwise it depends on what else runs in the cluster.
    pub certain: bool,
    /// Whether every broken APIService has this consequence.
    pub common: bool,
}

/// What an APIService that does not work can break.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect<'r> {
    /// Every request gets 503.
    Unavailable(&'r GroupVersion),
    /// The API server sends requests, and they fail.
    RequestsFail(&'r GroupVersion),
    /// Requests get 500 and are never sent.
    RequestsNotSent(&'r GroupVersion),
    /// The extension server treats requests as anonymous.
    Anonymous(&'r GroupVersion),
    /// Clients of aggregated discovery report the group version as failed.
    Stale(&'r GroupVersion),
    /// Clients cannot discover the resources.
    Undiscovered(&'r GroupVersion),
    ResourceMetrics,
    CustomMetrics,
    ExternalMetrics,
    /// This namespace is stuck in Terminating.
    StuckNamespace(&'r str),
    NamespaceDeletion,
    GarbageCollection,
    CompleteDiscovery,
}

/// One recommended action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice<'r> {
    /// What to do.
    pub action: Action<'r>,
    /// Commands that help with the action.
    pub commands: Vec<SuggestedCommand>,
}

/// The kind of recommended action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action<'r> {
    RestoreService,
    DeleteIfRemovedForGood,
    MatchOnlyPort(i32),
    MatchPorts,
    MatchPortNames,
    CheckPods,
    FindEndpointWriter(EndpointKind),
    /// The Service has no selector, and nothing has created endpoints for it.
    CreateEndpoints(EndpointKind),
    /// Nothing listens at the name of an ExternalName Service, on this port.
    FixExternalName(&'r str, i32),
    InspectService,
    InspectAnswer,
    FixBundle,
    ReadLogs,
    /// Find out why the server accepts connections and does not answer.
    FindHang,
    /// The advice in the knowledge entry of the cause.
    FromEntry(&'static str),
    ConfigureFrontProxy,
    CompareDiscovery(&'r GroupVersion),
    /// Make the server answer both discovery requests for this group version.
    FixDiscovery(&'r GroupVersion),
    ConnectDirectly,
    LookAgain,
    CompareWithCrds,
    /// Renew the CA that the fact is about.
    RenewCa(Fact<'r>),
    BindRoles,
    DeleteOrInstallCrds,
    RenameCrd(&'r str),
    FinishCrdDeletion(&'r str),
    EstablishCrd(&'r str),
}

impl Action<'_> {
    /// Returns whether the action changes something. Otherwise it only shows more.
    pub fn is_change(&self) -> bool {
        !matches!(
            self,
            Self::CheckPods
                | Self::FindEndpointWriter(_)
                | Self::InspectService
                | Self::InspectAnswer
                | Self::ReadLogs
                | Self::CompareDiscovery(_)
                | Self::ConnectDirectly
                | Self::LookAgain
                | Self::FinishCrdDeletion(_)
                | Self::EstablishCrd(_)
        )
    }
}

/// A command for the user to copy. aggctl never runs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SuggestedCommand {
    /// A kubectl command line.
    Kubectl(String),
    /// Diagnose the named APIService again, with a direct connection.
    DiagnoseDirectly(String),
}

impl Diagnosis<'_> {
    /// Returns the distribution that the group belongs to; `None` for a local APIService.
    pub fn owner(&self) -> Option<&'static GroupOwner> {
        let is_remote = self.service.service.is_some();
        knowledge::owner(&self.service.group_version.group).filter(|_| is_remote)
    }

    /// Returns the first broken check.
    pub fn broken_check(&self) -> Option<&DoctorCheck<'_>> {
        self.checks.iter().find(|check| check.state == CheckState::Broken)
    }

    /// Returns the state of a check; `None` if the check was not made.
    pub fn state(&self, step: AvailabilityStep) -> Option<CheckState> {
        self.checks.iter().find(|check| check.step == step).map(|check| check.state)
    }

    /// Returns whether the diagnosis has a finding with this code.
    pub fn has(&self, code: Code) -> bool {
        self.findings.iter().any(|finding| finding.code == code)
    }

    /// Returns whether a healthy verdict is backed by evidence, including a verified certificate.
    /// Servers before 1.36 report Available without ever verifying it.
    pub fn is_verified(&self) -> bool {
        let tls = self.state(AvailabilityStep::Tls);
        let is_proven = matches!(tls, Some(CheckState::Ok | CheckState::Broken));
        self.verdict != DoctorVerdict::Healthy
            || self.is_known() && (!self.has(Code::TlsNotChecked) || is_proven)
    }

    /// Returns whether anything shows if the APIService works: the condition, or an answer of its
    /// server.
    pub fn is_known(&self) -> bool {
        !self.service.is_not_checked()
            || self.verdict != DoctorVerdict::Healthy
            || self.state(AvailabilityStep::Discovery) == Some(CheckState::Ok)
    }

    /// Returns when the last certificate in the caBundle expires, in seconds since 1970.
    pub fn ca_expiry(&self) -> Option<i64> {
        let bundle = Bundle::from_field(self.service.ca_bundle.as_ref()?).ok()?;
        bundle.certificates.iter().map(|c| c.not_after).max()
    }

    /// Returns when the certificate seen by the direct connection expires, in seconds since 1970.
    pub fn certificate_expiry(&self) -> Option<i64> {
        self.probe?.handshake.as_ref()?.chain.first().map(|c| c.not_after)
    }
}
