//! The command itself: formats, filters, errors.

use assert_cmd::Command;
use serde_json::Value;

use super::world::World;

pub(crate) fn doctor(world: &World, arguments: &[&str]) -> (i32, String, String) {
    let directory = tempfile::tempdir().unwrap();
    world.write(directory.path());
    let mut command = Command::cargo_bin("aggctl").unwrap();
    command
        .env_remove("COLUMNS")
        .args(["doctor", "--now", "2026-11-16T12:00:00Z", "--dump"])
        .arg(directory.path());
    let output = command.args(arguments).output().unwrap();
    let path = directory.path().to_str().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().replace(path, "./dump");
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn broken() -> World {
    let mut world = World::healthy();
    world.failed_discovery("dial tcp 10.0.0.7:443: i/o timeout");
    world
}

#[test]
fn a_healthy_cluster_needs_few_lines() {
    let (code, out, err) = doctor(&World::healthy(), &[]);
    assert_eq!((code, err.as_str()), (0, ""));
    insta::assert_snapshot!(out, @r"
    √ v1.shop.example  Service shop/api answers

    1 APIService: all work
    Kubernetes 1.36.0, dump ./dump
    ");
}

#[test]
fn one_that_is_asked_for_is_shown_at_length() {
    let (code, out, _) = doctor(&broken(), &["v1.shop.example"]);
    assert_eq!(code, 1);
    insta::assert_snapshot!(out);
}

/// A kubeconfig that is not there is a typo, not a plain Kubernetes.
#[test]
fn a_typo_in_kubeconfig_is_an_error() {
    for arguments in [&["doctor"][..], &["route", "/api"], &["order"], &["diff", "a", "b"]] {
        let mut command = Command::cargo_bin("aggctl").unwrap();
        let command = command.env_clear().env("KUBECONFIG", "/nonexistent/config");
        let output = command.args(arguments).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{arguments:?} {err}");
        assert!(
            arguments[0] == "diff" || err.contains("$KUBECONFIG is /nonexistent/config"),
            "{err}"
        );
    }
}

/// Where no cluster is found, nothing is clean.
#[test]
fn no_cluster_is_no_clean_one() {
    let run = |arguments: &[&str]| {
        let mut command = Command::cargo_bin("aggctl").unwrap();
        let command = command.env_clear().env("HOME", "/nonexistent");
        let output = command.args(arguments).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let verdicts = [
        &["doctor"][..],
        &["conflicts", "--check"],
        &["route", "/api", "--fail-on", "not-found"],
        &["apiservices", "--odd"],
        &["explain", "namespace", "default"],
    ];
    for arguments in verdicts {
        let (code, err) = run(arguments);
        assert_eq!(code, 3, "{err}");
        assert!(err.starts_with("error: nothing to look at") && err.contains("--builtin"), "{err}");
    }
    assert_eq!(run(&["doctor", "--builtin"]).0, 0);
    assert_eq!(run(&["conflicts"]).0, 0);
}

#[test]
fn formats() {
    let (_, json, _) = doctor(&broken(), &["-o", "json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&json["apiVersion"], &json["kind"]),
        (&"aggctl/v1".into(), &"DiagnosisList".into())
    );
    assert_eq!(json["summary"]["broken"], 1);
    let item = &json["items"][0];
    assert_eq!(item["brokenLink"], "address");
    assert_eq!(item["links"][0]["link"], "service");
    let (_, lines, _) = doctor(&broken(), &["-o", "jsonl"]);
    let line: Value = serde_json::from_str(lines.trim()).unwrap();
    assert_eq!((&line["kind"], &line["links"]), (&"Diagnosis".into(), &item["links"]));
    assert!(doctor(&broken(), &["-o", "yaml"]).1.contains("brokenLink: address"));
    assert_eq!(doctor(&broken(), &["-o", "name"]).1, "apiservice/v1.shop.example\n");
    assert_eq!(doctor(&World::healthy(), &["-o", "name"]).1, "");
}

#[test]
fn mistakes_get_one_clear_line() {
    let (code, out, err) = doctor(&broken(), &["v1.shop.exmaple"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert_eq!(
        err,
        "error: no APIService \"v1.shop.exmaple\" in the source\nhint: did you mean v1.shop.example?\n"
    );
    let mut world = World::healthy();
    world.api_service = Value::Null;
    let (code, out, err) = doctor(&world, &[]);
    assert_eq!((code, out.as_str()), (3, ""));
    assert!(
        err.starts_with(
            "error: nothing to diagnose: APIServices are not in the source (kubectl get apiservices"
        ),
        "{err}"
    );
    world = World::healthy();
    world.slices = Value::Null;
    let (code, _, err) = doctor(&world, &[]);
    assert_eq!(code, 0);
    assert_eq!(
        err,
        "warning: the diagnosis rests on less than it could: EndpointSlices are not in the source (kubectl get endpointslices -A -o json)\n"
    );
}

#[test]
fn a_dump_does_not_change() {
    for arguments in [&["--watch"][..], &["--wait-for", "available", "--timeout", "1s"]] {
        let (code, out, err) = doctor(&World::healthy(), arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        assert!(
            err.starts_with(&format!("error: {} needs a live cluster: a dump ", arguments[0])),
            "{err}"
        );
    }
}

#[test]
fn nothing_from_a_cluster_steers_the_terminal() {
    let mut world = World::healthy();
    world.condition("False", "Bad\u{1b}[31m", "\u{1b}]0;title\u{7}");
    world.api_service["spec"]["service"]["name"] = "evil\u{1b}[2J".into();
    for arguments in [&[][..], &["v1.shop.example"], &["-o", "name"]] {
        let (_, out, err) = doctor(&world, arguments);
        assert!(!format!("{out}{err}").contains(['\u{1b}', '\u{7}']), "{arguments:?}");
    }
}
