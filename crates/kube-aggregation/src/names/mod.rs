//! Resource names that several groups share, and which one `kubectl get NAME` picks.
//!
//! Mirrors kubectl's REST mapper. A plural or singular name precedes a short name. Among groups,
//! the first one in discovery wins, and the core group precedes all. Within the group, the
//! preferred version wins, or else the first version with the resource. kubectl ignores Stale or
//! unavailable group versions.

use std::collections::{BTreeMap, HashMap};

use crate::discovery::{self, Aggregated};
use crate::model::{
    AGGREGATED_SINCE, AggregatedResource, Freshness, GroupVersion, KubeVersion, words,
};
use crate::priority::OrderedGroup;
use crate::registry::Registry;

/// A resource name that more than one group uses.
#[derive(Debug)]
pub struct NameConflict {
    /// The name as typed.
    pub name: String,
    /// The resources with this name. kubectl picks the first.
    pub candidates: Vec<Candidate>,
    /// Other resources with this name, in group versions that kubectl cannot see.
    pub left_out: Vec<LeftOut>,
    /// Why the first candidate precedes the second.
    pub why: Why,
}

/// A resource that would match a name if kubectl could see its group version.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LeftOut {
    /// The resource.
    pub candidate: Candidate,
    /// Why kubectl cannot see it.
    pub unseen: Unseen,
}

words! {
    /// Why kubectl does not see the resources of a group version.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Unseen {
        /// Its APIService is unavailable, so all requests to it fail.
        Unavailable = "unavailable",
        /// It is available, but Stale in aggregated discovery.
        Stale = "stale",
    }
}

/// A resource that matches a name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Candidate {
    /// Its group. Empty for the core group.
    pub group: String,
    /// The version that kubectl uses.
    pub version: String,
    /// The plural name.
    pub resource: String,
    /// The kind.
    pub kind: String,
    /// Whether the resource is namespaced.
    pub namespaced: bool,
    /// Whether the name is one of its short names.
    pub short: bool,
    /// Whether kube-apiserver itself serves the group.
    pub built_in: bool,
    place: usize,
    priority: i32,
    carrier: String,
}

impl Candidate {
    fn rank(&self) -> (bool, usize, &str) {
        (self.short, self.place, &self.resource)
    }

    /// Returns `resource.version.group`, the unambiguous form.
    pub fn full_name(&self) -> String {
        if self.group.is_empty() {
            format!("{}.{}.", self.resource, self.version)
        } else {
            format!("{}.{}.{}", self.resource, self.version, self.group)
        }
    }
}

/// Why one candidate precedes another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// It is the only candidate.
    Only,
    /// It is the only candidate that kubectl can see.
    OnlySeen,
    /// kubectl can see no candidate.
    Nothing,
    /// A full name precedes a short name.
    FullName,
    /// The core group precedes all others.
    Core,
    /// Its group has the higher priority: both priorities, and the APIServices that set them.
    Priority(i32, i32, String, String),
    /// The priorities are equal, so the form's tie-break decides.
    Tie(i32, &'static str),
}

impl Why {
    /// Describes the reason.
    pub fn words(&self) -> String {
        match self {
            Self::Only => "no other group has this name".to_owned(),
            Self::OnlySeen => "no other group that kubectl can see has this name".to_owned(),
            Self::Nothing => "no group version that kubectl can see has this name".to_owned(),
            Self::FullName => "a full name takes precedence over a short name".to_owned(),
            Self::Core => "the core group takes precedence over all others".to_owned(),
            Self::Priority(a, b, by, other) => {
                format!("its group priority is higher: {a} (from {by}), not {b} (from {other})")
            }
            Self::Tie(priority, by) => {
                format!("both groups have priority {priority}, so {by} decides")
            }
        }
    }
}

/// The resources with a name: those that kubectl sees, and those it does not.
type Bearers = (Vec<Candidate>, Vec<LeftOut>);

