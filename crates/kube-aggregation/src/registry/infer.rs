//! Infers APIServices and CRDs that a snapshot lacks from its other data.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::OnceLock;

use super::Backend;
use super::plain::Plain;
use crate::baseline;
use crate::model::{
    AGGREGATOR_GROUP, AggregatedResource, AggregatedVersion, ApiResource, ApiService, Automanaged,
    CRD_GROUP_PRIORITY, CRD_VERSION_PRIORITY, Crd, CrdNames, CrdVersion, Freshness, GroupVersion,
    GroupVersionKind, Snapshot, Verb,
};

/// Returns the APIServices of the snapshot, or those that must exist according to its other data.
pub(super) fn api_services<'s>(
    snapshot: &'s Snapshot,
    plain: &Plain<'_>,
    is_complete: bool,
) -> Cow<'s, [ApiService]> {
    let loaded = snapshot.api_services.items();
    // A what-if snapshot already contains inferred APIServices, and may have deleted some of them.
    if is_complete || loaded.iter().any(|service| service.inferred) {
        return Cow::Borrowed(loaded);
    }
    let switches = &plain.switches;
    let plain: BTreeMap<&GroupVersion, &ApiService> =
        plain.snapshot().api_services.items().iter().map(|s| (&s.group_version, s)).collect();
    let mut wanted = listed(snapshot).unwrap_or_else(|| {
        // Nothing lists all group versions, so assume those of the baseline and those with data.
        let known = plain.keys().copied().chain(snapshot.resource_lists.keys());
        known.cloned().chain(switches.switched_on()).collect()
    });
    let custom: BTreeSet<GroupVersion> = served_by_crds(snapshot).collect();
    wanted.extend(custom.iter().cloned());
    let known: BTreeSet<&GroupVersion> = loaded.iter().map(|s| &s.group_version).collect();
    let mut services: Vec<ApiService> = wanted
        .into_iter()
        .filter(|gv| gv.group != AGGREGATOR_GROUP && !known.contains(gv))
        .map(|gv| match plain.get(&gv) {
            Some(plain) => ApiService { inferred: true, ..(*plain).clone() },
            None if custom.contains(&gv) => registered(gv, Some(Automanaged::CrdController)),
            None if switches.switched_on().any(|on| on == gv) => {
                registered(gv, Some(Automanaged::OnStart))
            }
            None => registered(gv, None),
        })
        .collect();
    services.extend_from_slice(loaded);
    services.sort_by(|a, b| a.name.cmp(&b.name));
    Cow::Owned(services)
}

/// Returns whether a snapshot has all APIServices of its cluster, so that a missing one does not
/// exist.
///
/// Every server registers its own groups, so a list that lacks most of them is a selection. A few
/// may be disabled or deleted manually, even the core group, so a list with most groups counts as
/// complete. If the server's own documents list fewer groups, only those count.
pub(super) fn is_complete(snapshot: &Snapshot, plain: &Plain<'_>) -> bool {
    if let Some(known) = snapshot.listed.api_services {
        return known;
    }
    fn groups<'g>(all: impl Iterator<Item = &'g GroupVersion>) -> BTreeSet<&'g str> {
        all.map(|gv| gv.group.as_str()).collect()
    }
    let has = groups(snapshot.api_services.items().iter().map(|s| &s.group_version));
    // The aggregator's own group has no APIService.
    let own = |gv: &&GroupVersion| gv.group != AGGREGATOR_GROUP;
    let mut wanted = groups(plain.group_versions.iter().filter(own));
    let has_most = |wanted: &BTreeSet<&str>| wanted.intersection(&has).count() * 2 >= wanted.len();
    if has_most(&wanted) {
        return true;
    }
    let Some(listed) = listed(snapshot) else { return false };
    wanted.retain(|group| listed.iter().any(|gv| gv.group == *group));
    has_most(&wanted)
}

/// Returns whether some document lists all group versions.
pub(super) fn lists_all(snapshot: &Snapshot) -> bool {
    snapshot.root_paths.is_loaded()
        || snapshot.legacy_groups.is_loaded()
        || snapshot.own_document().is_loaded()
}

/// Returns every group version that a document of the server lists, if there is such a document.
pub(super) fn listed(snapshot: &Snapshot) -> Option<BTreeSet<GroupVersion>> {
    let paths = snapshot.root_paths.loaded().into_iter().flatten();
    let mut all: BTreeSet<GroupVersion> =
        paths.filter_map(|path| GroupVersion::at_root(path)).collect();
    for group in snapshot.legacy_groups.items() {
        all.extend(group.versions.iter().map(|v| GroupVersion::new(&*group.name, v)));
    }
    for group in snapshot.own_document().items() {
        all.extend(group.versions.iter().map(|v| GroupVersion::new(&*group.name, &*v.version)));
    }
    // `/apis` never lists the core group, and every server has it.
    all.insert(GroupVersion::new("", "v1"));
    all.extend(snapshot.resource_lists.keys().cloned());
    lists_all(snapshot).then_some(all)
}

/// Returns the baseline's paths, except those of groups and versions that this server does not
/// list.
pub(super) fn root_paths(snapshot: &Snapshot, plain: &Snapshot) -> BTreeSet<String> {
    let mut paths = plain.root_paths.loaded().cloned().unwrap_or_default();
    let Some(listed) = listed(snapshot) else { return paths };
    let groups: BTreeSet<&str> = listed.iter().map(|gv| gv.group.as_str()).collect();
    paths.retain(|path| {
        let below = path.strip_prefix("/apis/").unwrap_or_default();
        let group = below.split('/').next().unwrap_or_default();
        group == AGGREGATOR_GROUP
            || groups.contains(group)
                && GroupVersion::at_root(path).is_none_or(|gv| listed.contains(&gv))
    });
    paths
}

