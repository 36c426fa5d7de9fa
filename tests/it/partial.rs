//! Dumps with parts missing: the hops are right wherever they follow, and the rest is said.

use aggctl::model::{Input, Snapshot};
use aggctl::registry::Registry;
use aggctl::routing::{Match, Method, Outcome, Router, Target};

use crate::load;
use crate::repository;

fn mixed() -> Snapshot {
    load(&repository("testdata/recordings/v1.36-mixed"))
}

/// Hops as `server match pattern`, the outcome, and the assumptions.
fn ask(snapshot: &Snapshot, method: Method, path: &str) -> (Vec<String>, Outcome, Vec<String>) {
    let registry = Registry::new(snapshot);
    let router = Router::new(&registry);
    let target = Target::parse(method, path).unwrap();
    let route = router.route(&target);
    let hops = route.hops().map(|hop| match hop.matched {
        Match::WebService(p) | Match::Prefix(p) => format!("{} {p}", hop.server.as_str()),
        Match::Exact => format!("{} exact", hop.server.as_str()),
        Match::None => format!("{} -", hop.server.as_str()),
    });
    let assumed = router.assumptions(&route).iter().map(ToString::to_string).collect();
    (hops.collect(), route.outcome, assumed)
}

/// Compares the hops of every recorded request with those of the whole dump.
/// Returns how many outcomes are unknown, and how many differ though they are not.
fn compare(partial: &Snapshot) -> (usize, Vec<String>) {
    let whole = mixed();
    let (whole, partial) = (Registry::new(&whole), Registry::new(partial));
    let (whole, partial) = (Router::new(&whole), Router::new(&partial));
    let lines =
        std::fs::read_to_string(repository("testdata/recordings/v1.36-mixed/requests.jsonl"))
            .unwrap();
    let (mut unknown, mut wrong) = (0, vec![]);
    for line in lines.lines() {
        let request: serde_json::Value = serde_json::from_str(line).unwrap();
        let (method, path) =
            (request["method"].as_str().unwrap(), request["path"].as_str().unwrap());
        let target = Target::parse(Method::parse(method).unwrap(), path).unwrap();
        let (a, b) = (whole.route(&target), partial.route(&target));
        let same = a.hops().map(|h| h.matched).eq(b.hops().map(|h| h.matched));
        let unsure = b.outcome == Outcome::Unknown;
        unknown += usize::from(unsure);
        if !same || (a.outcome != b.outcome && !unsure) {
            wrong.push(format!(
                "{method} {path}: {} not {}",
                b.outcome.as_str(),
                a.outcome.as_str()
            ));
        }
        if unsure {
            assert!(!partial.assumptions(&b).is_empty(), "{method} {path}");
        }
    }
    (unknown, wrong)
}

#[test]
fn only_apiservices() {
    let mut snapshot = mixed();
    let services = std::mem::replace(&mut snapshot.api_services, Input::Absent);
    let mut partial = Snapshot::empty(snapshot.origin.clone());
    partial.api_services = services;
    let (unknown, wrong) = compare(&partial);
    // What CRDs and extension servers hold is not known; everything else is.
    assert!(unknown > 0 && unknown < 700, "{unknown}");
    assert_eq!(wrong, Vec::<String>::new());
    let (hops, outcome, assumed) = ask(&partial, Method::Get, "/api/v1/pods");
    assert_eq!(hops, ["kube-aggregator /api/", "kube-apiserver /api/v1"]);
    assert_eq!(outcome, Outcome::Served);
    assert_eq!(
        assumed,
        [
            "the APIResourceList of v1 is not in the source: taken from a plain Kubernetes 1.36",
            "the server's version is not in the source: taken for 1.36"
        ]
    );
}

#[test]
fn no_path_list() {
    let mut snapshot = mixed();
    snapshot.root_paths = Input::Absent;
    let (unknown, wrong) = compare(&snapshot);
    assert_eq!((unknown, wrong), (0, vec![]));
    let (_, _, assumed) = ask(&snapshot, Method::Get, "/healthz");
    assert_eq!(
        assumed,
        ["the path list / is not in the source: taken from a plain Kubernetes 1.36"]
    );
    assert_eq!(ask(&snapshot, Method::Get, "/api/v1/pods").2, Vec::<String>::new());
}

#[test]
fn no_crds() {
    let mut snapshot = mixed();
    snapshot.crds = Input::Absent;
    snapshot.crds_complete = false;
    let (unknown, wrong) = compare(&snapshot);
    // The local APIServices that nobody stands behind might be a CRD's now.
    assert!(unknown < 100, "{unknown}");
    let unserved = |line: &&String| !line.contains("not-found not");
    assert_eq!(wrong.iter().filter(unserved).count(), 0, "{wrong:?}");
    let (hops, outcome, assumed) =
        ask(&snapshot, Method::Get, "/apis/stable.example.com/v1/crontabs");
    assert_eq!(
        hops,
        [
            "kube-aggregator /apis/stable.example.com/v1/",
            "kube-apiserver -",
            "apiextensions-apiserver /apis/"
        ]
    );
    assert_eq!(outcome, Outcome::Served);
    assert_eq!(
        assumed,
        ["CRDs are not in the source: crontabs.stable.example.com follows from an APIResourceList"]
    );
}

