//! The walk from an APIService to the answer behind it.

use jiff::Timestamp;

use super::asked::Asked;
use super::bindings::Bindings;
use super::condition::Checked;
use super::endpoints;
use super::front_proxy;
use super::link::{Link, State};
use super::tls;
use crate::probe::{Phase, Probe};
use kube_aggregation::availability::{
    Check, EndpointKind, Lookup, NamespaceState, Step, Unresolved,
};
use kube_aggregation::model::{
    AGGREGATED_SINCE, ApiService, Freshness, Gap, Part, Service, ServicePort, ServiceType,
};
use kube_aggregation::registry::Registry;

/// Every link, in order.
pub(super) fn walk(
    registry: &Registry<'_>,
    api_service: &ApiService,
    check: &Check<'_>,
    bindings: &Bindings<'_>,
    now: Timestamp,
    probe: Option<&Probe>,
) -> Vec<Link> {
    let service = check.service.found();
    let checked =
        Checked::new(api_service.available.as_ref(), registry.snapshot.minor(), service.is_some());
    let exists = exists(check);
    let gone = if exists.state == State::Broken {
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
            let nothing = |step| Link::new(step, State::Unknown, gone);
            links.extend([Step::Port, Step::Endpoints, Step::Ready].map(nothing));
            let known = checked.dialled().map(|url| format!("{url} (from the condition)"));
            links.push(Link::new(
                Step::Address,
                State::Unknown,
                known.unwrap_or_else(|| gone.to_owned()),
            ));
        }
    }
    links.push(tls::link(api_service, &check.reference, now));
    links.push(Link::new(
        Step::Discovery,
        State::Unknown,
        "the source has no answer of the extension API server",
    ));
    let mut links: Vec<Link> = links.into_iter().map(|link| checked.complete(link)).collect();
    Asked::of(registry, api_service).apply(&mut links);
    if let Some(probe) = probe {
        apply(&mut links, probe, &checked, now);
    }
    let behind = links.iter().position(|link| link.step == Step::Discovery);
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
fn not_reached(links: &mut [Link]) {
    let Some(broken) = links.iter().position(|link| link.state == State::Broken) else { return };
    for link in links.iter_mut().skip(broken + 1).filter(|l| l.state == State::Unknown) {
        link.state = State::Skipped;
        if link.step == Step::Discovery {
            link.what = "not reached".to_owned();
        }
    }
}

