//! The rest of a snapshot, brought into line with objects that have changed.

use std::collections::BTreeSet;

use super::Draft;
use crate::discovery::{self, Document, Form};
use crate::model::{ApiService, Crd, Freshness, GroupVersion, Input, Snapshot};
use crate::registry::{Backing, Registry};

/// The snapshot with the draft's objects, and documents that agree with them.
pub(super) fn settled(before: &Snapshot, old: &Registry<'_>, draft: Draft) -> Snapshot {
    let touched = touched(old, &draft);
    let mut after = before.clone();
    for (gv, _) in old.api_services().map(|(s, b)| (&s.group_version, b)) {
        // What only the aggregated document had is kept: that document is written anew below.
        if let (false, Some((list, false))) =
            (after.resource_lists.contains_key(gv), old.resources(gv))
        {
            after.resource_lists.insert(gv.clone(), list.to_vec());
        }
    }
    after.resource_lists.retain(|gv, _| !touched.contains(gv));
    after.unread_lists.retain(|gv, _| !touched.contains(gv));
    after.openapi_v3 = openapi(before, &draft, &touched);
    after.api_services = Input::Loaded(draft.api_services);
    if before.crds.is_loaded() || !draft.crds.is_empty() {
        after.crds = Input::Loaded(draft.crds);
    }
    // Kinds that were not collected stay so: a few manifests are not all of them.
    if before.services.is_loaded() {
        after.services = Input::Loaded(draft.services);
    }
    if before.endpoint_slices.is_loaded() {
        after.endpoint_slices = Input::Loaded(draft.endpoint_slices);
    }
    if before.endpoints.is_loaded() {
        after.endpoints = Input::Loaded(draft.endpoints);
    }
    let (legacy, aggregated) = rewritten(&after, before, &touched);
    (after.legacy_groups, after.aggregated_groups) = (legacy, aggregated);
    after
}

/// The group versions about which something has changed.
fn touched(old: &Registry<'_>, draft: &Draft) -> BTreeSet<GroupVersion> {
    let mut touched = BTreeSet::new();
    let mut differing = |a: &[ApiService], b: &[ApiService]| {
        for service in a {
            let same = |other: &ApiService| {
                other.group_version == service.group_version && other.service == service.service
            };
            if !b.iter().any(same) {
                touched.insert(service.group_version.clone());
            }
        }
    };
    differing(&old.api_services, &draft.api_services);
    differing(&draft.api_services, &old.api_services);
    let mut of_crds = |a: &[Crd], b: &[Crd]| {
        for crd in a.iter().filter(|crd| !b.contains(crd)) {
            touched.extend(crd.versions.iter().map(|v| GroupVersion::new(&*crd.group, &*v.name)));
        }
    };
    of_crds(&old.crds, &draft.crds);
    of_crds(&draft.crds, &old.crds);
    touched
}

/// The index `/openapi/v3`; not known where a Service has come that may add to it.
fn openapi(
    before: &Snapshot,
    draft: &Draft,
    touched: &BTreeSet<GroupVersion>,
) -> Input<BTreeSet<String>> {
    let Some(keys) = before.openapi_v3.loaded() else { return before.openapi_v3.clone() };
    let key = |gv: &GroupVersion| gv.root_path().trim_start_matches('/').to_owned();
    let mut keys = keys.clone();
    for gv in touched {
        match draft.api_services.iter().find(|s| s.group_version == *gv) {
            None => drop(keys.remove(&key(gv))),
            Some(service) if service.service.is_some() => return Input::Absent,
            Some(_) => drop(keys.insert(key(gv))),
        }
    }
    Input::Loaded(keys)
}

/// The documents `/apis` as the server would then give them, where the source had them.
fn rewritten(
    after: &Snapshot,
    before: &Snapshot,
    touched: &BTreeSet<GroupVersion>,
) -> (Input<Vec<crate::model::LegacyGroup>>, Input<Vec<crate::model::AggregatedGroup>>) {
    let registry = Registry::new(after);
    let was = Registry::new(before);
    let legacy = match discovery::document(&registry, "/apis", Form::Legacy, true) {
        Some((Document::Groups(groups), _)) if before.legacy_groups.is_loaded() => {
            Input::Loaded(groups)
        }
        _ => before.legacy_groups.clone(),
    };
    let aggregated = match discovery::document(&registry, "/apis", Form::Aggregated, true) {
        Some((Document::Aggregated(mut groups), _)) if before.aggregated_groups.is_loaded() => {
            for group in &mut groups {
                for version in &mut group.versions {
                    let gv = GroupVersion::new(&*group.name, &*version.version);
                    let remote = registry
                        .api_service(&gv.api_service_name())
                        .is_some_and(|(_, b)| b == Backing::Service);
                    // Why the server could not ask is not in the objects; it stays as it was.
                    if remote && !touched.contains(&gv) && was.is_stale(&gv) {
                        version.freshness = Freshness::Stale;
                    }
                }
            }
            Input::Loaded(groups)
        }
        _ => before.aggregated_groups.clone(),
    };
    (legacy, aggregated)
}
