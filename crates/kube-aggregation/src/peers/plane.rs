//! Routes requests in a control plane: first through the peer proxy, then through a server's chain.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::OnceLock;

use super::documents;
use super::members::{self, Leases, MemberProblem, Presence};
use crate::discovery::{self, DiscoveryDocument};
use crate::model::{
    AggregatedGroup, DiscoveryForm, GroupVersion, IdentityLease, PeerFacts, Snapshot, SourceKind,
};
use crate::peer_proxy;
use crate::registry::{Assumption, PeerGap, Registry};
use crate::routing::{Outcome, RequestInfo, Route, Router, Target};

/// The API servers of one control plane, each with its own source.
#[derive(Debug)]
pub struct ControlPlane<'r, 's> {
    members: Vec<Member<'r, 's>>,
    leases: Leases<'s>,
    presence: Vec<Presence>,
    /// Group versions that CRDs and Services serve. Requests for these are never proxied to peers.
    excluded: OnceLock<BTreeSet<GroupVersion>>,
}

/// One API server of the control plane.
#[derive(Debug)]
struct Member<'r, 's> {
    name: &'r str,
    router: &'r Router<'s>,
    /// Whether it proxies requests to peers; `None` if unknown.
    proxies: Option<bool>,
    own: OnceLock<OwnDiscovery>,
    /// The resources of its merged document, if the source has it.
    merged: OnceLock<Option<ResourceSet>>,
}

/// Resources by group and version.
#[derive(Debug, Default)]
struct ResourceSet(HashMap<String, HashMap<String, HashSet<String>>>);

/// The discovery of a server without its peers.
#[derive(Debug)]
struct OwnDiscovery {
    groups: Vec<AggregatedGroup>,
    resources: ResourceSet,
}

/// Why the asked server handles a request itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LocalReason {
    /// It does not proxy requests to peers.
    NoProxy,
    /// The request is not for a resource.
    NotAResource,
    /// Its own discovery lists the resource.
    OwnResource,
    /// A CRD or a Service serves the group version, so peers are ignored.
    Excluded,
    /// No peer has the resource.
    NoPeer,
}

/// What the peer proxy does with a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PeerStep {
    /// The asked server handles it, for this reason.
    Local(LocalReason),
    /// It is proxied to one of these members, chosen at random per request.
    Proxied(Vec<usize>),
    /// It is proxied to a server that is not in the source, or whose state is unknown.
    ProxiedElsewhere,
    /// The peers that have it were killed, and their addresses have not expired: 503.
    Unreachable(Vec<usize>),
    /// The peers that have it were killed, and their addresses have expired: 503.
    WithoutAddress(Vec<usize>),
}

/// The route of a request through a control plane.
#[derive(Debug)]
pub struct PeerRoute<'a> {
    /// The member that received the request.
    pub asked: usize,
    /// What its peer proxy does.
    pub step: PeerStep,
    /// The route through the chain of the server that handles it. If several servers may handle it
    /// and their routes differ, the outcome is unknown and there are no hops.
    pub route: Route<'a>,
    /// What the peer step assumes.
    pub assumptions: Vec<Assumption>,
}

impl PeerRoute<'_> {
    /// Returns the members that may handle the request.
    pub fn handled_by(&self) -> &[usize] {
        match &self.step {
            PeerStep::Local(_) => std::slice::from_ref(&self.asked),
            PeerStep::Proxied(peers) => peers,
            _ => &[],
        }
    }

    /// Returns whether the request leaves the asked server.
    pub fn is_proxied(&self) -> bool {
        !matches!(self.step, PeerStep::Local(_))
    }
}

impl<'r, 's> ControlPlane<'r, 's> {
    /// Creates a control plane from servers and the names that the user knows them by.
    pub fn new(members: impl IntoIterator<Item = (&'r str, &'r Router<'s>)>) -> Self {
        let member = |(name, router): (&'r str, &'r Router<'s>)| Member {
            name,
            router,
            proxies: peer_proxy::is_on(router.registry().snapshot),
            own: OnceLock::new(),
            merged: OnceLock::new(),
        };
        let members: Vec<Member<'r, 's>> = members.into_iter().map(member).collect();
        let snapshots: Vec<(&str, &Snapshot)> =
            members.iter().map(|one| (one.name, one.snapshot())).collect();
        let leases = Leases::new(&snapshots);
        let presence = members.iter().enumerate().map(|(i, m)| leases.presence(i, m.snapshot()));
        let presence = presence.collect();
        Self { members, leases, presence, excluded: OnceLock::new() }
    }

    /// Finds the sources that do not belong to one control plane.
    pub fn problems(members: &[(&str, &Snapshot)]) -> Vec<MemberProblem> {
        members::problems(members)
    }

    /// Overrides the state of a member, for a what-if.
    pub fn set_presence(&mut self, member: usize, presence: Presence) {
        if let Some(known) = self.presence.get_mut(member) {
            *known = presence;
        }
    }

    /// Returns the names of the members, in order.
    pub fn names(&self) -> impl Iterator<Item = &'r str> {
        self.members.iter().map(|member| member.name)
    }