fn exists(check: &Check<'_>) -> Link {
    let step = Step::Service;
    let id = check.reference.id();
    let (elsewhere, namespace) = match &check.service {
        Lookup::Found(service) => {
            let how = match (&service.kind, service.cluster_ip.as_deref()) {
                (ServiceType::ExternalName, _) => {
                    format!("ExternalName {}", service.external_name.as_deref().unwrap_or_default())
                }
                (ServiceType::ClusterIp, Some(ip)) => format!("ClusterIP {ip}"),
                (kind, _) => kind.as_str().to_owned(),
            };
            return Link::new(step, State::Ok, format!("{id} exists ({how})"));
        }
        Lookup::Unseen(gap) => return Link::new(step, State::Unknown, gap.to_string()),
        Lookup::Missing { elsewhere, namespace } => (elsewhere, namespace),
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
    Link::new(step, State::Broken, format!("Service {id} does not exist"))
        .with(elsewhere.into_iter().chain(namespace))
}

/// Port, endpoints, ready: the server looks at them for type ClusterIP only.
fn backends(registry: &Registry<'_>, check: &Check<'_>, service: &Service) -> [Link; 3] {
    let steps = [Step::Port, Step::Endpoints, Step::Ready];
    let number = check.reference.port;
    if service.kind == ServiceType::ExternalName {
        let what = |step| match step {
            Step::Port => {
                format!("{number}, as the APIService says: an ExternalName has none of its own")
            }
            _ => "an ExternalName has none".to_owned(),
        };
        return steps.map(|step| Link::new(step, State::Skipped, what(step)));
    }
    let port_link = match check.port {
        Some(port) => Link::new(Step::Port, State::Ok, port_words(port)),
        None => {
            let ports: Vec<String> = service.ports.iter().map(port_words).collect();
            let has =
                if ports.is_empty() { "no ports at all".to_owned() } else { ports.join("; ") };
            let what = format!("Service {} has no port {number}", check.reference.id());
            Link::new(Step::Port, State::Broken, what).with([format!("it has {has}")])
        }
    };
    let mut exist = endpoints::exist(&check.endpoints);
    let mut ready = match check.port {
        Some(_) if check.endpoints.slices.is_empty() => {
            Link::new(Step::Ready, State::Unknown, "there are no endpoints to look at")
        }
        Some(port) => endpoints::ready(&check.endpoints, port),
        None => Link::new(Step::Ready, State::Unknown, "there is no port to look for"),
    };
    if service.kind != ServiceType::ClusterIp {
        // The server's check passes over these, and a Service without endpoints fails when dialled.
        for link in [&mut exist, &mut ready] {
            let state = if link.state == State::Broken { State::Odd } else { State::Skipped };
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
    let target = port.target_port.as_deref().filter(|t| *t != port.port.to_string());
    let target = target.map(|t| format!(", target port {t}")).unwrap_or_default();
    format!("{} {name}{target}", port.port)
}

/// `routing` is whether `--enable-aggregator-routing` is set, where that is known.
fn address(
    check: &Check<'_>,
    service: &Service,
    checked: &Checked<'_>,
    routing: Option<bool>,
) -> Link {
    let step = Step::Address;
    let link = match kube_aggregation::availability::resolve(&check.reference, service) {
        Ok(at) => {
            let last = checked.dialled().filter(|url| *url != format!("https://{at}"));
            let other = last.map(|url| format!("the server's last check dialled {url} instead: it routes to endpoints, or the Service was another then"));
            Link::new(step, State::Unknown, format!("https://{at} ({})", at.from)).with(other)
        }
        // That the port is missing has been said.
        Err(why @ Unresolved::NoPort(_)) => {
            return Link::new(step, State::Unknown, why.to_string());
        }
        Err(why) if check.port.is_none() && service.kind != ServiceType::ExternalName => {
            return Link::new(step, State::Unknown, why.to_string());
        }
        Err(why) => return Link::new(step, State::Broken, why.to_string()),
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

fn fresh(registry: &Registry<'_>, api_service: &ApiService) -> Link {
    let step = Step::Fresh;
    let snapshot = registry.snapshot;
    if let Some(minor) = snapshot.minor().filter(|minor| *minor < AGGREGATED_SINCE) {
        return Link::new(
            step,
            State::Skipped,
            format!("Kubernetes {minor} has no aggregated discovery"),
        );
    }
    if let Some(gap) = Gap::of(Part::AggregatedGroups, &snapshot.aggregated_groups, true) {
        return Link::new(step, State::Unknown, gap.to_string());
    }
    let gv = &api_service.group_version;
    match registry.aggregated_version(gv).map(|v| (v.freshness, v.resources.len())) {
        Some((Freshness::Current, 0)) => Link::new(
            step,
            State::Odd,
            "the aggregated document lists the group version with no resources",
        )
        .with(["the Service answered its discovery request without this group version".to_owned()]),
        Some((Freshness::Current, n)) => {
            let resources = if n == 1 { "resource" } else { "resources" };
            Link::new(
                step,
                State::Ok,
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
                return Link::new(step, State::Skipped, what);
            }
            Link::new(step, State::Broken, "available, yet stale in aggregated discovery").with([
                format!("{gv} is listed {last}"),
                "what the Service answers to discovery could not be fetched or read".to_owned(),
            ])
        }
        None => {
            Link::new(step, State::Odd, "the aggregated document does not list the group version")
        }
    }
}

/// Lets a direct connection speak where it knows more.
fn apply(links: &mut [Link], probe: &Probe, checked: &Checked<'_>, now: Timestamp) {
    let failed = |phases: &[Phase]| probe.failure.as_ref().filter(|f| phases.contains(&f.phase));
    for link in links.iter_mut() {
        match link.step {
            Step::Address => match failed(&[Phase::Resolve, Phase::Connect]) {
                Some(failure) => {
                    // Where the server's own check came through, the way from here is another one.
                    let here = format!("from here: {}", failure.what);
                    if link.state == State::Ok {
                        link.state = State::Odd;
                    } else if link.state == State::Unknown && !checked.passed() {
                        link.state = State::Broken;
                        link.what = failure.what.clone();
                    }
                    link.evidence.push(here);
                }
                None => {
                    link.evidence.push(format!("from here: {} accepts connections", probe.address));
                    if link.state == State::Unknown {
                        link.state = State::Ok;
                    }
                }
            },
            Step::Tls => tls::apply(link, probe, now),
            Step::Discovery => match (failed(&[Phase::Http]), probe.status) {
                (Some(failure), _) => link.evidence.push(format!("from here: {}", failure.what)),
                (None, Some(status)) => {
                    let note = match status {
                        401 | 403 => ", as is usual without credentials",
                        _ => "",
                    };
                    link.evidence
                        .push(format!("from here: status {status} without credentials{note}"));
                    match &probe.document {
                        Some(Ok(())) if link.state == State::Unknown => {
                            link.state = State::Ok;
                            link.what = "answers discovery".to_owned();
                        }
                        Some(Err(what)) => {
                            link.evidence.push(format!("from here: {what}"));
                            if matches!(link.state, State::Unknown | State::Ok) {
                                link.state = State::Broken;
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
