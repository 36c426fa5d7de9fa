//! Warnings and assumptions that accompany a route.

use super::mux::Match;
use super::non_api_paths::{SLIS, needed_flag};
use super::outcome::{Decision, Hop, Outcome, ProxyRefusal, Route, Server};
use super::router::{Router, ServiceWarnings};
use crate::availability::{AvailabilityCheck, Flaw};
use crate::baseline;
use crate::model::{
    AGGREGATOR_GROUP, ApiService, GroupVersion, Minor, Snapshot, SnapshotPart, SourceKind,
};
use crate::peer_proxy;
use crate::registry::{
    Anomaly, AnomalySubject, Assumption, Code, Detail, Fallback, OpenQuestion, PeerGap, missing,
};

/// Additional information about a route.
#[derive(Debug, Clone, Default)]
pub struct Remarks<'a> {
    /// Anomalies that affect the result.
    pub warnings: Vec<Anomaly<'a>>,
    /// What the answer assumes because the source lacks data.
    pub assumptions: Vec<Assumption>,
}

impl<'s> Router<'s> {
    /// Returns the remarks about a route. If the path was probably mistyped, omits the warning that
    /// CRDs are ignored in built-in groups.
    pub fn remarks<'a>(&'a self, route: &Route<'a>, mistyped: bool) -> Remarks<'a> {
        let mut warnings = self.warnings(route);
        warnings.retain(|warning| !mistyped || warning.code != Code::BuiltInGroup);
        Remarks { warnings, assumptions: self.assumptions(route) }
    }

    /// Returns the anomalies that affect a route.
    pub fn warnings<'a>(&'a self, route: &Route<'a>) -> Vec<Anomaly<'a>> {
        let registry = self.registry();
        let mut found = vec![];
        if let Some(service) = route.api_service() {
            found.extend(self.about_service(service, route));
        }
        if let Some((group, what, said)) = self.switched_off(route) {
            let anomaly = Anomaly {
                code: Code::SwitchedOff,
                subject: AnomalySubject::Group(group),
                facts: vec![("what", Detail::Text(what)), ("entry", Detail::Text(said))],
                contest: None,
            };
            return [anomaly].into_iter().chain(found).collect();
        }
        let Some((group, version)) = group_version(route.path) else { return found };
        let hop = route.last_hop();
        if let Some(Hop {
            decision: Decision::NoRoute(None), server: Server::KubeApiserver, ..
        }) = hop
        {
            let gv = GroupVersion::new(group, version);
            let crds = registry.custom_resources(&gv);
            let mut anomalies: Vec<_> =
                crds.flat_map(|crd| registry.anomalies_of_crd(crd)).collect();
            anomalies.retain(|anomaly| anomaly.code == Code::BuiltInGroup);
            // If a peer has the group version, it is a built-in one that this server lacks.
            if anomalies.is_empty() && !found.iter().any(|known| known.code == Code::ServedByPeer) {
                anomalies.push(Anomaly {
                    code: Code::BuiltInGroup,
                    subject: AnomalySubject::Group(group),
                    facts: vec![],
                    contest: None,
                });
            }
            found.extend(anomalies);
        }
        if group == AGGREGATOR_GROUP
            && let name = GroupVersion::new(group, version).api_service_name()
            && let Some((service, backing)) = registry.api_service(&name)
        {
            let anomalies = registry.anomalies(service, backing).into_iter();
            found.extend(anomalies.filter(|anomaly| anomaly.code == Code::AggregatorOwnGroup));
        }
        found
    }

