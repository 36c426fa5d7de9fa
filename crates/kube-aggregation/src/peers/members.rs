//! The servers of a control plane: matches Leases with servers, and finds which servers are up.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::model::{IdentityLease, Input, Snapshot};
use crate::peer_proxy;

/// The age in seconds at which a Lease shows that its server is gone. Servers renew their Leases
/// every ten seconds, so this one missed a renewal.
const LATE_AFTER: i64 = 15;
/// The age at which the address has expired too: addresses expire after fifteen seconds, and the
/// server may have renewed its address up to ten seconds after its Lease.
const GONE_AFTER: i64 = 25;
/// The difference in seconds at which a dump counts as older than the others.
const OLDER_AFTER: i64 = 60;

/// Whether peers can proxy requests to a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// It is up, and peers know its address.
    Up,
    /// It is not a peer: it was stopped and deleted its Lease, or it publishes no address.
    Absent,
    /// It was killed. For up to fifteen seconds, peers still use its address and cannot reach it.
    Unreachable,
    /// It was killed, and its address has expired. Peers keep listing its resources until its Lease
    /// is garbage-collected, which takes an hour or more.
    WithoutAddress,
}

/// Why a set of dumps does not form one control plane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemberProblem {
    /// Two dumps are of the same server.
    SameServer {
        /// The name of the first dump.
        first: String,
        /// The name of the second dump.
        second: String,
        /// The identity of the server.
        identity: String,
    },
    /// A dump is from another cluster than the first one.
    OtherCluster {
        /// The name of the first dump.
        first: String,
        /// The name of the other dump.
        other: String,
    },
}

impl fmt::Display for MemberProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SameServer { first, second, identity } => {
                write!(f, "{first} and {second} are dumps of the same server, {identity}")
            }
            Self::OtherCluster { first, other } => {
                write!(f, "{other} is a dump of another cluster than {first}")
            }
        }
    }
}

impl MemberProblem {
    /// Returns the name of the dump to leave out.
    pub fn culprit(&self) -> &str {
        match self {
            Self::SameServer { second, .. } => second,
            Self::OtherCluster { other, .. } => other,
        }
    }
}

/// Finds the dumps that do not belong to the control plane of the others.
pub(super) fn problems(members: &[(&str, &Snapshot)]) -> Vec<MemberProblem> {
    let mut found = vec![];
    // The control plane is that of most dumps.
    let relatives = |(_, one): &(&str, &Snapshot)| {
        members.iter().filter(|(_, other)| !are_of_other_clusters(one, other)).count()
    };
    let most = members.iter().map(relatives).max();
    let reference = members.iter().find(|one| Some(relatives(one)) == most);
    let Some((first_name, first)) = reference else { return found };
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    for (name, snapshot) in members {
        if are_of_other_clusters(first, snapshot) {
            let (first, other) = ((*first_name).to_owned(), (*name).to_owned());
            found.push(MemberProblem::OtherCluster { first, other });
            continue;
        }
        let Some(identity) = own_lease(name, snapshot).map(|lease| lease.identity.clone()) else {
            continue;
        };
        match seen.get(&identity) {
            Some(first) => found.push(MemberProblem::SameServer {
                first: (*first).to_owned(),
                second: (*name).to_owned(),
                identity,
            }),
            None => drop(seen.insert(identity, name)),
        }
    }
    found
}

/// Returns whether two snapshots are from different clusters: they share no Lease, or their
/// front-proxy CAs differ.
fn are_of_other_clusters(a: &Snapshot, b: &Snapshot) -> bool {
    let identities = |snapshot: &Snapshot| -> BTreeSet<(String, String)> {
        let leases = snapshot.leases.items().iter();
        leases.map(|lease| (lease.identity.clone(), lease.host.clone())).collect()
    };
    let (ours, theirs) = (identities(a), identities(b));
    if !ours.is_empty() && !theirs.is_empty() && ours.is_disjoint(&theirs) {
        return true;
    }
    let ca = |snapshot: &Snapshot| snapshot.front_proxy.loaded().and_then(|f| f.client_ca.clone());
    matches!((ca(a), ca(b)), (Some(ours), Some(theirs)) if ours != theirs)
}

