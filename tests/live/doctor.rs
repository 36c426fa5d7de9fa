//! `aggctl doctor` on a live cluster.

use crate::equality::without_source;
use crate::server::Breakage;
use crate::world::{World, for_each_recording, recording};

#[test]
fn live_diagnoses_equal_those_on_the_dump() {
    for_each_recording(|world, _| {
        for more in [&[][..], &["-o", "wide"], &["-o", "name"]] {
            let arguments = [&["doctor", "--now", "2026-11-16T12:00:00Z"], more].concat();
            let (live, offline) = (world.live(&arguments), world.offline(&arguments));
            // The recordings have no Namespaces; a cluster does.
            let kept = |text: &str| {
                let lines = text.lines().filter(|line| !line.contains("· the namespace "));
                lines.collect::<Vec<_>>().join("\n")
            };
            assert_eq!((live.code, live.err), (offline.code, offline.err));
            let named = |text: &str| kept(&without_source(text, world));
            assert_eq!(named(&live.out), named(&offline.out));
        }
    });
}

/// Only servers that look at Endpoints are asked for them.
#[test]
fn endpoints_are_asked_of_old_servers_only() {
    for (name, asked) in [("v1.25-mixed", true), ("v1.33-vanilla", true), ("v1.36-mixed", false)] {
        let world = World::new(&recording(name));
        world.live(&["doctor"]);
        assert_eq!(
            world.server.seen().iter().any(|s| s.path == "/api/v1/endpoints"),
            asked,
            "{name}"
        );
    }
}

#[test]
fn only_what_a_diagnosis_needs_is_asked_for() {
    let world = World::new(&recording("v1.36-mixed"));
    world.live(&["doctor"]);
    let seen = world.server.seen();
    assert!(seen.iter().all(|s| s.method == "GET"));
    let mut paths: Vec<&str> = seen.iter().map(|s| s.path.as_str()).collect();
    paths.sort_unstable();
    assert_eq!(
        paths,
        [
            "/",
            "/api/v1/namespaces",
            "/api/v1/services",
            "/apis",
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
            "/apis/apiregistration.k8s.io/v1/apiservices",
            "/apis/discovery.k8s.io/v1/endpointslices",
            "/version",
        ]
    );
}

#[test]
fn waiting_ends_at_once_or_in_time() {
    let world = World::new(&recording("v1.36-mixed"));
    let run = |name: &str, timeout: &str| {
        world.live(&[
            "doctor",
            name,
            "--wait-for",
            "available",
            "--timeout",
            timeout,
            "--interval",
            "50ms",
        ])
    };
    let json = world.offline(&["apiservices", "-o", "json"]).out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let with = |available: &str| {
        let items = json["items"].as_array().unwrap();
        let item = items.iter().find(|i| !i["service"].is_null() && i["available"] == available);
        item.unwrap()["name"].as_str().unwrap().to_owned()
    };
    let (up, down) = (run(&with("True"), "20s"), run(&with("False"), "3s"));
    assert_eq!(
        (up.code, up.out.as_str()),
        (0, "all that were asked for are available\n"),
        "{}",
        up.err
    );
    assert_eq!(down.code, 1, "{}", down.err);
    assert!(down.out.starts_with("not available after 3s: "), "{}", down.out);
}

/// "Could not look" is not "all are available".
#[test]
fn waiting_for_what_cannot_be_read_is_no_success() {
    let path = "/apis/apiregistration.k8s.io/v1/apiservices";
    let check = |names: &[&str], breakage: Breakage, want: &str| {
        let world = World::new(&recording("v1.36-mixed"));
        world.server.break_at(path, breakage);
        let wait = ["doctor", "--wait-for", "available", "--timeout", "3s", "--interval", "500ms"];
        let run = world.live(&[&wait, names].concat());
        assert_eq!((run.code, run.out.as_str()), (3, ""), "{}", run.err);
        assert!(run.err.contains(want), "{want} is not in {}", run.err);
    };
    let forbidden = "error: nothing to diagnose: APIServices may not be read: forbidden (403)";
    let failed = "APIServices could not be read: the server answers 500";
    let none = "error: nothing to diagnose: the source has no APIServices";
    // All of it is waiting, and that can be done at the same time.
    std::thread::scope(|scope| {
        scope.spawn(|| check(&[], Breakage::Status(403), forbidden));
        scope.spawn(|| check(&["v1.apps"], Breakage::Status(403), forbidden));
        scope.spawn(|| check(&[], Breakage::Status(500), failed));
        scope.spawn(|| check(&[], Breakage::Empty("APIServiceList"), none));
    });
}