    /// Returns the name of a member.
    pub fn name(&self, member: usize) -> &'r str {
        self.members.get(member).map_or("", |member| member.name)
    }

    /// Returns the number of members.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Returns whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Returns the server chain of a member.
    pub fn router(&self, member: usize) -> Option<&'r Router<'s>> {
        self.members.get(member).map(|member| member.router)
    }

    /// Returns whether peers can proxy requests to a member.
    pub fn presence(&self, member: usize) -> Presence {
        self.presence.get(member).copied().unwrap_or(Presence::Absent)
    }

    /// Returns whether a member proxies requests to its peers; `None` if unknown.
    pub fn proxies(&self, member: usize) -> Option<bool> {
        self.members.get(member)?.proxies
    }

    /// Returns the Lease of a member, if known.
    pub fn lease(&self, member: usize) -> Option<&'s IdentityLease> {
        self.leases.of_members.get(member).copied().flatten()
    }

    /// Returns the Leases of servers that are not members, and the state that each Lease shows.
    pub fn unseen(&self) -> impl Iterator<Item = (&'s IdentityLease, Presence)> {
        self.leases.others.iter().map(|lease| (*lease, self.leases.presence_of(lease)))
    }

    /// Routes a request that a member receives. Returns `None` if there is no such member.
    pub fn route<'a>(&'a self, asked: usize, target: &'a Target<'_>) -> Option<PeerRoute<'a>> {
        let member = self.members.get(asked)?;
        let own = member.router.route(target);
        let (step, assumptions) = self.step(asked, member, own.info().as_ref());
        let route = match &step {
            PeerStep::Local(_) => own,
            PeerStep::Proxied(peers) => {
                let routers = peers.iter().filter_map(|peer| self.members.get(*peer));
                let mut routes = routers.map(|peer| peer.router.route(target));
                let route = routes.next()?;
                let all_answer = peers.iter().all(|peer| self.presence(*peer) == Presence::Up);
                let agree = all_answer && routes.all(|other| is_same(&route, &other));
                if agree { route } else { unknown(route) }
            }
            PeerStep::ProxiedElsewhere => unknown(own),
            PeerStep::Unreachable(_) => own.ending(Outcome::PeerUnreachable, &[503]),
            PeerStep::WithoutAddress(_) => own.ending(Outcome::PeerAddressUnknown, &[503]),
        };
        // If the asked server has the resource, it does not matter what its peers have.
        let concerned = !matches!(step, PeerStep::Local(_)) || route.outcome == Outcome::NotFound;
        let assumptions = assumptions.into_iter().filter(|_| concerned);
        let assumptions = assumptions.map(Assumption::Peers).collect();
        Some(PeerRoute { asked, step, route, assumptions })
    }

    /// Returns what the peer proxy of a member does, by the server's checks in order, and what that
    /// assumes.
    fn step(
        &self,
        asked: usize,
        member: &Member<'r, 's>,
        info: Option<&RequestInfo<'_>>,
    ) -> (PeerStep, Vec<PeerGap>) {
        let local = |reason| (PeerStep::Local(reason), vec![]);
        let Some(info) = info.filter(|info| info.resource_request) else {
            return local(LocalReason::NotAResource);
        };
        if member.proxies == Some(false) {
            return local(LocalReason::NoProxy);
        }
        // Without known peers, no discovery has to be compared.
        if self.members.len() == 1 && !member.snapshot().aggregated_groups.is_loaded() {
            return (PeerStep::Local(LocalReason::NoPeer), self.unseen_peers(member, info));
        }
        if member.own().has(info) {
            return local(LocalReason::OwnResource);
        }
        if self.excluded().contains(&GroupVersion::new(info.group, info.version)) {
            return local(LocalReason::Excluded);
        }
        let have_it: Vec<usize> = (self.members.iter().enumerate())
            .filter(|(index, peer)| *index != asked && peer.own().has(info))
            .map(|(index, _)| index)
            .collect();
        let of = |wanted: Presence| -> Vec<usize> {
            have_it.iter().copied().filter(|peer| self.presence(*peer) == wanted).collect()
        };
        let (mut up, unreachable) = (of(Presence::Up), of(Presence::Unreachable));
        let without_address = of(Presence::WithoutAddress);
        let listed = member.merged().map(|merged| merged.has(info));
        // The core group is not merged, so the merged document shows nothing about it.
        let listed = listed.filter(|_| !info.group.is_empty());
        let mut assumed = vec![];
        if member.proxies.is_none() && listed != Some(true) {
            assumed.push(PeerGap::ProxyUnknown);
        }
        if !self.leases.known {
            assumed.push(PeerGap::NoLeases);
        }
        let unseen = |wanted| self.unseen().any(|(_, presence)| presence == wanted);
        if !up.is_empty() {
            // Peers still use the address of a server that was just killed.
            up.extend(&unreachable);
            if listed == Some(false) && self.leases.known {
                return (PeerStep::Local(LocalReason::NoPeer), vec![PeerGap::CacheAge]);
            }
            if listed.is_none() {
                assumed.push(PeerGap::CacheAge);
            }
            if unseen(Presence::Up) {
                assumed.push(PeerGap::Unseen);
            }
            if up.iter().any(|peer| self.leases.is_older(*peer)) {
                assumed.push(PeerGap::OlderDump);
            }
            return (PeerStep::Proxied(up), assumed);
        }
        if !unreachable.is_empty() {
            return self.dead_step(asked, PeerStep::Unreachable(unreachable), listed, assumed);
        }
        if !without_address.is_empty() {
            let step = PeerStep::WithoutAddress(without_address);
            return self.dead_step(asked, step, listed, assumed);
        }
        if listed == Some(true) {
            if have_it.is_empty() && (unseen(Presence::Up) || !self.leases.known) {
                return (PeerStep::ProxiedElsewhere, vec![PeerGap::Unseen]);
            }
            if have_it.is_empty() && unseen(Presence::Unreachable) {
                return self.dead_step(asked, PeerStep::Unreachable(vec![]), listed, assumed);
            }
            if have_it.is_empty() && unseen(Presence::WithoutAddress) {
                return self.dead_step(asked, PeerStep::WithoutAddress(vec![]), listed, assumed);
            }
            return (PeerStep::Local(LocalReason::NoPeer), vec![PeerGap::CacheAge]);
        }
        let assumed = if listed.is_none() { self.unseen_peers(member, info) } else { vec![] };
        (PeerStep::Local(LocalReason::NoPeer), assumed)
    }

    /// Returns what a server does with a request that only killed peers could handle. It refuses
    /// the request as long as it remembers them. When the Lease of any server appears, disappears
    /// or changes its holder, it asks all peers again, and forgets those that do not answer.
    ///
    /// Its merged document shows whether that happened, unless no peer is left: it does not compute
    /// the document again then.
    fn dead_step(
        &self,
        asked: usize,
        refused: PeerStep,
        listed: Option<bool>,
        mut assumed: Vec<PeerGap>,
    ) -> (PeerStep, Vec<PeerGap>) {
        if listed == Some(false) {
            return (PeerStep::Local(LocalReason::NoPeer), vec![PeerGap::CacheAge]);
        }
        let has_peer =
            (0..self.len()).any(|peer| peer != asked && self.presence(peer) == Presence::Up);
        if listed.is_none() || !has_peer {
            assumed.push(PeerGap::CacheAge);
        }
        (refused, assumed)
    }

    /// Returns the assumption if a server that is not in the source may have the resource. The
    /// proxy only handles built-in resources.
    fn unseen_peers(&self, member: &Member<'r, 's>, info: &RequestInfo<'_>) -> Vec<PeerGap> {
        let snapshot = member.snapshot();
        let since = snapshot.served_minor() >= Some(peer_proxy::SINCE)
            && snapshot.origin.kind != SourceKind::Builtin;
        let may_exist = match self.leases.known {
            true => self.unseen().any(|(_, presence)| presence != Presence::Absent),
            false => self.members.len() == 1 && !info.group.is_empty(),
        };
        if since && may_exist && peer_proxy::may_be_built_in(info.group) {
            vec![PeerGap::Unseen]
        } else {
            vec![]
        }
    }

    fn excluded(&self) -> &BTreeSet<GroupVersion> {
        self.excluded.get_or_init(|| {
            let registries = || self.members.iter().map(|member| member.router.registry());
            let crds = registries().flat_map(|registry| registry.crds.iter()).flat_map(|crd| {
                crd.versions.iter().map(|v| GroupVersion::new(&*crd.group, &*v.name))
            });
            let services = registries().flat_map(|registry| registry.api_services.iter());
            let services = services.filter(|service| service.service.is_some());
            crds.chain(services.map(|service| service.group_version.clone())).collect()
        })
    }

    /// Returns the aggregated document `/apis` of a member, with or without its peers.
    pub fn groups(&self, asked: usize, with_peers: bool) -> Vec<AggregatedGroup> {
        let Some(member) = self.members.get(asked) else { return vec![] };
        if !with_peers || member.proxies == Some(false) {
            return member.own().groups.clone();
        }
        let counts =
            |peer: usize| self.presence(peer) != Presence::Absent && self.knows(member, peer);
        let mut servers: Vec<(&str, usize)> = (0..self.members.len())
            .filter(|index| *index == asked || counts(*index))
            .map(|index| {
                let identity = self.lease(index).map(|lease| lease.identity.as_str());
                (identity.unwrap_or(self.name(index)), index)
            })
            .collect();
        if servers.len() == 1 {
            return member.own().groups.clone();
        }
        servers.sort_unstable();
        let document = |(_, index): &(&str, usize)| match self.members.get(*index) {
            Some(own) if *index == asked => own.own().groups.clone(),
            Some(peer) => documents::without(&peer.own().groups, self.excluded()),
            None => vec![],
        };
        documents::merged(&servers.iter().map(document).collect::<Vec<_>>())
    }

    /// Returns whether a member knows the discovery of a peer. The member's merged document shows
    /// that: it lacks peers that could not be reached when their Lease appeared.
    fn knows(&self, member: &Member<'r, 's>, peer: usize) -> bool {
        let Some((merged, peer)) = member.merged().zip(self.members.get(peer)) else { return true };
        let mut more = peer.own().groups.iter().flat_map(|group| {
            group.versions.iter().flat_map(move |version| {
                version.resources.iter().map(move |one| (&group.name, &version.version, one))
            })
        });
        let mut any = false;
        let listed = more.any(|(group, version, one)| {
            let excluded = || self.excluded().contains(&GroupVersion::new(&**group, &**version));
            let own = member.own().resources.contains(group, version, &one.resource);
            if own || excluded() {
                return false;
            }
            any = true;
            merged.contains(group, version, &one.resource)
        });
        listed || !any
    }

    /// Returns what [`groups`](Self::groups) assumes.
    pub fn assumptions(&self, asked: usize, with_peers: bool) -> Vec<Assumption> {
        let mut found = vec![];
        if with_peers && self.proxies(asked) != Some(false) {
            if self.proxies(asked).is_none() {
                found.push(PeerGap::ProxyUnknown);
            }
            if !self.leases.known {
                found.push(PeerGap::NoLeases);
            } else if (0..self.len()).any(|member| self.lease(member).is_none()) {
                found.push(PeerGap::IdentityUnknown);
            }
            if self.unseen().any(|(_, presence)| presence != Presence::Absent) {
                found.push(PeerGap::Unseen);
            }
        }
        found.into_iter().map(Assumption::Peers).collect()
    }

    /// Returns the resources that a member lacks and another one has, as `resource.version.group`.
    pub(super) fn lacks(&self, member: usize) -> Vec<String> {
        let Some(asked) = self.members.get(member) else { return vec![] };
        let mut found = BTreeSet::new();
        for (_, other) in self.members.iter().enumerate().filter(|(index, _)| *index != member) {
            for group in &other.own().groups {
                for version in &group.versions {
                    let gv = GroupVersion::new(&*group.name, &*version.version);
                    if self.excluded().contains(&gv) {
                        continue;
                    }
                    let names = version.resources.iter().map(|one| &one.resource);
                    let names = names.filter(|name| {
                        !asked.own().resources.contains(&gv.group, &gv.version, name)
                    });
                    found.extend(names.map(|name| format!("{name}.{}.{}", gv.version, gv.group)));
                }
            }
        }
        found.into_iter().collect()
    }

    /// Returns the resources that a member's merged document lists and no running member has, as
    /// `resource.version.group`. Returns none if the source lacks the document or the Leases.
    pub(super) fn listed_by_none(&self, member: usize) -> Vec<String> {
        let Some(asked) = self.members.get(member).filter(|_| self.leases.known) else {
            return vec![];
        };
        let Some(merged) = asked.merged() else { return vec![] };
        let running = (self.members.iter().enumerate())
            .filter(|(index, _)| *index == member || self.presence(*index) == Presence::Up);
        let running: Vec<&Member<'r, 's>> = running.map(|(_, one)| one).collect();
        let mut found = BTreeSet::new();
        for (group, versions) in &merged.0 {
            for (version, resources) in versions {
                if self.excluded().contains(&GroupVersion::new(&**group, &**version)) {
                    continue;
                }
                let missing = resources.iter().filter(|name| {
                    !running.iter().any(|one| one.own().resources.contains(group, version, name))
                });
                found.extend(missing.map(|name| format!("{name}.{version}.{group}")));
            }
        }
        found.into_iter().collect()
    }

    /// Returns the Leases that are no longer renewed, and for how many seconds.
    pub(super) fn dead_leases(&self) -> Vec<(&'s IdentityLease, i64)> {
        let members = self.leases.of_members.iter().flatten();
        let all = members.chain(&self.leases.others).copied();
        let is_dead = |one: &&IdentityLease| {
            matches!(self.leases.presence_of(one), Presence::Unreachable | Presence::WithoutAddress)
        };
        let dead = all.filter(is_dead);
        dead.map(|lease| (lease, self.leases.age(lease).unwrap_or_default())).collect()
    }

    /// Returns what the other members serve, as seen from one member.
    pub fn facts(&self, member: usize) -> PeerFacts {
        let others = self.members.iter().enumerate().filter(|(index, _)| *index != member);
        let groups = others.flat_map(|(_, other)| &other.own().groups);
        let group_versions = groups.flat_map(|group| {
            group.versions.iter().map(|v| GroupVersion::new(&*group.name, &*v.version))
        });
        // Without Leases, or with a Lease that has no member, there may be other servers.
        let complete = self.leases.known && self.leases.others.is_empty();
        PeerFacts { group_versions: group_versions.collect(), complete }
    }

    /// Returns the members whose own discovery lists a group version.
    pub fn serving(&self, gv: &GroupVersion) -> Vec<usize> {
        let has = |member: &Member<'r, 's>| {
            let groups = member.own().groups.iter().filter(|group| group.name == gv.group);
            groups.flat_map(|group| &group.versions).any(|one| one.version == gv.version)
        };
        (0..self.len()).filter(|index| self.members.get(*index).is_some_and(has)).collect()
    }
}

