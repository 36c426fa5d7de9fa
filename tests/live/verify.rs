//! Tests `aggctl verify` on a server that lies: it answers each path that was not recorded with
//! `404 page not found`, whichever server would have answered.

use crate::harness::json;
use crate::server::{Breakage, Server, Setup};
use crate::world::{PIECE, World, recording, run};

/// As many requests as are sent without waiting.
const FEW: [&str; 3] = ["verify", "--samples", "12"];

fn world() -> World {
    World::new(&recording("v1.36-mixed"))
}

#[test]
fn a_server_that_lies_is_found_out() {
    let world = world();
    insta::assert_snapshot!(world.shown(world.live(&FEW)), @"");
    let seen = world.server.seen();
    assert!(seen.iter().all(|request| request.method == "GET"), "{seen:?}");
    let json = world.live(&[&FEW[..], &["-o", "json"]].concat()).json();
    assert_eq!(json["kind"], "Verification");
    let sum = ["agree", "differ", "notComparable"].map(|key| json[key].as_u64().unwrap());
    assert_eq!(sum.iter().sum::<u64>(), 12, "{json}");
    for one in json["differences"].as_array().unwrap() {
        assert_eq!(one["observed"]["shows"], "no-handler", "{one}");
    }
}

/// Every path is that of a document, or has a name that cannot exist.
#[test]
fn no_object_is_read() {
    let world = world();
    world.live(&FEW);
    let read: Vec<String> = (world.server.seen().into_iter())
        .map(|request| request.path)
        .filter(|path| path.contains("/namespaces/") && !path.contains("AGGCTL_VERIFY"))
        .collect();
    assert!(read.iter().all(|path| path.contains("/leases")), "{read:?}");
}

/// The server keeps a group version in the aggregated document when its APIService loses its
/// Service. No object shows that, so it is not a difference.
#[test]
fn what_the_server_remembers_is_not_a_difference() {
    let world = world();
    let documents = || {
        let json = world.live(&["verify", "--samples", "1", "-o", "json"]).json();
        json["documents"].as_array().unwrap().clone()
    };
    let before = documents();
    let mark = |group: &'static str, freshness: &'static str| {
        world.server.change(move |files| {
            for file in ["apis-aggregated", "apis-aggregated-nopeer"] {
                let Some(document) = files.get_mut(file) else { continue };
                let groups = document["items"].as_array_mut().unwrap();
                let group = groups.iter_mut().find(|one| one["metadata"]["name"] == group);
                let version = &mut group.unwrap()["versions"][0];
                version["freshness"] = freshness.into();
                version["resources"] = serde_json::json!([]);
            }
        });
    };
    mark("stable.example.com", "Stale");
    assert_eq!(documents(), before);
    // Without that trace, it is one.
    mark("stable.example.com", "Current");
    assert_ne!(documents(), before);
}

#[test]
fn what_may_not_be_asked_is_not_compared() {
    let world = world();
    for path in ["/apis", "/api", "/version", "/", "/openapi/v3"] {
        world.server.break_at(path, Breakage::Status(403));
    }
    let json = world.live(&["verify", "--samples", "5", "-o", "json"]).json();
    assert_eq!(json["reasons"]["forbidden"], 1, "{json}");
    for list in [
        "apiregistration.k8s.io/v1/apiservices",
        "apiextensions.k8s.io/v1/customresourcedefinitions",
    ] {
        world.server.break_at(&format!("/apis/{list}"), Breakage::Status(403));
    }
    let nothing = world.live(&["verify", "--samples", "1"]);
    insta::assert_snapshot!(world.shown(nothing), @"");
}

#[test]
fn a_busy_server_is_asked_again() {
    let world = world();
    world.server.break_at("/api", Breakage::Throttle { seconds: 0, times: 1 });
    let run = world.live(&["verify", "--samples", "8", "--seed", "2", "-o", "json"]);
    assert!(run.json()["reasons"].get("busy").is_none(), "{run}");
}

#[test]
fn the_timeout_ends_it() {
    let world = world();
    world.server.break_at("/apis/apps/v1", Breakage::Hang);
    let arguments = ["verify", "--samples", "400", "--timeout", "2s", "-o", "json"];
    let json = world.live(&arguments).json();
    assert!(json["reasons"]["out-of-time"].as_u64().unwrap() > 100, "{json}");
}

#[test]
fn a_bundle_has_no_secrets_and_answers_again() {
    let world = world();
    let target = world.directory.path().join("report.tar.gz");
    let target = target.to_str().unwrap();
    let run_ = world.live(&[&FEW[..], &["--bundle", target]].concat());
    assert!(run_.err.contains("report.tar.gz: 8 files"), "{run_}");
    let mut text = String::new();
    let archive = flate2::read::GzDecoder::new(std::fs::File::open(target).unwrap());
    for entry in tar::Archive::new(archive).entries().unwrap() {
        std::io::Read::read_to_string(&mut entry.unwrap(), &mut text).unwrap();
    }
    let cluster = world.server.address.to_string();
    for secret in [PIECE, "caBundle", "annotations", "creationTimestamp", "127.0.0.1", &cluster] {
        assert!(!text.contains(secret), "{secret}");
    }
    assert!(text.contains(r#""kind": "Verification""#));
    let path = "/apis/stable.example.com/v1/namespaces/default/crontabs/x";
    let route =
        |source: &[&str]| json(&run(&[&["route", path, "-o", "json"], source].concat()).out);
    let dump = world.dump.to_str().unwrap();
    let (bundled, dumped) = (route(&["--dump", target]), route(&["--dump", dump]));
    assert_eq!(bundled["hops"], dumped["hops"]);
    let again = world.live(&[&FEW[..], &["--bundle", target]].concat());
    assert_eq!(again.code, 3, "{again}");
}

/// With several API servers, the answer names the one that differs.
#[test]
fn the_server_that_differs_is_named() {
    let dump = recording("v1.36-vanilla").join("dump");
    let names = vec!["127.0.0.1", "localhost", "kubernetes.default.svc"];
    let setup = Setup { names, ..Setup::replaying(&dump) };
    let world = World::with(&setup);
    let other = Server::start(&world.authority, &setup);
    let lease = |(host, server): (&str, &Server)| {
        serde_json::json!({
            "metadata": {
                "name": format!("apiserver-{host}"), "namespace": "kube-system",
                "labels": {"apiserver.kubernetes.io/identity": "kube-apiserver", "kubernetes.io/hostname": host},
                "annotations": {"kubernetes.io/peer-advertise-address": server.address.to_string()},
            },
            "spec": {},
        })
    };
    let leases = [("here", &world.server), ("there", &other)].map(lease);
    let leases = serde_json::json!({"kind": "LeaseList", "apiVersion": "coordination.k8s.io/v1", "items": leases});
    let leases: &'static str = leases.to_string().leak();
    for server in [&world.server, &other] {
        let path = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
        server.break_at(path, Breakage::Plain(200, leases));
    }
    other.break_at("/apis", Breakage::Status(404));
    let run = world.live(&["verify", "--all-servers", "--samples", "1", "-o", "jsonl"]);
    let lines: Vec<serde_json::Value> = run.out.lines().map(json).collect();
    let found: Vec<_> = lines.iter().map(|one| (&one["server"], &one["differ"])).collect();
    assert_eq!(found, [(&"here".into(), &0.into()), (&"there".into(), &1.into())], "{run}");
    assert_eq!(run.code, 1, "{run}");
}
