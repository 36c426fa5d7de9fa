//! Simulates a rolling upgrade or rollback of a control plane, server by server.

use std::collections::BTreeSet;

use super::members::Presence;
use super::plane::ControlPlane;
use super::review::PlaneIssue;
use crate::baseline;
use crate::model::{
    ApiService, GroupVersion, IdentityLease, Input, MERGES_PEERS_SINCE, Minor, Snapshot,
};
use crate::registry::{Assumption, PeerGap, Registry};
use crate::routing::Router;
use crate::runtime_config::RuntimeConfig;
use crate::what_if;

/// The effects of replacing one server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RollingStep {
    /// The server.
    pub server: String,
    /// The version that it ran.
    pub from: Minor,
    /// The version that it runs now.
    pub to: Minor,
    /// The APIServices that it deletes at startup.
    pub deletes: Vec<String>,
    /// The APIServices that it creates at startup.
    pub creates: Vec<String>,
    /// The resources that only some servers have after this step.
    pub differing: Vec<DifferingResource>,
    /// Group versions that only some servers list for kubectl after this step, with those servers.
    pub listed_by_some: Vec<(GroupVersion, Vec<String>)>,
}

/// A resource that only some servers have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DifferingResource {
    /// `resource.version.group`
    pub resource: String,
    /// The servers that have it.
    pub served_by: Vec<String>,
    /// The servers that proxy requests for it.
    pub proxied_by: Vec<String>,
    /// The servers that answer 404.
    pub missing_at: Vec<String>,
}

/// A rolling upgrade or rollback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rolling {
    /// One step per server that changes.
    pub steps: Vec<RollingStep>,
    /// What the simulation assumes.
    pub assumptions: Vec<Assumption>,
}

/// Simulates a rolling upgrade or rollback of these servers, in order. Skips servers that already
/// run the target version.
pub fn rolling(members: &[(String, Snapshot)], to: Minor) -> Rolling {
    let mut servers: Vec<Snapshot> = members.iter().map(|(_, one)| prepared(one)).collect();
    let names: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
    let shared = members.iter().find_map(|(_, one)| one.api_services.loaded());
    let mut shared: Vec<ApiService> = shared.cloned().unwrap_or_default();
    let mut assumptions = vec![];
    let mut steps = vec![];
    for (index, server) in names.iter().enumerate() {
        let Some(before) = servers.get(index) else { continue };
        let Some(from) = before.served_minor().filter(|from| *from != to) else { continue };
        let switches = RuntimeConfig::of(before);
        let plain = switches.applied(baseline::server(to), &BTreeSet::new());
        // The new document follows from the old one, and shows what has no APIService.
        let listing = Snapshot { aggregated_groups: before.own_groups.clone(), ..before.clone() };
        let mut changed = what_if::upgraded(&listing, baseline::server(from), &plain).snapshot;
        // Without the root paths, only APIServices would show what is installed, and the new server
        // has yet to create some.
        if !changed.root_paths.is_loaded() {
            changed.root_paths = plain.root_paths.clone();
        }
        let registered = changed.api_services.items().to_vec();
        // Feature gates decide about those, too.
        let optional = baseline::optional().iter().filter(|(gv, all)| {
            let has = |lists: &Snapshot| lists.resource_lists.contains_key(*gv);
            (switches.may_switch_on(gv) || has(&changed))
                && !has(&plain)
                && all.values().any(|span| span.has(to))
        });
        if optional.count() > 0 {
            assumptions.push(Assumption::Peers(PeerGap::SwitchedOn));
        }
        let api_services = Input::Loaded(shared.clone());
        let after = Snapshot { api_services, aggregated_groups: Input::Absent, ..changed };
        if let Some(place) = servers.get_mut(index) {
            *place = after;
        }
        let flaps = with_plane(&names, &servers, |plane| plane.flapping(index));
        let (deletes, creates) = match flaps {
            Some(PlaneIssue::Flapping { deletes, creates, .. }) => (deletes, creates),
            _ => (vec![], vec![]),
        };
        shared.retain(|service| !deletes.contains(&service.name));
        shared.extend(registered.into_iter().filter(|service| creates.contains(&service.name)));
        shared.sort_by(|a, b| a.name.cmp(&b.name));
        for one in &mut servers {
            one.api_services = Input::Loaded(shared.clone());
        }
        let (differing, listed_by_some, unsure) = with_plane(&names, &servers, |plane| {
            let unsure = (0..plane.len()).any(|member| plane.proxies(member).is_none());
            (plane.differing(), listed_by_some(plane), unsure)
        });
        if unsure && !differing.is_empty() {
            assumptions.push(Assumption::Peers(PeerGap::ProxyUnknown));
        }
        let server = (*server).to_owned();
        steps.push(RollingStep { server, from, to, deletes, creates, differing, listed_by_some });
    }
    assumptions.sort_by_key(|assumption| *assumption == Assumption::Peers(PeerGap::SwitchedOn));
    assumptions.dedup();
    Rolling { steps, assumptions }
}

