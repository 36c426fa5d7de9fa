//! Evidence from a direct connection to the address behind an APIService.

use jiff::Timestamp;

use super::evidence::{DirectFact, Evidence, Observed};
use super::tls::observe_direct;
use crate::probe::{Probe, ProbePhase};
use kube_aggregation::availability::AvailabilityStep;

/// Collects what one direct connection shows.
pub(super) fn collect(probe: &Probe, now: Timestamp) -> Vec<Evidence<'_>> {
    let failure = probe.failure.as_ref();
    let connection = match failure {
        Some(failure) if matches!(failure.phase, ProbePhase::Resolve | ProbePhase::Connect) => {
            DirectFact::ConnectFailed(failure)
        }
        _ => DirectFact::Connected { address: &probe.address, hangs: probe.hangs() },
    };
    let answer = match (failure.filter(|f| f.phase == ProbePhase::Http), probe.status) {
        (Some(failure), _) => Some(DirectFact::HttpFailed(failure)),
        (None, status) => {
            status.map(|status| DirectFact::Status { status, document: probe.document.as_ref() })
        }
    };
    let facts = [
        (AvailabilityStep::Address, Some(connection)),
        (AvailabilityStep::Tls, Some(DirectFact::Tls(observe_direct(probe, now)))),
        (AvailabilityStep::Discovery, answer),
    ];
    let evidence = facts
        .into_iter()
        .filter_map(|(step, fact)| Some(Evidence { step, observed: Observed::Direct(fact?) }));
    evidence.collect()
}
