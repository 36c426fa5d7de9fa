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

/// An APIService that leads to a Service, as an export has it: without a status.
const EXPORTED: &str = r#"{"kind":"APIService","apiVersion":"apiregistration.k8s.io/v1","metadata":{"name":"v1.boats.test"},"spec":{"group":"boats.test","version":"v1","groupPriorityMinimum":1000,"versionPriority":10,"service":{"namespace":"harbour","name":"boats"}}}"#;

/// Where the status was lost, nothing is known about availability; an empty status is that of an
/// APIService that is new.
#[test]
fn without_a_status_availability_is_not_known() {
    let dir = tempfile::tempdir().unwrap();
    let ask = |command: &[&str]| run_on(dir.path(), command);
    let path = "/apis/boats.test/v1/ferries";
    let stripped = |list: &mut Value| {
        for one in list["items"].as_array_mut().unwrap() {
            one.as_object_mut().unwrap().remove("status");
        }
    };
    for backup in [false, true] {
        write(dir.path(), "boats.json", EXPORTED);
        if backup {
            let mut services = api_services(&[]);
            stripped(&mut services);
            write(dir.path(), "apiservices.json", &services.to_string());
        }
        assert_eq!(outcome(dir.path(), path), ("proxied".to_owned(), true));
        let doctor = ask(&["doctor"]);
        assert_eq!(doctor.code, 0);
        let unknown = "? v1.boats.test  whether Service harbour/boats answers is not known";
        assert!(doctor.out.contains(unknown), "{}", doctor.out);
        assert!(doctor.out.contains(": 1 not known"), "{}", doctor.out);
        let json = ask(&["doctor", "-o", "json"]).json();
        let boats = json["items"].as_array().unwrap().iter().find(|d| d["name"] == "v1.boats.test");
        assert_eq!(boats.unwrap()["verified"], false);
        assert_eq!(boats.unwrap()["condition"], Value::Null);
        let metrics = ask(&["doctor", "-o", "openmetrics"]).out;
        let available = "aggctl_apiservice_available{apiservice=\"v1.boats.test\"}";
        assert!(!metrics.contains(available), "{metrics}");
        let merged = ask(&["discovery", "--merged"]).out;
        let line = merged.lines().find(|line| line.starts_with("boats.test")).unwrap();
        assert!(line.contains("Current"), "{line}");
        let chain = ask(&["chain"]).out;
        assert!(chain.contains("availability not known: v1.boats.test"), "{chain}");
        let explained = ask(&["explain", "v1.boats.test"]).out;
        assert!(explained.contains("; whether it is available"), "{explained}");
    }
    let new = tempfile::tempdir().unwrap();
    let with_status = format!("{},\"status\":{{}}}}", EXPORTED.strip_suffix('}').unwrap());
    write(new.path(), "boats.json", &with_status);
    assert_eq!(outcome(new.path(), path), ("unavailable".to_owned(), false));
    // That a status was lost does not mean that anything became unavailable.
    let whole = tempfile::tempdir().unwrap();
    let condition = r#""status":{"conditions":[{"type":"Available","status":"True"}]}"#;
    let with_status = format!("{},{condition}}}", EXPORTED.strip_suffix('}').unwrap());
    write(whole.path(), "boats.json", &with_status);
    for (then, code) in [(dir.path(), 0), (new.path(), 1)] {
        let sources = [whole.path(), then].map(|path| format!("dump:{}", path.display()));
        let [a, b] = sources.each_ref().map(String::as_str);
        assert_eq!(crate::run(&["diff", a, b, "--fail-on", "availability"]).code, code);
    }
}

/// Nobody expects a manifest to have a status.
#[test]
fn manifests_have_no_status_to_lose() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "boats.json", EXPORTED);
    let file = dir.path().join("boats.json");
    let run = crate::run(&[
        "route",
        "/apis/boats.test/v1/ferries",
        "--builtin",
        "1.36",
        "-f",
        file.to_str().unwrap(),
    ]);
    assert!(!run.err.contains("without status"), "{}", run.err);
}

#[test]
fn a_namespace_without_a_status() {
    let dir = tempfile::tempdir().unwrap();
    let lake = r#"{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"lake"}}"#;
    write(dir.path(), "lake.json", lake);
    let run = run_on(dir.path(), &["explain", "namespace", "lake"]);
    let said = "whether namespace lake is being deleted is not known";
    assert!(run.out.starts_with(said), "{}", run.out);
}

