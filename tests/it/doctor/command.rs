//! The command itself: formats, filters, errors.

use serde_json::Value;

use super::world::{SOME, World};
use crate::{Run, aggctl, finish, json};

pub(crate) fn doctor(world: &World, arguments: &[&str]) -> Run {
    let directory = tempfile::tempdir().unwrap();
    world.write(directory.path());
    let mut command = aggctl(&["doctor", "--now", "2026-11-16T12:00:00Z", "--dump"]);
    let run = finish(command.arg(directory.path()).args(arguments));
    let shown = |text: &str| text.replace(directory.path().to_str().unwrap(), "./dump");
    Run { out: shown(&run.out), err: shown(&run.err), code: run.code }
}

fn broken() -> World {
    let mut world = World::healthy();
    world.failed_discovery("dial tcp 10.0.0.7:443: i/o timeout");
    world
}

#[test]
fn a_healthy_cluster_needs_few_lines() {
    let run = doctor(&World::healthy(), &[]);
    assert_eq!((run.code, run.err.as_str()), (0, SOME));
    insta::assert_snapshot!(run.out, @r"
    √ v1.shop.example  Service shop/api answers

    1 APIService: all work
    Kubernetes 1.36.0, dump ./dump
    ");
}

#[test]
fn one_that_is_asked_for_is_shown_at_length() {
    let run = doctor(&broken(), &["v1.shop.example"]);
    assert_eq!(run.code, 1);
    insta::assert_snapshot!(run.out);
}

/// A kubeconfig that is not there is a typo, not a plain Kubernetes.
#[test]
fn a_typo_in_kubeconfig_is_an_error() {
    for arguments in [&["doctor"][..], &["route", "/api"], &["order"], &["diff", "a", "b"]] {
        let run = finish(aggctl(arguments).env("KUBECONFIG", "/nonexistent/config"));
        assert_eq!(run.code, 3, "{arguments:?} {}", run.err);
        let told = run.err.contains("$KUBECONFIG is /nonexistent/config");
        assert!(arguments[0] == "diff" || told, "{}", run.err);
    }
}

/// Where no cluster is found, nothing is clean.
#[test]
fn no_cluster_is_no_clean_one() {
    let run = |arguments: &[&str]| finish(aggctl(arguments).env("HOME", "/nonexistent"));
    let verdicts = [
        &["doctor"][..],
        &["conflicts", "--check"],
        &["route", "/api", "--fail-on", "not-found"],
        &["apiservices", "--odd"],
        &["explain", "namespace", "default"],
    ];
    for arguments in verdicts {
        let run = run(arguments);
        assert_eq!(run.code, 3, "{}", run.err);
        let told =
            run.err.starts_with("error: no cluster or dump found") && run.err.contains("--builtin");
        assert!(told, "{}", run.err);
    }
    assert_eq!(run(&["doctor", "--builtin"]).code, 0);
    assert_eq!(run(&["conflicts"]).code, 0);
}

#[test]
fn formats() {
    let out = |arguments: &[&str]| doctor(&broken(), arguments).out;
    let list = json(&out(&["-o", "json"]));
    let kind = (&list["apiVersion"], &list["kind"]);
    assert_eq!(kind, (&"aggctl/v1".into(), &"DiagnosisList".into()));
    assert_eq!(list["summary"]["broken"], 1);
    let item = &list["items"][0];
    assert_eq!(item["brokenLink"], "address");
    assert_eq!(item["links"][0]["link"], "service");
    let line = json(&out(&["-o", "jsonl"]));
    assert_eq!((&line["kind"], &line["links"]), (&"Diagnosis".into(), &item["links"]));
    assert!(out(&["-o", "yaml"]).contains("brokenLink: address"));
    assert_eq!(out(&["-o", "name"]), "apiservice/v1.shop.example\n");
    assert_eq!(doctor(&World::healthy(), &["-o", "name"]).out, "");
}

#[test]
fn mistakes_get_one_clear_line() {
    let check = |world: &World, arguments: &[&str], code: i32, err: &str| {
        let run = doctor(world, arguments);
        assert_eq!((run.code, run.out.is_empty()), (code, code != 0), "{}", run.err);
        assert!(run.err.starts_with(err) && run.err.lines().count() <= 2, "{}", run.err);
    };
    let err = "error: no APIService \"v1.shop.exmaple\" in the source\nhint: did you mean v1.shop.example?\n";
    check(&broken(), &["v1.shop.exmaple"], 2, err);
    let mut world = World::healthy();
    world.api_service = Value::Null;
    let err =
        "error: nothing to diagnose: APIServices are not in the source (kubectl get apiservices";
    check(&world, &[], 3, err);
    world = World::healthy();
    world.slices = Value::Null;
    let err = "warning: the diagnosis rests on less than it could: EndpointSlices are not in the source (kubectl get endpointslices -A -o json)\n";
    check(&world, &[], 0, err);
}

#[test]
fn a_dump_does_not_change() {
    for arguments in [&["--watch"][..], &["--wait-for", "available", "--timeout", "1s"]] {
        let run = doctor(&World::healthy(), arguments);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}");
        let want = format!("error: {} needs a live cluster: a dump ", arguments[0]);
        assert!(run.err.starts_with(&want), "{}", run.err);
    }
}

#[test]
fn nothing_from_a_cluster_steers_the_terminal() {
    let mut world = World::healthy();
    world.unavailable("Bad\u{1b}[31m", "\u{1b}]0;title\u{7}");
    world.api_service["spec"]["service"]["name"] = "evil\u{1b}[2J".into();
    for arguments in [&[][..], &["v1.shop.example"], &["-o", "name"]] {
        let run = doctor(&world, arguments);
        assert!(!(run.out + &run.err).contains(['\u{1b}', '\u{7}']), "{arguments:?}");
    }
}
