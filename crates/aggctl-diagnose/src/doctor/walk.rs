//! The walk from an APIService to the answer behind it.

use jiff::Timestamp;

use super::asked::DiscoveryResponse;
use super::bindings::Bindings;
use super::condition::Checked;
use super::endpoints;
use super::front_proxy;
use super::link::{CheckState, DoctorCheck};
use super::tls;
use crate::probe::{Probe, ProbePhase};
use kube_aggregation::availability::{
    AvailabilityCheck, AvailabilityStep, EndpointKind, NamespaceState, ServiceLookup, Unresolved,
};
use kube_aggregation::model::{
    AGGREGATED_SINCE, ApiService, Freshness, Gap, Service, ServicePort, ServiceType, SnapshotPart,
    TargetPort,
};
use kube_aggregation::registry::Registry;

/// Every link, in order.
pub(super) fn walk(
    registry: &Registry<'_>,
    api_service: &ApiService,
    check: &AvailabilityCheck<'_>,
    bindings: &Bindings<'_>,
    now: Timestamp,
    probe: Option<&Probe>,
) -> Vec<DoctorCheck> {
    let service = check.service.found();
    let checked =
        Checked::new(api_service.available.as_ref(), registry.snapshot.minor(), service.is_some());
    let exists = exists(check);
    let gone = if exists.state == CheckState::Broken {
        "there is no Service to look at"
    } else {
        "the Service is not in the source"
    };
    let mut links = vec![exists];
    match service {
        Some(service) => {
            links.extend(backends(registry, check, service));
            let routing = registry.snapshot.flag("enable-aggregator-routing");
            links.push(address(check, service, &checked, routing.map(|set| set == Some("true"))));
        }
        None => {
            let nothing = |step| DoctorCheck::new(step, CheckState::Unknown, gone);
            links.extend(
                [AvailabilityStep::Port, AvailabilityStep::Endpoints, AvailabilityStep::Ready]
                    .map(nothing),
            );
            let known = checked.dialled().map(|url| format!("{url} (from the condition)"));
            links.push(DoctorCheck::new(
                AvailabilityStep::Address,
                CheckState::Unknown,
                known.unwrap_or_else(|| gone.to_owned()),
            ));
        }
    }
    links.push(tls::link(api_service, &check.reference, now));
    links.push(DoctorCheck::new(
        AvailabilityStep::Discovery,
        CheckState::Unknown,
        "the source has no answer of the extension API server",
    ));
    let mut links: Vec<DoctorCheck> =
        links.into_iter().map(|link| checked.complete(link)).collect();
    DiscoveryResponse::of(registry, api_service).apply(&mut links);
    if let Some(probe) = probe {
        apply(&mut links, probe, &checked, now);
    }
    let behind = links.iter().position(|link| link.step == AvailabilityStep::Discovery);
    let behind = behind.unwrap_or(links.len());
    let own = [
        front_proxy::link(registry.snapshot, now),
        service.and_then(|service| bindings.link(service)),
    ];
    links.splice(behind..behind, own.into_iter().flatten());
    links.push(fresh(registry, api_service));
    not_reached(&mut links);
    links
}

/// What lies behind a broken link is not reached; what is known of it stays as evidence.
fn not_reached(links: &mut [DoctorCheck]) {
    let Some(broken) = links.iter().position(|link| link.state == CheckState::Broken) else {
        return;
    };
    for link in links.iter_mut().skip(broken + 1).filter(|l| l.state == CheckState::Unknown) {
        link.state = CheckState::Skipped;
        if link.step == AvailabilityStep::Discovery {
            link.what = "not reached".to_owned();
        }
    }
}

fn exists(check: &AvailabilityCheck<'_>) -> DoctorCheck {
    let step = AvailabilityStep::Service;
    let id = check.reference.id();
    let (elsewhere, namespace) = match &check.service {
        ServiceLookup::Found(service) => {
            let how = match (&service.kind, service.cluster_ip.as_deref()) {
                (ServiceType::ExternalName, _) => {
                    format!("ExternalName {}", service.external_name.as_deref().unwrap_or_default())
                }
                (ServiceType::ClusterIp, Some(ip)) => format!("ClusterIP {ip}"),
                (kind, _) => kind.as_str().to_owned(),
            };
            return DoctorCheck::new(step, CheckState::Ok, format!("{id} exists ({how})"));
        }
        ServiceLookup::Unseen(gap) => {
            return DoctorCheck::new(step, CheckState::Unknown, gap.to_string());
        }
        ServiceLookup::Missing { elsewhere, namespace } => (elsewhere, namespace),
    };
    let elsewhere =
        elsewhere.map(|other| format!("there is a Service of that name in namespace {other}"));
    let name = &check.reference.namespace;
    let namespace = match namespace {
        NamespaceState::Exists => Some(format!("the namespace {name} exists")),
        NamespaceState::Terminating => Some(format!("the namespace {name} is being deleted")),
        NamespaceState::Missing => Some(format!("the namespace {name} does not exist either")),
        NamespaceState::Unseen => None,
    };
    DoctorCheck::new(step, CheckState::Broken, format!("Service {id} does not exist"))
        .with(elsewhere.into_iter().chain(namespace))
}

