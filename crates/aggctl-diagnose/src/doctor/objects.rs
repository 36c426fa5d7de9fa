//! Evidence from the objects of the source: the Service, its ports, endpoints and address, and the
//! aggregated discovery document.

use super::check::CheckState;
use super::endpoints;
use super::evidence::{Evidence, Observation};
use super::fact::Fact;
use kube_aggregation::availability::{
    AvailabilityCheck, AvailabilityStep, EndpointKind, NamespaceState, ServiceLookup, Unresolved,
    resolve,
};
use kube_aggregation::model::{
    AGGREGATED_SINCE, ApiService, Freshness, Gap, Service, ServiceReference, ServiceType, Snapshot,
    SnapshotPart,
};
use kube_aggregation::registry::Registry;

/// Collects what the objects show about an APIService and its Service.
pub(super) fn collect<'r>(
    registry: &'r Registry<'_>,
    api_service: &'r ApiService,
    reference: &'r ServiceReference,
    check: &AvailabilityCheck<'r>,
) -> Vec<Evidence<'r>> {
    let [port, endpoints, ready, address] = match &check.service {
        ServiceLookup::Found(service) => {
            let [port, endpoints, ready] = behind(registry.snapshot, reference, check, service);
            [port, endpoints, ready, address(registry.snapshot, reference, check, service)]
        }
        ServiceLookup::Missing { .. } => {
            [(); 4].map(|()| Observation::new(CheckState::Unknown, Fact::NoService))
        }
        ServiceLookup::Unseen(_) => {
            [(); 4].map(|()| Observation::new(CheckState::Unknown, Fact::ServiceNotInSource))
        }
    };
    vec![
        service(check, reference).at(AvailabilityStep::Service),
        port.at(AvailabilityStep::Port),
        endpoints.at(AvailabilityStep::Endpoints),
        ready.at(AvailabilityStep::Ready),
        address.at(AvailabilityStep::Address),
        Observation::new(CheckState::Unknown, Fact::NoAnswerInSource)
            .at(AvailabilityStep::Discovery),
        fresh(registry, api_service).at(AvailabilityStep::Fresh),
    ]
}

fn service<'r>(check: &AvailabilityCheck<'r>, reference: &'r ServiceReference) -> Observation<'r> {
    match &check.service {
        ServiceLookup::Found(service) => {
            Observation::new(CheckState::Ok, Fact::ServiceExists(service))
        }
        ServiceLookup::Unseen(gap) => {
            Observation::new(CheckState::Unknown, Fact::NotInSource(gap.clone()))
        }
        ServiceLookup::Missing { elsewhere, namespace } => {
            let namespace = Some(*namespace).filter(|state| *state != NamespaceState::Unseen);
            let namespace = namespace.map(|state| Fact::Namespace(&reference.namespace, state));
            Observation::new(CheckState::Broken, Fact::ServiceMissing(reference))
                .with(elsewhere.map(Fact::ServiceElsewhere))
                .with(namespace)
        }
    }
}

/// Checks the port, the endpoints and their readiness. The server checks them for type ClusterIP
/// only.
fn behind<'r>(
    snapshot: &'r Snapshot,
    reference: &'r ServiceReference,
    check: &AvailabilityCheck<'r>,
    service: &'r Service,
) -> [Observation<'r>; 3] {
    if service.kind == ServiceType::ExternalName {
        let facts = [
            Fact::ExternalNamePort(reference.port),
            Fact::ExternalNameHasNone,
            Fact::ExternalNameHasNone,
        ];
        return facts.map(|fact| Observation::new(CheckState::Skipped, fact));
    }
    let port = match check.port {
        Some(port) => Observation::new(CheckState::Ok, Fact::Port(port)),
        None => Observation::new(CheckState::Broken, Fact::PortMissing(reference))
            .with([Fact::Ports(&service.ports)]),
    };
    let mut exist = endpoints::exist(&check.endpoints);
    let mut ready = match check.port {
        Some(_) if check.endpoints.slices.is_empty() => {
            Observation::new(CheckState::Unknown, Fact::NoEndpointsToCheck)
        }
        Some(port) => endpoints::ready(&check.endpoints, port),
        None => Observation::new(CheckState::Unknown, Fact::NoPortToCheck),
    };
    if service.kind != ServiceType::ClusterIp {
        // The server's check ignores these types, but requests to a Service without endpoints still
        // fail.
        for one in [&mut exist, &mut ready] {
            one.state = match one.state {
                CheckState::Broken => CheckState::Odd,
                _ => CheckState::Skipped,
            };
            one.notes.push(Fact::NotCheckedForType(&service.kind));
        }
    }
    if check.endpoints.kind == EndpointKind::Endpoints && check.endpoints.gap.is_some() {
        exist.notes.push(endpoints::slices_instead(snapshot, reference));
    }
    [port, exist, ready]
}

