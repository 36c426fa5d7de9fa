use serde_json::Value;

use super::*;
use crate::render::SourceFlags;
use jiff::Timestamp;
use kube_aggregation::baseline;
use kube_aggregation::model::Snapshot;

const NO_ARGUMENTS: &SourceFlags = &SourceFlags { aggctl: vec![], kubectl: vec![] };

fn site(snapshot: &Snapshot) -> Site<'_> {
    let now = Timestamp::UNIX_EPOCH;
    Site {
        snapshot,
        other: None,
        notes: &[],
        servers: None,
        peers: &[],
        applied: &[],
        removed: &[],
        effects: &[],
        same: NO_ARGUMENTS,
        now,
    }
}

/// Sends a request about the built-in baseline.
fn get(path: &str, query: &str) -> (u16, Value) {
    let site = site(baseline::server(baseline::LATEST));
    let PageResponse { status, body, .. } = respond(&site, path, query);
    (status, serde_json::from_str(&body).unwrap_or_default())
}

#[test]
fn every_question_has_an_answer_of_its_kind() {
    for (question, query, kind) in [
        ("site", "", "Site"),
        ("chain", "", "Chain"),
        ("apiservices", "", "APIServiceList"),
        ("doctor", "", "DiagnosisList"),
        ("order", "form=aggregated", "Order"),
        ("place", "name=v1.apps", "Place"),
        ("manifests", "name=v1.apps", "Manifests"),
        ("paths", "", "Paths"),
        ("route", "request=/apis/apps/v1", "Route"),
        ("route", "request=/apis/apps/v1&without=v1.apps", "Route"),
        ("diff", "without=v1.apps", "DiffSummary"),
        ("conflicts", "", "ConflictList"),
        ("upgrade", "to=1.37", "Upgrade"),
    ] {
        let (status, answer) = get(&format!("/aggctl/api/{question}"), query);
        assert_eq!((status, answer["kind"].as_str()), (200, Some(kind)), "{question}?{query}");
    }
}

#[test]
fn what_has_no_answer_says_why() {
    for (path, query, status, message) in [
        ("/aggctl/api/nothing", "", 404, "the page has no answer \"nothing\""),
        ("/aggctl/nothing", "", 404, "the page has no \"/aggctl/nothing\""),
        ("/elsewhere", "", 404, "the page has no \"/elsewhere\""),
        ("/aggctl/api/place", "", 400, "the parameter name is missing"),
        ("/aggctl/api/place", "name=v1.x", 404, "no APIService \"v1.x\" in the source"),
        ("/aggctl/api/route", "", 400, "the parameter request is missing"),
        ("/aggctl/api/route", "request=x", 200, "path \"x\" does not begin with a slash"),
        ("/aggctl/api/order", "form=x", 400, "there is no order \"x\""),
        ("/aggctl/api/diff", "other", 404, "there is no second source to compare with"),
        (
            "/aggctl/api/chain",
            "without=v1.x",
            404,
            "no APIService, CRD or Service \"v1.x\" in the source",
        ),
    ] {
        let (said, answer) = get(path, query);
        let said = (said, answer["kind"].as_str(), answer["message"].as_str());
        assert_eq!(said, (status, Some("Error"), Some(message)), "{path}?{query}");
    }
}

#[test]
fn requests_are_typed_as_behind_route() {
    for (request, method, path, outcome) in [
        ("/apis/apps/v1/deployments", "GET", "/apis/apps/v1/deployments", "served"),
        ("POST%20/api/v1/pods", "POST", "/api/v1/pods", "method-not-allowed"),
        ("deployments", "GET", "/apis/apps/v1/deployments", "served"),
        ("+/apis/nobody/v1+", "GET", "/apis/nobody/v1", "not-found"),
    ] {
        let (_, answer) = get("/aggctl/api/route", &format!("request={request}"));
        let asked = &answer["request"];
        let got = (asked["method"].as_str(), asked["path"].as_str(), answer["outcome"].as_str());
        assert_eq!(got, (Some(method), Some(path), Some(outcome)), "{request}: {answer}");
    }
}