fn served_by_crds(snapshot: &Snapshot) -> impl Iterator<Item = GroupVersion> {
    snapshot.crds.items().iter().flat_map(|crd| {
        let served = crd.versions.iter().filter(|v| v.served);
        served.map(|v| GroupVersion::new(&*crd.group, &*v.name))
    })
}

/// Returns an inferred APIService: one that a controller manages, or one that must have been
/// created manually.
fn registered(group_version: GroupVersion, automanaged: Option<Automanaged>) -> ApiService {
    ApiService {
        name: group_version.api_service_name(),
        group_version,
        group_priority: CRD_GROUP_PRIORITY,
        version_priority: CRD_VERSION_PRIORITY,
        automanaged,
        inferred: true,
        ..ApiService::default()
    }
}

/// Resources of group versions that have no APIResourceList in the snapshot, but that its
/// aggregated document lists. They are converted on first use.
#[derive(Debug)]
pub(super) struct Listed<'s>(HashMap<&'s str, HashMap<&'s str, Lazy<'s>>>);

type Lazy<'s> = (&'s AggregatedVersion, OnceLock<Vec<ApiResource>>);

impl<'s> Listed<'s> {
    pub(super) fn new(snapshot: &'s Snapshot) -> Self {
        let core = snapshot.aggregated_core.items().iter();
        let mut all: HashMap<&str, HashMap<&str, Lazy<'_>>> = HashMap::new();
        for group in core.chain(snapshot.own_document().items()) {
            let current = group.versions.iter().filter(|v| v.freshness == Freshness::Current);
            let versions = current.map(|v| (v.version.as_str(), (v, OnceLock::new())));
            all.entry(&group.name).or_default().extend(versions);
        }
        Self(all)
    }

    /// Returns the resources of one group version.
    pub(super) fn get(&self, gv: &GroupVersion) -> Option<&[ApiResource]> {
        let (version, list) = self.0.get(gv.group.as_str())?.get(gv.version.as_str())?;
        Some(list.get_or_init(|| version.resources.iter().flat_map(entries).collect()))
    }
}

/// Converts a resource of the aggregated document to entries of an APIResourceList.
fn entries(resource: &AggregatedResource) -> Vec<ApiResource> {
    let entry = |name: String, kind: &GroupVersionKind, verbs: &[Verb]| ApiResource {
        name,
        namespaced: resource.namespaced,
        group: kind.group.clone(),
        version: kind.version.clone(),
        kind: kind.kind.clone(),
        verbs: verbs.to_vec(),
        ..ApiResource::default()
    };
    let mut list = vec![ApiResource {
        singular: resource.singular.clone(),
        short_names: resource.short_names.clone(),
        categories: resource.categories.clone(),
        ..entry(resource.resource.clone(), &resource.response_kind, &resource.verbs)
    }];
    list.extend(resource.subresources.iter().map(|sub| {
        let name = format!("{}/{}", resource.resource, sub.subresource);
        entry(name, &sub.response_kind, &sub.verbs)
    }));
    list
}

/// Returns the backend of a listed group version that is neither in the baseline nor served by a
/// CRD. Servers older than all baselines have more built-in group versions.
pub(super) fn backing_of_listed(snapshot: &Snapshot, gv: &GroupVersion) -> Backend {
    match snapshot.served_minor() {
        Some(minor) if baseline::past(gv, minor).next().is_some() => Backend::BuiltIn,
        _ if snapshot.crds_complete => Backend::Service,
        _ => Backend::Unknown,
    }
}

fn names_of(resource: &ApiResource) -> CrdNames {
    CrdNames {
        plural: resource.name.clone(),
        singular: resource.singular.clone(),
        kind: resource.kind.clone(),
        list_kind: format!("{}List", resource.kind),
        short_names: resource.short_names.clone(),
        categories: resource.categories.clone(),
    }
}

/// Returns the CRDs of the snapshot, or those derived from the resources of group versions that the
/// CRD controller registered.
pub(super) fn crds<'s>(
    snapshot: &'s Snapshot,
    services: &[ApiService],
    listed: &Listed<'_>,
) -> Cow<'s, [Crd]> {
    if let Some(crds) = snapshot.crds.loaded() {
        return Cow::Borrowed(crds);
    }
    let mut found: BTreeMap<String, Crd> = BTreeMap::new();
    for service in services.iter().filter(|s| s.automanaged == Some(Automanaged::CrdController)) {
        let gv = &service.group_version;
        let own = snapshot.resource_lists.get(gv).map(Vec::as_slice);
        let list = own.or_else(|| listed.get(gv)).unwrap_or_default();
        let has = |name: String| list.iter().any(|r| r.name == name);
        for resource in list.iter().filter(|r| !r.name.contains('/')) {
            let name = format!("{}.{}", resource.name, gv.group);
            let version = CrdVersion {
                name: gv.version.clone(),
                served: true,
                status_subresource: has(format!("{}/status", resource.name)),
                scale_subresource: has(format!("{}/scale", resource.name)),
            };
            let crd = found.entry(name.clone()).or_insert_with(|| Crd {
                name,
                group: gv.group.clone(),
                namespaced: resource.namespaced,
                plural: resource.name.clone(),
                singular: resource.singular.clone(),
                kind: resource.kind.clone(),
                short_names: resource.short_names.clone(),
                categories: resource.categories.clone(),
                established: true,
                names_accepted: true,
                requested: names_of(resource),
                accepted: names_of(resource),
                terminating: !resource.verbs.iter().any(|v| v == "create"),
                ..Crd::default()
            });
            crd.versions.push(version);
        }
    }
    Cow::Owned(found.into_values().collect())
}
