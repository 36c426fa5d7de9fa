//! Dumps as other tools write them.

use std::path::Path;

use crate::run_on;

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
