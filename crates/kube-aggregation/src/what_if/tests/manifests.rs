//! Tests of explicit nulls, finalizers and `kubectl replace`, from the JSON of manifests.

use super::*;
use crate::ingest::SnapshotBuilder;
use crate::registry::Registry;
use crate::routing::{Method, Outcome, Router, Target};

/// Returns a baseline with these APIServices and CRDs, given as JSON.
fn server_with(objects: &[&str]) -> Snapshot {
    let loaded = read(SnapshotBuilder::default(), objects);
    let services = loaded.api_services.items().to_vec();
    world(services, loaded.crds.items().to_vec())
}

fn read(mut builder: SnapshotBuilder, objects: &[&str]) -> Snapshot {
    for object in objects {
        builder.add_json("test", object).unwrap();
    }
    builder.build("test").0
}

fn change(before: &Snapshot, manifests: &[&str], replace: bool) -> Changed {
    let manifests = read(SnapshotBuilder::of_manifests(), manifests);
    changed(before, &Changes { applied: Some(&manifests), replace, removed: &[] }).unwrap()
}

/// Returns the APIService `v1.shop.test` with these members in its metadata and spec.
fn shop(metadata: &str, spec: &str) -> String {
    format!(
        r#"{{"apiVersion":"apiregistration.k8s.io/v1","kind":"APIService",
            "metadata":{{"name":"v1.shop.test"{metadata}}},
            "spec":{{"group":"shop.test","version":"v1","groupPriorityMinimum":1000,
                "versionPriority":10{spec}}}}}"#
    )
}

const SERVICE: &str = r#","service":{"namespace":"shop","name":"web","port":8443}"#;
const DYING: &str = r#","finalizers":["x.io/y"],"deletionTimestamp":"2026-01-01T00:00:00Z""#;

#[test]
fn null_removes_a_field_and_omission_keeps_it() {
    let before = server_with(&[&shop("", SERVICE)]);
    let then = change(&before, &[&shop("", r#","service":null"#)], false);
    assert_eq!(service(&then, "v1.shop.test").unwrap().service, None);
    let then = change(&before, &[&shop("", "")], false);
    assert!(service(&then, "v1.shop.test").unwrap().service.is_some());
    // An omitted port stays, a null one becomes the default.
    for (port, want) in [("", 8443), (r#","port":null"#, 443)] {
        let spec = format!(r#","service":{{"namespace":"shop","name":"web"{port}}}"#);
        let then = change(&before, &[&shop("", &spec)], false);
        assert_eq!(service(&then, "v1.shop.test").unwrap().service.as_ref().unwrap().port, want);
    }
}

#[test]
fn a_null_label_is_removed() {
    let label = format!(r#","labels":{{"{}":"onstart"}}"#, Automanaged::LABEL);
    let before = server_with(&[&shop(&label, "")]);
    let null = format!(r#","labels":{{"{}":null}}"#, Automanaged::LABEL);
    let then = change(&before, &[&shop(&null, "")], false);
    let found = service(&then, "v1.shop.test").unwrap();
    assert_eq!((found.automanaged, found.provenance.labels.len()), (None, 0));
}

#[test]
fn a_dying_object_goes_with_its_last_finalizer() {
    let before = server_with(&[&shop(DYING, SERVICE)]);
    for (metadata, stays) in [
        (r#","finalizers":null"#, false),
        (r#","finalizers":[]"#, false),
        ("", true),
        (r#","finalizers":["x.io/z"]"#, true),
    ] {
        let then = change(&before, &[&shop(metadata, SERVICE)], false);
        assert_eq!(service(&then, "v1.shop.test").is_some(), stays, "{metadata}");
    }
    // Without a deletion timestamp, an object stays even without finalizers.
    let alive = server_with(&[&shop(r#","finalizers":["x.io/y"]"#, SERVICE)]);
    let then = change(&alive, &[&shop(r#","finalizers":null"#, SERVICE)], false);
    assert!(service(&then, "v1.shop.test").is_some());
}

#[test]
fn replace_drops_what_apply_keeps() {
    let before = server_with(&[&shop(r#","labels":{"a":"b"}"#, SERVICE)]);
    let labels = |then: &Changed| service(then, "v1.shop.test").unwrap().provenance.labels.len();
    let applied = change(&before, &[&shop("", "")], false);
    assert!(service(&applied, "v1.shop.test").unwrap().service.is_some());
    assert_eq!(labels(&applied), 1);
    let replaced = change(&before, &[&shop("", "")], true);
    assert_eq!(service(&replaced, "v1.shop.test").unwrap().service, None);
    assert_eq!(labels(&replaced), 0);
}

#[test]
fn a_server_keeps_what_it_has_installed() {
    let before = world(vec![], vec![]);
    for (name, path) in [("v1.", "/api/v1/pods"), ("v1.apps", "/apis/apps/v1/deployments")] {
        let then = remove(&before, &format!("apiservice/{name}"));
        let registry = Registry::new(&then.snapshot);
        assert!(registry.api_service(name).is_none(), "{name} is not inferred back");
        let router = Router::new(&registry);
        let target = Target::parse(Method::Get, path).unwrap();
        let route = router.route(&target);
        assert_eq!(route.outcome, Outcome::Served, "{path}");
        let hops: Vec<String> = route.hops().map(ToString::to_string).collect();
        assert_eq!(hops[0], "kube-aggregator none");
    }
}

#[test]
fn the_label_onstart_does_not_make_a_crd_built_in() {
    let mut relabeled = kept("shop.test/v1");
    relabeled.automanaged = Some(Automanaged::OnStart);
    let before = world(vec![relabeled], vec![established(carts())]);
    let registry = Registry::new(&before);
    let (_, backend) = registry.api_service("v1.shop.test").unwrap();
    assert_eq!(backend, crate::registry::Backend::Crd);
}