    fn about_service<'a>(
        &'a self,
        service: &'a ApiService,
        route: &Route<'_>,
    ) -> impl Iterator<Item = Anomaly<'a>> {
        let refused = match route.last_hop().map(|hop| hop.decision) {
            Some(Decision::Refuse(_, ProxyRefusal::NotAvailable)) => {
                let said = service.available.as_ref().map(|c| c.message.as_str());
                let said = said.filter(|said| !said.is_empty());
                let said = said.unwrap_or("its status has no condition Available");
                Some(Anomaly::of(Code::Unavailable, service).with("said", Detail::Text(said)))
            }
            Some(Decision::Refuse(_, ProxyRefusal::NoTransport)) => {
                Some(Anomaly::of(Code::CaBundle, service))
            }
            _ => None,
        };
        let known = route.registered.and_then(|index| {
            let registered = self.registered.get(index)?;
            Some(registered.warnings.get_or_init(|| Box::new(self.warnings_of(index))))
        });
        let unusable = known.and_then(|known| known.unusable.as_ref());
        let unusable = unusable.filter(|_| route.outcome == Outcome::Proxied);
        let known = known.into_iter().flat_map(|known| &known.anomalies);
        refused.into_iter().chain(known.chain(unusable).cloned())
    }

    /// Finds the warnings about the APIService at an index of the registry.
    fn warnings_of(&self, index: usize) -> ServiceWarnings<'s> {
        let registry = self.registry();
        let Some((service, backing)) = registry.api_service_at(index) else {
            return ServiceWarnings::default();
        };
        let mut anomalies = registry.anomalies(service, backing);
        anomalies.retain(|anomaly| anomaly.code.concerns_requests());
        let dialed = service.service.as_ref().filter(|_| registry.snapshot.services.is_loaded());
        let unusable = dialed.and_then(|at| {
            let code = unusable(&self.controller().check(at), registry.snapshot)?;
            let anomaly = Anomaly::of(code, service).with("service", Detail::Service(at));
            Some(anomaly.with("port", Detail::Port(at.port)))
        });
        ServiceWarnings { anomalies, unusable }
    }

    /// Returns what the answer assumes because the source lacks data.
    pub fn assumptions(&self, route: &Route<'_>) -> Vec<Assumption> {
        let mut found = vec![];
        if matches!(route.outcome, Outcome::BadRequest | Outcome::Unauthorized | Outcome::Forbidden)
        {
            return found;
        }
        let registry = self.registry();
        let snapshot = registry.snapshot;
        if route.api_service().is_none_or(|s| s.inferred) {
            found.extend(registry.without_api_services(registry.plain_server()));
        }
        let own = group_version(route.path).is_some_and(|(group, _)| group == AGGREGATOR_GROUP);
        if !is_api(route.path) || own {
            let plain = registry.plain_server();
            found.extend(missing(SnapshotPart::RootPaths, &snapshot.root_paths, plain));
        }
        if !snapshot.own_document().is_loaded() && self.is_plain_without_api_service(route) {
            let served = route.outcome != Outcome::NotFound;
            let instead = if served { registry.plain_server() } else { Fallback::NotListed };
            found.extend(missing(SnapshotPart::RootPaths, &snapshot.root_paths, instead));
        }
        if let Some(hop) = route.last_hop() {
            found.extend(self.assumed_by(hop, route));
            found.extend(self.may_be_of_a_peer(hop, route));
        }
        if let Some(flag) = needed_flag(route.path)
            && snapshot.origin.kind != SourceKind::Builtin
            && snapshot.own_flag(flag).is_none()
        {
            found.push(Assumption::FlagOn(flag));
        }
        if !found.is_empty() || depends_on_version(route) {
            found.extend(registry.without_version());
        }
        found.extend(registry.standing_in());
        found
    }

    /// Returns whether a request is for something in the baseline that no APIService matches. It
    /// may be disabled, or its APIService deleted. Only a list of installed group versions can show
    /// which.
    fn is_plain_without_api_service(&self, route: &Route<'_>) -> bool {
        let registry = self.registry();
        let passed_on = route.hops().next().is_some_and(|hop| hop.matched == Match::None);
        let mut parts = route.path.strip_prefix("/apis/").unwrap_or_default().split('/');
        let group = parts.next().filter(|group| !group.is_empty());
        let version = parts.next().filter(|version| !version.is_empty());
        passed_on
            && match (group, version) {
                (Some(group), Some(version)) => {
                    let registered = || {
                        let mut services = registry.api_services.iter();
                        services.any(|service| service.group_version.group == group)
                    };
                    registry.plain(&GroupVersion::new(group, version)).is_some()
                        || registry.is_plain_group(group) && !registered()
                }
                (Some(group), None) => registry.is_plain_group(group),
                (None, _) => false,
            }
    }

    /// Returns the assumption if a route to a built-in group version is based on a document that
    /// may include the resources of peers.
    fn may_be_of_a_peer(&self, hop: &Hop<'_>, route: &Route<'_>) -> Option<Assumption> {
        let registry = self.registry();
        let snapshot = registry.snapshot;
        if hop.server != Server::KubeApiserver || !peer_proxy::may_be_merged(snapshot) {
            return None;
        }
        let (group, version) = group_version(route.path)?;
        let gv = GroupVersion::new(group, version);
        let is_own = snapshot.resource_lists.contains_key(&gv);
        let doubtful = !is_own && registry.aggregated_version(&gv).is_some();
        doubtful.then_some(Assumption::Peers(PeerGap::MayBeMerged))
    }

    /// Returns the assumption if the resources of a group version are those of the baseline.
    fn assumed_list(&self, gv: &GroupVersion) -> Option<Assumption> {
        let registry = self.registry();
        let (_, plain) = registry.resources(gv)?;
        plain.then(|| registry.without_lists(vec![gv.clone()], registry.plain_server()))
    }

    /// Returns what the last server's decision assumes.
    fn assumed_by(&self, hop: &Hop<'_>, route: &Route<'_>) -> Option<Assumption> {
        let registry = self.registry();
        let snapshot = registry.snapshot;
        let untold = Fallback::Untold;
        match hop.decision {
            Decision::BuiltIn(gv) | Decision::NotWatchable(gv) | Decision::NoRoute(Some(gv)) => {
                self.assumed_list(gv)
            }
            Decision::WrongMethod(_) => {
                let info = route.info().filter(|info| info.resource_request)?;
                self.assumed_list(&GroupVersion::new(info.group, info.version))
            }
            // A label shows who wrote the APIService, not that this server serves it.
            Decision::Document if hop.server == Server::KubeApiserver => {
                let gv = &route.api_service()?.group_version;
                let known = registry.resources(gv).is_some() || registry.plain(gv).is_some();
                let lists = vec![gv.clone()];
                let instead = untold(OpenQuestion::IsServed);
                let is_new = || {
                    let before = Minor::new(baseline::LATEST.minor.saturating_sub(1));
                    !baseline::group_versions(before).contains(gv)
                };
                match known {
                    false => Some(registry.without_lists(lists, instead)),
                    true if is_new() => registry.without_version(),
                    true => None,
                }
            }
            Decision::RoutesUnknown => {
                let own = || group_version(route.path).map(|(g, v)| GroupVersion::new(g, v));
                let list = route.api_service().map(|s| s.group_version.clone()).or_else(own);
                let lists = list.into_iter().collect();
                Some(registry.without_lists(lists, untold(OpenQuestion::HasResource)))
            }
            Decision::Custom(crd) if !snapshot.crds.is_loaded() => {
                registry.without_crds(Fallback::CrdFollows(crd.name.clone()))
            }
            Decision::CustomUnknown => {
                let gv = route.api_service().map(|s| &s.group_version);
                let listed = gv.is_some_and(|gv| snapshot.resource_lists.contains_key(gv));
                let question =
                    if listed { OpenQuestion::CrdOrService } else { OpenQuestion::HasResource };
                registry.without_crds(untold(question))
            }
            Decision::NoCustom(_) => registry.without_crds(Fallback::AnotherMightAnswer),
            Decision::OpenApi(None) if snapshot.openapi_v3.is_loaded() => {
                self.openapi_service(route.path).map(not_checked)
            }
            Decision::OpenApi(_) => {
                missing(SnapshotPart::OpenApiV3, &snapshot.openapi_v3, Fallback::JudgedByServer)
            }
            Decision::Proxy(service) if service.is_not_checked() => Some(not_checked(service)),
            Decision::Proxy(_) => {
                missing(SnapshotPart::Services, &snapshot.services, Fallback::OnlyCondition)
            }
            Decision::ProxyToUnknownService(_) => {
                registry.without_api_services(untold(OpenQuestion::WhichService))
            }
            _ => None,
        }
    }

    /// Returns the group, what `--runtime-config` disables in it, and the entry that does, if that
    /// explains a 404.
    pub(super) fn switched_off<'a>(
        &'a self,
        route: &Route<'a>,
    ) -> Option<(&'a str, &'a str, &'a str)> {
        if route.outcome != Outcome::NotFound {
            return None;
        }
        let registry = self.registry();
        let (group, rest) = match route.path.strip_prefix("/api/") {
            Some(rest) => ("", rest),
            None => {
                let below = route.path.strip_prefix("/apis/")?;
                below.split_once('/').unwrap_or((below, ""))
            }
        };
        let version = rest.split('/').next().unwrap_or_default();
        if version.is_empty() {
            let mut gvs = registry.switched_off_group(group);
            return gvs.next().map(|said| (group, "it", said));
        }
        let gv = GroupVersion::new(group, version);
        if let Some(said) = registry.switched_off(&gv, None) {
            return Some((group, version, said));
        }
        let resource = route.info().filter(|info| info.resource_request)?.resource;
        Some((group, resource, registry.switched_off(&gv, Some(resource))?))
    }
}