impl<'s> Member<'_, 's> {
    fn snapshot(&self) -> &'s Snapshot {
        self.router.registry().snapshot
    }

    fn own(&self) -> &OwnDiscovery {
        self.own.get_or_init(|| OwnDiscovery::of(self.router.registry()))
    }

    fn merged(&self) -> Option<&ResourceSet> {
        let merged = || {
            let snapshot = self.snapshot();
            let document = snapshot.aggregated_groups.loaded()?;
            let since = snapshot.served_minor().is_some_and(|minor| minor >= peer_proxy::SINCE);
            since.then(|| ResourceSet::of(document.iter()))
        };
        self.merged.get_or_init(merged).as_ref()
    }
}

impl OwnDiscovery {
    fn of(registry: &Registry<'_>) -> Self {
        let document = |path| {
            let found = discovery::document(registry, path, DiscoveryForm::Aggregated, true);
            match found {
                Some((DiscoveryDocument::Aggregated(groups), _)) => groups,
                _ => vec![],
            }
        };
        let (groups, core) = (document("/apis"), document("/api"));
        let resources = ResourceSet::of(groups.iter().chain(&core));
        Self { groups, resources }
    }

    fn has(&self, info: &RequestInfo<'_>) -> bool {
        self.resources.has(info)
    }
}