/// Port, endpoints, ready: the server looks at them for type ClusterIP only.
fn backends(
    registry: &Registry<'_>,
    check: &AvailabilityCheck<'_>,
    service: &Service,
) -> [DoctorCheck; 3] {
    let steps = [AvailabilityStep::Port, AvailabilityStep::Endpoints, AvailabilityStep::Ready];
    let number = check.reference.port;
    if service.kind == ServiceType::ExternalName {
        let what = |step| match step {
            AvailabilityStep::Port => {
                format!("{number}, as the APIService says: an ExternalName has none of its own")
            }
            _ => "an ExternalName has none".to_owned(),
        };
        return steps.map(|step| DoctorCheck::new(step, CheckState::Skipped, what(step)));
    }
    let port_link = match check.port {
        Some(port) => DoctorCheck::new(AvailabilityStep::Port, CheckState::Ok, port_words(port)),
        None => {
            let ports: Vec<String> = service.ports.iter().map(port_words).collect();
            let has =
                if ports.is_empty() { "no ports at all".to_owned() } else { ports.join("; ") };
            let what = format!("Service {} has no port {number}", check.reference.id());
            DoctorCheck::new(AvailabilityStep::Port, CheckState::Broken, what)
                .with([format!("it has {has}")])
        }
    };
    let mut exist = endpoints::exist(&check.endpoints);
    let mut ready = match check.port {
        Some(_) if check.endpoints.slices.is_empty() => DoctorCheck::new(
            AvailabilityStep::Ready,
            CheckState::Unknown,
            "there are no endpoints to look at",
        ),
        Some(port) => endpoints::ready(&check.endpoints, port),
        None => DoctorCheck::new(
            AvailabilityStep::Ready,
            CheckState::Unknown,
            "there is no port to look for",
        ),
    };
    if service.kind != ServiceType::ClusterIp {
        // The server's check passes over these, and a Service without endpoints fails when dialled.
        for link in [&mut exist, &mut ready] {
            let state = if link.state == CheckState::Broken {
                CheckState::Odd
            } else {
                CheckState::Skipped
            };
            let kind = service.kind.as_str();
            link.evidence.push(format!("the API server does not check this for type {kind}"));
            link.state = state;
        }
    }
    if check.endpoints.kind == EndpointKind::Endpoints && check.endpoints.gap.is_some() {
        exist.evidence.push(endpoints::slices_instead(registry.snapshot, &check.reference));
    }
    [port_link, exist, ready]
}

fn port_words(port: &ServicePort) -> String {
    let name = if port.name.is_empty() {
        "without a name".to_owned()
    } else {
        format!("named {:?}", port.name)
    };
    let target = port.target_port.as_ref().filter(|t| **t != TargetPort::Number(port.port));
    let target = target.map(|t| format!(", target port {t}")).unwrap_or_default();
    format!("{} {name}{target}", port.port)
}

/// `routing` is whether `--enable-aggregator-routing` is set, where that is known.
fn address(
    check: &AvailabilityCheck<'_>,
    service: &Service,
    checked: &Checked<'_>,
    routing: Option<bool>,
) -> DoctorCheck {
    let step = AvailabilityStep::Address;
    let link = match kube_aggregation::availability::resolve(&check.reference, service) {
        Ok(at) => {
            let last = checked.dialled().filter(|url| *url != format!("https://{at}"));
            let other = last.map(|url| format!("the server's last check dialled {url} instead: it routes to endpoints, or the Service was another then"));
            DoctorCheck::new(step, CheckState::Unknown, format!("https://{at} ({})", at.from))
                .with(other)
        }
        // That the port is missing has been said.
        Err(why @ Unresolved::NoPort(_)) => {
            return DoctorCheck::new(step, CheckState::Unknown, why.to_string());
        }
        Err(why) if check.port.is_none() && service.kind != ServiceType::ExternalName => {
            return DoctorCheck::new(step, CheckState::Unknown, why.to_string());
        }
        Err(why) => return DoctorCheck::new(step, CheckState::Broken, why.to_string()),
    };
    if check.is_api_server() && check.reference.port == 443 {
        return link.with([
            "that is the API server itself: it answers on its loopback connection".to_owned()
        ]);
    }
    if service.kind == ServiceType::ExternalName {
        return link.with([
            "with --enable-aggregator-routing the server refuses an ExternalName".to_owned()
        ]);
    }
    let routed = check.port.and_then(|port| check.endpoints.routed(&port.name));
    let routed = routed.filter(|_| routing != Some(false));
    link.with(routed.map(|at| match routing {
        Some(_) => format!("--enable-aggregator-routing is set: {at} is dialled instead"),
        None => format!("with --enable-aggregator-routing it would be {at}"),
    }))
}

