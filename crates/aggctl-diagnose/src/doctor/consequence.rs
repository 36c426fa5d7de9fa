//! What else hangs on an APIService that does not work.

use super::{Diagnosis, Verdict};
use kube_aggregation::availability::{AvailabilityStep, lacks_transport};
use kube_aggregation::registry::Registry;

/// Something that suffers with an APIService.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Consequence {
    /// Whether it follows for certain, or depends on who else is there.
    pub certain: bool,
    /// What suffers, as a sentence.
    pub what: String,
    /// Whether it is the same for every broken APIService.
    pub common: bool,
}

/// What follows from any group version that discovery cannot get, once for all of them.
pub fn common_consequences() -> [Consequence; 3] {
    let common = |certain, what: &str| Consequence { certain, what: what.to_owned(), common: true };
    [
        common(
            true,
            "Namespaces stay in Terminating, with NamespaceDeletionDiscoveryFailure, until discovery is complete.",
        ),
        common(
            false,
            "garbage collection and quota lag for kinds of the group versions that cannot be listed.",
        ),
        common(
            false,
            "clients that insist on complete discovery stop: kubectl api-resources ends with an error, some versions of Helm and some controllers refuse to work at all.",
        ),
    ]
}

/// Well-known groups, and who reads them.
const READERS: [(&str, &str); 3] = [
    ("metrics.k8s.io", "kubectl top and autoscaling on CPU and memory get no data."),
    ("custom.metrics.k8s.io", "Autoscaling on custom metrics gets no data."),
    ("external.metrics.k8s.io", "Autoscaling on external metrics gets no data."),
];

/// What suffers with one APIService.
pub(super) fn consequences(registry: &Registry<'_>, diagnosis: &Diagnosis<'_>) -> Vec<Consequence> {
    let service = diagnosis.service;
    if diagnosis.verdict != Verdict::Broken || service.service.is_none() {
        return vec![];
    }
    let mut found = vec![];
    let mut own = |what: String| found.push(Consequence { certain: true, what, common: false });
    let gv = &service.group_version;
    if service.is_available() {
        match diagnosis.broken_link().map(|link| link.step) {
            Some(AvailabilityStep::Fresh) => own(format!(
                "Clients of aggregated discovery see {gv} as stale and report it as failed; requests themselves are still passed on."
            )),
            Some(AvailabilityStep::Discovery) => own(format!(
                "Clients cannot tell what {gv} has: kubectl does not find its resources."
            )),
            // Discovery is open to everybody in most of them.
            Some(AvailabilityStep::FrontProxy) => {
                own(format!(
                    "Requests under {} are passed on, and answered as those of system:anonymous: 401 or 403.",
                    gv.root_path()
                ));
                return found;
            }
            _ if lacks_transport(service, registry.minor) => {
                own(format!("Every request under {} gets 500, and is not sent.", gv.root_path()))
            }
            _ => own(format!(
                "Requests under {} are tried and fail with 503 or 500.",
                gv.root_path()
            )),
        }
    } else {
        own(format!("Every request under {} gets 503 service unavailable.", gv.root_path()));
    }
    if let Some((_, what)) = READERS.iter().find(|(group, _)| *group == gv.group) {
        own((*what).to_owned());
    }
    for namespace in registry.snapshot.namespaces.items() {
        let message = namespace.discovery_failure().unwrap_or_default();
        if message.contains(&format!("{gv}:")) {
            own(format!("Namespace {} is stuck in Terminating because of it.", namespace.name));
        }
    }
    found.extend(common_consequences());
    found
}
