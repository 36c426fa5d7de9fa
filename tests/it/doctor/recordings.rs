//! Tests the diagnoses of recorded clusters.

use crate::{Run, aggctl, finish};

fn doctor(recording: &str, arguments: &[&str]) -> Run {
    let dump = match recording {
        "v1.36-crds" => "crates/kube-aggregation/testdata/v1.36-crds/dump".to_owned(),
        _ => format!("testdata/recordings/{recording}/dump"),
    };
    let command = ["doctor", "--now", "2026-11-16T12:00:00Z", "--dump", &dump];
    let run = finish(aggctl(&command).args(arguments));
    assert_eq!(run.err, "", "{recording}");
    run
}

#[test]
fn broken_clusters() {
    for recording in ["v1.36-mixed", "v1.25-mixed"] {
        let run = doctor(recording, &[]);
        assert_eq!(run.code, 1);
        insta::assert_snapshot!(recording, run.out);
        for line in run.out.lines().filter(|line| !line.trim_start().starts_with(['$', '→'])) {
            assert!(line.chars().count() <= 80, "{recording}: {line}");
        }
    }
}

#[test]
fn clusters_with_nothing_broken() {
    let run = doctor("v1.36-vanilla", &[]);
    assert_eq!(run.code, 0);
    insta::assert_snapshot!(run.out, @"
    All 21 APIServices work.

    21 healthy APIServices hidden (use --all): 21 built-in.
    Kubernetes 1.36.4, dump testdata/recordings/v1.36-vanilla/dump
    ");
    assert_eq!(doctor("v1.36-crds", &[]).code, 0);
    assert_eq!(doctor("v1.36-crds", &["--fail-on", "warning"]).code, 1);
    assert_eq!(doctor("v1.36-mixed", &["--fail-on", "never"]).code, 0);
}

/// The reason of the server's condition determines the check that fails.
#[test]
fn every_reason_has_its_failed_check() {
    for recording in ["v1.36-mixed", "v1.25-mixed"] {
        let answer = doctor(recording, &["-o", "json"]).json();
        for item in answer["items"].as_array().unwrap() {
            let reason = item["condition"]["reason"].as_str().unwrap();
            let broken = item["brokenLink"].as_str();
            let want: &[Option<&str>] = match reason {
                "ServiceNotFound" => &[Some("service")],
                "ServicePortError" => &[Some("port")],
                "EndpointsNotFound" => &[Some("endpoints")],
                "MissingEndpoints" => &[Some("ready")],
                "FailedDiscoveryCheck" => &[Some("address"), Some("tls"), Some("discovery")],
                "Passed" => &[None, Some("fresh")],
                _ => &[None],
            };
            let name = &item["name"];
            assert!(want.contains(&broken), "{recording} {name}: {reason} {broken:?}");
            assert_ne!(item["condition"]["agrees"], false, "{recording} {}", item["name"]);
        }
    }
}