#[test]
fn only_discovery_documents() {
    let snapshot = mixed();
    let mut partial = Snapshot::empty(snapshot.origin.clone());
    partial.aggregated_groups = snapshot.aggregated_groups.clone();
    partial.aggregated_core = snapshot.aggregated_core.clone();
    partial.resource_lists = snapshot.resource_lists.clone();
    // Built in: all of it follows.
    let (hops, outcome, _) = ask(&partial, Method::Get, "/apis/apps/v1/deployments");
    assert_eq!(hops, ["kube-aggregator /apis/apps/v1/", "kube-apiserver /apis/apps/v1"]);
    assert_eq!(outcome, Outcome::Served);
    // Somebody's: that it is registered follows, whose it is does not.
    let (hops, outcome, assumed) =
        ask(&partial, Method::Get, "/apis/stable.example.com/v1/crontabs");
    assert_eq!(hops[0], "kube-aggregator /apis/stable.example.com/v1/");
    assert_eq!(outcome, Outcome::Unknown);
    assert!(
        assumed.iter().any(|a| a.starts_with("APIServices are not in the source")),
        "{assumed:?}"
    );
    // With CRDs it does: what is no CRD's is a Service's.
    partial.crds = snapshot.crds.clone();
    partial.crds_complete = true;
    assert_eq!(
        ask(&partial, Method::Get, "/apis/stable.example.com/v1/crontabs").1,
        Outcome::Served
    );
    let (hops, outcome, assumed) =
        ask(&partial, Method::Get, "/apis/wardle.example.com/v2/flunders");
    assert_eq!((hops.len(), outcome), (1, Outcome::Proxied));
    assert!(assumed.iter().any(|a| a.contains("which Service answers")), "{assumed:?}");
}

#[test]
fn a_selection_of_apiservices_is_completed() {
    let mut snapshot = mixed();
    if let Input::Loaded(services) = &mut snapshot.api_services {
        services.retain(|s| s.service.is_some());
    }
    let (hops, outcome, assumed) = ask(&snapshot, Method::Get, "/apis/apps/v1/deployments");
    assert_eq!((hops.len(), outcome), (2, Outcome::Served));
    assert!(assumed[0].starts_with("APIServices are not all in the source"), "{assumed:?}");
    // What was selected is known, and needs no assumption.
    let (_, outcome, assumed) = ask(&snapshot, Method::Get, "/apis/metrics.k8s.io/v1/nodes");
    assert_eq!((outcome, assumed), (Outcome::Unavailable, vec![]));
}

/// Neither taking over nor deleting the APIService of a built-in group version takes it out of
/// kube-apiserver; only the way there changes.
#[test]
fn built_in_group_versions_outlive_their_apiservices() {
    let mut snapshot = mixed();
    if let Input::Loaded(services) = &mut snapshot.api_services {
        services.retain(|s| s.name != "v1.batch");
        let remote = services.iter().find_map(|s| s.service.clone());
        for service in services.iter_mut().filter(|s| s.name == "v1.policy") {
            service.service = remote.clone();
        }
    }
    let (hops, outcome, _) = ask(&snapshot, Method::Get, "/apis/batch/v1/jobs");
    assert_eq!(hops, ["kube-aggregator -", "kube-apiserver /apis/batch/v1"]);
    assert_eq!(outcome, Outcome::Served);
    assert_eq!(ask(&snapshot, Method::Get, "/apis/policy/v1/x").1, Outcome::Proxied);
    let (hops, outcome, _) = ask(&snapshot, Method::Get, "/apis/policy//");
    assert_eq!(hops, ["kube-aggregator -", "kube-apiserver /apis/policy"]);
    assert_eq!(outcome, Outcome::Served);
}

/// Nothing known is not the same as nothing there.
#[test]
fn without_any_registration_nothing_is_not_found() {
    let snapshot = mixed();
    let mut partial = Snapshot::empty(snapshot.origin.clone());
    partial.version = snapshot.version.clone();
    for path in ["/apis/shop.example/v1/carts", "/apis/apps/v9/widgets", "/apis/shop.example/v1"] {
        let (_, outcome, assumed) = ask(&partial, Method::Get, path);
        assert_eq!(outcome, Outcome::Unknown, "{path}");
        assert!(!assumed.is_empty(), "{path}");
    }
    assert_eq!(ask(&partial, Method::Get, "/api/v1/nothing").1, Outcome::NotFound);
    // A document that lists all group versions is knowledge.
    partial.legacy_groups = snapshot.legacy_groups.clone();
    assert_eq!(ask(&partial, Method::Get, "/apis/shop.example/v1/carts").1, Outcome::NotFound);
    // It may be a Service's or a CRD's, and in a built-in group only one of them would answer.
    assert_eq!(ask(&partial, Method::Get, "/apis/apps/v9/widgets").1, Outcome::Unknown);
}