/// What several answers rest on is said as it is of one; and what is unknown has neither a status
/// nor somebody who answers.
#[test]
fn several_requests_say_what_they_rest_on() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "boats.json", EXPORTED);
    let paths = ["/apis/apps/v1/deployments", "/apis/none.test/v1/x", "/apis/boats.test/v1/x"];
    let run = run_on(dir.path(), &[&["route"], &paths[..]].concat());
    let row = run.out.lines().find(|line| line.contains("none.test")).unwrap();
    let words: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(words[2..5], ["unknown", "?", "-"], "{row}");
    let text = run.out.split_whitespace().collect::<Vec<_>>().join(" ");
    for said in [
        "assumed: APIServices are not all in the source: taken from a plain Kubernetes",
        "assumed: APIService v1.boats.test: taken as available, for the source has no status",
    ] {
        assert!(text.contains(said), "{}", run.out);
    }
    let mut stream = crate::aggctl(&["route", "-", "--dump", dir.path().to_str().unwrap()]);
    let stream = stream.write_stdin(format!("{}\n{}\n", paths[1], paths[1]));
    let run = crate::finish(stream);
    assert!(run.out.starts_with("unknown             ?  "), "{}", run.out);
    let said = "APIServices are not all in the source";
    assert_eq!(run.err.matches(said).count(), 1, "{}", run.err);
    let file = dir.path().join("boats.json");
    let what_if = [&["route"], &paths[..], &["-f", file.to_str().unwrap()]].concat();
    let run = run_on(dir.path(), &what_if);
    assert!(run.out.contains("assumed: APIServices are not all in the source"), "{}", run.out);
}

/// The document of a group is no better known than what is below it; what the aggregator has
/// itself is.
#[test]
fn unknown_groups_are_unknown() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "boats.json", EXPORTED);
    for (path, want) in [
        ("/apis/none.test", "unknown"),
        ("/apis/none.test/", "unknown"),
        ("/apis/none.test/v1", "unknown"),
        ("/apis/boats.test", "served"),
        ("/apis/apiregistration.k8s.io/v1/boats", "not-found"),
        ("/apis/apiregistration.k8s.io/v9", "not-found"),
    ] {
        assert_eq!(outcome(dir.path(), path).0, want, "{path}");
    }
}

fn group(name: &str, version: &str) -> Value {
    let gv = json!({"groupVersion": format!("{name}/{version}"), "version": version});
    json!({"name": name, "versions": [gv], "preferredVersion": gv})
}

/// What the server itself lists is there, and nothing else is.
#[test]
fn the_servers_own_documents_are_believed() {
    let dir = tempfile::tempdir().unwrap();
    let version = r#"{"major":"1","minor":"30","gitVersion":"v1.30.1"}"#;
    write(dir.path(), "version.json", version);
    let groups = json!([group("apps", "v1"), group("boats.test", "v1")]);
    write(dir.path(), "groups.json", &groups.to_string());
    for (path, want) in [
        ("/apis/apps/v1/deployments", "served"),
        ("/apis/autoscaling/v2/horizontalpodautoscalers", "not-found"),
        ("/apis/autoscaling", "not-found"),
        ("/apis/apiregistration.k8s.io/v1/apiservices", "served"),
        ("/api/v1/pods", "served"),
        ("/healthz", "served"),
    ] {
        assert_eq!(outcome(dir.path(), path).0, want, "{path}");
    }
    let merged = run_on(dir.path(), &["discovery", "--merged"]);
    let line = merged.out.lines().find(|line| line.starts_with("boats.test")).unwrap();
    assert!(line.ends_with("unknown"), "{line}");
    assert!(merged.err.contains("which group versions are stale"), "{}", merged.err);
}

#[test]
fn what_is_stale_need_not_be_available() {
    let dir = tempfile::tempdir().unwrap();
    let version = json!({"version": "v1", "freshness": "Stale", "resources": []});
    let groups = json!({
        "kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2",
        "items": [{"metadata": {"name": "boats.test"}, "versions": [version]}],
    });
    write(dir.path(), "apis.json", &groups.to_string());
    let answer = run_on(dir.path(), &["route", "/apis/boats.test/v1/x", "-o", "json"]).json();
    let said = answer["warnings"][0]["message"].as_str().unwrap();
    let want = "APIService v1.boats.test: whether it is available is not known, and boats.test/v1 is Stale in aggregated discovery";
    assert!(said.starts_with(want), "{said}");
}