fn address<'r>(
    snapshot: &Snapshot,
    reference: &ServiceReference,
    check: &AvailabilityCheck<'r>,
    service: &Service,
) -> Observation<'r> {
    let routed = check.port.and_then(|port| check.endpoints.routed(&port.name));
    let dials_endpoints = snapshot.dials_endpoints();
    let resolved = match (dials_endpoints, &service.kind) {
        (Some(true), ServiceType::ExternalName) => {
            Err(Unresolved::UnsupportedType(service.kind.as_str().to_owned()))
        }
        _ => resolve(reference, service),
    };
    if dials_endpoints == Some(true)
        && let (Err(Unresolved::Headless), Some(at)) = (&resolved, &routed)
    {
        let fact = Fact::Routed { at: at.clone(), is_set: true };
        return Observation::new(CheckState::Unknown, fact);
    }
    let at = match resolved {
        Ok(at) => at,
        Err(why) => {
            // The port check already reports a missing port.
            let no_port = check.port.is_none() && service.kind != ServiceType::ExternalName;
            let state = match why {
                Unresolved::NoPort(_) => CheckState::Unknown,
                _ if no_port => CheckState::Unknown,
                _ => CheckState::Broken,
            };
            return Observation::new(state, Fact::Unresolved(why));
        }
    };
    let note = if check.is_api_server() && reference.port == 443 {
        Some(Fact::ApiServerItself)
    } else if service.kind == ServiceType::ExternalName {
        dials_endpoints.is_none().then_some(Fact::RoutingRefusesExternalName)
    } else {
        let is_set = dials_endpoints == Some(true);
        let routed = routed.filter(|_| dials_endpoints != Some(false));
        routed.map(|at| Fact::Routed { at, is_set })
    };
    Observation::new(CheckState::Unknown, Fact::Address(at)).with(note)
}

fn fresh<'r>(registry: &Registry<'_>, api_service: &'r ApiService) -> Observation<'r> {
    let snapshot = registry.snapshot;
    if let Some(minor) = snapshot.minor().filter(|minor| *minor < AGGREGATED_SINCE) {
        return Observation::new(CheckState::Skipped, Fact::NoAggregatedDiscovery(minor));
    }
    if let Some(gap) = Gap::of(SnapshotPart::AggregatedGroups, snapshot.own_document(), true) {
        return Observation::new(CheckState::Unknown, Fact::NotInSource(gap));
    }
    let gv = &api_service.group_version;
    match registry.aggregated_version(gv).map(|v| (v.freshness, v.resources.len())) {
        Some((Freshness::Current, 0)) => {
            Observation::new(CheckState::Odd, Fact::CurrentWithoutResources)
                .with([Fact::AnsweredWithoutGroupVersion])
        }
        Some((Freshness::Current, count)) => Observation::new(CheckState::Ok, Fact::Current(count)),
        Some((Freshness::Stale, count)) if !api_service.is_available() => {
            Observation::new(CheckState::Skipped, Fact::StaleWhileUnavailable(count))
        }
        // A what-if changed the APIService, and the document is from before.
        Some((Freshness::Stale, count)) if api_service.is_not_checked() => {
            Observation::new(CheckState::Unknown, Fact::ListedWith(gv, count))
        }
        Some((Freshness::Stale, count)) => {
            Observation::new(CheckState::Broken, Fact::AvailableButStale)
                .with([Fact::ListedWith(gv, count), Fact::NotFetched])
        }
        Some((Freshness::Unknown, count)) => {
            Observation::new(CheckState::Unknown, Fact::ListedWith(gv, count))
        }
        None => Observation::new(CheckState::Odd, Fact::NotListed),
    }
}
