//! Tests the API of `aggctl serve`: discovery in both forms, entity tags, injected faults, pages of
//! lists.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;

use serde_json::Value;

use crate::Served;
use crate::harness::{Run, json, recording, repository, session};

const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const TABLE: &str = "application/json;as=Table;v=v1;g=meta.k8s.io";

fn small(more: &[&str]) -> Served {
    let dump = repository("testdata/serve");
    Served::start(&[&["--dump", dump.to_str().unwrap()], more].concat())
}

#[test]
fn discovery_comes_in_both_forms_with_tags() {
    let folder = recording("v1.36-mixed").join("dump");
    let served = Served::start(&["--dump", folder.to_str().unwrap()]);
    let mut connection = served.connect();
    let legacy = connection.get("/apis", "application/json");
    let recorded = json(&std::fs::read_to_string(folder.join("apis.json")).unwrap());
    let names = |document: &Value, list: &str, pointer: &str| -> Vec<String> {
        let all = document[list].as_array().unwrap().iter();
        all.map(|g| g.pointer(pointer).unwrap().as_str().unwrap().to_owned()).collect()
    };
    let groups = names(&json(&legacy.body), "groups", "/name");
    assert_eq!(groups, names(&recorded, "groups", "/name"));
    let aggregated = connection.get("/apis", AGGREGATED);
    assert_eq!(aggregated.header("content-type"), Some(AGGREGATED));
    assert_eq!(aggregated.header("vary"), Some("Accept"));
    let document = json(&aggregated.body);
    assert_eq!(document["apiVersion"], "apidiscovery.k8s.io/v2");
    let recorded = json(&std::fs::read_to_string(folder.join("apis-aggregated.json")).unwrap());
    let items = names(&document, "items", "/metadata/name");
    assert_eq!(items, names(&recorded, "items", "/metadata/name"));
    for (path, accept, first) in
        [("/apis", "application/json", &legacy), ("/apis", AGGREGATED, &aggregated)]
    {
        let tag = first.header("etag").unwrap();
        let headers = [("accept", accept), ("if-none-match", tag)];
        let again = connection.send("GET", path, &headers);
        assert_eq!((again.status, &*again.body), (304, ""), "{accept}");
        let other = [("accept", accept), ("if-none-match", "\"0\"")];
        assert_eq!(connection.send("GET", path, &other).status, 200);
    }
    assert_ne!(legacy.header("etag"), aggregated.header("etag"));
}

const FORECASTS: &str = "/apis/weather.example.org/v1/forecasts";

#[test]
fn faults_are_what_clients_get() {
    let check = |fault: &str, status: u16, outcome: &str, freshness: &str, available: &str| {
        let served = small(&["--fault", &format!("v1.weather.example.org={fault}")]);
        let answer = served.get(FORECASTS, "application/json");
        assert_eq!((answer.status, answer.outcome()), (status, outcome), "{fault}");
        let document = json(&served.get("/apis", AGGREGATED).body);
        let all = document["items"].as_array().unwrap();
        let one = all.iter().find(|g| g["metadata"]["name"] == "weather.example.org").unwrap();
        assert_eq!(one["versions"][0]["freshness"], freshness, "{fault}");
        assert_eq!(one["versions"][0]["resources"][0]["resource"], "forecasts", "{fault}");
        let path = "/apis/apiregistration.k8s.io/v1/apiservices/v1.weather.example.org";
        let service = json(&served.get(path, "application/json").body);
        assert_eq!(service["status"]["conditions"][0]["status"], available, "{fault}");
        answer
    };
    let refused = check("403", 403, "proxied", "Stale", "True");
    assert_eq!(json(&refused.body)["reason"], "Forbidden");
    let refused = check("unavailable", 503, "unavailable", "Stale", "False");
    assert_eq!(refused.body, "service unavailable\n");
    check("stale", 200, "proxied", "Stale", "True");
    check("available", 200, "proxied", "Current", "True");
    let late = check("slow:1ms", 200, "proxied", "Current", "True");
    assert_eq!(json(&late.body)["items"][0]["metadata"]["name"], "monday");
}

/// A request to a slow server does not block other requests.
#[test]
fn a_slow_server_delays_no_other_request() {
    let served = small(&["--fault", "v1.weather.example.org=slow:60s"]);
    let mut slow = TcpStream::connect(served.address).unwrap();
    let request = format!("GET {FORECASTS} HTTP/1.1\r\nhost: {}\r\n\r\n", served.address);
    slow.write_all(request.as_bytes()).unwrap();
    for path in ["/apis/weather.example.org", "/apis/garden.example.org/v1/roses", "/version"] {
        assert_eq!(served.get(path, "application/json").status, 200, "{path}");
    }
    slow.set_nonblocking(true).unwrap();
    assert_eq!(slow.read(&mut [0]).unwrap_err().kind(), ErrorKind::WouldBlock);
}

