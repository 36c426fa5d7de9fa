//! Finds issues of a control plane as a whole, such as version skew and dead Leases.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Presence;
use super::plane::ControlPlane;
use crate::model::{AggregatedGroup, AggregatedResource, Automanaged};

/// An issue that concerns the servers of a control plane.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlaneIssue {
    /// The servers run different versions, or emulate different ones.
    VersionSkew {
        /// The servers of each version, oldest version first.
        versions: Vec<(String, Vec<String>)>,
    },
    /// A server would change built-in APIServices if it started now.
    Flapping {
        /// The server.
        server: String,
        /// The APIServices that it would delete, because it does not know them.
        deletes: Vec<String>,
        /// The APIServices that it would create, because they are missing.
        creates: Vec<String>,
    },
    /// Servers differ in what they serve, and this one does not proxy to the others.
    NoProxy {
        /// The server.
        server: String,
        /// Resources that another server has, as `resource.version.group`.
        lacks: Vec<String>,
    },
    /// The merged document of a server lists subresources that no request to this server reaches.
    ListedNotServed {
        /// The server.
        server: String,
        /// The subresources, as `resource/subresource.version.group`.
        subresources: Vec<String>,
    },
    /// The merged document of a server lists resources that no running server has.
    StaleListing {
        /// The server.
        server: String,
        /// The resources, as `resource.version.group`.
        resources: Vec<String>,
    },
    /// A server has a Lease but no dump.
    NotSeen {
        /// Its host name.
        host: String,
        /// The address that peers dial.
        address: Option<String>,
    },
    /// A Lease is no longer renewed, because its server was killed.
    DeadLease {
        /// Its host name.
        host: String,
        /// The name of the Lease.
        identity: String,
        /// The seconds between its last renewal and the latest renewal of any Lease.
        seconds: i64,
    },
    /// `--peer-advertise-ip` or `--peer-advertise-port` differ from the address that peers dial.
    AdvertiseIgnored {
        /// The server.
        server: String,
        /// The address according to the flags.
        wanted: String,
        /// The address according to the Lease.
        dialed: String,
    },
}

impl ControlPlane<'_, '_> {
    /// Returns the issues of the control plane.
    pub fn review(&self) -> Vec<PlaneIssue> {
        let mut found = vec![];
        found.extend(self.version_skew());
        for member in 0..self.len() {
            found.extend(self.flapping(member));
            found.extend(self.no_proxy(member));
            found.extend(self.listed_not_served(member));
            found.extend(self.stale_listing(member));
            found.extend(self.advertise_ignored(member));
        }
        for (lease, presence) in self.unseen() {
            if presence == Presence::Up {
                let (host, address) = (lease.host.clone(), lease.address.clone());
                found.push(PlaneIssue::NotSeen { host, address });
            }
        }
        for (lease, seconds) in self.dead_leases() {
            let (host, identity) = (lease.host.clone(), lease.identity.clone());
            found.push(PlaneIssue::DeadLease { host, identity, seconds });
        }
        found
    }

    fn version_skew(&self) -> Option<PlaneIssue> {
        let mut versions: BTreeMap<_, (String, Vec<String>)> = BTreeMap::new();
        for (index, name) in self.names().enumerate() {
            let version = self.router(index)?.registry().snapshot.version.loaded()?;
            let served = version.emulation.or(version.minor)?;
            let words = match version.emulation {
                Some(emulated) => format!("{}, emulating {emulated}", version.git_version),
                None => version.git_version.clone(),
            };
            let key = (served, version.minor, words.clone());
            versions.entry(key).or_insert((words, vec![])).1.push(name.to_owned());
        }
        let differ = versions.keys().map(|(served, minor, _)| (served, minor));
        let differ = differ.collect::<BTreeSet<_>>().len() > 1;
        differ.then(|| PlaneIssue::VersionSkew { versions: versions.into_values().collect() })
    }

