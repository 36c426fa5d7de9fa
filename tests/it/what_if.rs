//! What-if against recordings: applying what one server had to the dump of another must give the
//! answers of the first, wherever they follow from the manifests.
use std::collections::BTreeSet;

use kube_aggregation::discovery;
use kube_aggregation::model::{Automanaged, Input, Snapshot};
use kube_aggregation::priority::OrderedGroup;
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::Router;
use kube_aggregation::what_if::{Changes, changed};

use crate::{Recorded, assert_none, json, recording, requests, shared};

fn load(name: &str) -> Snapshot {
    crate::load(&recording(name))
}

/// The extension APIServices of a recording with their Services and slices, as manifests: no
/// status. Services that the base has already are not among them.
fn manifests(of: &Snapshot) -> Snapshot {
    let mut manifests = of.clone();
    let services = of.api_services.loaded().unwrap().iter().filter(|s| s.service.is_some());
    let services =
        services.map(|s| kube_aggregation::model::ApiService { available: None, ..s.clone() });
    manifests.api_services = Input::Loaded(services.collect());
    manifests.crds = Input::Absent;
    manifests
}

/// A server as it would be with the manifests of another.
fn applied(base: &Snapshot, of: &Snapshot) -> Snapshot {
    let changes = Changes { applied: Some(&manifests(of)), replace: false, removed: &[] };
    changed(base, &changes).unwrap().snapshot
}

/// A server with CRDs whose APIServices somebody else made, so that they are not written back.
fn base() -> Snapshot {
    let mut base = load("v1.36-crds");
    if let Input::Loaded(services) = &mut base.api_services {
        for service in
            services.iter_mut().filter(|s| s.automanaged == Some(Automanaged::CrdController))
        {
            service.automanaged = None;
            service.provenance.labels.clear();
        }
    }
    base
}

/// Requests whose outcome rests on what a server answered to the discovery check, on pods, or on
/// what an extension server serves: none of that is in the manifests.
fn follows_from_manifests(target: &Recorded, want: &Snapshot) -> bool {
    let only_the_cluster_knows: BTreeSet<&str> = (want.api_services.loaded().unwrap().iter())
        .filter(|s| {
            let reason = s.available.as_ref().map(|c| c.reason.as_str()).unwrap_or_default();
            reason == "FailedDiscoveryCheck"
        })
        .map(|s| s.group_version.group.as_str())
        .collect();
    let decoded = target.path.replace("%2F", "/").replace("%2f", "/");
    !target.path.starts_with("/openapi/")
        && !only_the_cluster_knows.iter().any(|group| decoded.contains(group))
}

#[test]
fn applying_the_mixed_servers_manifests_gives_its_routes() {
    let (base, want) = (base(), load("v1.36-mixed"));
    let then = applied(&base, &want);
    let (registry, registry_now) = (Registry::new(&then), Registry::new(&base));
    let (router, router_now) = (Router::new(&registry), Router::new(&registry_now));
    let (mut wrong, mut compared, mut moved) = (vec![], 0, 0);
    for recorded in requests(&recording("v1.36-mixed")) {
        if !follows_from_manifests(&recorded, &want) {
            continue;
        }
        let target = recorded.target();
        let way = router.route(&target).way();
        compared += 1;
        moved += usize::from(way != router_now.route(&target).way());
        let service_ok = recorded.service.is_none() || way.service == recorded.service;
        if way.outcome.as_str() != recorded.outcome || !service_ok {
            wrong.push(format!(
                "{} {}: got {way}, want {} {:?}",
                recorded.method, recorded.path, recorded.outcome, recorded.service
            ));
        }
    }
    assert_none(&wrong);
    assert!(compared > 500 && moved > 50, "{compared} compared, {moved} of them changed");
}

#[test]
fn applying_the_mixed_servers_manifests_gives_its_order() {
    let want = load("v1.36-mixed");
    let then = applied(&base(), &want);
    let registry = Registry::new(&then);
    let merged = |groups: Vec<OrderedGroup<'_>>| -> Vec<(String, Vec<String>)> {
        let versions =
            |g: &OrderedGroup<'_>| g.versions.iter().map(|v| v.version.to_owned()).collect();
        groups.iter().map(|g| (g.name.to_owned(), versions(g))).collect()
    };
    let said: Vec<(String, Vec<String>)> = (want.legacy_groups.loaded().unwrap().iter())
        .map(|g| (g.name.clone(), g.versions.clone()))
        .collect();
    assert_eq!(merged(discovery::legacy(&registry)), said);
    let said: Vec<(String, Vec<String>)> = (want.aggregated_groups.loaded().unwrap().iter())
        .map(|g| (g.name.clone(), g.versions.iter().map(|v| v.version.clone()).collect()))
        .collect();
    assert_eq!(merged(discovery::aggregated_order(&registry)), said);
}

