//! Merges the legacy and aggregated discovery documents from APIServices, CRDs and resource lists.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::convert::{resource_of_crd, resources_of_list};
use crate::model::{
    AGGREGATOR_GROUP, AggregatedResource, ApiService, CRD_GROUP_PRIORITY, CRD_VERSION_PRIORITY,
    Cause, DiscoveryForm, Freshness, GroupVersion, Input, ServiceReference, Snapshot,
};
use crate::priority::{self, AGGREGATOR_PRIORITY, OrderedGroup, Registered};
use crate::registry::{Backend, Registry};

/// Returns the legacy document `/apis`, which depends only on APIServices.
pub fn legacy<'r>(registry: &'r Registry<'_>) -> Vec<OrderedGroup<'r>> {
    let own = registry.aggregator_versions().into_iter().map(aggregators_own);
    let services = registry.api_services.iter().filter(|s| !s.group_version.group.is_empty());
    let mut groups = priority::legacy(own, services.map(registered));
    if !registry.api_services_complete {
        let snapshot = registry.snapshot;
        as_listed(&mut groups, snapshot, [DiscoveryForm::Legacy, DiscoveryForm::Aggregated]);
    }
    groups
}

/// Orders groups as in the server's own documents, for sources without APIServices. Uses the first
/// of these forms that the source has.
fn as_listed(groups: &mut [OrderedGroup<'_>], snapshot: &Snapshot, forms: [DiscoveryForm; 2]) {
    for form in forms {
        match (form, &snapshot.legacy_groups, snapshot.own_document()) {
            (DiscoveryForm::Legacy, Input::Loaded(listed), _) => {
                let each = listed
                    .iter()
                    .map(|g| (g.name.as_str(), g.versions.iter().map(String::as_str).collect()));
                return priority::as_listed(groups, each);
            }
            (DiscoveryForm::Aggregated, _, Input::Loaded(listed)) => {
                let each = listed.iter().map(|g| {
                    (g.name.as_str(), g.versions.iter().map(|v| v.version.as_str()).collect())
                });
                return priority::as_listed(groups, each);
            }
            _ => {}
        }
    }
}

/// Converts an APIService to the fields that determine its order.
pub fn registered(service: &ApiService) -> Registered<'_> {
    Registered {
        name: &service.name,
        group: &service.group_version.group,
        version: &service.group_version.version,
        group_priority: service.group_priority,
        version_priority: service.version_priority,
        inferred: service.inferred,
    }
}

fn aggregators_own(version: &str) -> Registered<'_> {
    Registered {
        name: "",
        group: AGGREGATOR_GROUP,
        version,
        group_priority: AGGREGATOR_PRIORITY,
        version_priority: 1,
        inferred: false,
    }
}

/// The origin of a group version in the aggregated document, by precedence. If two origins provide
/// the same group version, the first one wins, with its priorities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum From {
    /// An extension API server behind a Service.
    Service,
    /// One of the API server's own groups.
    BuiltIn,
    /// CRDs.
    Crds,
    /// Listed by the server, with an unknown backend.
    Unknown,
}

/// A merged aggregated document.
#[derive(Debug, Default)]
pub struct Aggregated<'r> {
    /// The groups, in order.
    pub groups: Vec<MergedGroup<'r>>,
    /// Group versions that are listed, but the source does not have their resources.
    pub without_resources: Vec<GroupVersion>,
    /// Group versions with resources taken from the baseline.
    pub from_plain: Vec<GroupVersion>,
}

/// One group of the aggregated document.
#[derive(Debug)]
pub struct MergedGroup<'r> {
    /// Its name.
    pub name: &'r str,
    /// The versions, in order.
    pub versions: Vec<MergedVersion<'r>>,
}

/// One version of a group in the aggregated document.
#[derive(Debug)]
pub struct MergedVersion<'r> {
    /// Its name.
    pub version: &'r str,
    /// Its resources.
    pub resources: Vec<AggregatedResource>,
    /// Whether the server could fetch it recently.
    pub freshness: Freshness,
    /// Its origin.
    pub from: From,
    /// The Service behind it.
    pub service: Option<&'r ServiceReference>,
}

