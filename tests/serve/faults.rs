//! Discovery in both forms, entity tags, faults and bounds of the API that need no kubectl.

use serde_json::Value;

use crate::Served;
use crate::harness::{recording, repository};

const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

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

#[test]
fn faults_are_what_clients_get() {
    let served = small(&["--fault", "v1.weather.example.org=403"]);
    let answer = served.get("/apis/weather.example.org/v1/forecasts", "application/json");
    assert_eq!((answer.status, answer.outcome()), (403, "proxied"));
    let document = json(&served.get("/apis", AGGREGATED).body);
    let all = document["items"].as_array().unwrap();
    let one = all.iter().find(|g| g["metadata"]["name"] == "weather.example.org").unwrap();
    assert_eq!(one["versions"][0]["freshness"], "Stale");
    assert_eq!(one["versions"][0]["resources"][0]["resource"], "forecasts");
}

#[test]
fn what_cannot_be_done_is_refused_at_the_start() {
    let dump = repository("testdata/serve");
    let check = |arguments: &[&str], want: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_aggctl"));
        command.arg("serve").arg("--dump").arg(&dump).args(arguments);
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains(want), "{arguments:?}: {text}");
    };
    check(&["--listen", "192.0.2.1:0"], "hint: add --tls");
    check(&["--listen", "0.0.0.0:0", "--tls"], "is no address that a client can name");
    check(&["--fault", "v1.wether.example.org=stale"], "did you mean v1.weather.example.org?");
    check(&["--fault", "v1.weather.example.org=odd"], "write NAME=unavailable");
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
    // Whatever is asked for, no Secret comes.
    for path in ["/api/v1/secrets", "/api/v1/namespaces/beds/secrets/key"] {
        assert!(!served.get(path, "").body.contains("aHVudGVyMg"), "{path}");
    }
}

#[test]
fn browsers_are_sent_to_the_page() {
    let served = small(&[]);
    let root = served.get("/", "text/html,application/xhtml+xml,*/*;q=0.8");
    assert_eq!((root.status, root.header("location")), (302, Some("/aggctl/")));
    assert!(served.get("/", "application/json").body.contains("\"paths\""));
    let page = served.get("/aggctl/", "text/html");
    assert_eq!(page.status, 200);
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("script-src 'self'") && policy.contains("frame-ancestors 'none'"));
    assert_eq!(served.connect().send("POST", "/aggctl/", &[]).status, 404);
}