/// Returns why the proxy cannot dial a Service even though the condition is good.
fn unusable(check: &AvailabilityCheck<'_>, snapshot: &Snapshot) -> Option<Code> {
    check.flaws().into_iter().find_map(|flaw| match flaw {
        Flaw::NotFound | Flaw::NotSeen => Some(Code::ServiceNotSeen),
        Flaw::Headless if snapshot.dials_endpoints() == Some(true) => None,
        Flaw::Headless => Some(Code::ServiceHeadless),
        Flaw::PortNotFound => Some(Code::ServicePort),
        _ => None,
    })
}

/// Returns whether the answer depends on the server version although the objects are the same.
fn depends_on_version(route: &Route<'_>) -> bool {
    let refused = route.last_hop().map(|hop| hop.decision);
    route.path == SLIS || matches!(refused, Some(Decision::Refuse(_, ProxyRefusal::NoTransport)))
}

fn not_checked(service: &ApiService) -> Assumption {
    let condition = service.available.as_ref();
    Assumption::NotChecked {
        api_service: service.name.clone(),
        said: condition.map(|c| c.message.clone()).unwrap_or_default(),
    }
}

/// Returns group and version of a path below `/apis`.
fn group_version(path: &str) -> Option<(&str, &str)> {
    let mut parts = path.strip_prefix("/apis/")?.split('/');
    Some((parts.next()?, parts.next()?))
}

pub(super) fn is_api(path: &str) -> bool {
    path == "/api" || path == "/apis" || path.starts_with("/api/") || path.starts_with("/apis/")
}
