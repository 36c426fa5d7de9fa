//! Compares merged discovery documents, computed from their parts, with those of recorded servers.

use kube_aggregation::discovery;
use kube_aggregation::model::{
    AGGREGATOR_GROUP, Cause, Freshness, GroupVersion, Input, Snapshot, Unread,
};
use kube_aggregation::registry::Registry;

use crate::json;
use crate::{agreement, load, recordings, run};

#[test]
fn documents_agree_with_the_servers() {
    for recording in recordings() {
        for compare in [agreement::legacy_discovery, agreement::aggregated_discovery] {
            let result = compare(load(&recording), &recording);
            assert!(result.is_ok(), "{}: {}", recording.display(), result.unwrap_err());
        }
    }
}

#[test]
fn differences_from_the_servers_document_are_found() {
    let snapshot = load(&crate::repository("testdata/recordings/v1.36-mixed"));
    let registry = Registry::new(&snapshot);
    let merged = discovery::aggregated(&registry);
    let served = snapshot.aggregated_groups.loaded().unwrap();
    let found = discovery::aggregated_differences(&merged, served);
    let subjects: Vec<&str> = found.iter().map(|d| d.subject.as_str()).collect();
    assert_eq!(subjects, ["json.broken.example.net/v1", "json.broken.example.net/v1"]);
    assert_eq!((found[0].merged.as_str(), found[0].served.as_str()), ("Current", "Stale"));
    let legacy = snapshot.legacy_groups.loaded().unwrap();
    assert_eq!(discovery::legacy_differences(&discovery::legacy(&registry), legacy), []);
}

/// Up to 1.35 the availability check ignores certificates, but the aggregator verifies them when it
/// requests the document. So an APIService can be available and stale, and a missing list proves
/// neither.
#[test]
fn only_a_failed_read_proves_that_an_available_service_is_stale() {
    let mut snapshot = load(&crate::repository("testdata/recordings/v1.36-mixed"));
    let Input::Loaded(services) = &mut snapshot.api_services else { panic!() };
    let passed = services.iter().find_map(|s| s.available.clone().filter(|c| c.reason == "Passed"));
    let failed = |s: &&mut kube_aggregation::model::ApiService| {
        s.available.as_ref().is_some_and(|c| c.reason == "FailedDiscoveryCheck")
    };
    let mut flipped = vec![];
    for service in services.iter_mut().filter(failed) {
        service.available = passed.clone();
        flipped.push(service.group_version.clone());
    }
    assert!(!flipped.is_empty());
    for (cause, want) in [
        (None, Freshness::Unknown),
        (Some(Cause::Forbidden), Freshness::Unknown),
        (Some(Cause::Status(503)), Freshness::Stale),
    ] {
        let own = std::mem::take(&mut snapshot.aggregated_groups);
        for gv in &flipped {
            snapshot.unread_lists.remove(gv);
            if let Some(cause) = cause {
                let unread = Unread { cause, why: "the reader was refused".to_owned() };
                snapshot.unread_lists.insert(gv.clone(), unread);
            }
        }
        let registry = Registry::new(&snapshot);
        let merged = discovery::aggregated(&registry);
        let unknown = want == Freshness::Unknown;
        for gv in &flipped {
            let group = merged.groups.iter().find(|g| g.name == gv.group).unwrap();
            let version = group.versions.iter().find(|v| v.version == gv.version).unwrap();
            assert_eq!(version.freshness, want, "{gv} {cause:?}");
            assert_eq!(merged.without_resources.contains(gv), unknown, "{gv} {cause:?}");
        }
        let served = own.loaded().unwrap();
        let found = discovery::aggregated_differences(&merged, served);
        let disputed = |gv: &GroupVersion| found.iter().any(|one| one.subject == gv.to_string());
        assert!(!unknown || !flipped.iter().any(disputed), "{found:?}");
        drop(merged);
        drop(registry);
        snapshot.aggregated_groups = own;
    }
    // The server's own document is evidence.
    flipped.iter().for_each(|gv| drop(snapshot.unread_lists.remove(gv)));
    let registry = Registry::new(&snapshot);
    let merged = discovery::aggregated(&registry);
    for gv in &flipped {
        let group = merged.groups.iter().find(|g| g.name == gv.group).unwrap();
        let version = group.versions.iter().find(|v| v.version == gv.version).unwrap();
        let served = registry.aggregated_version(gv).unwrap();
        assert_eq!((version.freshness, served.freshness), (Freshness::Stale, Freshness::Stale));
    }
}