    /// Finds the APIServices that a server would delete and create at startup. Every server creates
    /// the built-in APIServices that it serves, and deletes those that it does not serve.
    pub(super) fn flapping(&self, member: usize) -> Option<PlaneIssue> {
        let registry = self.router(member)?.registry();
        let services = registry.snapshot.api_services.loaded()?;
        let own: BTreeSet<&str> = registry.installed().map(|service| &*service.name).collect();
        let there: BTreeSet<&str> = (services.iter())
            .filter(|service| service.automanaged == Some(Automanaged::OnStart))
            .map(|service| &*service.name)
            .collect();
        let names = |all: Vec<&&str>| all.into_iter().map(|name| (*name).to_owned()).collect();
        let deletes: Vec<String> = names(there.difference(&own).collect());
        let taken = |name: &&&str| services.iter().any(|service| service.name == ***name);
        let creates = own.difference(&there).filter(|name| !taken(name));
        let creates: Vec<String> = names(creates.collect());
        if (deletes.is_empty() && creates.is_empty()) || !registry.api_services_complete {
            return None;
        }
        let server = self.name(member).to_owned();
        Some(PlaneIssue::Flapping { server, deletes, creates })
    }

    fn no_proxy(&self, member: usize) -> Option<PlaneIssue> {
        let lacks: Vec<String> = self.lacks(member);
        let off = self.proxies(member) == Some(false) && !lacks.is_empty();
        off.then(|| PlaneIssue::NoProxy { server: self.name(member).to_owned(), lacks })
    }

    /// Finds subresources that the merged document lists and the server's own does not. The server
    /// has the resource, so it does not proxy the request.
    fn listed_not_served(&self, member: usize) -> Option<PlaneIssue> {
        let (own, merged) = (self.groups(member, false), self.groups(member, true));
        let own: HashMap<_, _> = (resources(&own))
            .map(|(group, version, resource)| ((group, version, &*resource.resource), resource))
            .collect();
        let mut subresources = vec![];
        for (group, version, resource) in resources(&merged) {
            let Some(known) = own.get(&(group, version, &*resource.resource)) else { continue };
            let is_own = |name: &str| known.subresources.iter().any(|one| one.subresource == name);
            let more = resource.subresources.iter().filter(|sub| !is_own(&sub.subresource));
            subresources.extend(
                more.map(|sub| {
                    format!("{}/{}.{version}.{group}", resource.resource, sub.subresource)
                }),
            );
        }
        let server = self.name(member).to_owned();
        let any = !subresources.is_empty();
        any.then_some(PlaneIssue::ListedNotServed { server, subresources })
    }

    /// Finds resources that a server still lists although the peer that had them is gone.
    fn stale_listing(&self, member: usize) -> Option<PlaneIssue> {
        let complete = self.unseen().all(|(_, presence)| presence != Presence::Up);
        let resources = if complete { self.listed_by_none(member) } else { vec![] };
        let server = self.name(member).to_owned();
        (!resources.is_empty()).then_some(PlaneIssue::StaleListing { server, resources })
    }

    fn advertise_ignored(&self, member: usize) -> Option<PlaneIssue> {
        let snapshot = self.router(member)?.registry().snapshot;
        let flag = |flag| snapshot.own_flag(flag).flatten().filter(|value| !value.is_empty());
        let dialed = self.lease(member)?.address.clone()?;
        let (host, port) = dialed.rsplit_once(':')?;
        let (ip, wanted_port) = (flag("peer-advertise-ip"), flag("peer-advertise-port"));
        let wanted = format!("{}:{}", ip.unwrap_or(host), wanted_port.unwrap_or(port));
        let server = self.name(member).to_owned();
        (wanted != dialed).then_some(PlaneIssue::AdvertiseIgnored { server, wanted, dialed })
    }
}

/// Returns the resources of a document, each with its group and version.
fn resources(
    groups: &[AggregatedGroup],
) -> impl Iterator<Item = (&str, &str, &AggregatedResource)> {
    groups.iter().flat_map(|group| {
        group.versions.iter().flat_map(|version| {
            version.resources.iter().map(|one| (&*group.name, &*version.version, one))
        })
    })
}
