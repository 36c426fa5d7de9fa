//! The registry: all APIServices of a snapshot, with the backend of each.
//!
//! The aggregator routes by APIService. The backend is a Service, a built-in group version, a
//! custom resource, or nothing. This module reads that from a snapshot. It completes missing data
//! from the baseline of the same version, and marks what it added.

mod anomaly;
mod assumptions;
mod chain;
mod code;
mod detect;
mod evidence;
mod infer;
mod plain;
mod review;
mod unregistered;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::baseline;
use crate::model::{
    AGGREGATOR_GROUP, AggregatedGroup, AggregatedVersion, ApiResource, ApiService, Automanaged,
    Crd, EXTENSIONS_GROUP, Freshness, GroupVersion, Minor, Snapshot,
};
use crate::peer_proxy;
use plain::Plain;

pub use anomaly::{
    Anomaly, AnomalySubject, Claimant, Conflict, ConflictSubject, Detail, LAST_REFUSED_ALONE,
};
pub use assumptions::{Assumption, Fact, Fallback, OpenQuestion, PeerGap, missing};
pub use chain::Chain;
pub use code::Code;
pub use detect::duplicated_path;
pub use evidence::VersionBounds;
pub use review::{ApiServiceReview, Manager};

/// The backend of an APIService.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Backend {
    /// A Service with an extension API server.
    Service,
    /// kube-apiserver itself.
    BuiltIn,
    /// apiextensions-apiserver's own group.
    Extensions,
    /// At least one CRD.
    Crd,
    /// None: a local APIService of a group version that no server serves.
    Unserved,
    /// Unknown, because the source lacks data.
    Unknown,
}

/// A snapshot with everything derived from it.
#[derive(Debug)]
pub struct Registry<'s> {
    /// The snapshot.
    pub snapshot: &'s Snapshot,
    /// The server's minor version, or the newest known one if the snapshot does not contain it.
    pub minor: Minor,
    /// The minors that fit the snapshot if it does not contain the version.
    bounds: VersionBounds,
    /// The version that determines the built-in group versions: the emulated one, or the server's
    /// own.
    pub served_minor: Minor,
    /// All APIServices, sorted by name. Inferred ones are marked.
    pub api_services: Cow<'s, [ApiService]>,
    /// All CRDs, sorted by name. If the source has none, those derived from APIResourceLists.
    pub crds: Cow<'s, [Crd]>,
    /// The paths that `/` lists, or those of the baseline if the snapshot has none.
    pub root_paths: Cow<'s, BTreeSet<String>>,
    plain: Plain<'s>,
    /// Whether the snapshot has all APIServices, so that none were inferred.
    pub api_services_complete: bool,
    /// Whether it is known which group versions are registered, from the APIServices or from a
    /// document that lists all of them.
    pub registrations_known: bool,
    backing: Vec<Backend>,
    built_in_groups: BTreeSet<String>,
    /// Registrations of installed group versions that neither APIServices nor the baseline show.
    unregistered: Vec<ApiService>,
    /// The resources of group versions that only the aggregated document contains.
    listed: infer::Listed<'s>,
    custom: BTreeMap<GroupVersion, Vec<usize>>,
    /// The indexes of CRDs by group.
    crds_by_group: BTreeMap<String, Vec<usize>>,
    /// Groups with several Services: the index of one APIService per Service.
    split_groups: BTreeMap<String, Vec<usize>>,
    /// The server's own aggregated document, by group and version.
    aggregated: HashMap<(&'s str, &'s str), &'s AggregatedVersion>,
}