/// Returns the Lease of a snapshot's own server: the one with its address, or else the one with
/// `name` as its host name.
pub(super) fn own_lease<'s>(name: &str, snapshot: &'s Snapshot) -> Option<&'s IdentityLease> {
    let leases = snapshot.leases.loaded()?;
    let flag = |flag| snapshot.own_flag(flag).flatten();
    let address = flag("advertise-address").zip(flag("secure-port").or(Some("6443")));
    let by_address = address.and_then(|(host, port)| {
        let v6 = host.contains(':') && !host.starts_with('[');
        let address = if v6 { format!("[{host}]:{port}") } else { format!("{host}:{port}") };
        let mut same = leases.iter().filter(|one| one.address.as_deref() == Some(&*address));
        // If several servers share an address, for example behind a proxy, it identifies none of
        // them.
        same.next().filter(|_| same.next().is_none())
    });
    by_address.or_else(|| leases.iter().find(|lease| lease.host == name))
}

/// The Leases of a control plane, matched with its members.
#[derive(Debug)]
pub(super) struct Leases<'s> {
    /// The Lease of each member, if it is known.
    pub(super) of_members: Vec<Option<&'s IdentityLease>>,
    /// The Leases of servers without a dump.
    pub(super) others: Vec<&'s IdentityLease>,
    /// Whether any dump has Leases.
    pub(super) known: bool,
    /// The latest renewal of any Lease, which is about the time of the dumps.
    now: Option<i64>,
    /// The same for the dump of each member.
    read: Vec<Option<i64>>,
}

impl<'s> Leases<'s> {
    pub(super) fn new(members: &[(&str, &'s Snapshot)]) -> Self {
        // If the dumps have several states of a Lease, the latest counts.
        let mut all: BTreeMap<&str, &IdentityLease> = BTreeMap::new();
        for lease in members.iter().flat_map(|(_, snapshot)| snapshot.leases.items()) {
            let known = all.entry(&lease.identity).or_insert(lease);
            if lease.renewed > known.renewed {
                *known = lease;
            }
        }
        let identity = |(name, snapshot): &(&str, &'s Snapshot)| {
            let own = own_lease(name, snapshot).or_else(|| {
                let mut hosts = all.values().filter(|lease| lease.host == **name);
                hosts.next().copied()
            });
            own.map(|lease| lease.identity.as_str())
        };
        let mut identities: Vec<Option<&str>> = members.iter().map(identity).collect();
        let taken: BTreeSet<&str> = identities.iter().flatten().copied().collect();
        let mut others: Vec<&IdentityLease> =
            all.values().filter(|lease| !taken.contains(&*lease.identity)).copied().collect();
        // If one member and one Lease are left, they belong together.
        let mut open = identities.iter_mut().filter(|identity| identity.is_none());
        if let (Some(last), None, [lease]) = (open.next(), open.next(), others.as_slice()) {
            *last = Some(&lease.identity);
            others.clear();
        }
        let of_members = identities.iter().map(|id| all.get((*id)?).copied()).collect();
        let known = members.iter().any(
            |(_, snapshot)| matches!(&snapshot.leases, Input::Loaded(leases) if !leases.is_empty()),
        );
        let now = all.values().filter_map(|lease| lease.renewed).max();
        let newest = |(_, snapshot): &(&str, &Snapshot)| {
            snapshot.leases.items().iter().filter_map(|lease| lease.renewed).max()
        };
        let read = members.iter().map(newest).collect();
        Self { of_members, others, known, now, read }
    }

    /// Returns whether the dump of a member was taken well before the newest one, so that the
    /// member may have stopped or changed since.
    pub(super) fn is_older(&self, member: usize) -> bool {
        let read = self.read.get(member).copied().flatten();
        self.now.zip(read).is_some_and(|(now, read)| now - read > OLDER_AFTER)
    }

    /// Returns whether peers can proxy requests to a member.
    pub(super) fn presence(&self, member: usize, snapshot: &Snapshot) -> Presence {
        match self.of_members.get(member).copied().flatten() {
            Some(lease) => self.presence_of(lease),
            // All Leases belong to other servers, so this one no longer had a Lease.
            None if self.known && self.others.is_empty() => Presence::Absent,
            None if snapshot.served_minor().is_some_and(|minor| minor < peer_proxy::SINCE) => {
                Presence::Absent
            }
            None => Presence::Up,
        }
    }

    /// Returns the number of seconds between the renewal of a Lease and the latest renewal of any.
    pub(super) fn age(&self, lease: &IdentityLease) -> Option<i64> {
        self.now.zip(lease.renewed).map(|(now, renewed)| now - renewed)
    }

    pub(super) fn presence_of(&self, lease: &IdentityLease) -> Presence {
        match (&lease.address, self.age(lease)) {
            (None, _) => Presence::Absent,
            (Some(_), Some(age)) if age > GONE_AFTER => Presence::WithoutAddress,
            (Some(_), Some(age)) if age > LATE_AFTER => Presence::Unreachable,
            _ => Presence::Up,
        }
    }
}
