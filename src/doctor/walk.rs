//! The walk from an APIService to the answer behind it.

use jiff::Timestamp;

use super::address::dialled;
use super::asked::Asked;
use super::condition::Checked;
use super::endpoints::{behind, covers, gap, port_of};
use super::link::{Link, State, Step};
use super::probe::{Phase, Probe};
use super::tls;
use crate::model::{
    AGGREGATED_SINCE, ApiService, Freshness, Service, ServiceReference, ServiceType,
};
use crate::registry::Registry;

/// Every link, in order.
pub(super) fn walk(
    registry: &Registry<'_>,
    api_service: &ApiService,
    reference: &ServiceReference,
    now: Timestamp,
    probe: Option<&Probe>,
) -> Vec<Link> {
    let service = registry.snapshot.service(&reference.namespace, &reference.name);
    let checked =
        Checked::new(api_service.available.as_ref(), registry.snapshot.minor(), service.is_some());
    let exists = exists(registry, reference);
    let gone = if exists.state == State::Broken {
        "there is no Service to look at"
    } else {
        "the Service is not in the source"
    };
    let mut links = vec![exists];
    match service {
        Some(service) => {
            links.extend(backends(registry, reference, service));
            links.push(address(registry, reference, service, &checked));
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
    links.push(tls::link(api_service, reference, now));
    links.push(Link::new(
        Step::Discovery,
        State::Unknown,
        "the source has no answer of the extension API server",
    ));
    let mut links: Vec<Link> = links.into_iter().map(|link| checked.complete(link)).collect();
    Asked::of(registry.snapshot, api_service).apply(&mut links);
    if let Some(probe) = probe {
        apply(&mut links, probe, &checked);
    }
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

fn exists(registry: &Registry<'_>, reference: &ServiceReference) -> Link {
    let snapshot = registry.snapshot;
    let step = Step::Service;
    let id = reference.id();
    if let Some(service) = snapshot.service(&reference.namespace, &reference.name) {
        let what = match (&service.kind, service.cluster_ip.as_deref()) {
            (ServiceType::ExternalName, _) => {
                format!(
                    "{id} exists (ExternalName {})",
                    service.external_name.as_deref().unwrap_or_default()
                )
            }
            (ServiceType::ClusterIp, Some(ip)) => format!("{id} exists (ClusterIP {ip})"),
            (kind, _) => format!("{id} exists ({})", kind_name(kind)),
        };
        return Link::new(step, State::Ok, what);
    }
    let all = snapshot.services.loaded().map(Vec::as_slice).unwrap_or_default();
    let complete = snapshot.listed.services
        && covers(all.iter().map(|s| s.namespace.as_str()), &reference.namespace);
    if let Some(gap) = gap("Services", &snapshot.services, complete) {
        return Link::new(step, State::Unknown, gap);
    }
    let mut evidence = vec![];
    let near = |s: &&Service| s.namespace != reference.namespace && s.name == reference.name;
    if let Some(elsewhere) = all.iter().find(near) {
        evidence
            .push(format!("there is a Service of that name in namespace {}", elsewhere.namespace));
    }
    if snapshot.listed.namespaces
        && let Some(namespaces) = snapshot.namespaces.loaded()
    {
        evidence.push(match namespaces.iter().find(|n| n.name == reference.namespace) {
            None => format!("the namespace {} does not exist either", reference.namespace),
            Some(n) if n.terminating => format!("the namespace {} is being deleted", n.name),
            Some(n) => format!("the namespace {} exists", n.name),
        });
    }
    Link::new(step, State::Broken, format!("Service {id} does not exist")).with(evidence)
}

pub(super) fn kind_name(kind: &ServiceType) -> &str {
    match kind {
        ServiceType::ClusterIp => "ClusterIP",
        ServiceType::NodePort => "NodePort",
        ServiceType::LoadBalancer => "LoadBalancer",
        ServiceType::ExternalName => "ExternalName",
        ServiceType::Other(kind) => kind,
    }
}

/// Port, endpoints, ready: the server looks at them for type ClusterIP only.
fn backends(registry: &Registry<'_>, reference: &ServiceReference, service: &Service) -> [Link; 3] {
    let steps = [Step::Port, Step::Endpoints, Step::Ready];
    if service.kind == ServiceType::ExternalName {
        let what = |step| match step {
            Step::Port => format!(
                "{}, as the APIService says: an ExternalName has none of its own",
                reference.port
            ),
            _ => "an ExternalName has none".to_owned(),
        };
        return steps.map(|step| Link::new(step, State::Skipped, what(step)));
    }
    let port = port_of(service, reference.port);
    let behind = behind(registry, &reference.namespace, &reference.name);
    let port_link = match port {
        Some(port) => Link::new(Step::Port, State::Ok, port_words(port)),
        None => {
            let ports: Vec<String> = service.ports.iter().map(port_words).collect();
            let has =
                if ports.is_empty() { "no ports at all".to_owned() } else { ports.join("; ") };
            let what = format!("Service {} has no port {}", reference.id(), reference.port);
            Link::new(Step::Port, State::Broken, what).with([format!("it has {has}")])
        }
    };
    let mut exist = behind.exist();
    let mut ready = match port {
        Some(_) if behind.slices.is_empty() => {
            Link::new(Step::Ready, State::Unknown, "there are no endpoints to look at")
        }
        Some(port) => behind.ready(port),
        None => Link::new(Step::Ready, State::Unknown, "there is no port to look for"),
    };
    if service.kind != ServiceType::ClusterIp {
        // The server's check passes over these, and a Service without endpoints fails when dialled.
        for link in [&mut exist, &mut ready] {
            let state = if link.state == State::Broken { State::Odd } else { State::Skipped };
            link.evidence.push(format!(
                "the API server does not check this for type {}",
                kind_name(&service.kind)
            ));
            link.state = state;
        }
    }
    if behind.kind == "Endpoints" && behind.gap.is_some() {
        let slices =
            registry.snapshot.endpoint_slices.loaded().map(Vec::as_slice).unwrap_or_default();
        let ours = |s: &&crate::model::EndpointSlice| {
            s.namespace == reference.namespace
                && s.service.as_deref() == Some(reference.name.as_str())
        };
        let ready_now: usize = slices.iter().filter(ours).map(|s| s.ready()).sum();
        let count = slices.iter().filter(ours).count();
        exist.evidence.push(format!(
            "a server of this version looks at Endpoints; the source has {count} EndpointSlices with {ready_now} ready"
        ));
    }
    [port_link, exist, ready]
}

fn port_words(port: &crate::model::ServicePort) -> String {
    let name = if port.name.is_empty() {
        "without a name".to_owned()
    } else {
        format!("named {:?}", port.name)
    };
    let target = port.target_port.as_deref().filter(|t| *t != port.port.to_string());
    let target = target.map(|t| format!(", target port {t}")).unwrap_or_default();
    format!("{} {name}{target}", port.port)
}

fn address(
    registry: &Registry<'_>,
    reference: &ServiceReference,
    service: &Service,
    checked: &Checked<'_>,
) -> Link {
    let step = Step::Address;
    let has_port =
        service.kind == ServiceType::ExternalName || port_of(service, reference.port).is_some();
    let mut link = match dialled(reference, service) {
        Ok(at) => {
            let last = checked.dialled().filter(|url| *url != format!("https://{at}"));
            let other = last.map(|url| format!("the server's last check dialled {url} instead: it routes to endpoints, or the Service was another then"));
            Link::new(step, State::Unknown, format!("https://{at} ({})", at.from)).with(other)
        }
        // That the port is missing has been said.
        Err(why) if !has_port => return Link::new(step, State::Unknown, why),
        Err(why) => return Link::new(step, State::Broken, why),
    };
    if reference.namespace == "default" && reference.name == "kubernetes" && reference.port == 443 {
        return link.with([
            "that is the API server itself: it answers on its loopback connection".to_owned()
        ]);
    }
    if service.kind == ServiceType::ExternalName {
        link.evidence
            .push("with --enable-aggregator-routing the server refuses an ExternalName".to_owned());
    } else if let Some(port) = port_of(service, reference.port)
        && let Some(routed) =
            behind(registry, &reference.namespace, &reference.name).routed(&port.name)
    {
        link.evidence.push(format!("with --enable-aggregator-routing it would be {routed}"));
    }
    link
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
    let Some(groups) = snapshot.aggregated_groups.loaded() else {
        let gap = gap("aggregated discovery documents", &snapshot.aggregated_groups, false);
        return Link::new(step, State::Unknown, gap.unwrap_or_default());
    };
    let gv = &api_service.group_version;
    let versions = groups.iter().filter(|g| g.name == gv.group).flat_map(|g| &g.versions);
    let found = versions.clone().find(|v| v.version == gv.version);
    match found.map(|v| (v.freshness, v.resources.len())) {
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
fn apply(links: &mut [Link], probe: &Probe, checked: &Checked<'_>) {
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
            Step::Tls => tls::apply(link, probe),
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