/// A candidate for a group version of the aggregated document, with what decides whether it wins.
#[derive(Debug, Clone)]
struct Candidate<'r> {
    gv: Cow<'r, GroupVersion>,
    registered: Registered<'r>,
    from: From,
    service: Option<&'r ApiService>,
}

impl<'r> Candidate<'r> {
    /// Returns a version of the aggregator's own group.
    fn own(version: &'r str) -> Self {
        let gv = Cow::Owned(GroupVersion::new(AGGREGATOR_GROUP, version));
        Self { gv, registered: aggregators_own(version), from: From::BuiltIn, service: None }
    }

    /// Returns a group version without a Service backend.
    fn local(service: &'r ApiService, from: From) -> Self {
        Self { service: None, ..Self::of(service, from) }
    }

    fn of(service: &'r ApiService, from: From) -> Self {
        let gv = Cow::Borrowed(&service.group_version);
        Self { gv, registered: registered(service), from, service: Some(service) }
    }

    /// Returns a group version that CRDs serve.
    fn custom(gv: &'r GroupVersion) -> Self {
        let registered = Registered {
            name: "",
            group: &gv.group,
            version: &gv.version,
            group_priority: CRD_GROUP_PRIORITY,
            version_priority: CRD_VERSION_PRIORITY,
            inferred: false,
        };
        Self { gv: Cow::Borrowed(gv), registered, from: From::Crds, service: None }
    }
}

/// Returns the winning candidate per group version of the aggregated document.
///
/// A local APIService is included only through its backend, so unserved ones are not listed.
fn winners<'r>(registry: &'r Registry<'_>) -> HashMap<(&'r str, &'r str), Candidate<'r>> {
    let own = registry.aggregator_versions().into_iter().map(Candidate::own);
    let services = registry.api_services().filter_map(|(service, backing)| {
        let from = match backing {
            Backend::Service => From::Service,
            // CRDs are added below. Without any in the source, the APIService is used.
            Backend::Crd if registry.custom_resources(&service.group_version).next().is_none() => {
                From::Crds
            }
            _ => return None,
        };
        Some(Candidate::of(service, from))
    });
    let remembered = registry.snapshot.remembered.iter();
    let remembered = remembered.map(|(service, _)| Candidate::of(service, From::Service));
    let installed = registry.installed().map(|s| Candidate::local(s, From::BuiltIn));
    let custom = registry.custom_group_versions().map(Candidate::custom);
    let mut winners: HashMap<_, Candidate<'r>> = HashMap::new();
    let all = own.chain(services).chain(remembered).chain(installed).chain(custom);
    for candidate in all.filter(|candidate| !candidate.registered.group.is_empty()) {
        let key = (candidate.registered.group, candidate.registered.version);
        match winners.entry(key) {
            Entry::Vacant(place) => drop(place.insert(candidate)),
            Entry::Occupied(mut place) if candidate.from < place.get().from => {
                place.insert(candidate);
            }
            Entry::Occupied(_) => {}
        }
    }
    // Without APIServices in the source, exactly the listed group versions exist.
    if !registry.api_services_complete {
        let aggregated = registry.snapshot.own_document().is_loaded();
        let listed = |gv: &GroupVersion| registry.aggregated_version(gv).is_some();
        if aggregated {
            winners.retain(|_, candidate| listed(&candidate.gv));
        }
        for (service, backing) in registry.api_services() {
            // Without the aggregated document, use those that other documents list.
            let unknown = service.inferred && backing == Backend::Unknown;
            let is_there = if aggregated { listed(&service.group_version) } else { unknown };
            if service.group_version.group.is_empty() || !is_there {
                continue;
            }
            let candidate = Candidate::local(service, From::Unknown);
            let key = (candidate.registered.group, candidate.registered.version);
            winners.entry(key).or_insert(candidate);
        }
    }
    winners
}

/// Returns the order of groups and versions in the aggregated document `/apis`.
pub fn aggregated_order<'r>(registry: &'r Registry<'_>) -> Vec<OrderedGroup<'r>> {
    ordered(registry, &winners(registry))
}

