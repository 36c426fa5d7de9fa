//! Compares what-if with recordings: applying the manifests of one server to the dump of another
//! must give the first server's answers, as far as they follow from manifests.

use std::collections::BTreeSet;

use kube_aggregation::discovery;
use kube_aggregation::model::{Automanaged, Input, Snapshot};
use kube_aggregation::priority::OrderedGroup;
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::Router;
use kube_aggregation::what_if::{Changes, changed};

use crate::{Recorded, assert_none, recording, requests};

fn load(name: &str) -> Snapshot {
    crate::load(&recording(name))
}

/// Returns the extension APIServices of a recording with their Services and slices, without a
/// status, as in manifests.
fn manifests(of: &Snapshot) -> Snapshot {
    let mut manifests = of.clone();
    let services = of.api_services.loaded().unwrap().iter().filter(|s| s.service.is_some());
    let services =
        services.map(|s| kube_aggregation::model::ApiService { available: None, ..s.clone() });
    manifests.api_services = Input::Loaded(services.collect());
    manifests.crds = Input::Absent;
    manifests
}

/// Applies the manifests of one server to another.
fn applied(base: &Snapshot, of: &Snapshot) -> Snapshot {
    let changes = Changes { applied: Some(&manifests(of)), replace: false, removed: &[] };
    changed(base, &changes).unwrap().snapshot
}

/// Returns a server with APIServices for its CRDs that are not automanaged, so the CRD controller
/// does not restore them.
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

/// Returns whether manifests determine the outcome of a request. They do not if it depends on a
/// discovery check or on what an extension server serves.
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

/// Two manifests that claim one name are the conflict. Patches and templates are not claims.
#[test]
fn two_claims_for_one_apiservice_are_a_conflict() {
    let claim = |service: &str| {
        format!(
            "apiVersion: apiregistration.k8s.io/v1\nkind: APIService\n\
             metadata: {{name: v1.gauges.example.com}}\nspec:\n  group: gauges.example.com\n  \
             version: v1\n  groupPriorityMinimum: 1000\n  versionPriority: 15\n  \
             service: {{namespace: monitoring, name: {service}}}\n"
        )
    };
    let patch = "apiVersion: apiregistration.k8s.io/v1\nkind: APIService\n\
        metadata: {name: v1.gauges.example.com, annotations: {a: b}}\n";
    let (a, b) = (claim("a"), claim("b"));
    let place = crate::Place::with(&[
        ("m/a.yaml", &*a),
        ("m/b.yaml", &*b),
        ("m/patch.yaml", patch),
        ("m/template.yaml", "kind: APIService\n{{ if x }}\n"),
        ("one/a.yaml", &*a),
        ("one/patch.yaml", patch),
    ]);
    let conflicts = |folder: &str| {
        place.run(&["conflicts", "--builtin=1.37", "-f", folder, "-o", "json"]).json()
    };
    let found = conflicts("m");
    let codes: Vec<_> = found["conflicts"].as_array().unwrap().iter().map(|c| &c["code"]).collect();
    assert_eq!(codes, ["claimed-twice"]);
    assert_eq!(conflicts("one")["conflicts"], serde_json::json!([]));
    let told = place.run(&["conflicts", "--builtin=1.37", "-f", "m"]).err;
    assert!(told.contains("skipped a patch of an APIService in m/patch.yaml"), "{told}");
    assert!(told.contains("skipped m/template.yaml, a template"), "{told}");
}
