//! Golden diagnoses of the recorded clusters.

use std::path::Path;

use assert_cmd::Command;

fn doctor(recording: &str, arguments: &[&str]) -> (String, i32) {
    let dump = Path::new("testdata/recordings").join(recording).join("dump");
    let mut command = Command::cargo_bin("aggctl").unwrap();
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env_remove("COLUMNS").env_remove("AGGCTL_DUMP");
    command.args(["doctor", "--now", "2026-11-16T12:00:00Z", "--dump"]).arg(dump).args(arguments);
    let output = command.output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{recording}");
    (String::from_utf8(output.stdout).unwrap(), output.status.code().unwrap())
}

#[test]
fn broken_clusters() {
    for recording in ["v1.36-mixed", "v1.25-mixed"] {
        let (text, code) = doctor(recording, &[]);
        assert_eq!(code, 1);
        insta::assert_snapshot!(recording, text);
        for line in text.lines().filter(|line| !line.trim_start().starts_with(['$', '→'])) {
            assert!(line.chars().count() <= 80, "{recording}: {line}");
        }
    }
}

#[test]
fn clusters_with_nothing_broken() {
    let (text, code) = doctor("v1.36-vanilla", &[]);
    assert_eq!(code, 0);
    insta::assert_snapshot!(text, @r"
    √ 21 built-in: served by the API server itself

    21 APIServices: all work
    Kubernetes 1.36.4, dump testdata/recordings/v1.36-vanilla/dump
    ");
    assert_eq!(doctor("v1.36-crds", &[]).1, 0);
    assert_eq!(doctor("v1.36-crds", &["--fail-on", "warning"]).1, 1);
    assert_eq!(doctor("v1.36-mixed", &["--fail-on", "never"]).1, 0);
}

/// The verdicts follow what the recorder did to each APIService, not what it is called.
#[test]
fn every_reason_leads_to_its_link() {
    for recording in ["v1.36-mixed", "v1.25-mixed"] {
        let (text, _) = doctor(recording, &["-o", "json"]);
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        for item in json["items"].as_array().unwrap() {
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
            assert!(want.contains(&broken), "{recording} {}: {reason} {broken:?}", item["name"]);
            assert_ne!(item["condition"]["agrees"], false, "{recording} {}", item["name"]);
        }
    }
}
