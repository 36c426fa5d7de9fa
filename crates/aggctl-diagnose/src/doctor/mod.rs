//! Why an APIService does not work: the walk that the API server makes, link by link.
//!
//! For each APIService that leads to a Service: is the Service there, has it the port, are there
//! endpoints, is one of them ready, which address is dialled, can its certificate be trusted, does
//! discovery answer, is the aggregated document fresh. The first link that is broken decides.
//!
//! Two kinds of evidence meet here: what the objects in the snapshot say now, and what the server
//! found at its last check, which is in the condition. Where one of them is silent the other
//! speaks; where they contradict each other, that is said. No clock, no network: `now` and what a
//! direct connection found ([`Probe`]) are passed in.

mod advice;
mod age;
mod asked;
mod bindings;
mod condition;
mod consequence;
mod endpoints;
mod finding;
mod front_proxy;
mod group;
mod link;
mod standing;
mod tls;
mod walk;
mod writer;

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::knowledge::{self, GroupOwner};
use aggctl_certificate::Bundle;
use kube_aggregation::availability::{AvailabilityCheck, AvailabilityStep, Controller};
use kube_aggregation::model::{ApiService, Severity, Snapshot, words};
use kube_aggregation::registry::{ApiServiceReview, Backend, Code, Fact, Registry};

use asked::DiscoveryResponse;
use bindings::Bindings;

pub use crate::probe::{Handshake, Probe, ProbeFailure, ProbePhase};
pub use advice::{Advice, quoted};
pub use age::{age, short_age};
pub use condition::{Agreement, Reported};
pub use consequence::{Consequence, common_consequences};
pub use finding::DoctorFinding;
pub use group::{DiagnosisGroup, groups};
pub use link::{CheckState, DoctorCheck};
pub use standing::{HealthSummary, Standings, changes, means, standings, waited_for};
pub use writer::Writer;

/// What a diagnosis rests on; APIServices that are not in the source are not diagnosed.
pub const RESTS_ON: [Fact; 6] = [
    Fact::EachApiService,
    Fact::Crds,
    Fact::Services,
    Fact::EndpointSlices,
    Fact::Version,
    Fact::Freshness,
];

/// What is wrong with one APIService, if anything is.
#[derive(Debug)]
pub struct Diagnosis<'r> {
    /// The APIService.
    pub service: &'r ApiService,
    /// What stands behind it.
    pub backing: Backend,
    /// How bad it is.
    pub verdict: Verdict,
    /// That in a phrase.
    pub summary: String,
    /// What the availability controller sees; none for a local APIService.
    pub check: Option<AvailabilityCheck<'r>>,
    /// The walk; empty for a local APIService.
    pub links: Vec<DoctorCheck>,
    /// What the condition says, and whether the facts agree.
    pub reported: Option<Reported<'r>>,
    /// Who last wrote what matters.
    pub writers: Vec<Writer>,
    /// What is odd apart from the walk.
    pub findings: Vec<DoctorFinding>,
    /// What else hangs on it.
    pub consequences: Vec<Consequence>,
    /// What to do next.
    pub advice: Vec<Advice>,
    /// What a direct connection found, where one was made.
    pub probe: Option<Probe>,
}

impl Diagnosis<'_> {
    /// Whose it is, where it leads to a distribution's server.
    pub fn owner(&self) -> Option<&'static GroupOwner> {
        let remote = self.service.service.is_some();
        knowledge::owner(&self.service.group_version.group).filter(|_| remote)
    }

    /// The first broken link.
    pub fn broken_link(&self) -> Option<&DoctorCheck> {
        self.links.iter().find(|link| link.state == CheckState::Broken)
    }

    /// Whether that is among its findings.
    pub fn has(&self, code: Code) -> bool {
        self.findings.iter().any(|finding| finding.code == code)
    }

    /// When the last certificate of its caBundle expires, in seconds since 1970.
    pub fn ca_expiry(&self) -> Option<i64> {
        let bundle = Bundle::from_field(self.service.ca_bundle.as_ref()?).ok()?;
        bundle.certificates.iter().map(|c| c.not_after).max()
    }

    /// When the certificate expires that a direct connection was shown, in seconds since 1970.
    pub fn certificate_expiry(&self) -> Option<i64> {
        let handshake = self.probe.as_ref()?.handshake.as_ref()?;
        handshake.chain.first().map(|c| c.not_after)
    }
}