#[test]
fn broken_services_are_known_from_their_objects() {
    let want = load("v1.36-mixed");
    let then = applied(&base(), &want);
    for recorded in want.api_services.loaded().unwrap().iter().filter(|s| s.service.is_some()) {
        let services = then.api_services.loaded().unwrap();
        let got = services.iter().find(|s| s.name == recorded.name).unwrap();
        let (got_condition, said) =
            (got.available.as_ref().unwrap(), recorded.available.as_ref().unwrap());
        match said.reason.as_str() {
            "ServiceNotFound" | "ServicePortError" | "EndpointsNotFound" | "MissingEndpoints" => {
                assert_eq!(
                    (&got_condition.reason, &got_condition.message),
                    (&said.reason, &said.message)
                );
            }
            _ => assert!(got.is_not_checked(), "{}: {got_condition:?}", got.name),
        }
    }
}

#[test]
fn removing_what_was_applied_gives_the_dump_back() {
    let (base, want) = (load("v1.36-crds"), load("v1.36-mixed"));
    let manifests = manifests(&want);
    let names: Vec<String> =
        manifests.api_services.loaded().unwrap().iter().map(|s| s.name.clone()).collect();
    let then =
        changed(&base, &Changes { applied: Some(&manifests), replace: false, removed: &names })
            .unwrap();
    let services = |snapshot: &Snapshot| -> Vec<_> {
        let all = snapshot.api_services.loaded().unwrap().iter();
        all.map(|s| {
            (s.name.clone(), s.service.clone(), s.automanaged, s.group_priority, s.version_priority)
        })
        .collect()
    };
    assert_eq!(services(&then.snapshot), services(&base));
}

/// The recorded transitions of real servers, where they are: what-if on the state before against
/// the APIServices and the documents of the state after. What a manifest cannot say is known by
/// its reason: a check that was not made, or `kubectl replace` in the place of `kubectl apply`.
#[test]
fn recorded_transitions_hold() {
    let Ok(archive) = std::fs::File::open(shared("transitions/cases.tar.xz")) else { return };
    let folder = tempfile::tempdir().unwrap();
    let unpacked = std::process::Command::new("tar")
        .args(["-xJf", "-", "-C"])
        .arg(folder.path())
        .stdin(archive)
        .status()
        .unwrap();
    assert!(unpacked.success());
    let mut cases: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    let mut wrong = vec![];
    for case in cases.iter().filter(|case| !is_replaced(case)) {
        let (before, want) = (dump(case, "before"), dump(case, "after"));
        let manifests = case.join("change.yaml");
        let manifests = manifests.exists().then(|| {
            aggctl_source::load_manifests(std::slice::from_ref(&manifests)).unwrap().snapshot
        });
        let removed = std::fs::read_to_string(case.join("without.txt")).unwrap_or_default();
        let removed: Vec<String> = removed.split_whitespace().map(str::to_owned).collect();
        let changes = Changes { applied: manifests.as_ref(), replace: false, removed: &removed };
        let after = changed(&before, &changes).unwrap().snapshot;
        let mut found = differences(&after, &want);
        found.extend(wrong_routes(case, &after));
        wrong.extend(found.into_iter().map(|what| format!("{}: {what}", case.display())));
    }
    assert!(cases.len() > 50, "{} transitions", cases.len());
    assert_none(&wrong);
}

fn dump(case: &std::path::Path, moment: &str) -> Snapshot {
    let source = aggctl_source::Source::Dump(vec![case.join(moment)]);
    aggctl_source::load(&source).unwrap().snapshot
}

/// Requests that end otherwise, and not because of what only the cluster knows.
fn wrong_routes(case: &std::path::Path, after: &Snapshot) -> Vec<String> {
    let registry = Registry::new(after);
    let router = Router::new(&registry);
    let mut wrong = vec![];
    for want in requests(case) {
        let target = want.target();
        let route = router.route(&target);
        let unchecked = route.api_service().is_some_and(|s| s.is_not_checked());
        let outcome = route.way().outcome.as_str();
        if outcome != want.outcome && outcome != "unknown" && !unchecked {
            wrong.push(format!("{} {}: {outcome} but {}", want.method, want.path, want.outcome));
        }
    }
    wrong
}

/// Whether the manifests were put in the place of objects, which `-f` does not mean.
fn is_replaced(case: &std::path::Path) -> bool {
    json(&std::fs::read_to_string(case.join("meta.json")).unwrap())["mode"] == "replace"
}

fn differences(got: &Snapshot, want: &Snapshot) -> Vec<String> {
    let spec = |s: &kube_aggregation::model::ApiService| {
        (s.service.clone(), s.group_priority, s.version_priority, s.automanaged)
    };
    let mut found = vec![];
    let (ours, theirs) = (got.api_services.loaded().unwrap(), want.api_services.loaded().unwrap());
    let names = |all: &[kube_aggregation::model::ApiService]| -> Vec<String> {
        all.iter().map(|s| s.name.clone()).collect()
    };
    if names(ours) != names(theirs) {
        return vec!["other APIServices".to_owned()];
    }
    for (a, b) in ours.iter().zip(theirs) {
        if spec(a) != spec(b) {
            found.push(format!("{}: {:?} but {:?}", a.name, spec(a), spec(b)));
        }
        let reason = |s: &kube_aggregation::model::ApiService| {
            s.available.as_ref().map(|c| c.reason.clone())
        };
        if !a.is_not_checked() && reason(a) != reason(b) {
            found.push(format!("{}: {:?} but {:?}", a.name, reason(a), reason(b)));
        }
    }
    if got.legacy_groups != want.legacy_groups {
        found.push("another legacy document".to_owned());
    }
    found
}