impl<'s> Registry<'s> {
    /// Builds the registry of a snapshot.
    pub fn new(snapshot: &'s Snapshot) -> Self {
        let stated = snapshot.minor();
        let bounds =
            if stated.is_none() { VersionBounds::of(snapshot) } else { VersionBounds::default() };
        let minor = stated.unwrap_or_else(|| bounds.newest_known());
        let served_minor = snapshot.served_minor().unwrap_or(minor);
        let plain = Plain::new(snapshot, served_minor);
        let api_services_complete = infer::is_complete(snapshot, &plain);
        let api_services = infer::api_services(snapshot, &plain, api_services_complete);
        let listed = infer::Listed::new(snapshot);
        let crds = infer::crds(snapshot, &api_services, &listed);
        let mut custom: BTreeMap<GroupVersion, Vec<usize>> = BTreeMap::new();
        for (index, crd) in crds.iter().enumerate().filter(|(_, crd)| crd.established) {
            for version in crd.versions.iter().filter(|v| v.served) {
                custom
                    .entry(GroupVersion::new(&*crd.group, &*version.name))
                    .or_default()
                    .push(index);
            }
        }
        let mut crds_by_group: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, crd) in crds.iter().enumerate() {
            crds_by_group.entry(crd.group.clone()).or_default().push(index);
        }
        let root_paths = match snapshot.root_paths.loaded() {
            Some(paths) => Cow::Borrowed(paths),
            None => Cow::Owned(infer::root_paths(snapshot, plain.snapshot())),
        };
        let mut registry = Self {
            snapshot,
            minor,
            bounds,
            served_minor,
            registrations_known: api_services_complete || infer::lists_all(snapshot),
            api_services_complete,
            split_groups: split_groups(&api_services),
            api_services,
            crds,
            root_paths,
            plain,
            backing: vec![],
            built_in_groups: BTreeSet::new(),
            unregistered: vec![],
            listed,
            custom,
            crds_by_group,
            aggregated: (snapshot.own_document().items().iter())
                .flat_map(|g| g.versions.iter().map(|v| ((&*g.name, &*v.version), v)))
                .collect(),
        };
        let has_lists = registry.has_built_in_lists();
        registry.backing =
            registry.api_services.iter().map(|s| registry.classify_backend(s, has_lists)).collect();
        // A group remains kube-apiserver's even if the APIServices of all its versions use a
        // Service.
        let shadowed = registry.api_services.iter().filter(|s| registry.shadows_built_in(s));
        let shadowed = shadowed.map(|s| &s.group_version).filter(|gv| gv.group != EXTENSIONS_GROUP);
        let mut groups: BTreeSet<String> =
            registry.built_in().chain(shadowed).map(|gv| gv.group.clone()).collect();
        registry.unregistered = unregistered::of(&registry);
        groups.extend(registry.unregistered.iter().map(|one| one.group_version.group.clone()));
        registry.built_in_groups = groups;
        registry
    }

    /// Returns all APIServices with their backends.
    pub fn api_services(&self) -> impl Iterator<Item = (&ApiService, Backend)> + Clone {
        self.api_services.iter().zip(self.backing.iter().copied())
    }

    /// Returns the APIService with this name and its backend.
    pub fn api_service(&self, name: &str) -> Option<(&ApiService, Backend)> {
        let at = self.api_services.binary_search_by(|s| s.name.as_str().cmp(name)).ok()?;
        self.api_service_at(at)
    }

    /// Returns the APIService at an index of [`api_services`](Self::api_services) and its backend.
    pub(crate) fn api_service_at(&self, index: usize) -> Option<(&ApiService, Backend)> {
        Some((self.api_services.get(index)?, *self.backing.get(index)?))
    }

    /// Returns the group versions that kube-apiserver serves itself.
    pub(crate) fn built_in(&self) -> impl Iterator<Item = &GroupVersion> {
        self.api_services()
            .filter(|(_, backing)| *backing == Backend::BuiltIn)
            .map(|(service, _)| &service.group_version)
    }

    /// Returns the group versions installed in the API server's own servers, with their priorities
    /// in aggregated discovery. Neither depends on APIServices: `/` lists what is installed, and
    /// the priorities are those of the baseline.
    pub fn installed(&self) -> impl Iterator<Item = &ApiService> {
        let plain = self.baseline_snapshot().api_services.items().iter();
        let plain = plain.filter(|s| match self.snapshot.root_paths.loaded() {
            Some(paths) => paths.contains(&s.group_version.root_path()),
            None => self.api_service(&s.name).is_some(),
        });
        let others = self.api_services().filter(|(service, backing)| {
            matches!(backing, Backend::BuiltIn | Backend::Extensions)
                && !self.is_plain(&service.group_version)
        });
        plain.chain(others.map(|(service, _)| service)).chain(&self.unregistered)
    }

    /// Returns the group versions that the server has installed, and that neither APIServices nor
    /// the baseline show.
    pub(crate) fn unregistered(&self) -> impl Iterator<Item = &GroupVersion> {
        self.unregistered.iter().map(|one| &one.group_version)
    }

    /// Returns whether kube-apiserver has a group version installed although it has no APIService.
    pub fn serves_unregistered(&self, gv: &GroupVersion) -> bool {
        let installed = || {
            let listed = || self.root_paths.contains(&gv.root_path());
            self.unregistered().any(|one| one == gv) || (self.is_plain(gv) && listed())
        };
        self.api_service(&gv.api_service_name()).is_none() && installed()
    }

    /// Returns whether an APIService shadows a built-in group version.
    pub fn shadows_built_in(&self, service: &ApiService) -> bool {
        let gv = &service.group_version;
        // The aggregator ignores APIServices of its own group.
        service.service.is_some() && gv.group != AGGREGATOR_GROUP && self.is_plain(gv)
    }

    /// Returns whether kube-apiserver serves a version of the group.
    pub fn is_built_in_group(&self, group: &str) -> bool {
        self.built_in_groups.contains(group)
    }

    /// Returns the CRDs of a group.
    pub fn crds_of(&self, group: &str) -> impl Iterator<Item = &Crd> {
        self.crds_by_group.get(group).into_iter().flatten().filter_map(|i| self.crds.get(*i))
    }

    /// Returns the established CRDs that serve a group version.
    pub fn custom_resources(&self, gv: &GroupVersion) -> impl Iterator<Item = &Crd> {
        self.custom.get(gv).into_iter().flatten().filter_map(|index| self.crds.get(*index))
    }

    /// Returns a group version from the server's own aggregated document.
    pub fn aggregated_version(&self, gv: &GroupVersion) -> Option<&'s AggregatedVersion> {
        self.aggregated.get(&(&*gv.group, &*gv.version)).copied()
    }

    /// Returns the group versions that established CRDs serve.
    pub fn custom_group_versions(&self) -> impl Iterator<Item = &GroupVersion> {
        self.custom.keys()
    }

    /// Returns the resources of a group version: from its APIResourceList, from the aggregated
    /// document, or from the baseline. The second value is true if they are from the baseline.
    pub fn resources(&self, gv: &GroupVersion) -> Option<(&[ApiResource], bool)> {
        let own = self.snapshot.resource_lists.get(gv).map(Vec::as_slice);
        if let Some(list) = own.or_else(|| self.listed.get(gv)) {
            return Some((list, false));
        }
        let list = self.baseline_snapshot().resource_lists.get(gv)?;
        Some((list, true))
    }

    /// Returns the versions of the aggregator's own group. `/` also lists APIServices registered in
    /// that group, but these have no effect.
    pub fn aggregator_versions(&self) -> Vec<&str> {
        fn listed(path: &str) -> Option<&str> {
            let rest = path.strip_prefix("/apis/")?.strip_prefix(AGGREGATOR_GROUP)?;
            rest.strip_prefix('/').filter(|version| !version.is_empty())
        }
        let own = |version: &&str| {
            let gv = GroupVersion::new(AGGREGATOR_GROUP, *version);
            self.is_plain(&gv) || self.api_service(&gv.api_service_name()).is_none()
        };
        self.root_paths.iter().filter_map(|path| listed(path)).filter(own).collect()
    }

    fn classify_backend(&self, service: &ApiService, has_built_in_lists: bool) -> Backend {
        let gv = &service.group_version;
        if service.service.is_some() {
            return Backend::Service;
        }
        let known = || {
            self.snapshot.resource_lists.contains_key(gv)
                || self.is_plain(gv)
                || self.plain.switches.switched_on().any(|on| on == *gv)
        };
        // A label shows who wrote the APIService, not that a server serves it. If lists of other
        // built-in group versions were collected, the list of this one would have been, too.
        let lists_others = has_built_in_lists || self.missing_from_aggregated(gv);
        // Nor does the label prove that it is built in: anyone can relabel the APIService of a CRD.
        let custom = self.custom.contains_key(gv) && !self.is_plain(gv);
        let started = service.automanaged == Some(Automanaged::OnStart)
            && !custom
            && (known() || !lists_others);
        if gv.group == EXTENSIONS_GROUP && (started || known()) {
            return Backend::Extensions;
        }
        if started {
            return Backend::BuiltIn;
        }
        if self.custom.contains_key(gv) {
            return Backend::Crd;
        }
        // The server that registered it at startup most likely serves it, and its list was not
        // collected. That is ruled out if the server's aggregated document, which is complete,
        // lacks it.
        if service.automanaged == Some(Automanaged::OnStart)
            && !service.inferred
            && !known()
            && !self.missing_from_aggregated(gv)
            && !self.snapshot.unread_lists.contains_key(gv)
        {
            return Backend::Unknown;
        }
        match service.automanaged {
            Some(Automanaged::CrdController)
                if !self.snapshot.crds_complete && !self.is_plain(gv) =>
            {
                Backend::Crd
            }
            _ if service.inferred => infer::backing_of_listed(self.snapshot, gv),
            // Regardless of the label, built-in group versions stay served.
            _ if self.is_plain(gv) => Backend::BuiltIn,
            _ if self.snapshot.crds_complete || self.missing_from_aggregated(gv) => {
                Backend::Unserved
            }
            _ => Backend::Unknown,
        }
    }

    /// Returns whether APIResourceLists of built-in group versions were collected. Lists of
    /// Services and CRDs alone are not evidence about others.
    fn has_built_in_lists(&self) -> bool {
        let built_in =
            |s: &&ApiService| s.automanaged == Some(Automanaged::OnStart) && s.service.is_none();
        let lists = &self.snapshot.resource_lists;
        self.api_services.iter().filter(built_in).any(|s| lists.contains_key(&s.group_version))
    }

    /// Returns whether the server's aggregated document lists other group versions but not this
    /// one as its own, which means that no server serves it. An entry that is stale, or that what-if
    /// keeps, is of a Service that the APIService had before.
    fn missing_from_aggregated(&self, gv: &GroupVersion) -> bool {
        let listed =
            |group: &AggregatedGroup| group.versions.iter().any(|v| v.version == gv.version);
        match gv.group.is_empty() {
            true => {
                self.snapshot.aggregated_core.loaded().is_some_and(|core| !core.iter().any(listed))
            }
            false => {
                let mut kept = self.snapshot.remembered.iter().map(|(s, _)| &s.group_version);
                self.snapshot.own_document().is_loaded()
                    && (kept.any(|one| one == gv)
                        || !(self.aggregated_version(gv))
                            .is_some_and(|v| v.freshness != Freshness::Stale))
            }
        }
    }

    /// Returns how certain it is that another API server serves a group version that this one does
    /// not, in words. Returns `None` if none is known to.
    pub(crate) fn peer_serves(&self, service: &ApiService) -> Option<&'static str> {
        let (gv, snapshot) = (&service.group_version, self.snapshot);
        if snapshot.peers.group_versions.contains(gv) {
            return Some("serves");
        }
        let alone = snapshot.leases.loaded().is_some_and(|leases| leases.len() < 2);
        if snapshot.peers.complete || alone {
            return None;
        }
        // Few groups may be built in, so only few APIServices search the document.
        let listed = || {
            let merged = snapshot.aggregated_groups.items().iter().filter(|g| g.name == gv.group);
            let mut merged = merged.flat_map(|group| &group.versions);
            merged.any(|one| one.version == gv.version && !one.resources.is_empty())
        };
        match service.automanaged {
            Some(Automanaged::CrdController) => None,
            _ if !peer_proxy::may_be_built_in(&gv.group) => None,
            _ if listed() => Some("serves"),
            // Only API servers write this label, and only for group versions that they serve.
            Some(Automanaged::OnStart) => Some("probably serves"),
            _ => None,
        }
    }

    /// Returns the `--runtime-config` entry that disables a built-in group version, or one of its
    /// resources.
    pub(crate) fn switched_off(
        &self,
        gv: &GroupVersion,
        resource: Option<&str>,
    ) -> Option<&'s str> {
        let said = self.plain.switches.switches_off(gv, resource)?;
        let list = baseline::server(self.served_minor).resource_lists.get(gv)?;
        let named = |resource| list.iter().any(|one| one.name == resource);
        resource.is_none_or(named).then_some(said)
    }

    /// Returns the `--runtime-config` entries that disable built-in versions of a group.
    pub(crate) fn switched_off_group(&self, group: &str) -> impl Iterator<Item = &'s str> {
        let plain = baseline::server(self.served_minor).resource_lists.keys();
        let of_group = plain.filter(move |gv| gv.group == group);
        of_group.filter_map(|gv| self.switched_off(gv, None))
    }

    /// Returns the baseline of this version, with the source's `--runtime-config` applied.
    pub fn baseline_snapshot(&self) -> &Snapshot {
        self.plain.snapshot()
    }

    /// Returns the baseline's copy of a group version, if it has one.
    pub fn plain(&self, gv: &GroupVersion) -> Option<&GroupVersion> {
        self.plain.group_versions.get(gv)
    }

    /// Returns whether the baseline has the group.
    pub(crate) fn is_plain_group(&self, group: &str) -> bool {
        self.plain.group_versions.iter().any(|gv| gv.group == group)
    }

    /// Returns whether the baseline has the group version.
    fn is_plain(&self, gv: &GroupVersion) -> bool {
        self.plain(gv).is_some()
    }
}

/// Returns the groups with several Services, with the index of one APIService per Service.
fn split_groups(services: &[ApiService]) -> BTreeMap<String, Vec<usize>> {
    let mut groups: BTreeMap<&str, BTreeMap<(&str, &str), usize>> = BTreeMap::new();
    for (index, service) in services.iter().enumerate() {
        if let Some(at) = &service.service {
            let all = groups.entry(&service.group_version.group).or_default();
            all.entry((&at.namespace, &at.name)).or_insert(index);
        }
    }
    let split = groups.into_iter().filter(|(_, all)| all.len() > 1);
    split.map(|(group, all)| (group.to_owned(), all.into_values().collect())).collect()
}