words! {
    /// How bad it is, from good to bad.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Verdict {
        /// Nothing is known to be wrong.
        Healthy = "healthy",
        /// It works, but something should be looked at.
        Warning = "warning",
        /// It does not work, at least not for all clients.
        Broken = "broken",
    }
}

/// What direct connections found, by APIService.
pub type Probes = BTreeMap<String, Probe>;

/// Diagnoses every APIService of the source, in the order of their names.
pub fn diagnose_all<'r>(
    registry: &'r Registry<'_>,
    now: Timestamp,
    probes: &Probes,
) -> Vec<Diagnosis<'r>> {
    let reviews = registry.review();
    let real = reviews.iter().filter(|review| !review.service.inferred);
    let known = Known::new(registry.snapshot);
    real.map(|review| diagnose(registry, &known, review, now, probes.get(&review.service.name)))
        .collect()
}

/// What all diagnoses of a snapshot look at.
#[derive(Debug)]
pub struct Known<'s> {
    controller: Controller<'s>,
    bindings: Bindings<'s>,
}

impl<'s> Known<'s> {
    /// Compiles it.
    pub fn new(snapshot: &'s Snapshot) -> Self {
        Self { controller: Controller::new(snapshot), bindings: Bindings::new(snapshot) }
    }
}

/// Diagnoses one APIService.
pub fn diagnose<'r>(
    registry: &'r Registry<'_>,
    known: &Known<'r>,
    review: &ApiServiceReview<'r>,
    now: Timestamp,
    probe: Option<&Probe>,
) -> Diagnosis<'r> {
    let service = review.service;
    let check = service.service.as_ref().map(|reference| known.controller.check(reference));
    let links = match &check {
        Some(check) => walk::walk(registry, service, check, &known.bindings, now, probe),
        None => vec![],
    };
    let findings = finding::findings(registry, review, &links);
    let asked = DiscoveryResponse::of(registry, service);
    let reported = condition::report(service, &links, asked, registry.minor, now);
    let verdict = verdict(service, &links, &findings);
    let mut diagnosis = Diagnosis {
        service,
        backing: review.backing,
        verdict,
        summary: String::new(),
        check,
        links,
        reported,
        writers: writer::writers(service, now),
        findings,
        consequences: vec![],
        advice: vec![],
        probe: probe.cloned(),
    };
    diagnosis.summary = summary(&diagnosis);
    diagnosis.consequences = consequence::consequences(registry, &diagnosis);
    diagnosis.advice = advice::advice(registry, &diagnosis);
    diagnosis
}

fn verdict(service: &ApiService, links: &[DoctorCheck], findings: &[DoctorFinding]) -> Verdict {
    let any = |state| links.iter().any(|link| link.state == state);
    if any(CheckState::Broken) || !service.is_available() {
        Verdict::Broken
    } else if any(CheckState::Odd) || findings.iter().any(|f| f.severity > Severity::Info) {
        Verdict::Warning
    } else {
        Verdict::Healthy
    }
}

fn summary(diagnosis: &Diagnosis<'_>) -> String {
    let service = diagnosis.service;
    if let Some(link) = diagnosis.broken_link() {
        return link.what.clone();
    }
    if !service.is_available() {
        return match &service.available {
            None => "has no condition Available, so requests are refused".to_owned(),
            Some(c) => format!(
                "Available={} ({}), and nothing in the source shows why",
                c.status, c.reason
            ),
        };
    }
    let odd = diagnosis
        .links
        .iter()
        .find(|link| link.state == CheckState::Odd)
        .map(|link| link.what.clone());
    let warning =
        diagnosis.findings.iter().find(|f| f.severity > Severity::Info).map(|f| f.what.clone());
    if let Some(what) = warning.or(odd) {
        return what;
    }
    match (&service.service, diagnosis.backing) {
        (Some(reference), _) if !diagnosis.is_known() => {
            format!("whether Service {} answers is not known", reference.id())
        }
        (Some(reference), _) => {
            let unproven = diagnosis.has(Code::TlsNotChecked)
                && diagnosis
                    .links
                    .iter()
                    .any(|l| l.step == AvailabilityStep::Tls && l.state != CheckState::Ok);
            let note = if unproven { ", its certificate was not checked" } else { "" };
            format!("Service {} answers{note}", reference.id())
        }
        (None, Backend::Extensions) => "apiextensions-apiserver".to_owned(),
        (None, Backend::Crd) => "custom resources".to_owned(),
        (None, Backend::Unknown) => {
            "local; what stands behind it cannot be told from the source".to_owned()
        }
        (None, _) => "kube-apiserver".to_owned(),
    }
}
