//! What a user should know beside the answer: warnings, and what the answer rests on.

use super::outcome::{Decision, Hop, Outcome, Refusal, Route, Server};
use super::router::Router;
use crate::availability::{Check, Flaw};
use crate::model::{AGGREGATOR_GROUP, ApiService, EXTENSIONS_GROUP, GroupVersion, Part};
use crate::registry::{Assumption, Backing, Instead, Question, missing};

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
        if let ["", "apis", AGGREGATOR_GROUP, version, ..] =
            *route.path.split('/').collect::<Vec<_>>()
            && let gv = GroupVersion::new(AGGREGATOR_GROUP, version)
            && let Some((service, _)) = self.registry().api_service(&gv.api_service_name())
        {
            let message = format!(
                "{AGGREGATOR_GROUP} is the aggregator's own group: APIService {} is never asked",
                service.name
            );
            found.push(Warning { code: "aggregator-own-group", message });
        }
        found
    }

    fn about_service(&self, service: &ApiService, route: &Route<'_>, found: &mut Vec<Warning>) {
        let registry = self.registry();
        let gv = &service.group_version;
        let mut warn = |code, message| found.push(Warning { code, message });
        match route.last_hop().map(|hop| hop.decision) {
            Some(Decision::Refuse(_, Refusal::NotAvailable)) => {
                let why =
                    service.available.as_ref().map(|c| c.message.as_str()).unwrap_or_default();
                let why =
                    if why.is_empty() { "its status has no condition Available" } else { why };
                warn("unavailable", format!("APIService {}: {why}", service.name));
            }
            Some(Decision::Refuse(_, Refusal::NoTransport)) => warn(
                "ca-bundle",
                format!("the caBundle of APIService {} holds no certificate", service.name),
            ),
            _ => {}
        }
        if service.service.is_some() {
            let crds: Vec<&str> = registry.custom_resources(gv).map(|c| c.name.as_str()).collect();
            if !crds.is_empty() {
                warn(
                    "shadows-crd",
                    format!(
                        "APIService {} takes {gv} away from CRD {}: requests never reach it",
                        service.name,
                        crds.join(", ")
                    ),
                );
            }
            if registry.shadows_built_in(service) {
                warn(
                    "shadows-built-in",
                    format!(
                        "APIService {} takes {gv} away from the API server itself: requests never reach the built-in resources",
                        service.name
                    ),
                );
            } else if registry.is_built_in_group(&gv.group) || gv.group == EXTENSIONS_GROUP {
                warn(
                    "joins-built-in-group",
                    format!("APIService {} adds {gv} to a built-in group", service.name),
                );
            }
            if let Some(reference) = &service.service
                && registry.snapshot.services.is_loaded()
                && route.outcome == Outcome::Proxied
                && let Some((code, why)) = unusable(&self.controller().check(reference))
            {
                let id = reference.id();
                warn(code, format!("Service {id} {why}, though the APIService is available"));
            }
        }
        if registry.api_service(&service.name).is_some_and(|(_, b)| b == Backing::Nobody) {
            warn(
                "ghost",
                format!(
                    "APIService {} is local, but neither a built-in nor a CRD serves {gv}: it says Available and answers 404",
                    service.name
                ),
            );
        }
        if service.is_available() && registry.is_stale(gv) {
            warn(
                "stale",
                format!(
                    "{gv} is Stale in aggregated discovery, though APIService {} is available: clients may not see its resources",
                    service.name
                ),
            );
        }
    }

    fn about_built_in_group(&self, group: &str, version: &str, found: &mut Vec<Warning>) {
        let gv = GroupVersion::new(group, version);
        let crds: Vec<&str> =
            self.registry().custom_resources(&gv).map(|c| c.name.as_str()).collect();
        let message = if crds.is_empty() {
            format!(
                "{group} is a built-in group: kube-apiserver takes every version of it, so no CRD could ever answer {gv}"
            )
        } else {
            format!(
                "{group} is a built-in group: kube-apiserver takes every version of it, so CRD {} can never answer",
                crds.join(", ")
            )
        };
        found.push(Warning { code: "built-in-group", message });
    }

    /// What the answer rests on that was not there to look at.
    pub fn assumptions(&self, route: &Route<'_>) -> Vec<Assumption> {
        let mut found = vec![];
        if route.outcome == Outcome::BadRequest {
            return found;
        }
        let registry = self.registry();
        let snapshot = registry.snapshot;
        if route.api_service().is_none_or(|s| s.inferred) {
            found.extend(registry.without_api_services(registry.plain_server()));
        }
        if !is_api(route.path) {
            let plain = registry.plain_server();
            found.extend(missing(Part::RootPaths, &snapshot.root_paths, plain));
        }
        if let Some(hop) = route.last_hop() {
            found.extend(self.assumed_by(hop, route));
        }
        if !found.is_empty() {
            found.extend(registry.without_version());
        }
        found
    }

    /// Whether the resources of a group version are those of a plain server.
    fn assumed_list(&self, gv: &GroupVersion) -> Option<Assumption> {
        let registry = self.registry();
        let (_, plain) = registry.resources(gv)?;
        plain.then(|| registry.without_lists(vec![gv.clone()], registry.plain_server()))
    }

    /// What the last server's decision rests on.
    fn assumed_by(&self, hop: &Hop<'_>, route: &Route<'_>) -> Option<Assumption> {
        let registry = self.registry();
        let snapshot = registry.snapshot;
        let untold = Instead::Untold;
        match hop.decision {
            Decision::BuiltIn(gv) | Decision::NotWatchable(gv) | Decision::NoRoute(Some(gv)) => {
                self.assumed_list(gv)
            }
            Decision::WrongMethod(_) => {
                let info = route.info().filter(|info| info.resource_request)?;
                self.assumed_list(&GroupVersion::new(info.group, info.version))
            }
            Decision::RoutesUnknown => {
                let lists = route.api_service().map(|s| s.group_version.clone());
                let lists = lists.into_iter().collect();
                Some(registry.without_lists(lists, untold(Question::HasResource)))
            }
            Decision::Custom(crd) if !snapshot.crds.is_loaded() => {
                registry.without_crds(Instead::CrdFollows(crd.name.clone()))
            }
            Decision::CustomUnknown => {
                let gv = route.api_service().map(|s| &s.group_version);
                let listed = gv.is_some_and(|gv| snapshot.resource_lists.contains_key(gv));
                let question = if listed { Question::CrdOrService } else { Question::HasResource };
                registry.without_crds(untold(question))
            }
            Decision::NoCustom(_) => registry.without_crds(Instead::AnotherMightAnswer),
            Decision::OpenApi(None) if snapshot.openapi_v3.is_loaded() => {
                self.openapi_service(route.path).map(not_checked)
            }
            Decision::OpenApi(_) => {
                missing(Part::OpenApiV3, &snapshot.openapi_v3, Instead::JudgedByServer)
            }
            Decision::Proxy(service) if service.is_not_checked() => Some(not_checked(service)),
            Decision::Proxy(_) => {
                missing(Part::Services, &snapshot.services, Instead::OnlyCondition)
            }
            Decision::ProxySomewhere(_) => {
                registry.without_api_services(untold(Question::WhichService))
            }
            _ => None,
        }
    }
}

/// Why a Service that the condition speaks well of cannot be what the proxy dials.
fn unusable(check: &Check<'_>) -> Option<(&'static str, String)> {
    check.flaws().into_iter().find_map(|flaw| match flaw {
        Flaw::NotFound | Flaw::NotSeen => {
            Some(("service-not-seen", "is not in the source".to_owned()))
        }
        Flaw::Headless => {
            let why = "is headless: only a server with --enable-aggregator-routing can dial it";
            Some(("service-headless", why.to_owned()))
        }
        Flaw::PortNotFound => {
            Some(("service-port", format!("has no port {}", check.reference.port)))
        }
        _ => None,
    })
}

fn not_checked(service: &ApiService) -> Assumption {
    let condition = service.available.as_ref();
    Assumption::NotChecked {
        api_service: service.name.clone(),
        said: condition.map(|c| c.message.clone()).unwrap_or_default(),
    }
}

fn is_api(path: &str) -> bool {
    path == "/api" || path == "/apis" || path.starts_with("/api/") || path.starts_with("/apis/")
}
