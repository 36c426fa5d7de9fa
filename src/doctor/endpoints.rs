//! What lists the addresses behind a Service, and whether one of them takes traffic.

use super::link::{Link, State, Step};
use crate::model::{EndpointSlice, Input, LAST_WITH_ENDPOINTS, Service, ServicePort};
use crate::registry::Registry;

/// How many endpoints are shown one by one.
const MOST_SHOWN: usize = 5;

/// What the server of this version looks at, as far as the source has it.
pub(super) struct Behind<'s> {
    /// `EndpointSlices` or `Endpoints`.
    pub kind: &'static str,
    /// Those of the Service.
    pub slices: Vec<&'s EndpointSlice>,
    /// Why they may not be all.
    pub gap: Option<String>,
}

/// Collects what lists the addresses behind a Service.
pub(super) fn behind<'s>(registry: &Registry<'s>, namespace: &str, name: &str) -> Behind<'s> {
    let snapshot = registry.snapshot;
    let old = match snapshot.minor() {
        Some(minor) => minor <= LAST_WITH_ENDPOINTS,
        // A server that does not tell its version, and has no slices, can look at nothing else.
        None => !snapshot.endpoint_slices.is_loaded() && snapshot.endpoints.is_loaded(),
    };
    let (kind, input, listed) = if old {
        ("Endpoints", &snapshot.endpoints, snapshot.listed.endpoints)
    } else {
        ("EndpointSlices", &snapshot.endpoint_slices, snapshot.listed.endpoint_slices)
    };
    let all = input.loaded().map(Vec::as_slice).unwrap_or_default();
    let ours = |s: &&EndpointSlice| s.namespace == namespace && s.service.as_deref() == Some(name);
    let slices: Vec<_> = all.iter().filter(ours).collect();
    let gap =
        gap(kind, input, listed && covers(all.iter().map(|s| s.namespace.as_str()), namespace));
    Behind { kind, slices, gap }
}

/// Whether a list that has objects of these namespaces has those of one namespace: its own are in
/// it, or those of `default`, where every cluster has some, which a list of one namespace lacks.
pub(super) fn covers<'a>(mut namespaces: impl Iterator<Item = &'a str>, wanted: &str) -> bool {
    namespaces.any(|namespace| namespace == wanted || namespace == "default")
}

/// Why objects of a kind may be missing from the source.
pub(super) fn gap<T>(kind: &str, input: &Input<T>, complete: bool) -> Option<String> {
    match input {
        Input::Loaded(_) if complete => None,
        Input::Loaded(_) => Some(format!("the source does not hold all {kind}")),
        Input::Absent => Some(format!("{kind} are not in the source")),
        Input::Forbidden(why) => Some(format!("{kind} may not be read: {why}")),
        Input::Failed(why) => Some(format!("{kind} could not be read: {why}")),
    }
}

impl Behind<'_> {
    /// The link "there are endpoints".
    pub(super) fn exist(&self) -> Link {
        let step = Step::Endpoints;
        if self.slices.is_empty() {
            return match &self.gap {
                Some(gap) => Link::new(step, State::Unknown, gap.clone()),
                None => Link::new(step, State::Broken, format!("the Service has no {}", self.kind)),
            };
        }
        let mut names: Vec<&str> = self.slices.iter().map(|s| s.name.as_str()).collect();
        names.dedup();
        let count = names.len();
        let kind =
            if count == 1 && self.kind == "EndpointSlices" { "EndpointSlice" } else { self.kind };
        names.truncate(MOST_SHOWN);
        let more = if count > MOST_SHOWN { ", …" } else { "" };
        Link::new(step, State::Ok, format!("{count} {kind}: {}{more}", names.join(", ")))
    }

    /// The link "one of them is ready on that port".
    pub(super) fn ready(&self, port: &ServicePort) -> Link {
        let step = Step::Ready;
        let has_port = |s: &&&EndpointSlice| s.ports.iter().any(|p| p.name == port.name);
        let with: Vec<_> = self.slices.iter().filter(has_port).collect();
        let all: usize = with.iter().map(|s| s.endpoints.len()).sum();
        let ready: usize = with.iter().map(|s| s.ready()).sum();
        let called = called(&port.name);
        if ready > 0 {
            return Link::new(
                step,
                State::Ok,
                format!("{ready} of {all} endpoints ready on {called}"),
            )
            .with(self.addresses(&port.name).into_iter().take(1));
        }
        let broken = |what: String| match &self.gap {
            Some(gap) => Link::new(step, State::Unknown, format!("{what}, but {gap}")),
            None => Link::new(step, State::Broken, what),
        };
        if with.is_empty() && self.slices.iter().any(|s| !s.ports.is_empty()) {
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
                .with(self.slices.iter().take(MOST_SHOWN).map(ports))
                .with([format!(
                    "the Service's port {} is {called}: names must be equal",
                    port.port
                )]);
        }
        if all == 0 {
            return broken(format!("the Service has no endpoints on {called}"));
        }
        broken(match all {
            1 => format!("the only endpoint is not ready on {called}"),
            _ => format!("none of {all} endpoints is ready on {called}"),
        })
        .with(self.addresses(&port.name))
    }

    /// Every endpoint with the port's number, a line each.
    fn addresses(&self, port: &str) -> Vec<String> {
        let mut lines = vec![];
        for slice in &self.slices {
            let Some(number) = slice.ports.iter().find(|p| p.name == port) else { continue };
            for endpoint in &slice.endpoints {
                let address = endpoint.addresses.first().map_or("?", String::as_str);
                let number = number.port.map_or_else(String::new, |n| format!(":{n}"));
                let state = match (endpoint.ready, endpoint.terminating) {
                    (true, _) => "ready",
                    (false, true) => "shutting down",
                    (false, false) => "not ready",
                };
                let target =
                    endpoint.target.as_deref().map(|t| format!(" ({t})")).unwrap_or_default();
                lines.push((endpoint.ready, format!("{address}{number} is {state}{target}")));
            }
        }
        lines.sort_by_key(|(ready, _)| !ready);
        let more = lines.len().saturating_sub(MOST_SHOWN);
        let mut lines: Vec<String> =
            lines.into_iter().map(|(_, line)| line).take(MOST_SHOWN).collect();
        if more > 0 {
            lines.push(format!("and {more} more"));
        }
        lines
    }

    /// Whether endpoints are there, but under other names of ports.
    pub(super) fn misnamed(&self, port: &str) -> bool {
        let has = |s: &&EndpointSlice| s.ports.iter().any(|p| p.name == port);
        self.slices.iter().any(|s| s.ready() > 0) && !self.slices.iter().any(has)
    }

    /// An address that is ready on a port, as endpoint routing would dial it.
    pub(super) fn routed(&self, port: &str) -> Option<String> {
        for slice in &self.slices {
            let number = slice.ports.iter().find(|p| p.name == port).and_then(|p| p.port);
            let endpoint =
                slice.endpoints.iter().find(|e| e.ready).and_then(|e| e.addresses.first());
            if let (Some(number), Some(address)) = (number, endpoint) {
                let host =
                    if address.contains(':') { format!("[{address}]") } else { address.clone() };
                return Some(format!("{host}:{number}"));
            }
        }
        None
    }
}

/// The port of a Service that an APIService means.
pub(super) fn port_of(service: &Service, number: i32) -> Option<&ServicePort> {
    service.ports.iter().find(|p| p.port == number)
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
