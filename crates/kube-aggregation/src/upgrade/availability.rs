//! Upgrade findings about availability: what the newer server checks and the older one does not.

use super::{UpgradeFinding, What};
use crate::availability::{
    AvailabilityFailure, AvailabilityStep, CheckOutcome, Controller, VERIFIES_TLS_SINCE,
    lacks_transport,
};
use crate::model::{ApiService, Input, LAST_WITH_ENDPOINTS, Minor, ServerVersion};
use crate::registry::Registry;

/// Returns the findings for APIServices that work now.
pub(super) fn changes(registry: &Registry<'_>, from: Minor, to: Minor) -> Vec<UpgradeFinding> {
    let services = registry.api_services.iter();
    let working: Vec<&ApiService> =
        services.filter(|s| s.service.is_some() && s.is_available()).collect();
    let mut found = vec![];
    if from <= LAST_WITH_ENDPOINTS && LAST_WITH_ENDPOINTS < to {
        found.extend(endpoints(registry, &working, to));
    }
    if from < VERIFIES_TLS_SINCE && VERIFIES_TLS_SINCE <= to {
        found.extend(certificates(&working, to));
    }
    found.into_iter().filter(|what| !what.subjects().is_empty()).map(UpgradeFinding::new).collect()
}

/// Finds Services without ready EndpointSlices, which the newer server reads instead of Endpoints.
fn endpoints(registry: &Registry<'_>, working: &[&ApiService], to: Minor) -> [What; 2] {
    let mut then = registry.snapshot.clone();
    then.version = Input::Loaded(ServerVersion {
        minor: Some(to),
        git_version: String::new(),
        emulation: None,
    });
    let controller = Controller::new(&then);
    let (mut missing, mut untold) = (vec![], vec![]);
    for service in working {
        let Some(reference) = &service.service else { continue };
        match controller.check(reference).outcome() {
            CheckOutcome::Fails(
                AvailabilityFailure::EndpointsNotFound | AvailabilityFailure::NotReady,
            ) => {
                missing.push(service.name.clone());
            }
            CheckOutcome::Unseen(AvailabilityStep::Endpoints | AvailabilityStep::Ready, _) => {
                untold.push(service.name.clone())
            }
            _ => {}
        }
    }
    [What::NoSlices { names: missing }, What::SlicesUntold { names: untold }]
}

/// Finds APIServices with certificates that the newer server verifies and the older one does not.
fn certificates(working: &[&ApiService], to: Minor) -> [What; 2] {
    let verified = working.iter().filter(|service| !service.insecure_skip_tls_verify);
    let (untrusted, verified): (Vec<_>, Vec<_>) =
        verified.partition(|service| service.ca_bundle.is_none() || lacks_transport(service, to));
    let names = |services: Vec<&&ApiService>| services.iter().map(|s| s.name.clone()).collect();
    [What::NoBundle { names: names(untrusted) }, What::TlsVerified { names: names(verified) }]
}