/// Returns all candidates by name.
fn all(registry: &Registry<'_>) -> BTreeMap<String, Bearers> {
    let aggregated = registry.minor >= AGGREGATED_SINCE;
    let order = if aggregated {
        discovery::aggregated_order(registry)
    } else {
        discovery::legacy(registry)
    };
    let places: HashMap<&str, (usize, &OrderedGroup<'_>)> =
        order.iter().enumerate().map(|(place, group)| (group.name, (place, group))).collect();
    let mut names: BTreeMap<String, Bearers> = BTreeMap::new();
    let (core, rest) = (discovery::aggregated_core(registry), discovery::aggregated(registry));
    let mut add = |document: &Aggregated<'_>| {
        for group in &document.groups {
            let place = places.get(group.name).map(|(place, _)| *place);
            let ordered = places.get(group.name).map(|(_, ordered)| *ordered);
            let preferred = ordered.into_iter().flat_map(|g| &g.versions).map(|v| v.version);
            let preferred: HashMap<&str, usize> =
                preferred.enumerate().map(|(place, version)| (version, place)).collect();
            let mut versions: Vec<_> = group.versions.iter().collect();
            versions.sort_by_key(|v| preferred.get(v.version));
            for version in versions {
                let gv = GroupVersion::new(group.name, version.version);
                // Clients of the aggregated document skip Stale group versions, even if these list
                // resources. Clients of the legacy documents get a 503 for unavailable ones.
                let unseen = if version.freshness == Freshness::Stale {
                    Some(Unseen::Unavailable)
                } else if aggregated && registry.is_stale(&gv) {
                    Some(Unseen::Stale)
                } else {
                    None
                };
                for resource in &version.resources {
                    let candidate = |short| Candidate {
                        group: group.name.to_owned(),
                        version: version.version.to_owned(),
                        resource: resource.resource.clone(),
                        kind: resource.response_kind.kind.clone(),
                        namespaced: resource.namespaced,
                        short,
                        built_in: registry.is_built_in_group(group.name),
                        place: if group.name.is_empty() {
                            0
                        } else {
                            place.map_or(usize::MAX, |p| p + 1)
                        },
                        priority: ordered.map_or(0, |g| g.carrier.group_priority),
                        carrier: ordered.map(|g| g.carrier.name.to_owned()).unwrap_or_default(),
                    };
                    for (name, short) in names_of(resource) {
                        let (list, left_out) = names.entry(name).or_default();
                        if let Some(unseen) = unseen {
                            left_out.push(LeftOut { candidate: candidate(short), unseen });
                            continue;
                        }
                        // A later version of the same group adds nothing. Candidates of this group
                        // are at the end.
                        let mut own = list.iter().rev().take_while(|c| c.group == group.name);
                        if !own.any(|c| c.short == short && c.resource == resource.resource) {
                            list.push(candidate(short));
                        }
                    }
                }
            }
        }
    };
    add(&core);
    add(&rest);
    for (list, left_out) in names.values_mut() {
        list.sort_by(|a, b| a.rank().cmp(&b.rank()));
        left_out.sort_by(|a, b| a.candidate.rank().cmp(&b.candidate.rank()));
    }
    names
}

fn names_of(resource: &AggregatedResource) -> Vec<(String, bool)> {
    let singular = match resource.singular.as_str() {
        "" => resource.response_kind.kind.to_lowercase(),
        singular => singular.to_owned(),
    };
    let mut names = vec![(resource.resource.clone(), false)];
    if singular != resource.resource && !singular.is_empty() {
        names.push((singular, false));
    }
    names.extend(resource.short_names.iter().map(|short| (short.clone(), true)));
    names
}

/// Returns names that more than one group uses. Names that only built-in groups share exist in
/// every cluster, so they are omitted unless `all_groups` is set.
pub fn name_conflicts(registry: &Registry<'_>, all_groups: bool) -> Vec<NameConflict> {
    let found = all(registry).into_iter().filter(|(_, (candidates, left_out))| {
        let Some(first) = candidates.first() else { return false };
        let bearers = || candidates.iter().chain(left_out.iter().map(|one| &one.candidate));
        let several = bearers().any(|c| c.group != first.group || c.resource != first.resource);
        several && (all_groups || bearers().any(|c| !c.built_in && !c.group.is_empty()))
    });
    found.map(|(name, bearers)| conflict(registry, name, bearers)).collect()
}

/// Returns every name of a resource, in lowercase, and the resources that have it. kubectl picks the
/// first.
pub fn by_name(registry: &Registry<'_>) -> impl Iterator<Item = (String, Vec<Candidate>)> + use<> {
    all(registry).into_iter().map(|(name, (candidates, _))| (name, candidates))
}

