//! What a user should know beside the answer: warnings, and what the answer rests on.

use super::outcome::{Decision, Outcome, Refusal, Route, Server};
use super::router::Router;
use crate::baseline;
use crate::model::{ApiService, GroupVersion};
use crate::registry::Backing;

/// Something about the request's way that will surprise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// A stable word for it.
    pub code: &'static str,
    /// One sentence.
    pub message: String,
}

impl Router<'_> {
    /// What will surprise about a route.
    pub fn warnings(&self, route: &Route<'_>) -> Vec<Warning> {
        let mut found = vec![];
        if let Some(service) = route.api_service() {
            self.about_service(service, route, &mut found);
        }
        if let Some(hop) = route.last_hop()
            && let Decision::NoRoute(None) = hop.decision
            && hop.server == Server::KubeApiserver
            && let ["", "apis", group, version, ..] = *route.path.split('/').collect::<Vec<_>>()
        {
            self.about_built_in_group(group, version, &mut found);
        }
        found
    }

    fn about_service(&self, service: &ApiService, route: &Route<'_>, found: &mut Vec<Warning>) {
        let registry = self.registry();
        let gv = &service.group_version;
        let mut warn = |code, message| found.push(Warning { code, message });
        match route.last_hop().map(|hop| hop.decision) {
            Some(Decision::Refuse(_, Refusal::NotAvailable)) => {
                let why = service.available.as_ref().map(|c| c.message.as_str()).unwrap_or_default();
                let why = if why.is_empty() { "its status has no condition Available" } else { why };
                warn("unavailable", format!("APIService {}: {why}", service.name));
            }
            Some(Decision::Refuse(..)) => warn(
                "unavailable",
                format!("APIService {} says that it is available, but its Service cannot be used", service.name),
            ),
            _ => {}
        }
        if service.service.is_some() {
            let crds: Vec<&str> = registry.custom_resources(gv).map(|c| c.name.as_str()).collect();
            if !crds.is_empty() {
                warn(
                    "shadows-crd",
                    format!("APIService {} takes {gv} away from CRD {}: requests never reach it", service.name, crds.join(", ")),
                );
            }
            if registry.is_built_in_group(&gv.group) {
                warn("joins-built-in-group", format!("APIService {} adds {gv} to a built-in group", service.name));
            }
            if let Some(reference) = &service.service
                && registry.snapshot.services.is_loaded()
                && registry.snapshot.service(&reference.namespace, &reference.name).is_none()
                && route.outcome == Outcome::Proxied
            {
                warn(
                    "service-not-seen",
                    format!("Service {} is not in the source; if it is gone, the answer is 503", reference.id()),
                );
            }
        }
        if registry.api_service(&service.name).is_some_and(|(_, b)| b == Backing::Nobody) {
            warn(
                "ghost",
                format!("APIService {} is local, but neither a built-in nor a CRD serves {gv}: it says Available and answers 404", service.name),
            );
        }
        if service.is_available() && registry.is_stale(gv) {
            warn(
                "stale",
                format!("{gv} is Stale in aggregated discovery, though APIService {} is available: clients may not see its resources", service.name),
            );
        }
    }

    fn about_built_in_group(&self, group: &str, version: &str, found: &mut Vec<Warning>) {
        let gv = GroupVersion::new(group, version);
        let crds: Vec<&str> = self.registry().custom_resources(&gv).map(|c| c.name.as_str()).collect();
        let message = if crds.is_empty() {
            format!("{group} is a built-in group: kube-apiserver takes every version of it, so no CRD could ever answer {gv}")
        } else {
            format!("{group} is a built-in group: kube-apiserver takes every version of it, so CRD {} can never answer", crds.join(", "))
        };
        found.push(Warning { code: "built-in-group", message });
    }

    /// What the answer rests on that was not there to look at.
    pub fn assumptions(&self, route: &Route<'_>) -> Vec<String> {
        let registry = self.registry();
        let snapshot = registry.snapshot;
        let mut found = vec![];
        if route.info.is_none() {
            return found;
        }
        let plain = baseline::nearest(registry.minor);
        let mut from_plain = |what: &str, state: &str| {
            found.push(format!("{what} {state}: taken from a plain Kubernetes {plain}"));
        };
        if !registry.api_services_complete {
            let inferred = route.api_service().is_none_or(|s| s.inferred);
            if inferred {
                let state = if snapshot.api_services.is_loaded() { "are not all there" } else { not(snapshot.api_services.state()) };
                from_plain("APIServices", state);
            }
        }
        let api = route.path.starts_with("/api/") || route.path.starts_with("/apis") || route.path == "/api";
        if !snapshot.root_paths.is_loaded() && !api {
            from_plain("the path list /", not(snapshot.root_paths.state()));
        }
        for hop in route.hops() {
            match hop.decision {
                Decision::BuiltIn(gv) | Decision::NoRoute(Some(gv)) => {
                    if registry.resources(gv).is_some_and(|(_, plain)| plain) {
                        from_plain(&format!("the APIResourceList of {gv}"), "is not there");
                    }
                }
                Decision::WrongMethod(_) => {
                    if let Some(info) = &route.info {
                        let gv = GroupVersion::new(info.group, info.version);
                        if registry.resources(&gv).is_some_and(|(_, plain)| plain) {
                            from_plain(&format!("the APIResourceList of {gv}"), "is not there");
                        }
                    }
                }
                _ => {}
            }
        }
        if let Some(hop) = route.last_hop() {
            match hop.decision {
                Decision::Custom(crd) if !snapshot.crds.is_loaded() => {
                    found.push(format!("CRDs {}: {} follows from an APIResourceList", not(snapshot.crds.state()), crd.name));
                }
                Decision::CustomUnknown => {
                    let crds = if snapshot.crds.is_loaded() { "are not all there" } else { not(snapshot.crds.state()) };
                    found.push(format!("CRDs {crds}, nor is the group version's APIResourceList: whether it has this resource cannot be told"));
                }
                Decision::NoCustom(_) if !snapshot.crds_complete && registry.crds.is_empty() => {
                    found.push(format!("CRDs {}: a CRD without an APIService would answer here", not(snapshot.crds.state())));
                }
                Decision::RoutesUnknown => {
                    found.push("the APIResourceList of this group version is not there: which resources it has cannot be told".to_owned());
                }
                Decision::OpenApi(_) if !snapshot.openapi_v3.is_loaded() => {
                    found.push(format!("the index /openapi/v3 {}: judged by who serves the group version", not(snapshot.openapi_v3.state())));
                }
                Decision::Proxy(service) if service.is_not_checked() => {
                    let why = service.available.as_ref().map(|c| c.message.as_str()).unwrap_or_default();
                    found.push(format!("APIService {}: {why}", service.name));
                }
                Decision::Proxy(service) if service.service.is_some() && !snapshot.services.is_loaded() => {
                    found.push(format!("Services {}: availability is what the APIService's condition says", not(snapshot.services.state())));
                }
                Decision::ProxySomewhere(gv) => {
                    found.push(format!("which Service answers {gv}, and whether it is available, cannot be told without APIServices"));
                }
                _ => {}
            }
        }
        if !snapshot.version.is_loaded() && !found.is_empty() {
            found.push(format!("the server's version {}: taken for {}", not(snapshot.version.state()), registry.minor));
        }
        found
    }
}

/// The state of an input that is not loaded, as the end of a sentence.
fn not(state: &str) -> &'static str {
    match state {
        "forbidden" => "may not be read",
        "failed" => "could not be read",
        _ => "were not collected",
    }
}