#[test]
fn without_an_api_service_requests_go_elsewhere() {
    let (_, answer) = get("/aggctl/api/route", "request=/apis/apps/v1/deployments&without=v1.apps");
    assert_eq!(answer["changed"], true, "{answer}");
    assert_eq!(answer["before"]["outcome"], "served", "{answer}");
    let (_, site) = get("/aggctl/api/site", "without=v1.apps");
    assert_eq!(site["without"][0], "v1.apps");
    let effect = site["effects"][0].as_str().unwrap_or_default();
    assert!(effect.starts_with("APIService v1.apps is built in"), "{effect}");
}

#[test]
fn files_have_their_types() {
    let site_files = ["", "page.css", "page.js", "icon.svg"];
    let types = site_files.map(|file| assets::asset(file).map(|asset| asset.content_type));
    let want = ["text/html; charset=utf-8", "text/css; charset=utf-8"];
    assert_eq!(types[..2], want.map(Some));
    assert_eq!(types[2..], ["text/javascript; charset=utf-8", "image/svg+xml"].map(Some));
}

/// Returns the answers that a report contains.
fn held(html: &str) -> Value {
    let start = "<script type=\"application/json\" id=\"answers\">";
    let (_, rest) = html.split_once(start).unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn a_report_answers_what_the_page_asks() {
    let (html, _) = report(&site(baseline::server(baseline::LATEST))).unwrap();
    let answers = held(&html);
    for key in [
        "site",
        "chain",
        "apiservices",
        "doctor",
        "paths",
        "conflicts",
        "order?form=legacy",
        "place?name=v1.apps",
        "manifests?name=v1.apps",
    ] {
        assert_eq!(answers[key]["apiVersion"], "aggctl/v1", "{key}");
    }
    let note = answers["site"]["notes"][0].as_str().unwrap();
    let start = "this file contacts no server; it contains the routes of ";
    assert!(note.starts_with(start), "{note}");
}

/// A report routes any namespace and name, and all methods.
#[test]
fn a_report_routes_what_users_type() {
    let (html, _) = report(&site(baseline::server(baseline::LATEST))).unwrap();
    let routes = &held(&html)["routes"];
    for (request, outcome) in [
        ("GET /apis/apps/v1/deployments", "served"),
        ("GET /api/v1/namespaces/NAMESPACE/pods", "served"),
        ("GET /api/v1/namespaces/NAMESPACE/pods/NAME", "served"),
        ("POST /api/v1/namespaces/NAMESPACE/pods", "served"),
        ("PATCH /api/v1/nodes/NAME", "served"),
        ("GET /healthz", "served"),
    ] {
        let at = routes["requests"][request].as_u64().unwrap();
        let answer = &routes["answers"][usize::try_from(at).unwrap()];
        assert_eq!(answer["outcome"], outcome, "{request}");
        assert!(answer["request"].get("path").is_none(), "{answer}");
    }
    for (word, path) in [
        ("deploy", "/apis/apps/v1/deployments"),
        ("deployments.apps", "/apis/apps/v1/deployments"),
        ("pods", "/api/v1/pods"),
    ] {
        assert_eq!(routes["words"][word], path, "{word}");
    }
    // Most requests share an answer.
    let requests = routes["requests"].as_object().unwrap().len();
    assert!(routes["answers"].as_array().unwrap().len() * 2 < requests);
}

/// With two sources, the comparison goes from the other source to the one that the page shows.
#[test]
fn two_sources_are_compared() {
    let old = baseline::server(kube_aggregation::model::Minor::new(31));
    let both = Site { other: Some(old), ..site(baseline::server(baseline::LATEST)) };
    let answers = held(&report(&both).unwrap().0);
    let found = &answers["diff?other=1"];
    assert_eq!(found["from"]["name"], "1.31", "{found}");
    assert!(!found["parts"].as_array().unwrap().is_empty());
}

/// Any name stays inside its string, and the policy only allows our script.
#[test]
fn no_name_becomes_markup() {
    let hostile = "</script><script>alert(1)</script><!--<img src=x onerror=alert(2)>";
    let mut snapshot = baseline::server(baseline::LATEST).clone();
    snapshot.origin.name = hostile.to_owned();
    let (html, _) = report(&site(&snapshot)).unwrap();
    assert_eq!(html.matches("<script").count(), 2);
    assert_eq!(html.matches("</script").count(), 2);
    assert!(!html.contains("<!--") && !html.contains("<img"));
    assert_eq!(held(&html)["site"]["source"]["name"], hostile);
    let (_, script) = html.split_once("<script type=\"module\">").unwrap();
    let script = script.split_once("</script>").unwrap().0;
    let hash = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, script.as_bytes());
    let hash = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, hash);
    assert!(html.contains(&format!("script-src 'sha256-{hash}'")), "{hash}");
}

