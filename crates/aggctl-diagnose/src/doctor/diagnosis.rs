//! The parts of a diagnosis, as data: the verdict, what decides it, and what to do.

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

/// What is wrong with one APIService, if anything is.
#[derive(Debug)]
pub struct Diagnosis<'r> {
    /// The APIService.
    pub service: &'r ApiService,
    /// What serves it.
    pub backend: Backend,
    /// How bad it is.
    pub verdict: DoctorVerdict,
    /// What decides the verdict.
    pub summary: Summary<'r>,
    /// What the availability controller sees; `None` for a local APIService.
    pub availability: Option<AvailabilityCheck<'r>>,
    /// The checks in order; empty for a local APIService.
    pub checks: Vec<DoctorCheck<'r>>,
    /// What the condition reports, and whether the checks agree.
    pub reported: Option<Reported<'r>>,
    /// Who last wrote what matters.
    pub writers: Vec<Writer<'r>>,
    /// Issues other than those of the checks.
    pub findings: Vec<DoctorFinding>,
    /// What else suffers.
    pub consequences: Vec<Consequence<'r>>,
    /// What to do next.
    pub advice: Vec<Advice<'r>>,
    /// What a direct connection found, if there was one.
    pub probe: Option<&'r Probe>,
}

words! {
    /// How bad it is, from good to bad.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum DoctorVerdict {
        /// Nothing is known to be wrong.
        Healthy = "healthy",
        /// It works, but needs a look.
        Warning = "warning",
        /// It does not work, at least not for all clients.
        Broken = "broken",
    }
}

/// What decides a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Summary<'r> {
    /// A check that is broken or odd.
    Check(Fact<'r>),
    /// A finding, in the words of its entry.
    Finding(String),
    /// There is no condition `Available`.
    NoCondition,
    /// The condition is not `True`, and nothing in the source shows why.
    Unexplained(&'r Condition),
    /// Nothing shows whether the Service answers.
    Unknown(&'r ServiceReference),
    /// The Service answers.
    Answers {
        reference: &'r ServiceReference,
        /// Whether anything verified the certificate.
        is_verified: bool,
    },
    /// The API server serves it itself.
    Local(Backend),
}

/// What the condition reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reported<'r> {
    /// The condition itself.
    pub condition: &'r Condition,
    /// The time since its last transition.
    pub age: Option<Age>,
    /// Whether the checks agree.
    pub agreement: Agreement<'r>,
}

/// An issue of an APIService.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DoctorFinding {
    /// Which kind.
    pub code: Code,
    /// How much it matters.
    pub severity: Severity,
    /// What is odd, in the words of its entry.
    pub what: String,
    /// Why that matters, in the words of its entry.
    pub why: String,
}

/// Something that suffers with an APIService.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Consequence<'r> {
    /// What suffers.
    pub effect: Effect<'r>,
    /// Whether it follows for certain, or depends on what else runs in the cluster.
    pub certain: bool,
    /// Whether it is the same for every broken APIService.
    pub common: bool,
}

/// What can suffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect<'r> {
    /// Every request gets 503.
    Unavailable(&'r GroupVersion),
    /// Requests are tried, and fail.
    RequestsFail(&'r GroupVersion),
    /// Requests get 500 without being sent.
    RequestsNotSent(&'r GroupVersion),
    /// Requests are answered as those of the anonymous user.
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

/// Something to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice<'r> {
    /// What to do.
    pub action: Action<'r>,
    /// Commands that help with it.
    pub commands: Vec<SuggestedCommand>,
}

/// What there is to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action<'r> {
    RestoreService,
    DeleteIfRemovedForGood,
    MatchOnlyPort(i32),
    MatchPorts,
    MatchPortNames,
    CheckPods,
    FindEndpointWriter(EndpointKind),
    InspectService,
    InspectAnswer,
    FixBundle,
    ReadLogs,
    /// What the entry of the cause advises.
    FromEntry(&'static str),
    ConfigureFrontProxy,
    CompareDiscovery,
    ConnectDirectly,
    LookAgain,
    CompareWithCrds,
    /// Renew the CA that this fact is about.
    RenewCa(Fact<'r>),
    BindRoles,
    DeleteOrInstallCrds,
    RenameCrd(&'r str),
    FinishCrdDeletion(&'r str),
    EstablishCrd(&'r str),
}

/// A command to copy. aggctl never runs one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SuggestedCommand {
    /// A command line of kubectl.
    Kubectl(String),
    /// Diagnose the APIService of this name again, with a direct connection.
    DiagnoseDirectly(String),
}

impl Diagnosis<'_> {
    /// The distribution that it belongs to, if it has a Service.
    pub fn owner(&self) -> Option<&'static GroupOwner> {
        let is_remote = self.service.service.is_some();
        knowledge::owner(&self.service.group_version.group).filter(|_| is_remote)
    }

    /// The first broken check.
    pub fn broken_check(&self) -> Option<&DoctorCheck<'_>> {
        self.checks.iter().find(|check| check.state == CheckState::Broken)
    }

    /// The state of a check.
    pub fn state(&self, step: AvailabilityStep) -> Option<CheckState> {
        self.checks.iter().find(|check| check.step == step).map(|check| check.state)
    }

    /// Whether it has a finding of that kind.
    pub fn has(&self, code: Code) -> bool {
        self.findings.iter().any(|finding| finding.code == code)
    }

    /// Whether the evidence shows what a healthy one needs. Servers before 1.36 report Available
    /// without ever verifying the certificate.
    pub fn is_verified(&self) -> bool {
        let tls = self.state(AvailabilityStep::Tls);
        let is_proven = matches!(tls, Some(CheckState::Ok | CheckState::Broken));
        self.verdict != DoctorVerdict::Healthy
            || self.is_known() && (!self.has(Code::TlsNotChecked) || is_proven)
    }

    /// Whether anything shows if it works: the condition, or an answer of its server.
    pub fn is_known(&self) -> bool {
        !self.service.is_not_checked()
            || self.verdict != DoctorVerdict::Healthy
            || self.state(AvailabilityStep::Discovery) == Some(CheckState::Ok)
    }

    /// When the last certificate of its caBundle expires, in seconds since 1970.
    pub fn ca_expiry(&self) -> Option<i64> {
        let bundle = Bundle::from_field(self.service.ca_bundle.as_ref()?).ok()?;
        bundle.certificates.iter().map(|c| c.not_after).max()
    }

    /// When the certificate that a direct connection was shown expires, in seconds since 1970.
    pub fn certificate_expiry(&self) -> Option<i64> {
        self.probe?.handshake.as_ref()?.chain.first().map(|c| c.not_after)
    }
}
