//! Finds or merges the discovery document at a request path.

use super::convert::list_of_resources;
use super::merge::{self, Aggregated};
use crate::model::{
    AGGREGATED_SINCE, AGGREGATOR_GROUP, AggregatedGroup, AggregatedVersion, ApiResource,
    ApiService, Cause, DiscoveryForm, GroupVersion, LegacyGroup, Minor, Snapshot,
};
use crate::priority::OrderedGroup;
use crate::registry::Registry;

/// A discovery document, parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DiscoveryDocument {
    /// `/apis`, legacy.
    Groups(Vec<LegacyGroup>),
    /// `/apis` or `/api`, aggregated.
    Aggregated(Vec<AggregatedGroup>),
    /// `/apis/<group>`
    Group(LegacyGroup),
    /// `/apis/<group>/<version>` or `/api/<version>`
    Resources(GroupVersion, Vec<ApiResource>),
    /// `/api`, legacy: the versions of the core group.
    Versions(Vec<String>),
}

/// How a document was obtained.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// Returned by the server.
    Served,
    /// Merged from its parts.
    Merged,
    /// Copied from the baseline of the same version.
    Plain,
}

/// Why there is no document at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissingResources<'r> {
    /// The server that would return it is unavailable.
    Unavailable(&'r ApiService),
    /// The group version is registered, but its document is not in the source.
    NotInSource,
    /// No server serves one there.
    NotServed,
}

/// Returns why [`document`] finds no document at a path.
pub fn missing<'r>(registry: &'r Registry<'_>, path: &str) -> MissingResources<'r> {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let registered = match parts.as_slice() {
        ["apis", group, version] => registry.api_service(&format!("{version}.{group}")),
        _ => None,
    };
    match registered {
        Some((service, _)) if !service.is_available() && !service.is_not_checked() => {
            MissingResources::Unavailable(service)
        }
        // The server answered that it has no such document.
        Some((service, _)) if is_not_found(registry, service) => MissingResources::NotServed,
        Some(_) => MissingResources::NotInSource,
        None => MissingResources::NotServed,
    }
}

fn is_not_found(registry: &Registry<'_>, service: &ApiService) -> bool {
    let unread = registry.snapshot.unread_lists.get(&service.group_version);
    unread.is_some_and(|unread| unread.cause == Cause::NotFound)
}

/// Returns the form that the server prefers if the client accepts both. If the server's version is
/// unknown, returns the form that the source contains.
pub fn usual_form(snapshot: &Snapshot) -> DiscoveryForm {
    let aggregated = match snapshot.minor() {
        Some(minor) => minor >= AGGREGATED_SINCE,
        None => snapshot.aggregated_groups.is_loaded() || !snapshot.legacy_groups.is_loaded(),
    };
    if aggregated { DiscoveryForm::Aggregated } else { DiscoveryForm::Legacy }
}

/// Returns the versions of aggregated discovery that a server has, newest first. 1.30 added `v2`,
/// and 1.33 removed `v2beta1` (feature gate AggregatedDiscoveryRemoveBetaType).
pub fn aggregated_versions(minor: Minor) -> &'static [&'static str] {
    match minor {
        _ if minor < AGGREGATED_SINCE => &[],
        _ if minor < Minor::new(30) => &["v2beta1"],
        _ if minor < Minor::new(33) => &["v2", "v2beta1"],
        _ => &["v2"],
    }
}

/// Returns the document at a path, or `None` if the server has none. With `merged`, computes
/// documents of several group versions from their parts, even if the source has the server's own.
pub fn document(
    registry: &Registry<'_>,
    path: &str,
    form: DiscoveryForm,
    merged: bool,
) -> Option<(DiscoveryDocument, Taken)> {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let snapshot = registry.snapshot;
    let served =
        |found: Option<DiscoveryDocument>| found.filter(|_| !merged).map(|d| (d, Taken::Served));
    match (parts.as_slice(), form) {
        (["apis"], DiscoveryForm::Legacy) => served(
            snapshot.legacy_groups.loaded().cloned().map(DiscoveryDocument::Groups),
        )
        .or_else(|| Some((DiscoveryDocument::Groups(legacy_groups(registry)), Taken::Merged))),
        (["apis"], DiscoveryForm::Aggregated) => {
            served(snapshot.aggregated_groups.loaded().cloned().map(DiscoveryDocument::Aggregated))
                .or_else(|| Some((all(&merge::aggregated(registry)), Taken::Merged)))
        }
        (["api"], DiscoveryForm::Aggregated) => {
            served(snapshot.aggregated_core.loaded().cloned().map(DiscoveryDocument::Aggregated))
                .or_else(|| Some((all(&merge::aggregated_core(registry)), Taken::Merged)))
        }
        (["api"], DiscoveryForm::Legacy) => {
            let core = registry.installed().filter(|s| s.group_version.group.is_empty());
            let versions = core.map(|s| s.group_version.version.clone()).collect();
            Some((DiscoveryDocument::Versions(versions), Taken::Merged))
        }
        (["apis", group], _) => {
            let group = legacy_groups(registry).into_iter().find(|g| g.name == *group)?;
            Some((DiscoveryDocument::Group(group), Taken::Merged))
        }
        (["apis", group, version], _) => resources(registry, GroupVersion::new(*group, *version)),
        (["api", version], _) => resources(registry, GroupVersion::new("", *version)),
        _ => None,
    }
}

fn legacy_groups(registry: &Registry<'_>) -> Vec<LegacyGroup> {
    let group = |g: OrderedGroup<'_>| LegacyGroup {
        name: g.name.to_owned(),
        preferred: g.versions.first().map(|v| v.version.to_owned()).unwrap_or_default(),
        versions: g.versions.iter().map(|v| v.version.to_owned()).collect(),
    };
    merge::legacy(registry).into_iter().map(group).collect()
}

fn all(merged: &Aggregated<'_>) -> DiscoveryDocument {
    let group = |g: &merge::MergedGroup<'_>| AggregatedGroup {
        name: g.name.to_owned(),
        versions: (g.versions.iter())
            .map(|v| AggregatedVersion {
                version: v.version.to_owned(),
                resources: v.resources.clone(),
                freshness: v.freshness,
            })
            .collect(),
    };
    DiscoveryDocument::Aggregated(merged.groups.iter().map(group).collect())
}

fn resources(registry: &Registry<'_>, gv: GroupVersion) -> Option<(DiscoveryDocument, Taken)> {
    if let Some(list) = registry.snapshot.resource_lists.get(&gv) {
        return Some((DiscoveryDocument::Resources(gv, list.clone()), Taken::Served));
    }
    let registered = registry.api_service(&gv.api_service_name()).is_some();
    if !registered && gv.group != AGGREGATOR_GROUP {
        return None;
    }
    let mut custom = registry.custom_resources(&gv).peekable();
    if custom.peek().is_some() {
        let resources = list_of_resources(&gv, custom);
        return Some((DiscoveryDocument::Resources(gv, resources), Taken::Merged));
    }
    let (list, plain) = registry.resources(&gv)?;
    let taken = if plain { Taken::Plain } else { Taken::Served };
    Some((DiscoveryDocument::Resources(gv.clone(), list.to_vec()), taken))
}
