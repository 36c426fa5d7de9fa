//! Dumps as other tools write them.

use std::path::Path;

use serde_json::{Value, json};

use crate::{dump, run_on};

fn write(root: &Path, name: &str, text: &str) {
    let path = root.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

const CRD: &str = r#"{"metadata":{"name":"boats.lake.test"},"spec":{"group":"lake.test","scope":"Cluster","names":{"plural":"boats","kind":"Boat"},"versions":[{"name":"v1","served":true,"storage":true}]},"status":{"conditions":[{"type":"NamesAccepted","status":"True"},{"type":"Established","status":"True"}]}}"#;

/// Lists without a kind, bare arrays, a wrapped version, and what was made unreadable on purpose.
#[test]
fn a_support_bundle() {
    let dir = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| write(dir.path(), name, text);
    put(
        "cluster-info/cluster_version.json",
        r#"{"info":{"major":"1","minor":"33","gitVersion":"v1.33.1"},"string":"v1.33.1"}"#,
    );
    let gv = |group: &str| format!(r#"{{"groupVersion":"{group}/v1","version":"v1"}}"#);
    let group = |name: &str| {
        format!(r#"{{"name":"{name}","versions":[{}],"preferredVersion":{}}}"#, gv(name), gv(name))
    };
    put("cluster-resources/groups.json", &format!("[{},{}]", group("apps"), group("lake.test")));
    put(
        "cluster-resources/custom-resource-definitions.json",
        &format!(r#"{{"metadata":{{}},"items":[{CRD}]}}"#),
    );
    put(
        "cluster-resources/services/default.json",
        r#"{"items":[{"metadata":{"name":"a","namespace":"default"}}]}"#,
    );
    put("cluster-resources/hidden.yaml", "kind: Pod\nname: ***HIDDEN***\n");
    let run = run_on(dir.path(), &["route", "/apis/lake.test/v1/boats", "-o", "json"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let assumed = run.json()["assumptions"].to_string();
    for known in ["CRDs are not in", "version is not in", "\"Services are not in"] {
        assert!(!assumed.contains(known), "{assumed}");
    }
}

/// `kubectl cluster-info dump` to standard output has logs between its documents.
#[test]
fn cluster_info_on_standard_output() {
    let dir = tempfile::tempdir().unwrap();
    let text = format!(
        "{{\"kind\":\"NodeList\",\"apiVersion\":\"v1\",\"items\":[]}}\n\
         {{\"kind\":\"ServiceList\",\"apiVersion\":\"v1\",\"items\":[]}}\n\
         ==== START logs for container a of pod b/c ====\n{{\"kind\": broken\n\
         ==== END logs for container a of pod b/c ====\n\
         {{\"kind\":\"CustomResourceDefinitionList\",\"apiVersion\":\"apiextensions.k8s.io/v1\",\"items\":[{CRD}]}}\n"
    );
    write(dir.path(), "info", &text);
    let dump = dir.path().join("info");
    let run = run_on(&dump, &["route", "/apis/lake.test/v1/boats", "-o", "name"]);
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, "crd/boats.lake.test\n", ""));
}

/// The APIServices of a plain server as a list, and more of them.
fn api_services(more: &[Value]) -> Value {
    let text = std::fs::read_to_string(dump("v1.36-vanilla").join("apiservices.json")).unwrap();
    let mut list: Value = serde_json::from_str(&text).unwrap();
    list["items"].as_array_mut().unwrap().extend(more.iter().cloned());
    list
}

/// A local APIService.
fn local(group: &str) -> Value {
    let condition = json!({"type": "Available", "status": "True", "reason": "Local"});
    json!({
        "metadata": {"name": format!("v1.{group}")},
        "spec": {"group": group, "version": "v1", "groupPriorityMinimum": 1000, "versionPriority": 100},
        "status": {"conditions": [condition]},
    })
}

fn crds(metadata: &Value) -> String {
    let crd: Value = serde_json::from_str(CRD).unwrap();
    json!({
        "kind": "CustomResourceDefinitionList", "apiVersion": "apiextensions.k8s.io/v1",
        "metadata": metadata, "items": [crd],
    })
    .to_string()
}

/// Outcome of a GET, and whether something is assumed.
fn outcome(dump: &Path, path: &str) -> (String, bool) {
    let answer = run_on(dump, &["route", path, "-o", "json"]).json();
    let assumed = answer["assumptions"].as_array().unwrap();
    (answer["outcome"].as_str().unwrap().to_owned(), !assumed.is_empty())
}

/// What is on the next page of a list is not missing from the cluster.
#[test]
fn a_page_is_not_the_whole_list() {
    for metadata in [json!({"continue": "next"}), json!({"remainingItemCount": 3})] {
        let dir = tempfile::tempdir().unwrap();
        let mut services = api_services(&[local("pond.test")]);
        write(dir.path(), "apiservices.json", &services.to_string());
        write(dir.path(), "crds.json", &crds(&json!({})));
        let ghost = "/apis/pond.test/v1/frogs";
        assert_eq!(outcome(dir.path(), ghost), ("not-found".to_owned(), false));
        write(dir.path(), "crds.json", &crds(&metadata));
        assert_eq!(outcome(dir.path(), ghost), ("unknown".to_owned(), true));
        let doctor = run_on(dir.path(), &["doctor"]);
        assert!(!doctor.out.contains("kubectl delete"), "{}", doctor.out);
        let page = "crds.json has one page of a list: not every CustomResourceDefinition is there";
        assert!(doctor.err.contains(page), "{}", doctor.err);
        assert_eq!(outcome(dir.path(), "/apis/none.test/v1/x"), ("not-found".to_owned(), true));
        services["metadata"] = metadata;
        write(dir.path(), "apiservices.json", &services.to_string());
        assert_eq!(outcome(dir.path(), "/apis/none.test/v1/x"), ("unknown".to_owned(), true));
    }
}

/// A server registers all of its own groups: a list of a few is somebody's selection, unless its
/// own document has no more.
#[test]
fn a_few_apiservices_are_not_all() {
    let dir = tempfile::tempdir().unwrap();
    let mut services = api_services(&[]);
    let few = |one: &Value| matches!(one["metadata"]["name"].as_str(), Some("v1." | "v1.apps"));
    services["items"].as_array_mut().unwrap().retain(few);
    write(dir.path(), "apiservices.json", &services.to_string());
    write(dir.path(), "crds.json", &crds(&json!({})));
    for path in ["/apis/none.test/v1/x", "/apis/batch/v1/jobs"] {
        assert!(outcome(dir.path(), path).1, "{path}");
    }
    let jobs = run_on(dir.path(), &["route", "/apis/batch/v1/jobs"]);
    assert!(jobs.out.contains("APIService v1.batch is local"), "{}", jobs.out);
    let gv = json!({"groupVersion": "apps/v1", "version": "v1"});
    let apps = json!({"name": "apps", "versions": [gv], "preferredVersion": gv});
    let groups = json!({"kind": "APIGroupList", "apiVersion": "v1", "groups": [apps]});
    write(dir.path(), "apis.json", &groups.to_string());
    assert_eq!(outcome(dir.path(), "/apis/none.test/v1/x"), ("not-found".to_owned(), false));
}