/// Changed files are reloaded, and open watches report the change.
#[test]
fn files_that_change_are_read_again() {
    let copy = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(repository("testdata/serve")).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
    }
    let served = Served::start(&["--watch-dump", "--dump", copy.path().to_str().unwrap()]);
    let mut watching = served.connect();
    let head = watching.start("/apis/garden.example.org/v1/namespaces/fence/roses?watch=1");
    assert_eq!(head.status, 200);
    let event = |text: String| {
        let event = json(&text);
        let height = event["object"]["spec"]["height"].as_u64();
        (event["type"].as_str().unwrap().to_owned(), height)
    };
    assert_eq!(event(watching.chunk()), ("ADDED".to_owned(), Some(200)));
    let file = copy.path().join("roses.yaml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("height: 200", "height: 201")).unwrap();
    assert_eq!(event(watching.chunk()), ("MODIFIED".to_owned(), Some(201)));
    let one = "/apis/garden.example.org/v1/namespaces/fence/roses/iceberg";
    assert_eq!(json(&served.get(one, "").body)["spec"]["height"], 201);
    std::fs::write(&file, text.replace("namespace: fence", "namespace: hedge")).unwrap();
    assert_eq!(event(watching.chunk()), ("DELETED".to_owned(), None));
    assert_eq!(served.get(one, "").status, 404);
}

