//! `aggctl doctor` on a live cluster.

use crate::world::{World, recording, recordings};

const NOW: [&str; 2] = ["--now", "2026-11-16T12:00:00Z"];

/// Servers up to 1.33 are asked for Endpoints, which the recordings do not have: there the
/// verdicts are compared, elsewhere every word.
#[test]
fn live_diagnoses_equal_those_on_the_dump() {
    for recording in recordings() {
        let world = World::new(&recording);
        let old = !recording.to_str().unwrap().contains("v1.36");
        let (live, offline) =
            (world.live(&["doctor", NOW[0], NOW[1]]), world.offline(&["doctor", NOW[0], NOW[1]]));
        assert_eq!(live.code, offline.code, "{}", live.err);
        if !old {
            assert_eq!(live.out, offline.out);
            assert_eq!(live.err, offline.err);
        }
        let last = |text: &str| text.lines().last().unwrap().to_owned();
        assert_eq!(last(&live.out), last(&offline.out));
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
    let run = |name: &str| {
        world.live(&[
            "doctor",
            name,
            "--wait-for",
            "available",
            "--timeout",
            "300ms",
            "--interval",
            "50ms",
        ])
    };
    let json = world.offline(&["apiservices", "-o", "json"]).out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let with = |available: bool| {
        let items = json["items"].as_array().unwrap();
        let item = items.iter().find(|i| !i["service"].is_null() && i["available"] == available);
        item.unwrap()["name"].as_str().unwrap().to_owned()
    };
    let (up, down) = (run(&with(true)), run(&with(false)));
    assert_eq!(
        (up.code, up.out.as_str()),
        (0, "all that were asked for are available\n"),
        "{}",
        up.err
    );
    assert_eq!(down.code, 1, "{}", down.err);
    assert!(down.out.starts_with("not available after"), "{}", down.out);
}
