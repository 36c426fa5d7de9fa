//! What-if for documents: updates discovery and OpenAPI data to match the changed objects.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Draft, served_versions};
use crate::discovery::{self, DiscoveryDocument};
use crate::model::{
    AggregatedGroup, ApiService, CollectedObjects, Crd, DiscoveryForm, Freshness, GroupVersion,
    Input, LegacyGroup, Snapshot,
};
use crate::registry::{Backend, Registry};

/// Returns the snapshot with the draft's objects, and documents that match them.
pub(super) fn settled(old: &Registry<'_>, draft: Draft) -> Snapshot {
    let before = old.snapshot;
    let mut after = before.clone();
    after.as_served.clear();
    for gv in old.api_services.iter().map(|s| &s.group_version) {
        // Keep lists that only the aggregated document had, because that document is rewritten
        // below.
        if let (false, Some((list, false))) =
            (after.resource_lists.contains_key(gv), old.resources(gv))
        {
            after.resource_lists.insert(gv.clone(), list.to_vec());
        }
    }
    let custom = changed_custom(old, &draft);
    after.resource_lists.retain(|gv, _| keeps_list(gv, old, &draft, &custom));
    after.unread_lists.retain(|gv, _| keeps_list(gv, old, &draft, &custom));
    after.openapi_v3 = openapi(old, &draft, &custom);
    after.remembered = remembered(old, &draft);
    after.raced.extend(draft.raced.iter().cloned());
    // If nothing is inferred, or all of that was replaced, the APIServices count as complete.
    let nothing_inferred = draft.api_services.values().all(|service| !service.inferred);
    let taken_for_all = before.listed.api_services.is_none() && nothing_inferred;
    after.listed.api_services = Some(old.api_services_complete || taken_for_all);
    after.api_services = Input::Loaded(draft.api_services.into_values().collect());
    if before.crds.is_loaded() || !draft.crds.is_empty() {
        after.crds = Input::Loaded(draft.crds.into_values().collect());
    }
    // Kinds that were not collected stay unknown: a few manifests are not all objects.
    if before.services.is_loaded() {
        after.services = Input::Loaded(draft.services.into_values().collect());
    }
    if before.endpoint_slices.is_loaded() {
        after.endpoint_slices = Input::Loaded(draft.endpoint_slices.into_values().collect());
    }
    if before.endpoints.is_loaded() {
        after.endpoints = Input::Loaded(draft.endpoints.into_values().flatten().collect());
    }
    after.objects = objects(before, &after);
    let (legacy, aggregated) = rewritten(&after, old);
    // The new document contains only what this server serves. What peers would add is unknown.
    if before.own_groups.is_loaded() {
        after.own_groups = aggregated.clone();
    }
    let has_peers = before.own_groups.is_loaded() && before.own_groups != before.aggregated_groups;
    let aggregated = if has_peers { Input::Absent } else { aggregated };
    (after.legacy_groups, after.aggregated_groups) = (legacy, aggregated);
    after
}

/// Returns the group versions of CRDs that were changed, removed or added.
fn changed_custom(old: &Registry<'_>, draft: &Draft) -> BTreeSet<GroupVersion> {
    let known: BTreeMap<&str, &Crd> = old.crds.iter().map(|crd| (&*crd.name, crd)).collect();
    let was = old.crds.iter().filter(|crd| draft.crds.get(&crd.name) != Some(crd));
    let is = draft.crds.values().filter(|crd| known.get(&*crd.name) != Some(crd));
    let versions = was.chain(is).flat_map(|crd| crd.versions.iter().map(move |v| (crd, v)));
    versions.map(|(crd, v)| GroupVersion::new(&*crd.group, &*v.name)).collect()
}

/// Returns whether an APIResourceList is still what the server would return.
fn keeps_list(
    gv: &GroupVersion,
    old: &Registry<'_>,
    draft: &Draft,
    custom: &BTreeSet<GroupVersion>,
) -> bool {
    let name = gv.api_service_name();
    let was = old.api_service(&name).map(|(service, _)| service);
    let now = draft.api_services.get(&name);
    let remote = |s: &ApiService| s.service.is_some();
    match (was, now) {
        (Some(was), Some(now)) if remote(now) => {
            was.service == now.service && was.is_available() == now.is_available()
        }
        (_, Some(now)) if remote(now) => false,
        (Some(was), _) if remote(was) => false,
        _ => !custom.contains(gv) || old.plain(gv).is_some(),
    }
}

/// Returns the APIServices that aggregated discovery keeps listing. Mirrors the discovery manager,
/// which does not notice when an APIService becomes local.
fn remembered(
    old: &Registry<'_>,
    draft: &Draft,
) -> Vec<(ApiService, crate::model::AggregatedVersion)> {
    let known = |service: &ApiService| {
        old.aggregated_version(&service.group_version).map(|v| (service.clone(), v.clone()))
    };
    let local = |service: &&ApiService| {
        let now = draft.api_services.get(&service.name);
        service.service.is_some()
            && now.is_some_and(|now| now.service.is_none())
            && !draft.deleted.contains(&service.name)
    };
    let before = old.snapshot.remembered.iter().map(|(service, _)| service);
    old.api_services.iter().chain(before).filter(local).filter_map(known).collect()
}

