//! Tests dumps as other tools and people write them: support bundles, backups, exports, pages of
//! lists.

use serde_json::{Value, json};

use crate::{Place, dump, session};

const CRD: &str = r#"{"metadata":{"name":"boats.lake.test"},"spec":{"group":"lake.test","scope":"Cluster","names":{"plural":"boats","kind":"Boat"},"versions":[{"name":"v1","served":true,"storage":true}]},"status":{"conditions":[{"type":"NamesAccepted","status":"True"},{"type":"Established","status":"True"}]}}"#;

/// Lists without a kind, a bare array, a wrapped version, and a redacted file.
#[test]
fn a_support_bundle() {
    let gv = |group: &str| format!(r#"{{"groupVersion":"{group}/v1","version":"v1"}}"#);
    let group = |name: &str| {
        format!(r#"{{"name":"{name}","versions":[{}],"preferredVersion":{}}}"#, gv(name), gv(name))
    };
    let place = Place::with(&[
        (
            "cluster-info/cluster_version.json",
            r#"{"info":{"major":"1","minor":"33","gitVersion":"v1.33.1"},"string":"v1.33.1"}"#,
        ),
        ("cluster-resources/groups.json", &format!("[{},{}]", group("apps"), group("lake.test"))),
        (
            "cluster-resources/custom-resource-definitions.json",
            &format!(r#"{{"metadata":{{}},"items":[{CRD}]}}"#),
        ),
        (
            "cluster-resources/services/default.json",
            r#"{"items":[{"metadata":{"name":"a","namespace":"default"}}]}"#,
        ),
        ("cluster-resources/hidden.yaml", "kind: Pod\nname: ***HIDDEN***\n"),
    ]);
    insta::assert_snapshot!(place.ask(&["route", "/apis/lake.test/v1/boats"]), @"
    GET /apis/lake.test/v1/boats    list boats (lake.test/v1)

      │ kube-aggregator           APIService v1.lake.test is local
      │ kube-apiserver            no match
      ✓ apiextensions-apiserver   CRD boats.lake.test

    200 from apiextensions-apiserver.
    assumed: APIServices are not in the source; using built-in Kubernetes 1.33
    ");
}

/// The output of `kubectl cluster-info dump` has logs between its documents.
#[test]
fn cluster_info_on_standard_output() {
    let text = format!(
        "{{\"kind\":\"NodeList\",\"apiVersion\":\"v1\",\"items\":[]}}\n\
         {{\"kind\":\"ServiceList\",\"apiVersion\":\"v1\",\"items\":[]}}\n\
         ==== START logs for container a of pod b/c ====\n{{\"kind\": broken\n\
         ==== END logs for container a of pod b/c ====\n\
         {{\"kind\":\"CustomResourceDefinitionList\",\"apiVersion\":\"apiextensions.k8s.io/v1\",\"items\":[{CRD}]}}\n"
    );
    let place = Place::with(&[("info", &text)]);
    let run = place.run(&["route", "/apis/lake.test/v1/boats", "-o", "name", "--dump", "info"]);
    insta::assert_snapshot!(run, @"crd/boats.lake.test");
}

/// Returns a list of a built-in server's APIServices and more.
fn api_services(more: &[Value]) -> Value {
    let text = std::fs::read_to_string(dump("v1.36-vanilla").join("apiservices.json")).unwrap();
    let mut list: Value = serde_json::from_str(&text).unwrap();
    list["items"].as_array_mut().unwrap().extend(more.iter().cloned());
    list
}

/// Returns a local APIService.
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

/// Returns the outcome of a GET, and whether it depends on assumptions.
fn outcome(place: &Place, path: &str) -> (String, bool) {
    let answer = place.ask(&["route", path, "-o", "json"]).json();
    let assumed = answer["assumptions"].as_array().unwrap();
    (answer["outcome"].as_str().unwrap().to_owned(), !assumed.is_empty())
}

/// Objects that are not on this page of a list may still be in the cluster.
#[test]
fn a_page_is_not_the_whole_list() {
    for metadata in [json!({"continue": "next"}), json!({"remainingItemCount": 3})] {
        let mut services = api_services(&[local("pond.test")]);
        let place = Place::with(&[
            ("apiservices.json", &services.to_string()),
            ("crds.json", &crds(&json!({}))),
        ]);
        let ghost = "/apis/pond.test/v1/frogs";
        assert_eq!(outcome(&place, ghost), ("not-found".to_owned(), false));
        place.write("crds.json", crds(&metadata));
        assert_eq!(outcome(&place, ghost), ("unknown".to_owned(), true));
        // Nothing is safe to delete if CRDs may be missing.
        let doctor = place.ask(&["doctor"]);
        assert!(!doctor.out.contains("kubectl delete"), "{}", doctor.out);
        assert_eq!(outcome(&place, "/apis/none.test/v1/x"), ("not-found".to_owned(), true));
        services["metadata"] = metadata.clone();
        place.write("apiservices.json", services.to_string());
        assert_eq!(outcome(&place, "/apis/none.test/v1/x"), ("unknown".to_owned(), true));
        if metadata.get("continue").is_some() {
            insta::assert_snapshot!(doctor, @"
            All 22 APIServices work.

            22 healthy APIServices hidden (use --all): 21 built-in, 1 local with an unknown
            backend.
            Kubernetes of unknown version, dump .
            2> warning: ./crds.json has one page of a list: some CustomResourceDefinition objects are missing
            2> warning: input is incomplete; the diagnosis may be less precise: Services are not in the source (kubectl get services -A -o json); EndpointSlices are not in the source (kubectl get endpointslices -A -o json); the server's version is not in the source (kubectl get --raw /version)
            2> warning: CRDs are incomplete in the source; others may exist
            ");
        }
    }
}

/// A server registers all of its own groups. A list of a few is a selection, unless the server's
/// own document has no more either.
#[test]
fn a_few_apiservices_are_not_all() {
    let mut services = api_services(&[]);
    let few = |one: &Value| matches!(one["metadata"]["name"].as_str(), Some("v1." | "v1.apps"));
    services["items"].as_array_mut().unwrap().retain(few);
    let place = Place::with(&[
        ("apiservices.json", &services.to_string()),
        ("crds.json", &crds(&json!({}))),
    ]);
    insta::assert_snapshot!(session(|arguments| place.ask(arguments), [
        "route /apis/none.test/v1/x",
        "route /apis/batch/v1/jobs",
    ]), @"
    $ aggctl route /apis/none.test/v1/x
    GET /apis/none.test/v1/x    list x (none.test/v1)

      │ kube-aggregator           no match
      │ kube-apiserver            no match
      ? apiextensions-apiserver   no CRD serves this group version

    200 or 404 or 503. The source does not have enough data to tell.
    assumed: APIServices are incomplete in the source; using built-in Kubernetes
             1.37
    assumed: the server's version is not in the source, but it is 1.9 or newer;
             assuming 1.37

    $ aggctl route /apis/batch/v1/jobs
    GET /apis/batch/v1/jobs    list jobs (batch/v1)

      │ kube-aggregator   APIService v1.batch is local
      ✓ kube-apiserver    built-in batch/v1 serves this resource

    200 from kube-apiserver.
    assumed: APIServices are incomplete in the source; using built-in Kubernetes
             1.37
    assumed: the APIResourceList of batch/v1 is not in the source; using built-in
             Kubernetes 1.37
    assumed: the server's version is not in the source, but it is 1.9 or newer;
             assuming 1.37
    ");
    let gv = json!({"groupVersion": "apps/v1", "version": "v1"});
    let apps = json!({"name": "apps", "versions": [gv], "preferredVersion": gv});
    let groups = json!({"kind": "APIGroupList", "apiVersion": "v1", "groups": [apps]});
    place.write("apis.json", groups.to_string());
    assert_eq!(outcome(&place, "/apis/none.test/v1/x"), ("not-found".to_owned(), false));
}

/// An exported APIService with a Service, without a status.
const EXPORTED: &str = r#"{"kind":"APIService","apiVersion":"apiregistration.k8s.io/v1","metadata":{"name":"v1.boats.test"},"spec":{"group":"boats.test","version":"v1","groupPriorityMinimum":1000,"versionPriority":10,"service":{"namespace":"harbour","name":"boats"}}}"#;

/// If the status was lost, availability is unknown.
#[test]
fn without_a_status_availability_is_unknown() {
    let place = Place::with(&[("boats.json", EXPORTED)]);
    insta::assert_snapshot!(session(|arguments| place.ask(arguments), [
        "route /apis/boats.test/v1/ferries",
        "doctor",
        "chain",
        "explain v1.boats.test",
    ]), @"
    $ aggctl route /apis/boats.test/v1/ferries
    GET /apis/boats.test/v1/ferries    list ferries (boats.test/v1)

      → kube-aggregator   APIService v1.boats.test
                          proxied to Service harbour/boats:443

    The status is that of harbour/boats, or 503 if it cannot be reached.
    assumed: APIService v1.boats.test: counts as available, because the source has
             no status
    assumed: the server's version is not in the source; assuming 1.37
    2> warning: the source has objects without status: cannot tell whether APIServices are available

    $ aggctl doctor
    None of 1 APIService is broken, the state of 1 is unknown.

    ? v1.boats.test: cannot tell whether Service harbour/boats responds

    Kubernetes of unknown version, dump . (run kubectl commands in the dumped
    cluster)
    2> warning: the source has objects without status: cannot tell whether APIServices are available
    2> warning: input is incomplete; the diagnosis may be less precise: Services are not in the source (kubectl get services -A -o json); EndpointSlices are not in the source (kubectl get endpointslices -A -o json); the server's version is not in the source (kubectl get --raw /version)
    2> warning: CRDs are not in the source; custom resources are inferred from the rest of the source
    2> warning: the aggregated document /apis is not in the source; cannot tell which group versions are stale
    2> warning: APIServices are incomplete in the source; the others were not checked

    $ aggctl chain
    kube-aggregator  receives every request first
    ├─ itself           /apis, apiregistration.k8s.io/v1, 120 paths such as /healthz
    │                   and /openapi/v2
    ├─ local            22 APIServices, passed to the servers below
    ├─ → harbour/boats  availability unknown: v1.boats.test
    │
    ▼ requests that match no APIService or a local one
    kube-apiserver  serves the built-in groups
    ├─ built in         21 group versions in 20 groups: (core),
    │                   admissionregistration.k8s.io, apps, authentication.k8s.io,
    │                   authorization.k8s.io, autoscaling, batch,
    │                   certificates.k8s.io, coordination.k8s.io, discovery.k8s.io,
    │                   events.k8s.io, flowcontrol.apiserver.k8s.io,
    │                   networking.k8s.io, node.k8s.io, policy,
    │                   rbac.authorization.k8s.io, resource.k8s.io,
    │                   scheduling.k8s.io, storage.k8s.io, storagemigration.k8s.io
    │
    ▼ requests outside the built-in groups
    apiextensions-apiserver  serves custom resources
    ├─ itself           apiextensions.k8s.io/v1
    ├─ CRDs             unknown; they are not in the source
    │
    ▼ everything else
    404
    2> warning: the source has objects without status: cannot tell whether APIServices are available
    2> warning: APIServices are incomplete in the source; inferred those that must exist, others may be missing
    2> warning: CRDs are not in the source; custom resources are inferred from the rest of the source
    2> warning: the server's version is not in the source; assuming 1.37

    $ aggctl explain v1.boats.test
    The server behind harbour/boats serves this group version behind an APIService

      about      APIService v1.boats.test
      meaning    kube-apiserver proxies requests for this group version to the
                 Service of the APIService, as long as the APIService is available.
                 Otherwise they get 503.

    Likely causes
      1. The text shows no failure. Check whether the APIService is available.
         confirm: kubectl describe apiservice v1.boats.test
                  Message shows the state, Service the backend
      2. The server behind harbour/boats is not running or not ready: Pods are
         starting, crashing or missing.
         confirm: kubectl -n harbour get endpointslices -l kubernetes.io/service-name=boats
                  no ready address means yes
      3. The control plane cannot reach the server behind harbour/boats: a firewall,
         the network plugin, a network policy, or a broken tunnel to the nodes.
      4. The Service does not exist: the component was removed and its APIService
         was left behind, or the APIService names the wrong Service.

    Next
      aggctl apiservices v1.boats.test --dump .
          shows its backend and its health
      aggctl doctor v1.boats.test --dump .
          shows each check from the APIService to the Pod

    Now
      in dump .
      APIService v1.boats.test
          backend: Service harbour/boats, port 443; availability unknown
    2> warning: the source has objects without status: cannot tell whether APIServices are available
    2> warning: APIServices are incomplete in the source; inferred those that must exist, others may be missing
    2> warning: CRDs are not in the source; custom resources are inferred from the rest of the source
    2> warning: Services are not in the source; cannot tell whether a Service exists and has the port
    2> warning: the server's version is not in the source; assuming 1.37
    ");
    // A backup contains all APIServices, without a status.
    let mut services = api_services(&[]);
    for one in services["items"].as_array_mut().unwrap() {
        one.as_object_mut().unwrap().remove("status");
    }
    place.write("apiservices.json", services.to_string());
    insta::assert_snapshot!(place.ask(&["doctor"]), @"
    None of 22 APIServices is broken, the state of 1 is unknown.

    ? v1.boats.test: cannot tell whether Service harbour/boats responds

    21 healthy APIServices hidden (use --all): 21 built-in.
    Kubernetes of unknown version, dump . (run kubectl commands in the dumped
    cluster)
    2> warning: the source has objects without status: cannot tell whether APIServices are available
    2> warning: input is incomplete; the diagnosis may be less precise: Services are not in the source (kubectl get services -A -o json); EndpointSlices are not in the source (kubectl get endpointslices -A -o json); the server's version is not in the source (kubectl get --raw /version)
    2> warning: CRDs are not in the source; custom resources are inferred from the rest of the source
    2> warning: the aggregated document /apis is not in the source; cannot tell which group versions are stale
    ");
    let json = place.ask(&["doctor", "-o", "json"]).json();
    let boats = json["items"].as_array().unwrap().iter().find(|d| d["name"] == "v1.boats.test");
    assert_eq!(boats.unwrap()["verified"], false);
    assert_eq!(boats.unwrap()["condition"], Value::Null);
    let metrics = place.ask(&["doctor", "-o", "openmetrics"]).out;
    let available = "aggctl_apiservice_available{apiservice=\"v1.boats.test\"}";
    assert!(!metrics.contains(available), "{metrics}");
    let merged = place.ask(&["discovery", "--merged"]).out;
    let line = merged.lines().find(|line| line.starts_with("boats.test")).unwrap();
    insta::assert_snapshot!(line, @"boats.test                     v1        Unknown     0           harbour/boats");
}

/// An empty status belongs to a new APIService, which is not available yet. A lost status does not
/// mean that it became unavailable.
#[test]
fn a_lost_status_is_not_an_empty_one() {
    let exported = EXPORTED.strip_suffix('}').unwrap();
    let condition = r#"{"conditions":[{"type":"Available","status":"True"}]}"#;
    let place = Place::with(&[
        ("lost/boats.json", EXPORTED),
        ("new/boats.json", &format!("{exported},\"status\":{{}}}}")),
        ("whole/boats.json", &format!("{exported},\"status\":{condition}}}")),
    ]);
    insta::assert_snapshot!(session(|arguments| place.run(arguments), [
        "route /apis/boats.test/v1/ferries -o name --dump lost",
        "route /apis/boats.test/v1/ferries -o name --dump new --fail-on unavailable",
        "diff dump:whole dump:lost --fail-on availability",
        "diff dump:whole dump:new --fail-on availability",
    ]), @"
    $ aggctl route /apis/boats.test/v1/ferries -o name --dump lost
    harbour/boats
    2> warning: the source has objects without status: cannot tell whether APIServices are available

    $ aggctl route /apis/boats.test/v1/ferries -o name --dump new --fail-on unavailable
    harbour/boats
    [exit 1]

    $ aggctl diff dump:whole dump:lost --fail-on availability
    from dump whole
    to   dump lost

    APISERVICES  1 changed
    ~ v1.boats.test  available True → not in the source

    assumed: the first source: APIServices are incomplete in the source; inferred
             those that must exist, others may be missing

    assumed: the first source: CRDs are not in the source; custom resources are
             inferred from the rest of the source

    assumed: the first source: the server's version is not in the source; assuming
             1.37

    assumed: the first source: the APIResourceList of boats.test/v1 is not in the
             source; cannot tell which resources it has

    assumed: the second source: APIServices are incomplete in the source; inferred
             those that must exist, others may be missing

    assumed: the second source: CRDs are not in the source; custom resources are
             inferred from the rest of the source

    assumed: the second source: the server's version is not in the source; assuming
             1.37

    assumed: the second source: the APIResourceList of boats.test/v1 is not in the
             source; cannot tell which resources it has
    2> warning: the source has objects without status: cannot tell whether APIServices are available

    $ aggctl diff dump:whole dump:new --fail-on availability
    from dump whole
    to   dump new

    APISERVICES  1 changed
    ~ v1.boats.test  available True → no condition

    GROUP VERSIONS  1 changed
    ~ boats.test/v1  freshness Unknown → Stale

    ROUTES  GET only, no subresources
    ~ GET /apis/boats.test/v1  proxied to harbour/boats → unavailable
                               (harbour/boats)

    assumed: the first source: APIServices are incomplete in the source; inferred
             those that must exist, others may be missing

    assumed: the first source: CRDs are not in the source; custom resources are
             inferred from the rest of the source

    assumed: the first source: the server's version is not in the source; assuming
             1.37

    assumed: the first source: the APIResourceList of boats.test/v1 is not in the
             source; cannot tell which resources it has

    assumed: the second source: APIServices are incomplete in the source; inferred
             those that must exist, others may be missing

    assumed: the second source: CRDs are not in the source; custom resources are
             inferred from the rest of the source

    assumed: the second source: the server's version is not in the source; assuming
             1.37
    [exit 1]
    ");
}

/// Manifests have no status to lose.
#[test]
fn manifests_need_no_status() {
    let place = Place::with(&[("boats.json", EXPORTED)]);
    let path = "/apis/boats.test/v1/ferries";
    let run = place.run(&["route", path, "--builtin", "1.36", "-f", "boats.json"]);
    insta::assert_snapshot!(run, @r#"
    NOW
    GET /apis/boats.test/v1/ferries    list ferries (boats.test/v1)

      │ kube-aggregator           no match
      │ kube-apiserver            no match
      ✗ apiextensions-apiserver   no CRD serves this group version

    404 Not Found.

    WHAT IF
    GET /apis/boats.test/v1/ferries    list ferries (boats.test/v1)

      ✗ kube-aggregator   APIService v1.boats.test is unavailable
                          ServiceNotFound: service/boats in "harbour" is not present

    503 Service Unavailable. The request never reaches the extension API server.
    2> what if: APIService v1.boats.test would not be available: service/boats in "harbour" is not present
    "#);
}

#[test]
fn a_namespace_without_a_status() {
    let lake = r#"{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"lake"}}"#;
    let place = Place::with(&[("lake.json", lake)]);
    insta::assert_snapshot!(place.ask(&["explain", "namespace", "lake"]), @"
    cannot tell whether namespace lake is being deleted: the source has no status
    for it
    2> warning: APIServices are not in the source; inferred those that must exist, others may be missing
    2> warning: CRDs are not in the source; custom resources are inferred from the rest of the source
    2> warning: Services are not in the source; cannot tell whether a Service exists and has the port
    2> warning: the server's version is not in the source; assuming 1.37
    ");
}

/// Several requests share the list of assumptions. An unknown result has neither a status nor a
/// handler.
#[test]
fn several_requests_show_their_assumptions() {
    let place = Place::with(&[("boats.json", EXPORTED)]);
    let paths = ["/apis/apps/v1/deployments", "/apis/none.test/v1/x", "/apis/boats.test/v1/x"];
    insta::assert_snapshot!(place.ask(&[&["route"], &paths[..]].concat()), @"
    METHOD   PATH                        STATUS   OUTCOME   SERVED BY        NOTES
    GET      /apis/apps/v1/deployments   200      served    kube-apiserver   1,2,3
    GET      /apis/none.test/v1/x        ?        unknown   -                1,4,3
    GET      /apis/boats.test/v1/x       200      proxied   harbour/boats    5,3

    [1] assumed: APIServices are incomplete in the source; using built-in Kubernetes
        1.37
    [2] assumed: the APIResourceList of apps/v1 is not in the source; using built-in
        Kubernetes 1.37
    [3] assumed: the server's version is not in the source; assuming 1.37
    [4] assumed: CRDs are not in the source; another one might answer
    [5] assumed: APIService v1.boats.test: counts as available, because the source
        has no status
    2> warning: the source has objects without status: cannot tell whether APIServices are available
    ");
    let what_if = [&["route"], &paths[..], &["-f", "boats.json"]].concat();
    insta::assert_snapshot!(place.ask(&what_if), @"
    METHOD   PATH                        NOW                        WHAT IF
    GET      /apis/apps/v1/deployments   served by kube-apiserver   no change
    GET      /apis/none.test/v1/x        unknown                    no change
    GET      /apis/boats.test/v1/x       proxied to harbour/boats   no change

    assumed: APIService v1.boats.test: counts as available, because the source has
        no status
    assumed: APIServices are incomplete in the source; using built-in Kubernetes
        1.37
    assumed: CRDs are not in the source; another one might answer
    assumed: the APIResourceList of apps/v1 is not in the source; using built-in
        Kubernetes 1.37
    assumed: the server's version is not in the source; assuming 1.37
    2> warning: the source has objects without status: cannot tell whether APIServices are available
    ");
    let lines = format!("{}\n{}\n", paths[1], paths[1]);
    insta::assert_snapshot!(place.run_with(&["route", "-", "--dump", "."], &lines), @"
    unknown             ?       GET      /apis/none.test/v1/x  
    unknown             ?       GET      /apis/none.test/v1/x  
    2> warning: the source has objects without status: cannot tell whether APIServices are available
    2> warning: APIServices are incomplete in the source; using built-in Kubernetes 1.37
    2> warning: CRDs are not in the source; another one might answer
    2> warning: the server's version is not in the source; assuming 1.37
    ");
}

/// The document of a group is as unknown as its versions, except for the aggregator's own group.
#[test]
fn unknown_groups_are_unknown() {
    let place = Place::with(&[("boats.json", EXPORTED)]);
    for (path, want) in [
        ("/apis/none.test", "unknown"),
        ("/apis/none.test/", "unknown"),
        ("/apis/none.test/v1", "unknown"),
        ("/apis/boats.test", "served"),
        ("/apis/apiregistration.k8s.io/v1/boats", "not-found"),
        ("/apis/apiregistration.k8s.io/v9", "not-found"),
    ] {
        assert_eq!(outcome(&place, path).0, want, "{path}");
    }
}

fn group(name: &str, version: &str) -> Value {
    let gv = json!({"groupVersion": format!("{name}/{version}"), "version": version});
    json!({"name": name, "versions": [gv], "preferredVersion": gv})
}

/// Exactly what the server's own document lists exists.
#[test]
fn the_servers_own_documents_are_believed() {
    let groups = json!([group("apps", "v1"), group("boats.test", "v1")]);
    let place = Place::with(&[
        ("version.json", r#"{"major":"1","minor":"30","gitVersion":"v1.30.1"}"#),
        ("groups.json", &groups.to_string()),
    ]);
    for (path, want) in [
        ("/apis/apps/v1/deployments", "served"),
        ("/apis/autoscaling/v2/horizontalpodautoscalers", "not-found"),
        ("/apis/autoscaling", "not-found"),
        ("/apis/apiregistration.k8s.io/v1/apiservices", "served"),
        ("/api/v1/pods", "served"),
        ("/healthz", "served"),
    ] {
        assert_eq!(outcome(&place, path).0, want, "{path}");
    }
    insta::assert_snapshot!(place.ask(&["discovery", "--merged"]), @"
    GROUP                    VERSION   FRESHNESS   RESOURCES   SERVED BY
    apps                     v1        Current     5           built-in
    boats.test               v1        Current     0           unknown
    apiregistration.k8s.io   v1        Current     1           built-in
    2> warning: APIServices are not in the source; inferred those that must exist, others may be missing
    2> warning: CRDs are not in the source; custom resources are inferred from the rest of the source
    2> warning: the aggregated document /apis is not in the source; cannot tell which group versions are stale
    2> warning: the APIResourceList of boats.test/v1 is not in the source; listed without resources
    2> warning: the APIResourceList of apps/v1, apiregistration.k8s.io/v1 is not in the source; using built-in Kubernetes 1.30
    ");
}

#[test]
fn a_stale_group_version_may_be_unavailable() {
    let version = json!({"version": "v1", "freshness": "Stale", "resources": []});
    let groups = json!({
        "kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2",
        "items": [{"metadata": {"name": "boats.test"}, "versions": [version]}],
    });
    let place = Place::with(&[("apis.json", &groups.to_string())]);
    insta::assert_snapshot!(place.ask(&["route", "/apis/boats.test/v1/x"]), @"
    GET /apis/boats.test/v1/x    list x (boats.test/v1)

      │ kube-aggregator           unknown whether APIService v1.boats.test is local;
      │                           if so, passed to the next server
      │ kube-apiserver            no match
      ? apiextensions-apiserver   unknown what CRDs serve in this group version

    200 or 404 or 503. The source does not have enough data to tell.
    warning[stale]: APIService v1.boats.test: may or may not be available, and
                    boats.test/v1 is Stale in aggregated discovery
    assumed: APIServices are not in the source; using built-in Kubernetes 1.25, the
             closest to 1.1
    assumed: CRDs are not in the source; cannot tell whether the resource exists
    assumed: the server's version is not in the source, but it is 1.0 to 1.1;
             assuming 1.1
    ");
}

#[test]
fn a_diagnosis_of_some_is_not_one_of_all() {
    let place = Place::with(&[("boats.json", EXPORTED)]);
    let json = place.ask(&["doctor", "-o", "json"]).json();
    insta::assert_snapshot!(json["assumptions"], @r#"["APIServices are incomplete in the source; the others were not checked","CRDs are not in the source; custom resources are inferred from the rest of the source","Services are not in the source; cannot tell whether a Service exists and has the port","EndpointSlices are not in the source; cannot tell whether a Service has ready endpoints","the server's version is not in the source; assuming 1.37","the aggregated document /apis is not in the source; cannot tell which group versions are stale"]"#);
}

/// Lists without a kind are accepted, and so are responses with their headers.
#[test]
fn lists_are_read_whatever_is_around_them() {
    let headers = "HTTP/1.1 200 Connection established\r\n\r\nHTTP/2 200\r\ncontent-type: application/json\r\n\r\n";
    let place = Place::with(&[
        (
            "services/harbour.json",
            r#"{"items":[{"metadata":{"name":"boats","namespace":"harbour"}}]}"#,
        ),
        ("namespaces.json", r#"{"metadata":{},"items":[{"metadata":{"name":"harbour"}}]}"#),
        (
            "apiservices.yaml",
            "items:\n- metadata: {name: v1.boats.test}\n  spec: {group: boats.test, version: v1, service: {namespace: harbour, name: boats}}\n",
        ),
        ("crds.out", &format!("{headers}{}", crds(&json!({})))),
        (
            "version",
            "HTTP/1.1 200 OK\nDate: today\n\n{\"major\":\"1\",\"minor\":\"33\",\"gitVersion\":\"v1.33.1\"}",
        ),
    ]);
    insta::assert_snapshot!(session(|arguments| place.ask(arguments), [
        "doctor v1.boats.test",
        "explain namespace harbour",
        "route /apis/lake.test/v1/boats -o name",
    ]), @"
    $ aggctl doctor v1.boats.test
    ✗ v1.boats.test → Service harbour/boats:443

      ✓ service      harbour/boats exists (ClusterIP)
      ✗ port         Service harbour/boats has no port 443
                     · it has no ports
      - endpoints    Endpoints are not in the source
                     · this Kubernetes version checks Endpoints; the source has 0
                       EndpointSlices with 0 ready
      - ready        not checked: the port is unknown
      - address      the Service has no port 443
      - tls          no caBundle: the certificate must be signed by a CA that the
                     API server's host trusts
                     · the certificate must be for boats.harbour.svc
      - discovery    not reached
      - fresh        the aggregated document /apis is not in the source

    cause      Service harbour/boats has no port 443.
    fix        Set spec.service.port of the APIService to a port of the Service.
               kubectl -n harbour get service boats -o yaml
    impact     Requests under /apis/boats.test/v1 are proxied and fail with 503 or
               500.
    changed by unknown (the source has no managed fields; kubectl get needs
               --show-managed-fields)

    Impact until fixed
      Namespaces stay in Terminating (NamespaceDeletionDiscoveryFailure).
      Possible: garbage collection and quota lag for kinds that cannot be listed.
      Possible: clients that require complete discovery fail: kubectl api-resources
        up to 1.31, some versions of Helm, some controllers.

    Kubernetes 1.33.1, dump . (run kubectl commands in the dumped cluster)
    2> warning: the source has objects without status: cannot tell whether APIServices are available
    2> warning: input is incomplete; the diagnosis may be less precise: EndpointSlices are not in the source (kubectl get endpointslices -A -o json)
    2> warning: the aggregated document /apis is not in the source; cannot tell which group versions are stale
    [exit 1]

    $ aggctl explain namespace harbour
    cannot tell whether namespace harbour is being deleted: the source has no status
    for it
    2> warning: the source has objects without status: cannot tell whether APIServices are available
    2> warning: APIServices are incomplete in the source; inferred those that must exist, others may be missing

    $ aggctl route /apis/lake.test/v1/boats -o name
    crd/boats.lake.test
    2> warning: the source has objects without status: cannot tell whether APIServices are available
    ");
}

/// A saved 403 is reported as the reason for missing data.
#[test]
fn a_saved_refusal_is_reported() {
    let refusal = |message: &str, details: Value| {
        json!({"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Forbidden",
            "code": 403, "message": message, "details": details})
        .to_string()
    };
    let place = Place::with(&[
        ("crds.json", &crds(&json!({}))),
        (
            "apiservices.json",
            &refusal(
                "apiservices.apiregistration.k8s.io is forbidden: User \"jane\" cannot list resource \"apiservices\"",
                json!({"group": "apiregistration.k8s.io", "kind": "apiservices"}),
            ),
        ),
        (
            "version.json",
            &refusal("forbidden: User \"jane\" cannot get path \"/version\"", json!({})),
        ),
    ]);
    insta::assert_snapshot!(place.ask(&["route", "/apis/none.test/v1/x"]), @r#"
    GET /apis/none.test/v1/x    list x (none.test/v1)

      │ kube-aggregator           no match
      │ kube-apiserver            no match
      ? apiextensions-apiserver   no CRD serves this group version

    200 or 404 or 503. The source does not have enough data to tell.
    assumed: APIServices cannot be read (apiservices.apiregistration.k8s.io is
             forbidden: User "jane" cannot list resource "apiservices"); using
             built-in Kubernetes 1.37
    assumed: the server's version cannot be read (forbidden: User "jane" cannot get
             path "/version"); assuming 1.37
    2> warning: could not read APIServices: apiservices.apiregistration.k8s.io is forbidden: User "jane" cannot list resource "apiservices"
    2> warning: could not read the server's version: forbidden: User "jane" cannot get path "/version"
    "#);
}

/// What an upgrade removes is not kept because the old documents list it.
#[test]
fn an_upgrade_of_documents_alone() {
    let name = "flowcontrol.apiserver.k8s.io";
    let mut flows = group(name, "v1beta3");
    let v1 = group(name, "v1")["versions"][0].clone();
    flows["versions"].as_array_mut().unwrap().push(v1);
    let place = Place::with(&[
        ("version.json", r#"{"major":"1","minor":"30","gitVersion":"v1.30.1"}"#),
        ("groups.json", &json!([group("apps", "v1"), flows]).to_string()),
    ]);
    let upgrade = place.ask(&["upgrade", "--to", "1.37"]).out;
    let of_group = |line: &&str| line.contains(name);
    insta::assert_snapshot!(upgrade.lines().filter(of_group).collect::<Vec<_>>().join("\n"), @"
    ✗ 1.32  flowcontrol.apiserver.k8s.io/v1beta3 is no longer served: flowschemas,
            prioritylevelconfigurations; flowcontrol.apiserver.k8s.io/v1 serves it
    ~       flowcontrol.apiserver.k8s.io: the preferred version changes from v1beta3
    ");
}
