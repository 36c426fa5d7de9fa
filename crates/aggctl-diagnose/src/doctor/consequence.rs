//! What else suffers from an APIService that does not work.

use super::diagnosis::{Consequence, Diagnosis, DoctorVerdict, Effect};
use kube_aggregation::availability::{AvailabilityStep, lacks_transport};
use kube_aggregation::registry::Registry;

/// What follows from any group version that discovery cannot get.
pub fn common_consequences() -> [Consequence<'static>; 3] {
    let common = |certain, effect| Consequence { effect, certain, common: true };
    [
        common(true, Effect::NamespaceDeletion),
        common(false, Effect::GarbageCollection),
        common(false, Effect::CompleteDiscovery),
    ]
}

/// Well-known groups, and what needs them.
const READERS: [(&str, Effect<'_>); 3] = [
    ("metrics.k8s.io", Effect::ResourceMetrics),
    ("custom.metrics.k8s.io", Effect::CustomMetrics),
    ("external.metrics.k8s.io", Effect::ExternalMetrics),
];

/// Lists what suffers with one APIService.
pub(super) fn consequences<'r>(
    registry: &'r Registry<'_>,
    diagnosis: &Diagnosis<'r>,
) -> Vec<Consequence<'r>> {
    let service = diagnosis.service;
    if diagnosis.verdict != DoctorVerdict::Broken || service.service.is_none() {
        return vec![];
    }
    let own = |effect| Consequence { effect, certain: true, common: false };
    let gv = &service.group_version;
    let broken = diagnosis.broken_check().map(|check| check.step);
    let first = match broken {
        _ if !service.is_available() => Effect::Unavailable(gv),
        Some(AvailabilityStep::Fresh) => Effect::Stale(gv),
        Some(AvailabilityStep::Discovery) => Effect::Undiscovered(gv),
        // Most extension servers answer discovery to everyone, so nothing else suffers.
        Some(AvailabilityStep::FrontProxy) => return vec![own(Effect::Anonymous(gv))],
        _ if lacks_transport(service, registry.minor) => Effect::RequestsNotSent(gv),
        _ => Effect::RequestsFail(gv),
    };
    let reader = READERS.into_iter().find(|(group, _)| *group == gv.group);
    let namespaces = registry.snapshot.namespaces.items().iter();
    let stuck = namespaces.filter(|namespace| {
        let message = namespace.discovery_failure().unwrap_or_default();
        message.contains(&format!("{gv}:"))
    });
    let effects = [first].into_iter().chain(reader.map(|(_, effect)| effect));
    let effects = effects.chain(stuck.map(|namespace| Effect::StuckNamespace(&namespace.name)));
    effects.map(own).chain(common_consequences()).collect()
}