fn ordered<'r>(
    registry: &'r Registry<'_>,
    winners: &HashMap<(&'r str, &'r str), Candidate<'r>>,
) -> Vec<OrderedGroup<'r>> {
    let mut groups = priority::aggregated(winners.values().map(|candidate| candidate.registered));
    if !registry.api_services_complete {
        as_listed(
            &mut groups,
            registry.snapshot,
            [DiscoveryForm::Aggregated, DiscoveryForm::Legacy],
        );
    }
    groups
}

/// Returns the aggregated document `/apis`.
pub fn aggregated<'r>(registry: &'r Registry<'_>) -> Aggregated<'r> {
    let winners = winners(registry);
    let mut document = Aggregated::default();
    for group in ordered(registry, &winners) {
        let each = group.versions.iter().filter_map(|one| winners.get(&(one.group, one.version)));
        let versions = each.map(|candidate| document.version(registry, candidate)).collect();
        document.groups.push(MergedGroup { name: group.name, versions });
    }
    document
}

/// Returns the aggregated document `/api`: the core group, which kube-apiserver always serves
/// itself.
pub fn aggregated_core<'r>(registry: &'r Registry<'_>) -> Aggregated<'r> {
    let mut document = Aggregated::default();
    let core = registry.installed().filter(|s| s.group_version.group.is_empty());
    let core = core.map(|service| Candidate::local(service, From::BuiltIn));
    let versions = core.map(|candidate| document.version(registry, &candidate)).collect();
    document.groups.push(MergedGroup { name: "", versions });
    document
}

impl<'r> Aggregated<'r> {
    fn version(
        &mut self,
        registry: &'r Registry<'_>,
        candidate: &Candidate<'r>,
    ) -> MergedVersion<'r> {
        let Candidate { ref gv, registered: one, from, service } = *candidate;
        let mut remembered = registry.snapshot.remembered.iter();
        if let Some((service, known)) =
            remembered.find(|(s, _)| from == From::Service && s.group_version == **gv)
        {
            return MergedVersion {
                version: one.version,
                resources: known.resources.clone(),
                freshness: known.freshness,
                from,
                service: service.service.as_ref(),
            };
        }
        // The server's own data takes precedence over the baseline.
        let (list, plain) = match registry.resources(gv) {
            Some((list, plain)) if !plain || from == From::BuiltIn => (Some(list), plain),
            _ => (None, false),
        };
        // If reading the list failed behind the server, the server did not get it either. Otherwise
        // only the server's own document shows whether it has the list: up to 1.35, Available is
        // independent of TLS.
        let unread = registry.snapshot.unread_lists.get(gv);
        let failed = unread.is_some_and(|one| matches!(one.cause, Cause::Status(500..)));
        let lacks_list = from == From::Service && list.is_none();
        let stale = from == From::Unknown
            && registry.aggregated_version(gv).is_some_and(|v| v.freshness == Freshness::Stale);
        let said = service.is_none_or(ApiService::is_available) && !stale;
        let resources = match (from, list) {
            (From::Crds, _) if registry.custom_resources(gv).next().is_some() => {
                let mut resources: Vec<_> = registry
                    .custom_resources(gv)
                    .filter_map(|crd| Some(resource_of_crd(crd, crd.served_version(one.version)?)))
                    .collect();
                resources.sort_by(|a, b| a.resource.cmp(&b.resource));
                Some(resources)
            }
            (_, Some(list)) => {
                if plain {
                    self.from_plain.push((**gv).clone());
                }
                Some(resources_of_list(list))
            }
            _ => None,
        };
        let freshness = match lacks_list {
            _ if !said => Freshness::Stale,
            true if failed => Freshness::Stale,
            // The server's document is from before the change.
            true if service.is_some_and(ApiService::is_not_checked) => Freshness::Unknown,
            true => registry.aggregated_version(gv).map_or(Freshness::Unknown, |v| v.freshness),
            false => Freshness::Current,
        };
        // A Service that does not answer has nothing to list, so its missing list is not a gap.
        if resources.is_none() && freshness != Freshness::Stale {
            self.without_resources.push((**gv).clone());
        }
        MergedVersion {
            version: one.version,
            resources: resources.unwrap_or_default(),
            freshness,
            from,
            service: service.and_then(|s| s.service.as_ref()),
        }
    }
}