/// The page creates elements, and never parses markup.
#[test]
fn the_script_only_writes_text() {
    for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "http:"]
    {
        let script = assets::SCRIPT.replace("http://www.w3.org/2000/svg", "");
        assert!(!script.contains(word), "{word}");
    }
    assert!(!assets::HTML.contains("style=") && !assets::HTML.contains("onclick"));
}

#[test]
fn manifests_are_those_of_the_source() {
    let mut builder = kube_aggregation::ingest::SnapshotBuilder::default();
    let (group, service) = ("a.example.com", serde_json::json!({"namespace": "ns", "name": "s"}));
    let objects = serde_json::json!([
        {"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
         "metadata": {"name": "v1.a.example.com", "annotations": {"a": "b"}, "finalizers": ["c/d"]},
         "spec": {"group": group, "version": "v1", "groupPriorityMinimum": 1000,
                  "versionPriority": 10, "caBundle": null, "service": service}},
        {"apiVersion": "v1", "kind": "Service", "metadata": service,
         "spec": {"clusterIP": "192.0.2.1", "ports": [
             {"name": "number", "port": 443, "targetPort": 8443},
             {"name": "text", "port": 444, "targetPort": "8443"}]}},
        {"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice",
         "metadata": {"namespace": "ns", "name": "s-1",
                      "labels": {"kubernetes.io/service-name": "s"}},
         "endpoints": [{"addresses": ["192.0.2.2"], "targetRef": {"kind": "Pod", "name": "p"}}]},
    ]);
    builder.add_value("test", &objects).unwrap();
    let (snapshot, _) = builder.build("test");
    let PageResponse { body, .. } =
        respond(&site(&snapshot), "/aggctl/api/manifests", "name=v1.a.example.com");
    let answer: Value = serde_json::from_str(&body).unwrap();
    let manifests = answer["items"].as_array().unwrap().iter();
    let yaml: Vec<&str> = manifests.map(|one| one["yaml"].as_str().unwrap()).collect();
    insta::assert_snapshot!(yaml.join("---\n"), @r#"
    apiVersion: apiregistration.k8s.io/v1
    kind: APIService
    metadata:
      name: v1.a.example.com
      annotations:
        a: b
      finalizers:
      - c/d
    spec:
      group: a.example.com
      version: v1
      groupPriorityMinimum: 1000
      versionPriority: 10
      service:
        namespace: ns
        name: s
        port: 443
    ---
    apiVersion: v1
    kind: Service
    metadata:
      namespace: ns
      name: s
    spec:
      type: ClusterIP
      clusterIP: "192.0.2.1"
      ports:
      - name: number
        port: 443
        targetPort: 8443
      - name: text
        port: 444
        targetPort: "8443"
    ---
    apiVersion: discovery.k8s.io/v1
    kind: EndpointSlice
    metadata:
      namespace: ns
      name: s-1
      labels:
        kubernetes.io/service-name: s
    endpoints:
    - addresses:
      - "192.0.2.2"
      conditions:
        ready: true
      targetRef:
        kind: Pod
        name: p
    "#);
}