/// `serve` on a live cluster, which is another `serve`, responds like that one.
#[test]
fn a_live_cluster_is_served_too() {
    let cluster = small(&[]);
    let served = Served::start(&["--kubeconfig", &cluster.kubeconfig]);
    for (path, accept) in [
        ("/apis", "application/json"),
        ("/apis", AGGREGATED),
        ("/apis/garden.example.org/v1", "application/json"),
        ("/apis/tides.example.org/v1", "application/json"),
        ("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", TABLE),
        ("/apis/apiregistration.k8s.io/v1/apiservices/v1.tides.example.org", TABLE),
    ] {
        let (original, copied) = (cluster.get(path, accept), served.get(path, accept));
        assert_eq!((copied.status, copied.outcome()), (original.status, original.outcome()));
        assert_eq!(rows(&copied.body), rows(&original.body), "{path} {accept}");
    }
    // Other objects are not collected from a live cluster, and a warning says so.
    let roses = served.get("/apis/garden.example.org/v1/roses", "application/json");
    assert_eq!(roses.status, 200);
    insta::assert_snapshot!(roses.header("warning").unwrap(), @r#"299 aggctl "no roses in the source: they were not collected""#);
}

/// aggctl takes what the source of `serve` lacks as unknown, not as an empty list.
#[test]
fn what_was_not_collected_is_unknown_to_aggctl_too() {
    let served = small(&[]);
    insta::assert_snapshot!(session(|arguments| asked(arguments, &served.kubeconfig), [
        "access get roses.garden.example.org --as ada",
        "health",
        "flags",
    ]), @r#"
    $ aggctl access get roses.garden.example.org --as ada
    2> warning: could not read Services: not in the source of `aggctl serve`
    2> warning: could not read the index /openapi/v3: not in the source of `aggctl serve`
    2> error: cannot evaluate access: the source has no roles and bindings
    2> hint: write a dump with `aggctl dump`, and add the output of `kubectl get clusterroles,clusterrolebindings,roles,rolebindings -A -o json`
    [exit 3]

    $ aggctl health
    readyz: no response: not in the source of `aggctl serve`
    livez: no response: not in the source of `aggctl serve`
    healthz: no response: not in the source of `aggctl serve`
    phase: unknown
    2> error: cannot tell whether the API server is healthy: unknown
    2> hint: save one with `kubectl get --raw '/readyz?verbose' > readyz.txt`
    [exit 3]

    $ aggctl flags
    2> error: the source has no kube-apiserver flags (managed control planes do not show them)
    2> hint: write a dump with `aggctl dump`, and add the output of `kubectl -n kube-system get pods -l component=kube-apiserver -o yaml` or `kubectl get --raw /flagz`
    [exit 3]
    "#);
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("version.json", r#"{"gitVersion":"v1.36.0"}"#);
    write(
        "apiservices.yaml",
        r#"
apiVersion: apiregistration.k8s.io/v1
kind: APIServiceList
items:
- metadata:
    name: v1.acme.example
    labels: {kube-aggregator.kubernetes.io/automanaged: "true"}
  spec: {group: acme.example, version: v1, groupPriorityMinimum: 1000, versionPriority: 100}
"#,
    );
    write(
        "binding.yaml",
        r#"
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: readers}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: ada}]
"#,
    );
    for kind in ["ClusterRole", "Role", "RoleBinding"] {
        let list =
            format!("apiVersion: rbac.authorization.k8s.io/v1\nkind: {kind}List\nitems: []\n");
        write(&format!("{kind}.yaml"), &list);
    }
    let dump = folder.path().to_str().unwrap();
    let served = Served::start(&["--dump", dump]);
    insta::assert_snapshot!(session(|arguments| asked(arguments, &served.kubeconfig), [
        "doctor --now 2026-11-20T12:00:00Z",
        "access get pods --as ada",
    ]), @r#"
    $ aggctl doctor --now 2026-11-20T12:00:00Z
    All 22 APIServices work.

    22 healthy APIServices hidden (use --all): 21 built-in, 1 of CRDs.
    Kubernetes 1.36.0, cluster aggctl
    2> warning: could not read CRDs: not in the source of `aggctl serve`
    2> warning: could not read Services: not in the source of `aggctl serve`
    2> warning: could not read EndpointSlices: not in the source of `aggctl serve`
    2> warning: could not read Namespaces: not in the source of `aggctl serve`
    2> warning: could not read the index /openapi/v3: not in the source of `aggctl serve`
    2> warning: could not read the resources of acme.example/v1: not in the source of `aggctl serve`
    2> warning: input is incomplete; the diagnosis may be less precise: Services could not be read (not in the source of `aggctl serve`); EndpointSlices could not be read (not in the source of `aggctl serve`)
    2> warning: APIServices are incomplete in the source; the others were not checked

    $ aggctl access get pods --as ada
    GET /api/v1/pods
    list resource "pods" in API group "" at the cluster scope

    No binding allows this request.
    Members of system:masters can, without a binding.
    2> warning: could not read CRDs: not in the source of `aggctl serve`
    2> warning: could not read Services: not in the source of `aggctl serve`
    2> warning: could not read the index /openapi/v3: not in the source of `aggctl serve`
    2> warning: could not read the resources of acme.example/v1: not in the source of `aggctl serve`
    2> note: ClusterRoleBindings are incomplete in the source; cannot tell who has access
    2> note: the authorizers of the server are not in the source; assuming only RBAC
    "#);
    let access = ["access", "get", "pods", "--as", "ada"];
    let direct = asked(&[&access[..], &["--dump", dump]].concat(), "");
    let note = "ClusterRoleBindings are incomplete in the source; cannot tell who has access";
    assert!(direct.err.contains(note), "{}", direct.err);
    // A dump of what was served keeps the mark.
    let copy = tempfile::tempdir().unwrap();
    let copied = copy.path().join("copy");
    let copied = copied.to_str().unwrap();
    assert_eq!(asked(&["dump", copied], &served.kubeconfig).code, 0);
    let bindings = std::fs::read_to_string(format!("{copied}/clusterrolebindings.json")).unwrap();
    assert_eq!(json(&bindings)["metadata"]["continue"], "not-collected");
}

/// Returns the cells of a table without the objects of its rows. Returns any other text unchanged.
fn rows(text: &str) -> String {
    let document: Value = serde_json::from_str(text).unwrap_or_default();
    let rows = document["rows"]
        .as_array()
        .map(|rows| rows.iter().map(|row| row["cells"].to_string()).collect::<Vec<_>>().join("\n"));
    rows.unwrap_or_else(|| text.to_owned())
}

/// Runs aggctl with a kubeconfig.
fn asked(arguments: &[&str], kubeconfig: &str) -> Run {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_aggctl"));
    command.args(arguments).env("KUBECONFIG", kubeconfig);
    let output = command.current_dir(repository("")).output().unwrap();
    Run {
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap(),
    }
}

#[test]
fn what_cannot_be_done_is_refused_at_the_start() {
    let serve =
        |arguments: &[&str]| asked(&[arguments, &["--dump", "testdata/serve"]].concat(), "");
    insta::assert_snapshot!(session(serve, [
        "serve --listen 192.0.2.1:0",
        "serve --listen 0.0.0.0:0 --tls",
        "serve --fault v1.wether.example.org=stale",
        "serve --fault v1.weather.example.org=odd",
    ]), @r#"
    $ aggctl serve --listen 192.0.2.1:0
    2> error: 192.0.2.1 is not loopback; traffic would be unencrypted
    2> hint: add --tls, or listen on 127.0.0.1
    [exit 2]

    $ aggctl serve --listen 0.0.0.0:0 --tls
    2> error: 0.0.0.0 is not an address that clients can connect to
    2> hint: listen on an address of this machine
    [exit 2]

    $ aggctl serve --fault v1.wether.example.org=stale
    2> error: --fault: no APIService "v1.wether.example.org" in the source
    2> hint: did you mean v1.weather.example.org?
    [exit 2]

    $ aggctl serve --fault v1.weather.example.org=odd
    2> error: invalid value 'v1.weather.example.org=odd' for '--fault <NAME=FAULT>': expected NAME=FAULT, with unavailable, available, slow:5s, stale or 403
    2>
    2> For more information, try '--help'.
    [exit 2]
    "#);
}

#[test]
fn lists_come_in_pages_and_selectors_are_checked() {
    let served = small(&[]);
    let roses = "/apis/garden.example.org/v1/roses";
    let first = json(&served.get(&format!("{roses}?limit=2"), "").body);
    assert_eq!(first["items"].as_array().unwrap().len(), 2);
    assert_eq!(first["metadata"]["remainingItemCount"], 1);
    let token = first["metadata"]["continue"].as_str().unwrap();
    let second = json(&served.get(&format!("{roses}?limit=2&continue={token}"), "").body);
    assert_eq!(second["items"][0]["metadata"]["namespace"], "fence");
    assert!(second["metadata"].get("continue").is_none());
    for (query, status) in [
        ("continue=x", 400),
        ("continue=1/beds/damask", 410),
        ("labelSelector=a%20b", 400),
        ("fieldSelector=spec.colour%3Dpink", 400),
    ] {
        assert_eq!(served.get(&format!("{roses}?{query}"), "").status, status, "{query}");
    }
    let answer = served.get(roses, "application/vnd.kubernetes.protobuf");
    assert_eq!(answer.status, 406);
    // Secrets are never served.
    for path in ["/api/v1/secrets", "/api/v1/namespaces/beds/secrets/key"] {
        assert!(!served.get(path, "").body.contains("aHVudGVyMg"), "{path}");
    }
}

#[test]
fn browsers_are_sent_to_the_page() {
    let served = small(&[]);
    let root = served.get("/", "text/html,application/xhtml+xml,*/*;q=0.8");
    assert_eq!((root.status, root.header("location")), (302, Some("/aggctl/")));
    assert!(json(&served.get("/", "application/json").body)["paths"].is_array());
    let page = served.get("/aggctl/", "text/html");
    assert_eq!(page.status, 200);
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    let policy = page.header("content-security-policy").unwrap();
    insta::assert_snapshot!(policy, @"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    assert_eq!(served.connect().send("POST", "/aggctl/", &[]).status, 404);
}

/// What the server refuses for any object, and the proxy of a Service without endpoints.
#[test]
fn what_fails_for_any_object_fails_with_the_servers_words() {
    let dump = recording("v1.36-mixed").join("dump");
    let check = |minor: &str, cases: &[(&str, u16, &str)]| {
        let folder = tempfile::tempdir().unwrap();
        for file in ["crds", "apiservices", "services", "endpointslices", "api_v1"] {
            let name = format!("{file}.json");
            std::fs::copy(dump.join(&name), folder.path().join(&name)).unwrap();
        }
        let version = format!(r#"{{"major":"1","minor":"{minor}","gitVersion":"v1.{minor}.0"}}"#);
        std::fs::write(folder.path().join("version.json"), version).unwrap();
        let served = Served::start(&["--dump", folder.path().to_str().unwrap()]);
        for (path, status, message) in cases {
            let answer = served.get(path, "application/json");
            let said = json(&answer.body);
            assert_eq!((answer.status, &said["message"]), (*status, &(*message).into()), "{path}");
        }
    };
    let carts = "/apis/shop.acme.io/v1/namespaces/default/carts";
    let services = "/api/v1/namespaces/default/services";
    let no_endpoints = "no endpoints available for service \"absent\"";
    let no_service = "services \"absent\" not found";
    check(
        "37",
        &[
            (&format!("{carts}//nope"), 404, "carts.shop.acme.io \"\" not found"),
            (&format!("{carts}/x/nope"), 404, "carts.shop.acme.io \"x\" not found"),
            (
                &format!("{carts}/a%25b"),
                400,
                "Name parameter invalid: \"a%b\": may not contain '%'",
            ),
            (&format!("{carts}/%2e"), 400, "Name parameter invalid: \".\": may not be '.'"),
            ("/api/v1/namespaces/default/pods//status", 400, "name must be provided"),
            ("/api/v1/namespaces//pods/x", 400, "Namespace parameter required."),
            (&format!("{services}/absent/proxy"), 503, no_endpoints),
            (&format!("{services}/absent:web/proxy/x"), 503, no_endpoints),
            (&format!("{services}/https:absent:443/proxy"), 404, no_service),
        ],
    );
    check("36", &[(&format!("{services}/absent/proxy"), 404, no_service)]);
}
