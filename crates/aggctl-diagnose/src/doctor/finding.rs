//! Finds the issues of an APIService that the checks do not cover.

use super::check::{CheckState, DoctorCheck};
use super::diagnosis::DoctorFinding;
use super::discovery::DiscoveryResponse;
use crate::knowledge::{self, Description};
use kube_aggregation::availability::{AvailabilityStep, VERIFIES_TLS_SINCE};
use kube_aggregation::model::{ApiService, NOT_IN_SOURCE};
use kube_aggregation::registry::{
    Anomaly, ApiServiceReview, Code, Detail, Registry, duplicated_path,
};

/// Returns the issues of one APIService.
pub(super) fn findings(
    registry: &Registry<'_>,
    review: &ApiServiceReview<'_>,
    checks: &[DoctorCheck<'_>],
    response: DiscoveryResponse<'_>,
) -> Vec<DoctorFinding> {
    let service = review.service;
    // A check already reports staleness, and inferred APIServices are not diagnosed.
    let counts = |anomaly: &&Anomaly<'_>| !matches!(anomaly.code, Code::Stale | Code::Inferred);
    let found = review.anomalies.iter().filter(counts).cloned();
    let crds = registry.custom_resources(&service.group_version).collect();
    let more = [
        duplicated_path(registry.minor, service, crds),
        left_over(registry, service, checks),
        unverified(registry, service, response),
        slow_openapi(registry, service),
    ];
    found.chain(more.into_iter().flatten()).map(|anomaly| finding(&anomaly)).collect()
}

fn finding(anomaly: &Anomaly<'_>) -> DoctorFinding {
    let Description { what, why } = knowledge::describe(anomaly);
    DoctorFinding {
        code: anomaly.code,
        severity: knowledge::severity(anomaly.code.as_str()),
        what,
        why,
    }
}

/// Reports an APIService that outlived its Service.
fn left_over<'r>(
    registry: &Registry<'_>,
    service: &'r ApiService,
    checks: &[DoctorCheck<'_>],
) -> Option<Anomaly<'r>> {
    let reference = service.service.as_ref()?;
    let is_gone = |check: &DoctorCheck<'_>| {
        check.step == AvailabilityStep::Service && check.state == CheckState::Broken
    };
    let snapshot = registry.snapshot;
    let namespace = snapshot.listed.namespaces
        && snapshot.namespaces.loaded().is_some_and(|all| {
            all.binary_search_by(|one| one.name.as_str().cmp(&reference.namespace)).is_err()
        });
    let gone = checks.iter().any(is_gone);
    gone.then(|| Anomaly::of(Code::LeftOver, service).with("gone", Detail::Gone { namespace }))
}

/// Reports a certificate that the server's check did not verify. A newer server rejects it if it is
/// wrong.
fn unverified<'r>(
    registry: &Registry<'_>,
    service: &'r ApiService,
    response: DiscoveryResponse<'_>,
) -> Option<Anomaly<'r>> {
    let minor = registry.snapshot.minor().filter(|minor| *minor < VERIFIES_TLS_SINCE)?;
    if service.service.is_none() || service.insecure_skip_tls_verify || !service.is_available() {
        return None;
    }
    // The source has no condition.
    if service.available.as_ref().is_some_and(|c| c.reason == NOT_IN_SOURCE) {
        return None;
    }
    // A discovery request that succeeded, or that failed because of TLS, proves more than the
    // check.
    let is_proven = matches!(response, DiscoveryResponse::List(_))
        || response.cause().is_some_and(|cause| cause.step == AvailabilityStep::Tls);
    if is_proven {
        return None;
    }
    Some(Anomaly::of(Code::TlsNotChecked, service).with("minor", Detail::Minor(minor)))
}

/// Reports a slow OpenAPI document. The aggregator's index waits for it too, so if the index is
/// slow, any APIService with a Service may be the cause.
fn slow_openapi<'r>(registry: &'r Registry<'_>, service: &'r ApiService) -> Option<Anomaly<'r>> {
    let openapi = &registry.snapshot.openapi;
    let own = || openapi.slow_document(&service.group_version);
    let slow = openapi.slow_index().or_else(own).filter(|_| service.service.is_some())?;
    Some(Anomaly::of(Code::SlowOpenapi, service).with("request", Detail::Slow(slow)))
}
