//! Collects the evidence about APIServices and folds it into diagnoses.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::advice::advice;
use super::age::Age;
use super::agreement::agreement;
use super::bindings::Bindings;
use super::check::{CheckState, DoctorCheck};
use super::condition;
use super::consequence::consequences;
use super::diagnosis::{Diagnosis, DoctorFinding, DoctorVerdict, Reported, Summary};
use super::direct;
use super::discovery::DiscoveryResponse;
use super::evidence::Evidence;
use super::finding::findings;
use super::fold::fold;
use super::front_proxy;
use super::objects;
use super::tls;
use super::writer::writers;
use crate::probe::Probe;
use kube_aggregation::availability::{AvailabilityCheck, AvailabilityStep, Controller};
use kube_aggregation::model::{ApiService, NOT_IN_SOURCE, Severity, Snapshot};
use kube_aggregation::registry::{ApiServiceReview, Code, Fact as SourceFact, Registry};

/// The parts of a source that a diagnosis depends on. APIServices that are not in the source are
/// not diagnosed.
pub const RESTS_ON: [SourceFact; 6] = [
    SourceFact::EachApiService,
    SourceFact::Crds,
    SourceFact::Services,
    SourceFact::EndpointSlices,
    SourceFact::Version,
    SourceFact::Freshness,
];

/// The results of direct connections, by APIService name.
pub type Probes = BTreeMap<String, Probe>;

/// Diagnoses every APIService of the source, sorted by name.
pub fn diagnose_all<'r>(
    registry: &'r Registry<'_>,
    now: Timestamp,
    probes: &'r Probes,
) -> Vec<Diagnosis<'r>> {
    let real = registry.reviews().filter(|review| !review.service.inferred);
    let indexes = DoctorIndexes::new(registry.snapshot);
    let probe = |review: &ApiServiceReview<'_>| probes.get(&review.service.name);
    let mut all = Vec::with_capacity(registry.api_services.len());
    all.extend(real.map(|review| diagnose(registry, &indexes, &review, now, probe(&review))));
    all
}

/// Indexes of a snapshot that all diagnoses use.
#[derive(Debug)]
pub struct DoctorIndexes<'s> {
    controller: Controller<'s>,
    bindings: Bindings<'s>,
}

impl<'s> DoctorIndexes<'s> {
    /// Builds the indexes of a snapshot.
    pub fn new(snapshot: &'s Snapshot) -> Self {
        Self { controller: Controller::new(snapshot), bindings: Bindings::new(snapshot) }
    }
}

/// Diagnoses one APIService.
pub fn diagnose<'r>(
    registry: &'r Registry<'_>,
    indexes: &DoctorIndexes<'r>,
    review: &ApiServiceReview<'r>,
    now: Timestamp,
    probe: Option<&'r Probe>,
) -> Diagnosis<'r> {
    let service = review.service;
    let availability = service.service.as_ref().map(|to| indexes.controller.check(to));
    let evidence = match &availability {
        Some(check) => collect(registry, &indexes.bindings, service, check, now, probe),
        None => vec![],
    };
    conclude(registry, review, availability, evidence, now, probe)
}

/// Collects all evidence about an APIService with a Service.
pub(super) fn collect<'r>(
    registry: &'r Registry<'_>,
    bindings: &Bindings<'r>,
    service: &'r ApiService,
    check: &AvailabilityCheck<'r>,
    now: Timestamp,
    probe: Option<&'r Probe>,
) -> Vec<Evidence<'r>> {
    let Some(reference) = &service.service else { return vec![] };
    let (snapshot, found) = (registry.snapshot, check.service.found());
    let mut evidence = objects::collect(registry, service, reference, check);
    evidence.push(tls::observe(service, reference, now).at(AvailabilityStep::Tls));
    let own = front_proxy::observe(snapshot, now);
    evidence.extend(own.map(|seen| seen.at(AvailabilityStep::FrontProxy)));
    let own = found.and_then(|found| bindings.observe(found));
    evidence.extend(own.map(|seen| seen.at(AvailabilityStep::Bindings)));
    if let Some(available) = &service.available {
        evidence.extend(condition::collect(available, snapshot.minor(), found.is_some()));
    }
    evidence.extend(DiscoveryResponse::of(registry, service).collect());
    evidence.extend(probe.map(|probe| direct::collect(probe, now)).unwrap_or_default());
    evidence
}

/// Folds evidence, in any order, into a diagnosis.
pub(super) fn conclude<'r>(
    registry: &'r Registry<'_>,
    review: &ApiServiceReview<'r>,
    availability: Option<AvailabilityCheck<'r>>,
    evidence: Vec<Evidence<'r>>,
    now: Timestamp,
    probe: Option<&'r Probe>,
) -> Diagnosis<'r> {
    let service = review.service;
    let checks = fold(evidence);
    let response = DiscoveryResponse::of(registry, service);
    let findings = findings(registry, review, &checks, response);
    let condition = service.available.as_ref().filter(|c| c.reason != NOT_IN_SOURCE);
    let reported = condition.map(|condition| Reported {
        condition,
        age: condition.since.as_deref().and_then(|since| Age::since(since, now)),
        agreement: agreement(service, condition, &checks, response, registry.minor),
    });
    let mut diagnosis = Diagnosis {
        service,
        backend: review.backing,
        verdict: verdict(service, &checks, &findings),
        summary: Summary::Local(review.backing),
        availability,
        checks,
        reported,
        writers: writers(service, now),
        findings,
        consequences: vec![],
        advice: vec![],
        probe,
    };
    diagnosis.summary = summary(&diagnosis);
    diagnosis.consequences = consequences(registry, &diagnosis);
    diagnosis.advice = advice(registry, &diagnosis, response);
    diagnosis
}

fn verdict(
    service: &ApiService,
    checks: &[DoctorCheck<'_>],
    findings: &[DoctorFinding],
) -> DoctorVerdict {
    let any = |state| checks.iter().any(|check| check.state == state);
    if any(CheckState::Broken) || !service.is_available() {
        DoctorVerdict::Broken
    } else if any(CheckState::Odd) || findings.iter().any(|f| f.severity > Severity::Info) {
        DoctorVerdict::Warning
    } else {
        DoctorVerdict::Healthy
    }
}

/// Returns what decides the verdict. In order: the first broken check, an unavailable condition, a
/// finding above info, the first odd check.
fn summary<'r>(diagnosis: &Diagnosis<'r>) -> Summary<'r> {
    let service = diagnosis.service;
    let first = |state| diagnosis.checks.iter().find(|check| check.state == state);
    if let Some(check) = first(CheckState::Broken) {
        return Summary::Check(check.fact.clone());
    }
    if !service.is_available() {
        return service.available.as_ref().map_or(Summary::NoCondition, Summary::Unexplained);
    }
    if let Some(warning) = diagnosis.findings.iter().find(|f| f.severity > Severity::Info) {
        return Summary::Finding(warning.what.clone());
    }
    if let Some(check) = first(CheckState::Odd) {
        return Summary::Check(check.fact.clone());
    }
    match &service.service {
        None => Summary::Local(diagnosis.backend),
        Some(reference) if !diagnosis.is_known() => Summary::Unknown(reference),
        Some(reference) => {
            let is_proven = diagnosis.state(AvailabilityStep::Tls) == Some(CheckState::Ok);
            let is_verified = is_proven || !diagnosis.has(Code::TlsNotChecked);
            Summary::Answers { reference, is_verified }
        }
    }
}