#[test]
fn a_diagnosis_of_some_is_not_one_of_all() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "boats.json", EXPORTED);
    let some = "APIServices are not all in the source: the others were not looked at";
    assert!(run_on(dir.path(), &["doctor"]).err.contains(some));
    let json = run_on(dir.path(), &["doctor", "-o", "json"]).json();
    assert_eq!(json["assumptions"][0], some);
}

/// Neither lists without a kind nor answers with their headers are passed over.
#[test]
fn lists_are_read_whatever_is_around_them() {
    let dir = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| write(dir.path(), name, text);
    put(
        "services/harbour.json",
        r#"{"items":[{"metadata":{"name":"boats","namespace":"harbour"}}]}"#,
    );
    put("namespaces.json", r#"{"metadata":{},"items":[{"metadata":{"name":"harbour"}}]}"#);
    put(
        "apiservices.yaml",
        "items:\n- metadata: {name: v1.boats.test}\n  spec: {group: boats.test, version: v1, service: {namespace: harbour, name: boats}}\n",
    );
    let headers = "HTTP/1.1 200 Connection established\r\n\r\nHTTP/2 200\r\ncontent-type: application/json\r\n\r\n";
    put("crds.out", &format!("{headers}{}", crds(&json!({}))));
    put(
        "version",
        "HTTP/1.1 200 OK\nDate: today\n\n{\"major\":\"1\",\"minor\":\"33\",\"gitVersion\":\"v1.33.1\"}",
    );
    let doctor = run_on(dir.path(), &["doctor", "v1.boats.test"]);
    assert!(doctor.out.contains("harbour/boats exists"), "{}", doctor.out);
    assert!(doctor.out.contains("Kubernetes 1.33.1"), "{}", doctor.out);
    assert!(run_on(dir.path(), &["explain", "namespace", "harbour"]).code == 0);
    assert_eq!(outcome(dir.path(), "/apis/lake.test/v1/boats").0, "served");
}

/// A refusal that was saved says that it is one.
#[test]
fn a_saved_refusal_is_told() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "crds.json", &crds(&json!({})));
    let message = "apiservices.apiregistration.k8s.io is forbidden: User \"jane\" cannot list resource \"apiservices\"";
    let refusal = |message: &str, details: Value| {
        json!({"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Forbidden",
            "code": 403, "message": message, "details": details})
        .to_string()
    };
    let details = json!({"group": "apiregistration.k8s.io", "kind": "apiservices"});
    write(dir.path(), "apiservices.json", &refusal(message, details));
    let path = "forbidden: User \"jane\" cannot get path \"/version\"";
    write(dir.path(), "version.json", &refusal(path, json!({})));
    let answer = run_on(dir.path(), &["route", "/apis/none.test/v1/x", "-o", "json"]).json();
    let assumed = answer["assumptions"].as_array().unwrap();
    for said in [
        format!("APIServices may not be read ({message})"),
        format!("the server's version may not be read ({path})"),
    ] {
        assert!(assumed.iter().any(|one| one.as_str().unwrap().starts_with(&said)), "{assumed:?}");
    }
}

/// What an upgrade takes away does not come back because the documents of now list it.
#[test]
fn an_upgrade_of_documents_alone() {
    let dir = tempfile::tempdir().unwrap();
    let version = r#"{"major":"1","minor":"30","gitVersion":"v1.30.1"}"#;
    write(dir.path(), "version.json", version);
    let name = "flowcontrol.apiserver.k8s.io";
    let mut flows = group(name, "v1beta3");
    let v1 = group(name, "v1")["versions"][0].clone();
    flows["versions"].as_array_mut().unwrap().push(v1);
    write(dir.path(), "groups.json", &json!([group("apps", "v1"), flows]).to_string());
    let run = run_on(dir.path(), &["upgrade", "--to", "1.37"]);
    assert!(run.out.contains(&format!("{name}: v1 is preferred, not v1beta3")), "{}", run.out);
}