impl ResourceSet {
    fn of<'g>(groups: impl Iterator<Item = &'g AggregatedGroup>) -> Self {
        let mut set = Self::default();
        for group in groups {
            let versions = set.0.entry(group.name.clone()).or_default();
            for version in &group.versions {
                let names = version.resources.iter().map(|resource| resource.resource.clone());
                versions.entry(version.version.clone()).or_default().extend(names);
            }
        }
        set
    }

    fn has(&self, info: &RequestInfo<'_>) -> bool {
        self.contains(info.group, info.version, info.resource)
    }

    fn contains(&self, group: &str, version: &str, resource: &str) -> bool {
        let version = self.0.get(group).and_then(|versions| versions.get(version));
        version.is_some_and(|resources| resources.contains(resource))
    }
}

/// Returns whether two servers handle a request in the same way.
fn is_same(a: &Route<'_>, b: &Route<'_>) -> bool {
    let hops =
        |route: &Route<'_>| -> Vec<String> { route.hops().map(|hop| hop.to_string()).collect() };
    a.outcome == b.outcome && hops(a) == hops(b)
}

/// Returns the route with an unknown outcome, because the servers that may handle it differ.
fn unknown(route: Route<'_>) -> Route<'_> {
    route.ending(Outcome::NotFound, &[]).ending(Outcome::Unknown, &[200, 404, 405, 503])
}
