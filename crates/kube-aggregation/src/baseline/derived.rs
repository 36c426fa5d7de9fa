//! Baselines of minors that were never recorded, derived from recorded ones.
//!
//! Starts from the closest older recorded minor, or the oldest, and applies the history: removes
//! what the wanted minor did not serve, and adds what it did.

use std::collections::{BTreeMap, BTreeSet};

use super::history::{Span, history};
use super::{MINORS, server, standing_for};
use crate::model::{
    AGGREGATOR_GROUP, ApiResource, ApiService, Automanaged, GroupVersion, Input, Minor, Origin,
    ServerVersion, Snapshot, SourceKind,
};

/// Returns the baseline of a minor between two recorded ones, or older than all of them.
pub(super) fn server_of(minor: Minor) -> Snapshot {
    let mut plain = server(standing_for(minor)).clone();
    let later = server(MINORS.into_iter().find(|one| *one > minor).unwrap_or(MINORS[0]));
    for (gv, resources) in history() {
        let served: BTreeSet<&str> =
            resources.iter().filter(|(_, s)| s.has(minor)).map(|(n, _)| n.as_str()).collect();
        if served.is_empty() {
            remove(&mut plain, gv);
            continue;
        }
        let list =
            list(plain.resource_lists.remove(gv), later.resource_lists.get(gv), resources, &served);
        plain.resource_lists.extend(list.map(|list| (gv.clone(), list)));
        add(&mut plain, gv, later);
    }
    let version =
        ServerVersion { minor: Some(minor), git_version: format!("v{minor}"), emulation: None };
    plain.version = Input::Loaded(version);
    plain.origin = Origin { kind: SourceKind::Builtin, name: minor.to_string() };
    plain
}

/// Returns the resources of a group version, or `None` if some are only known by name.
fn list(
    base: Option<Vec<ApiResource>>,
    later: Option<&Vec<ApiResource>>,
    known: &BTreeMap<String, Span>,
    served: &BTreeSet<&str>,
) -> Option<Vec<ApiResource>> {
    let parent = |one: &ApiResource| one.name.split('/').next().unwrap_or_default().to_owned();
    let stays = |one: &ApiResource| {
        let parent = parent(one);
        served.contains(&*parent) || !known.contains_key(&parent)
    };
    let mut list = base.unwrap_or_default();
    list.retain(&stays);
    let had: BTreeSet<String> = list.iter().map(parent).collect();
    let comes = |one: &&ApiResource| stays(one) && !had.contains(&parent(one));
    list.extend(later.into_iter().flatten().filter(comes).cloned());
    let named: BTreeSet<String> = list.iter().map(parent).collect();
    served.iter().all(|name| named.contains(*name)).then_some(list)
}

fn remove(plain: &mut Snapshot, gv: &GroupVersion) {
    plain.resource_lists.remove(gv);
    let mut group_left = false;
    if let Input::Loaded(services) = &mut plain.api_services {
        services.retain(|service| service.group_version != *gv);
        group_left = services.iter().any(|service| service.group_version.group == gv.group);
    }
    if let Input::Loaded(paths) = &mut plain.root_paths {
        paths.remove(&gv.root_path());
        if !group_left {
            paths.remove(&format!("/apis/{}", gv.group));
        }
    }
    if let Input::Loaded(keys) = &mut plain.openapi_v3 {
        keys.remove(gv.root_path().trim_start_matches('/'));
    }
}

/// Registers a group version unless it already is. If no recording contains it, its priorities are
/// unknown: it gets the group's priority and the lowest version priority.
fn add(plain: &mut Snapshot, gv: &GroupVersion, later: &Snapshot) {
    let Input::Loaded(services) = &mut plain.api_services else { return };
    if services.iter().any(|service| service.group_version == *gv) || gv.group == AGGREGATOR_GROUP {
        return;
    }
    let recorded = later.api_services.items().iter().find(|one| one.group_version == *gv);
    let service = recorded.cloned().unwrap_or_else(|| {
        let of_group = services.iter().find(|one| one.group_version.group == gv.group);
        let priority = of_group.map_or(0, |one| one.group_priority);
        let service = ApiService::local(gv.clone(), priority, 0);
        ApiService { automanaged: Some(Automanaged::OnStart), inferred: true, ..service }
    });
    services.push(service);
    services.sort_by(|a, b| a.name.cmp(&b.name));
    if let Input::Loaded(paths) = &mut plain.root_paths {
        paths.insert(gv.root_path());
        paths.insert(format!("/apis/{}", gv.group));
    }
    if let Input::Loaded(keys) = &mut plain.openapi_v3 {
        keys.insert(gv.root_path().trim_start_matches('/').to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_went_and_came_between_recordings_is_known() {
        let check = |minor: u32, gv: &str, want: Option<&[&str]>| {
            let gv = GroupVersion::parse(gv).unwrap();
            let plain = server(Minor::new(minor));
            let list = plain.resource_lists.get(&gv);
            let names = list.map(|l| l.iter().filter(|r| !r.name.contains('/')).map(|r| &*r.name));
            let names: Option<Vec<&str>> = names.map(Iterator::collect);
            assert_eq!(names.as_deref(), want, "1.{minor} {gv}");
            let listed = plain.root_paths.loaded().unwrap().contains(&gv.root_path());
            let registered = plain.api_services.items().iter().any(|s| s.group_version == gv);
            assert_eq!(listed, registered, "1.{minor} {gv}");
            registered
        };
        let autoscalers: &[&str] = &["horizontalpodautoscalers"];
        assert!(check(25, "autoscaling/v2beta2", Some(autoscalers)));
        assert!(!check(26, "autoscaling/v2beta2", None));
        assert!(check(26, "autoscaling/v2", Some(autoscalers)));
        assert!(!check(26, "flowcontrol.apiserver.k8s.io/v1beta1", None));
        let flows: &[&str] = &["flowschemas", "prioritylevelconfigurations"];
        assert!(check(26, "flowcontrol.apiserver.k8s.io/v1beta3", Some(flows)));
        assert!(check(26, "storage.k8s.io/v1beta1", Some(&["csistoragecapacities"])));
        assert!(!check(27, "storage.k8s.io/v1beta1", None));
        assert!(!check(22, "autoscaling/v2", None));
        // Only their names are known.
        assert!(check(22, "policy/v1beta1", None));
        assert!(check(22, "batch/v1beta1", None));
        assert!(check(22, "policy/v1", Some(&["poddisruptionbudgets"])));
    }
}
