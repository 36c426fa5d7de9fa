//! Group versions that a server has installed although they have no APIService and the baseline
//! lacks them: they were switched on, and another API server of the control plane deleted their
//! APIServices when it started.

use std::collections::BTreeMap;

use super::Registry;
use crate::model::{AggregatedGroup, ApiService, Automanaged, Freshness, GroupVersion};
use crate::peer_proxy;

/// Returns the registrations that such a server would write if it started now. The server's own
/// document proves what it has. Priorities that no APIService shows follow from the order there.
pub(super) fn of(registry: &Registry<'_>) -> Vec<ApiService> {
    let snapshot = registry.snapshot;
    let Some(groups) = snapshot.own_document().loaded() else { return vec![] };
    let Some(paths) = snapshot.root_paths.loaded() else { return vec![] };
    if !registry.api_services_complete || peer_proxy::may_be_merged(snapshot) {
        return vec![];
    }
    let mut found = vec![];
    for group in groups {
        for version in &group.versions {
            let gv = GroupVersion::new(&*group.name, &*version.version);
            let kept = || snapshot.remembered.iter().any(|(one, _)| one.group_version == gv);
            if version.freshness == Freshness::Stale
                || version.resources.is_empty()
                || !paths.contains(&gv.root_path())
                || registry.api_service(&gv.api_service_name()).is_some()
                || registry.is_plain(&gv)
                || registry.custom.contains_key(&gv)
                || kept()
            {
                continue;
            }
            let priority = group_priority(registry, groups, &gv.group);
            let service = ApiService::local(gv, priority, LOWEST);
            let automanaged = Some(Automanaged::OnStart);
            found.push(ApiService { automanaged, inferred: true, ..service });
        }
    }
    found
}

/// The version priority: what is off by default comes after the versions that are on.
const LOWEST: i32 = 1;

/// Returns the priority of a group: that of its other versions, or one that fits its position.
fn group_priority(registry: &Registry<'_>, groups: &[AggregatedGroup], group: &str) -> i32 {
    let baseline = registry.baseline_snapshot().api_services.items();
    let known: BTreeMap<&str, i32> = (baseline.iter().chain(registry.api_services.iter()))
        .map(|service| (&*service.group_version.group, service.group_priority))
        .collect();
    if let Some(priority) = known.get(group) {
        return *priority;
    }
    // Groups with the same priority are sorted by name.
    let before = groups.iter().take_while(|one| one.name != group);
    let before = before.filter_map(|one| Some((&*one.name, *known.get(&*one.name)?))).last();
    match before {
        Some((name, priority)) if name < group => priority,
        Some((_, priority)) => priority - 1,
        None => i32::MAX,
    }
}
