//! What is odd about an APIService apart from the walk to its Service.

use super::asked::DiscoveryResponse;
use super::link::{CheckState, DoctorCheck};
use crate::knowledge::{self, Description};
use kube_aggregation::availability::{AvailabilityStep, VERIFIES_TLS_SINCE};
use kube_aggregation::model::{ApiService, NOT_IN_SOURCE, Severity};
use kube_aggregation::registry::{
    Anomaly, ApiServiceReview, Code, Detail, Registry, duplicated_path,
};

/// Something to know about an APIService.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DoctorFinding {
    /// What it is.
    pub code: Code,
    /// How much it matters.
    pub severity: Severity,
    /// What is odd, as a phrase.
    pub what: String,
    /// Why that matters, as a sentence.
    pub why: String,
}

/// All that is odd about one APIService.
pub(super) fn findings(
    registry: &Registry<'_>,
    review: &ApiServiceReview<'_>,
    links: &[DoctorCheck],
) -> Vec<DoctorFinding> {
    let service = review.service;
    // The walk has a link for what is stale; inferred ones are not diagnosed.
    let told = |oddity: &&Anomaly<'_>| !matches!(oddity.code, Code::Stale | Code::Inferred);
    let found = review.oddities.iter().filter(told).cloned();
    let crds = registry.custom_resources(&service.group_version).collect();
    let more = [
        duplicated_path(registry.minor, service, crds),
        left_over(registry, service, links),
        unverified(registry, service),
        slow_openapi(registry, service),
    ];
    found.chain(more.into_iter().flatten()).map(|oddity| finding(&oddity)).collect()
}

fn finding(oddity: &Anomaly<'_>) -> DoctorFinding {
    let Description { what, why } = knowledge::describe(oddity);
    DoctorFinding {
        code: oddity.code,
        severity: knowledge::severity(oddity.code.as_str()),
        what,
        why,
    }
}

/// Whether the registration outlived what it leads to.
fn left_over<'r>(
    registry: &Registry<'_>,
    service: &'r ApiService,
    links: &[DoctorCheck],
) -> Option<Anomaly<'r>> {
    let reference = service.service.as_ref()?;
    let gone =
        links.iter().any(|l| l.step == AvailabilityStep::Service && l.state == CheckState::Broken);
    let snapshot = registry.snapshot;
    let namespace = snapshot.listed.namespaces
        && snapshot.namespaces.loaded().is_some_and(|all| {
            all.binary_search_by(|one| one.name.as_str().cmp(&reference.namespace)).is_err()
        });
    gone.then(|| Anomaly::of(Code::LeftOver, service).with("gone", Detail::Gone { namespace }))
}

/// What a passed check does not prove, and what an upgrade can change.
fn unverified<'r>(registry: &Registry<'_>, service: &'r ApiService) -> Option<Anomaly<'r>> {
    let minor = registry.snapshot.minor().filter(|minor| *minor < VERIFIES_TLS_SINCE)?;
    if service.service.is_none() || service.insecure_skip_tls_verify || !service.is_available() {
        return None;
    }
    // Nothing was reported.
    if service.available.as_ref().is_some_and(|c| c.reason == NOT_IN_SOURCE) {
        return None;
    }
    // A request came through, or did not and says why: that tells more than the check.
    let asked = DiscoveryResponse::of(registry, service);
    if matches!(asked, DiscoveryResponse::List(_))
        || asked.cause().is_some_and(|c| c.step == AvailabilityStep::Tls)
    {
        return None;
    }
    Some(Anomaly::of(Code::TlsNotChecked, service).with("minor", Detail::Minor(minor)))
}

/// Whether the aggregator waits for its OpenAPI documents. While it does, the index waits too: then
/// it may be any that leads to a Service.
fn slow_openapi<'r>(registry: &'r Registry<'_>, service: &'r ApiService) -> Option<Anomaly<'r>> {
    let openapi = &registry.snapshot.openapi;
    let own = || openapi.slow_document(&service.group_version);
    let slow = openapi.slow_index().or_else(own).filter(|_| service.service.is_some())?;
    Some(Anomaly::of(Code::SlowOpenapi, service).with("request", Detail::Slow(slow)))
}
