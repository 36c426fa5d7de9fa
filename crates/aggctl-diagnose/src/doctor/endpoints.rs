//! Evidence from the objects that list the addresses behind a Service.

use super::check::CheckState;
use super::evidence::Observation;
use super::fact::Fact;
use kube_aggregation::availability::Endpoints;
use kube_aggregation::model::{ServicePort, ServiceReference, Snapshot};

/// How many endpoints are listed.
pub(super) const MAX_LISTED: usize = 5;

/// Whether something lists endpoints.
pub(super) fn exist<'r>(endpoints: &Endpoints<'r>) -> Observation<'r> {
    if endpoints.slices.is_empty() {
        return match &endpoints.gap {
            Some(gap) => Observation::new(CheckState::Unknown, Fact::NotInSource(gap.clone())),
            None => Observation::new(CheckState::Broken, Fact::NoEndpoints(endpoints.kind)),
        };
    }
    let mut names: Vec<&str> = endpoints.slices.iter().map(|s| s.name.as_str()).collect();
    names.dedup();
    let (kind, count) = (endpoints.kind, names.len());
    names.truncate(MAX_LISTED);
    Observation::new(CheckState::Ok, Fact::EndpointObjects { kind, count, names })
}

/// Whether one of the endpoints is ready on a port.
pub(super) fn ready<'r>(endpoints: &Endpoints<'r>, port: &'r ServicePort) -> Observation<'r> {
    let with: Vec<_> = endpoints.with_port(&port.name).collect();
    let all: usize = with.iter().map(|s| s.endpoints.len()).sum();
    let ready: usize = with.iter().map(|s| s.ready()).sum();
    let name = port.name.as_str();
    if ready > 0 {
        let fact = Fact::EndpointsReady { ready, all, port: name };
        return Observation::new(CheckState::Ok, fact)
            .with(states(endpoints, name).into_iter().take(1));
    }
    let broken = |fact: Fact<'r>| match &endpoints.gap {
        Some(gap) => {
            let fact = Fact::Uncertain(Box::new(fact), gap.clone());
            Observation::new(CheckState::Unknown, fact)
        }
        None => Observation::new(CheckState::Broken, fact),
    };
    if with.is_empty() && endpoints.slices.iter().any(|s| !s.ports.is_empty()) {
        let ports = endpoints.slices.iter().take(MAX_LISTED).map(|slice| Fact::SlicePorts(slice));
        return broken(Fact::PortNotOnEndpoints(name))
            .with(ports)
            .with([Fact::PortNamesMustMatch(port)]);
    }
    if all == 0 {
        return broken(Fact::NoEndpointsOnPort(name));
    }
    broken(Fact::NoneReady { all, port: name }).with(states(endpoints, name))
}

/// The state of every endpoint on a port, the ready ones first.
fn states<'r>(endpoints: &Endpoints<'r>, port: &str) -> Vec<Fact<'r>> {
    let mut found = vec![];
    for slice in &endpoints.slices {
        let Some(port) = slice.ports.iter().find(|p| p.name == port) else { continue };
        found.extend(slice.endpoints.iter().map(|endpoint| (endpoint, port.port)));
    }
    found.sort_by_key(|(endpoint, _)| !endpoint.ready);
    let more = found.len().saturating_sub(MAX_LISTED);
    found.truncate(MAX_LISTED);
    let states = found.into_iter().map(|(endpoint, port)| Fact::EndpointState(endpoint, port));
    states.chain((more > 0).then_some(Fact::MoreEndpoints(more))).collect()
}

/// Counts what the source has instead of the Endpoints that the server reads.
pub(super) fn slices_instead<'r>(snapshot: &Snapshot, reference: &ServiceReference) -> Fact<'r> {
    let all = snapshot.endpoint_slices.items();
    let start = all.partition_point(|s| s.namespace < reference.namespace);
    let (mut count, mut ready) = (0, 0);
    for slice in all.iter().skip(start).take_while(|s| s.namespace == reference.namespace) {
        if slice.service.as_deref() == Some(reference.name.as_str()) {
            count += 1;
            ready += slice.ready();
        }
    }
    Fact::SlicesInstead { count, ready }
}