/// Returns the index `/openapi/v3`. The servers' own keys never change. An established CRD keeps a
/// key for each version that it has ever served, until the CRD is deleted. A Service keeps the keys
/// that it last published, even when its APIService becomes local.
fn openapi(
    old: &Registry<'_>,
    draft: &Draft,
    custom: &BTreeSet<GroupVersion>,
) -> Input<BTreeSet<String>> {
    let Some(before) = old.snapshot.openapi_v3.loaded() else {
        return old.snapshot.openapi_v3.clone();
    };
    let key = |gv: &GroupVersion| gv.root_path().trim_start_matches('/').to_owned();
    let established = || draft.crds.values().filter(|crd| crd.established);
    let served: BTreeSet<GroupVersion> = established().flat_map(served_versions).collect();
    let named: BTreeSet<GroupVersion> = established().flat_map(versions).collect();
    // A Service without the key of one of its available group versions publishes no OpenAPI.
    let publishes = |service: &ApiService| {
        let mut same = old.api_services.iter().filter(|s| s.service == service.service);
        same.all(|s| before.contains(&key(&s.group_version)) || !s.is_available())
    };
    let kept = |gv: &GroupVersion| {
        let remote = draft.api_services.get(&gv.api_service_name());
        named.contains(gv)
            || old.plain(gv).is_some()
            || remote.is_some_and(|s| s.service.is_some() && publishes(s))
    };
    let deleted = old.crds.iter().filter(|crd| !draft.crds.contains_key(&crd.name));
    let removed = (old.api_services.iter())
        .filter(|s| s.service.is_some() && !draft.api_services.contains_key(&s.name))
        .map(|s| s.group_version.clone());
    let mut keys = before.clone();
    for gv in deleted.flat_map(versions).chain(removed).filter(|gv| !kept(gv)) {
        keys.remove(&key(&gv));
    }
    keys.extend(custom.iter().filter(|gv| served.contains(gv)).map(key));
    Input::Loaded(keys)
}

/// Returns all versions of a CRD, served or not.
fn versions(crd: &Crd) -> impl Iterator<Item = GroupVersion> {
    crd.versions.iter().map(|v| GroupVersion::new(&*crd.group, &*v.name))
}

/// Returns the documents `/apis` as the server would then return them, if the source had them.
pub(super) fn rewritten(
    after: &Snapshot,
    was: &Registry<'_>,
) -> (Input<Vec<LegacyGroup>>, Input<Vec<AggregatedGroup>>) {
    let before = was.snapshot;
    let registry = Registry::new(after);
    let legacy = match discovery::document(&registry, "/apis", DiscoveryForm::Legacy, true) {
        Some((DiscoveryDocument::Groups(groups), _)) if before.legacy_groups.is_loaded() => {
            Input::Loaded(groups)
        }
        _ => before.legacy_groups.clone(),
    };
    let aggregated = match discovery::document(&registry, "/apis", DiscoveryForm::Aggregated, true)
    {
        Some((DiscoveryDocument::Aggregated(mut groups), _))
            if before.aggregated_groups.is_loaded() =>
        {
            for group in &mut groups {
                for version in &mut group.versions {
                    let gv = GroupVersion::new(&*group.name, &*version.version);
                    let name = gv.api_service_name();
                    let now = registry.api_service(&name);
                    let same = was.api_service(&name).map(|(s, _)| &s.service)
                        == now.map(|(s, _)| &s.service);
                    // Objects do not show why the server could not fetch it, so it stays stale.
                    if same && now.is_some_and(|(_, b)| b == Backend::Service) && was.is_stale(&gv)
                    {
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

/// Returns the objects that did not change. For changed ones, the complete object is unknown.
fn objects(before: &Snapshot, after: &Snapshot) -> Arc<CollectedObjects> {
    fn stays<T: PartialEq>(
        before: &Input<Vec<T>>,
        after: &Input<Vec<T>>,
        is_it: impl Fn(&T) -> bool,
    ) -> bool {
        super::items(before).iter().find(|one| is_it(one))
            == super::items(after).iter().find(|one| is_it(one))
    }
    let objects = before.objects.retained(|object| match object.kind.as_str() {
        "APIService" => stays(&before.api_services, &after.api_services, |s| s.name == object.name),
        "CustomResourceDefinition" => {
            stays(&before.crds, &after.crds, |crd| crd.name == object.name)
        }
        "Service" => stays(&before.services, &after.services, |s| {
            (&s.namespace, &s.name) == (&object.namespace, &object.name)
        }),
        _ => true,
    });
    Arc::new(objects)
}