/// Returns a server with only its own documents, because what peers serve changes with each step.
fn prepared(snapshot: &Snapshot) -> Snapshot {
    let mut own = snapshot.clone();
    own.own_groups = own.own_document().clone();
    own.aggregated_groups = Input::Absent;
    own.health.clear();
    own
}

/// Calls a function with the control plane of these servers, with all of them up.
fn with_plane<T>(
    names: &[&str],
    servers: &[Snapshot],
    call: impl FnOnce(&ControlPlane<'_, '_>) -> T,
) -> T {
    let lease = |(name, server): (&&str, &Snapshot)| IdentityLease {
        identity: (*name).to_owned(),
        host: (*name).to_owned(),
        address: (server.served_minor() >= Some(MERGES_PEERS_SINCE)).then(|| (*name).to_owned()),
        ..IdentityLease::default()
    };
    let leases: Vec<IdentityLease> = names.iter().zip(servers).map(lease).collect();
    let with_leases =
        |one: &Snapshot| Snapshot { leases: Input::Loaded(leases.clone()), ..one.clone() };
    let servers: Vec<Snapshot> = servers.iter().map(with_leases).collect();
    let registries: Vec<Registry<'_>> = servers.iter().map(Registry::new).collect();
    let routers: Vec<Router<'_>> = registries.iter().map(Router::new).collect();
    call(&ControlPlane::new(names.iter().copied().zip(&routers)))
}

impl ControlPlane<'_, '_> {
    /// Returns the resources that only some servers have, sorted by name.
    pub fn differing(&self) -> Vec<DifferingResource> {
        let lacks: Vec<Vec<String>> = (0..self.len()).map(|member| self.lacks(member)).collect();
        let all: BTreeSet<&String> = lacks.iter().flatten().collect();
        let one = |resource: &String| {
            let lacking =
                |member: usize| lacks.get(member).is_some_and(|all| all.contains(resource));
            let names = |wanted: &dyn Fn(usize) -> bool| -> Vec<String> {
                let members = (0..self.len()).filter(|member| wanted(*member));
                members.map(|member| self.name(member).to_owned()).collect()
            };
            let reachable = (0..self.len())
                .any(|member| !lacking(member) && self.presence(member) == Presence::Up);
            let proxies = |member: usize| reachable && self.proxies(member) != Some(false);
            DifferingResource {
                resource: resource.clone(),
                served_by: names(&|member| !lacking(member)),
                proxied_by: names(&|member| lacking(member) && proxies(member)),
                missing_at: names(&|member| lacking(member) && !proxies(member)),
            }
        };
        all.into_iter().map(one).collect()
    }
}

/// Returns the group versions that only some servers list in the document that kubectl reads.
fn listed_by_some(plane: &ControlPlane<'_, '_>) -> Vec<(GroupVersion, Vec<String>)> {
    let listed: Vec<BTreeSet<GroupVersion>> = (0..plane.len())
        .map(|member| {
            let groups = plane.groups(member, true);
            let versions = groups.iter().flat_map(|group| {
                group.versions.iter().map(|v| GroupVersion::new(&*group.name, &*v.version))
            });
            versions.collect()
        })
        .collect();
    let all: BTreeSet<&GroupVersion> = listed.iter().flatten().collect();
    let some = all.into_iter().filter_map(|gv| {
        let has = |member: &usize| listed.get(*member).is_some_and(|all| all.contains(gv));
        let names: Vec<String> =
            (0..plane.len()).filter(has).map(|member| plane.name(member).to_owned()).collect();
        (names.len() < plane.len()).then(|| (gv.clone(), names))
    });
    some.collect()
}
