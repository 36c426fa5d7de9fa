//! What is odd about an APIService apart from the walk to its Service.

use super::asked::Asked;
use super::link::{Link, State};
use crate::knowledge::{self, Words};
use kube_aggregation::availability::{Step, VERIFIES_TLS_SINCE};
use kube_aggregation::model::{ApiService, NOT_IN_SOURCE, Severity};
use kube_aggregation::registry::{Code, Detail, Oddity, Registry, Review, duplicated_path};

/// Something to know about an APIService.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
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
    review: &Review<'_>,
    links: &[Link],
) -> Vec<Finding> {
    let service = review.service;
    // The walk has a link for what is stale; inferred ones are not diagnosed.
    let told = |oddity: &&Oddity<'_>| !matches!(oddity.code, Code::Stale | Code::Inferred);
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

fn finding(oddity: &Oddity<'_>) -> Finding {
    let Words { says, why } = knowledge::says(oddity);
    Finding {
        code: oddity.code,
        severity: knowledge::severity(oddity.code.as_str()),
        what: says,
        why,
    }
}

/// Whether the registration outlived what it leads to.
fn left_over<'r>(
    registry: &Registry<'_>,
    service: &'r ApiService,
    links: &[Link],
) -> Option<Oddity<'r>> {
    let reference = service.service.as_ref()?;
    let gone = links.iter().any(|l| l.step == Step::Service && l.state == State::Broken);
    let snapshot = registry.snapshot;
    let namespace = snapshot.listed.namespaces
        && snapshot.namespaces.loaded().is_some_and(|all| {
            all.binary_search_by(|one| one.name.as_str().cmp(&reference.namespace)).is_err()
        });
    gone.then(|| Oddity::of(Code::LeftOver, service).with("gone", Detail::Gone { namespace }))
}

/// What a passed check does not prove, and what an upgrade can change.
fn unverified<'r>(registry: &Registry<'_>, service: &'r ApiService) -> Option<Oddity<'r>> {
    let minor = registry.snapshot.minor().filter(|minor| *minor < VERIFIES_TLS_SINCE)?;
    if service.service.is_none() || service.insecure_skip_tls_verify || !service.is_available() {
        return None;
    }
    // Nothing was reported.
    if service.available.as_ref().is_some_and(|c| c.reason == NOT_IN_SOURCE) {
        return None;
    }
    // A request came through, or did not and says why: that tells more than the check.
    let asked = Asked::of(registry, service);
    if matches!(asked, Asked::List(_)) || asked.cause().is_some_and(|c| c.link == Step::Tls) {
        return None;
    }
    Some(Oddity::of(Code::TlsNotChecked, service).with("minor", Detail::Minor(minor)))
}

/// Whether the aggregator waits for its OpenAPI documents. While it does, the index waits too: then
/// it may be any that leads to a Service.
fn slow_openapi<'r>(registry: &'r Registry<'_>, service: &'r ApiService) -> Option<Oddity<'r>> {
    let openapi = &registry.snapshot.openapi;
    let own = || openapi.slow_document(&service.group_version);
    let slow = openapi.slow_index().or_else(own).filter(|_| service.service.is_some())?;
    Some(Oddity::of(Code::SlowOpenapi, service).with("request", Detail::Slow(slow)))
}