/// Returns what `kubectl get NAME` picks and the other candidates; `None` if the name is unknown.
pub fn pick(registry: &Registry<'_>, name: &str) -> Option<NameConflict> {
    let bearers = all(registry).remove(&name.to_lowercase())?;
    Some(conflict(registry, name.to_owned(), bearers))
}

/// Returns the request path for a resource argument as `kubectl get` accepts it: `deploy`,
/// `pods/web`, `nodes.metrics.k8s.io`, `deployments.v1.apps`. Also accepts a group version followed
/// by a resource.
pub fn path_of(registry: &Registry<'_>, name: &str, namespace: Option<&str>) -> Option<String> {
    let ((collection, namespaced), object) = match *name.split('/').collect::<Vec<_>>() {
        [resource] => (collection(registry, resource, None)?, None),
        [version, resource] if KubeVersion::parse(version).is_some() => {
            (collection(registry, resource, Some(("", version)))?, None)
        }
        [resource, object] => (collection(registry, resource, None)?, Some(object)),
        [group, version, resource] => {
            (collection(registry, resource, Some((group, version)))?, None)
        }
        _ => return None,
    };
    let (root, resource) = collection.rsplit_once('/')?;
    let namespace = namespace.or(object.map(|_| "default")).filter(|_| namespaced);
    let path = match namespace {
        Some(namespace) => format!("{root}/namespaces/{namespace}/{resource}"),
        None => collection,
    };
    Some(match object {
        Some(object) => format!("{path}/{object}"),
        None => path,
    })
}

/// Returns the path of a collection, and whether the resource is namespaced.
fn collection(
    registry: &Registry<'_>,
    name: &str,
    within: Option<(&str, &str)>,
) -> Option<(String, bool)> {
    let (resource, rest) = name.split_once('.').unwrap_or((name, ""));
    let is_meant = |gv: &GroupVersion| match within {
        Some((group, version)) => gv.group == group && gv.version == version,
        None => gv.group == rest || gv.api_service_name() == rest,
    };
    let bearers = all(registry).remove(&resource.to_lowercase());
    let mut candidates = bearers.iter().flat_map(|(seen, _)| seen);
    if within.is_none() && rest.is_empty() {
        let found = candidates.next()?;
        let gv = GroupVersion::new(&*found.group, &*found.version);
        return Some((format!("{}/{}", gv.root_path(), found.resource), found.namespaced));
    }
    // The preferred version serves the resource. If the served resources are unknown, the group
    // version may still be registered.
    let found = candidates.find(|c| is_meant(&GroupVersion::new(&*c.group, &*c.version)));
    let gv = match found {
        Some(found) => GroupVersion::new(&*found.group, &*found.version),
        None => {
            registry.api_services().map(|(s, _)| &s.group_version).find(|gv| is_meant(gv))?.clone()
        }
    };
    let mut candidates = bearers.iter().flat_map(|(seen, _)| seen);
    let found = found.or_else(|| candidates.find(|c| c.group == gv.group));
    let (resource, namespaced) = found.map_or((resource, true), |c| (&*c.resource, c.namespaced));
    Some((format!("{}/{resource}", gv.root_path()), namespaced))
}

/// Returns all names of resources.
pub fn names(registry: &Registry<'_>) -> Vec<String> {
    all(registry).into_keys().collect()
}

fn conflict(
    registry: &Registry<'_>,
    name: String,
    (candidates, left_out): Bearers,
) -> NameConflict {
    let why = match candidates.as_slice() {
        [first, second, ..] if first.short != second.short => {
            debug_assert!(second.short);
            Why::FullName
        }
        [first, ..] if first.group.is_empty() && candidates.len() > 1 => Why::Core,
        [first, second, ..] if first.priority != second.priority => {
            Why::Priority(first.priority, second.priority, carrier(first), carrier(second))
        }
        [first, _, ..] if registry.minor >= AGGREGATED_SINCE => {
            Why::Tie(first.priority, "the name of the group")
        }
        [first, _, ..] => Why::Tie(first.priority, "the name of the APIService"),
        [_] if left_out.is_empty() => Why::Only,
        [_] => Why::OnlySeen,
        [] => Why::Nothing,
    };
    NameConflict { name, candidates, left_out, why }
}

fn carrier(candidate: &Candidate) -> String {
    if candidate.carrier.is_empty() {
        format!("CRDs of {}", candidate.group)
    } else {
        candidate.carrier.clone()
    }
}

#[cfg(test)]
mod tests;
