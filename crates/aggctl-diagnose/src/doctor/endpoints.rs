//! The links about what lists the addresses behind a Service, in words.

use super::link::{CheckState, DoctorCheck};
use kube_aggregation::availability::{AvailabilityStep, EndpointKind, Endpoints};
use kube_aggregation::model::{EndpointSlice, ServicePort, ServiceReference, Snapshot};

/// How many endpoints are shown one by one.
const MOST_SHOWN: usize = 5;

/// The link "there are endpoints".
pub(super) fn exist(endpoints: &Endpoints<'_>) -> DoctorCheck {
    let step = AvailabilityStep::Endpoints;
    if endpoints.slices.is_empty() {
        return match &endpoints.gap {
            Some(gap) => DoctorCheck::new(step, CheckState::Unknown, gap.to_string()),
            None => DoctorCheck::new(
                step,
                CheckState::Broken,
                format!("the Service has no {}", endpoints.kind),
            ),
        };
    }
    let mut names: Vec<&str> = endpoints.slices.iter().map(|s| s.name.as_str()).collect();
    names.dedup();
    let count = names.len();
    let kind = match endpoints.kind {
        EndpointKind::EndpointSlices if count == 1 => "EndpointSlice".to_owned(),
        kind => kind.to_string(),
    };
    names.truncate(MOST_SHOWN);
    let more = if count > MOST_SHOWN { ", …" } else { "" };
    DoctorCheck::new(step, CheckState::Ok, format!("{count} {kind}: {}{more}", names.join(", ")))
}

/// The link "one of them is ready on that port".
pub(super) fn ready(endpoints: &Endpoints<'_>, port: &ServicePort) -> DoctorCheck {
    let step = AvailabilityStep::Ready;
    let with: Vec<_> = endpoints.with_port(&port.name).collect();
    let all: usize = with.iter().map(|s| s.endpoints.len()).sum();
    let ready: usize = with.iter().map(|s| s.ready()).sum();
    let called = called(&port.name);
    if ready > 0 {
        return DoctorCheck::new(
            step,
            CheckState::Ok,
            format!("{ready} of {all} endpoints ready on {called}"),
        )
        .with(addresses(endpoints, &port.name).into_iter().take(1));
    }
    let broken = |what: String| match &endpoints.gap {
        Some(gap) => DoctorCheck::new(step, CheckState::Unknown, format!("{what}, but {gap}")),
        None => DoctorCheck::new(step, CheckState::Broken, what),
    };
    if with.is_empty() && endpoints.slices.iter().any(|s| !s.ports.is_empty()) {
        let ports = |s: &&EndpointSlice| {
            let ports: Vec<String> = s
                .ports
                .iter()
                .map(|p| match p.port {
                    Some(number) => format!("{} ({number})", called_short(&p.name)),
                    None => called_short(&p.name),
                })
                .collect();
            format!("{} has {}", s.name, ports.join(", "))
        };
        return broken(format!("no endpoint has {called}"))
            .with(endpoints.slices.iter().take(MOST_SHOWN).map(ports))
            .with([format!("the Service's port {} is {called}: names must be equal", port.port)]);
    }
    if all == 0 {
        return broken(format!("the Service has no endpoints on {called}"));
    }
    broken(match all {
        1 => format!("the only endpoint is not ready on {called}"),
        _ => format!("none of {all} endpoints is ready on {called}"),
    })
    .with(addresses(endpoints, &port.name))
}

/// Every endpoint with the port's number, a line each.
fn addresses(endpoints: &Endpoints<'_>, port: &str) -> Vec<String> {
    let mut lines = vec![];
    for slice in &endpoints.slices {
        let Some(number) = slice.ports.iter().find(|p| p.name == port) else { continue };
        for endpoint in &slice.endpoints {
            let address = endpoint.addresses.first().map_or("?", String::as_str);
            let number = number.port.map_or_else(String::new, |n| format!(":{n}"));
            let state = match (endpoint.ready, endpoint.terminating) {
                (true, _) => "ready",
                (false, true) => "shutting down",
                (false, false) => "not ready",
            };
            let target = endpoint.target.as_ref().map(|t| format!(" ({t})")).unwrap_or_default();
            lines.push((endpoint.ready, format!("{address}{number} is {state}{target}")));
        }
    }
    lines.sort_by_key(|(ready, _)| !ready);
    let more = lines.len().saturating_sub(MOST_SHOWN);
    let mut lines: Vec<String> = lines.into_iter().map(|(_, line)| line).take(MOST_SHOWN).collect();
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    lines
}

/// What the source has instead of the Endpoints that the server looks at.
pub(super) fn slices_instead(snapshot: &Snapshot, reference: &ServiceReference) -> String {
    let all = snapshot.endpoint_slices.items();
    let start = all.partition_point(|s| s.namespace < reference.namespace);
    let (mut count, mut ready) = (0, 0);
    for slice in all.iter().skip(start).take_while(|s| s.namespace == reference.namespace) {
        if slice.service.as_deref() == Some(reference.name.as_str()) {
            count += 1;
            ready += slice.ready();
        }
    }
    format!(
        "a server of this version looks at Endpoints; the source has {count} EndpointSlices with {ready} ready"
    )
}

fn called(name: &str) -> String {
    if name.is_empty() {
        "a port without a name".to_owned()
    } else {
        format!("a port named {name:?}")
    }
}

fn called_short(name: &str) -> String {
    if name.is_empty() { "a port without a name".to_owned() } else { format!("{name:?}") }
}