/// Unknown fields are kept.
#[test]
fn what_the_server_sent_is_passed_on_whole() {
    let dir = tempfile::tempdir().unwrap();
    let files = [
        (
            "apis_apps_v1.json",
            r#"{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"apps/v1","resources":[{"name":"deployments","singularName":"deployment","namespaced":true,"kind":"Deployment","verbs":["get"],"storageVersionHash":"8aSe+NMegvE=","new":{"deep":[1]}}],"later":true}"#,
        ),
        (
            "api.json",
            r#"{"kind":"APIVersions","versions":["v1"],"serverAddressByClientCIDRs":[{"clientCIDR":"0.0.0.0/0","serverAddress":"10.0.0.1:6443"}]}"#,
        ),
        (
            "apis-aggregated.json",
            r#"{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2beta1","metadata":{},"items":[{"metadata":{"name":"apps","creationTimestamp":null},"versions":[{"version":"v1","freshness":"Current","more":1}]}]}"#,
        ),
    ];
    for (name, text) in files {
        std::fs::write(dir.path().join(name), text).unwrap();
    }
    let dump = dir.path().to_str().unwrap();
    let paths = [&["/apis/apps/v1"][..], &["/api", "--form", "legacy"], &["/apis"]];
    for (path, (_, sent)) in paths.iter().zip(files) {
        let all = [&["discovery"], *path, &["-o", "json", "--dump", dump]].concat();
        let mut got = run(&all).json();
        let got = got.as_object_mut().unwrap();
        assert!(got.remove("source").is_some() && got.remove("assumptions").is_some());
        assert_eq!(serde_json::Value::Object(got.clone()), json(sent));
    }
    // A merged document has only known fields.
    let merged = run(&["discovery", "--merged", "-o", "json", "--dump", dump]).out;
    assert!(!merged.contains("\"more\""), "{merged}");
}

/// If only the server's document is known, its order is used.
#[test]
fn a_document_alone_gives_the_order() {
    for recording in recordings() {
        let whole = load(&recording);
        let mut snapshot = Snapshot::empty(whole.origin.clone());
        snapshot.legacy_groups = whole.legacy_groups;
        snapshot.version = whole.version.clone();
        let want = snapshot.legacy_groups.loaded().unwrap();
        let registry = Registry::new(&snapshot);
        let got = discovery::legacy(&registry);
        let got: Vec<_> = got
            .iter()
            .map(|g| (g.name, g.versions.iter().map(|v| v.version).collect::<Vec<_>>()))
            .collect();
        let want: Vec<_> = want
            .iter()
            .map(|g| (g.name.as_str(), g.versions.iter().map(String::as_str).collect()))
            .collect();
        // Only the path list `/` contains the versions of the aggregator's own group.
        let others = |all: Vec<(&str, Vec<&str>)>| -> Vec<String> {
            let others = all.into_iter().filter(|(group, _)| *group != AGGREGATOR_GROUP);
            others.map(|(group, versions)| format!("{group} {versions:?}")).collect()
        };
        assert_eq!(got.first().map(|(group, _)| *group), Some(AGGREGATOR_GROUP));
        assert_eq!(others(got), others(want), "{}", recording.display());
        if !whole.aggregated_groups.is_loaded() {
            continue;
        }
        let mut snapshot = Snapshot::empty(whole.origin.clone());
        snapshot.aggregated_groups = whole.aggregated_groups;
        let want = snapshot.aggregated_groups.loaded().unwrap();
        let registry = Registry::new(&snapshot);
        assert_eq!(
            discovery::aggregated_differences(&discovery::aggregated(&registry), want),
            [],
            "{}",
            recording.display()
        );
    }
}