fn fresh(registry: &Registry<'_>, api_service: &ApiService) -> DoctorCheck {
    let step = AvailabilityStep::Fresh;
    let snapshot = registry.snapshot;
    if let Some(minor) = snapshot.minor().filter(|minor| *minor < AGGREGATED_SINCE) {
        return DoctorCheck::new(
            step,
            CheckState::Skipped,
            format!("Kubernetes {minor} has no aggregated discovery"),
        );
    }
    if let Some(gap) = Gap::of(SnapshotPart::AggregatedGroups, &snapshot.aggregated_groups, true) {
        return DoctorCheck::new(step, CheckState::Unknown, gap.to_string());
    }
    let gv = &api_service.group_version;
    match registry.aggregated_version(gv).map(|v| (v.freshness, v.resources.len())) {
        Some((Freshness::Current, 0)) => DoctorCheck::new(
            step,
            CheckState::Odd,
            "the aggregated document lists the group version with no resources",
        )
        .with(["the Service answered its discovery request without this group version".to_owned()]),
        Some((Freshness::Current, n)) => {
            let resources = if n == 1 { "resource" } else { "resources" };
            DoctorCheck::new(
                step,
                CheckState::Ok,
                format!("Current in the aggregated document, {n} {resources}"),
            )
        }
        Some((Freshness::Stale, n)) => {
            let last = if n == 0 {
                "with no resources".to_owned()
            } else {
                format!("with the {n} last known resources")
            };
            if !api_service.is_available() {
                let what = format!(
                    "Stale in the aggregated document, {last}, as it must be while not available"
                );
                return DoctorCheck::new(step, CheckState::Skipped, what);
            }
            DoctorCheck::new(
                step,
                CheckState::Broken,
                "available, yet stale in aggregated discovery",
            )
            .with([
                format!("{gv} is listed {last}"),
                "what the Service answers to discovery could not be fetched or read".to_owned(),
            ])
        }
        None => DoctorCheck::new(
            step,
            CheckState::Odd,
            "the aggregated document does not list the group version",
        ),
    }
}

/// Lets a direct connection speak where it knows more.
fn apply(links: &mut [DoctorCheck], probe: &Probe, checked: &Checked<'_>, now: Timestamp) {
    let failed =
        |phases: &[ProbePhase]| probe.failure.as_ref().filter(|f| phases.contains(&f.phase));
    for link in links.iter_mut() {
        match link.step {
            AvailabilityStep::Address => {
                match failed(&[ProbePhase::Resolve, ProbePhase::Connect]) {
                    Some(failure) => {
                        // Where the server's own check came through, the way from here is another one.
                        let here = format!("from here: {}", failure.what);
                        if link.state == CheckState::Ok {
                            link.state = CheckState::Odd;
                        } else if link.state == CheckState::Unknown && !checked.passed() {
                            link.state = CheckState::Broken;
                            link.what = failure.what.clone();
                        }
                        link.evidence.push(here);
                    }
                    None => {
                        link.evidence
                            .push(format!("from here: {} accepts connections", probe.address));
                        if link.state == CheckState::Unknown {
                            link.state = CheckState::Ok;
                        }
                    }
                }
            }
            AvailabilityStep::Tls => tls::apply(link, probe, now),
            AvailabilityStep::Discovery => match (failed(&[ProbePhase::Http]), probe.status) {
                (Some(failure), _) => link.evidence.push(format!("from here: {}", failure.what)),
                (None, Some(status)) => {
                    let note = match status {
                        401 | 403 => ", as is usual without credentials",
                        _ => "",
                    };
                    link.evidence
                        .push(format!("from here: status {status} without credentials{note}"));
                    match &probe.document {
                        Some(Ok(())) if link.state == CheckState::Unknown => {
                            link.state = CheckState::Ok;
                            link.what = "answers discovery".to_owned();
                        }
                        Some(Err(what)) => {
                            link.evidence.push(format!("from here: {what}"));
                            if matches!(link.state, CheckState::Unknown | CheckState::Ok) {
                                link.state = CheckState::Broken;
                                link.what =
                                    format!("answers, but not with a discovery document: {what}");
                            }
                        }
                        _ => {}
                    }
                }
                (None, None) => {}
            },
            _ => {}
        }
    }
}
