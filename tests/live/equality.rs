//! Tests that commands give the same answers on a live cluster and on its dump.

use crate::world::{World, for_each_recording, recorded_routes, recording};

/// Replaces the source in an answer.
pub(crate) fn without_source(text: &str, world: &World) -> String {
    let dump = world.dump.to_str().unwrap();
    let config = format!("--kubeconfig {}", world.kubeconfig().display());
    text.replace(&format!("\"kind\": \"dump\",\n    \"name\": \"{dump}\""), "SOURCE")
        .replace("\"kind\": \"live\",\n    \"name\": \"here\"", "SOURCE")
        .replace(&format!("\"kind\":\"dump\",\"name\":\"{dump}\""), "SOURCE")
        .replace("\"kind\":\"live\",\"name\":\"here\"", "SOURCE")
        .replace(&format!("kubectl {config} "), "kubectl ")
        .replace(&format!("--dump {dump}"), "SOURCE")
        .replace(&config, "SOURCE")
        .replace(&format!("in dump {dump}\n"), "in SOURCE\n")
        .replace("in cluster here\n", "in SOURCE\n")
}

/// Removes the last lines of an answer, in which doctor names its source.
pub(crate) fn without_footer(text: &str) -> &str {
    text.rfind("\nKubernetes 1.").and_then(|at| text.get(..at)).unwrap_or(text)
}

fn check(world: &World, arguments: &[&str]) {
    let (live, offline) = (world.live(arguments), world.offline(arguments));
    assert_eq!(live.code, offline.code, "{arguments:?} {}", live.err);
    // The text of `explain` names its source.
    let looked_in =
        |line: &&str| line.starts_with("  in cluster ") || line.starts_with("  in dump ");
    let answer = |out: &str| {
        let text = without_source(out, world);
        // What a recording lacks is a failed read of a server, and missing from a dump.
        let text = text.replace("\"Unknown\"", "\"Stale\"").replace("Unknown     ", "Stale       ");
        text.lines().filter(|line| !looked_in(line)).collect::<Vec<_>>().join("\n")
    };
    pretty_equal(&answer(&live.out), &answer(&offline.out), arguments);
    let messages = |err: &str| {
        let lines = err.lines().filter(|line| !line.starts_with("warning: the APIResourceList of"));
        lines.collect::<Vec<_>>().join("\n")
    };
    pretty_equal(&messages(&live.err), &messages(&offline.err), arguments);
}

fn pretty_equal(live: &str, offline: &str, what: &[&str]) {
    if live != offline {
        let differs = live.lines().zip(offline.lines()).find(|(a, b)| a != b);
        let (more, less) =
            (live.lines().nth(offline.lines().count()), offline.lines().nth(live.lines().count()));
        let what = &what[..what.len().min(6)];
        panic!(
            "{what:?}: live and offline differ: {differs:#?}\nonly live: {more:?}\nonly offline: {less:?}"
        );
    }
}

#[test]
fn live_answers_equal_those_on_the_dump() {
    for_each_recording(|world, recording| {
        for format in ["table", "wide", "json"] {
            check(world, &["apiservices", "-o", format, "--now", "2026-11-20T12:00:00Z"]);
            check(world, &["order", "-o", format]);
            check(world, &["order", "--form", "aggregated", "-o", format]);
            check(world, &["order", "--form", "openapi-v2", "-o", format]);
            check(world, &["discovery", "-o", format]);
            check(world, &["discovery", "--form", "legacy", "-o", format]);
            // The assumptions of the JSON name lists that only the dump lacks.
            if format != "json" {
                check(world, &["discovery", "--form", "aggregated", "-o", format]);
            }
            check(world, &["discovery", "/api", "-o", format]);
            check(world, &["discovery", "/apis/apps/v1", "-o", format]);
            check(world, &["discovery", "/api/v1", "-o", format]);
            check(world, &["discovery", "/apis/apps", "-o", format]);
            check(world, &["discovery", "--merged", "-o", format]);
            check(world, &["discovery", "--merged", "--form", "legacy", "-o", format]);
        }
        check(world, &["chain"]);
        check(world, &["chain", "-o", "json"]);
        // Without an aggregated document, only a live server shows that a Service does not respond.
        if recording.join("dump/apis-aggregated.json").exists() {
            check(world, &["conflicts"]);
            check(world, &["conflicts", "--all", "-o", "json"]);
        }
    });
}

#[test]
fn live_routes_equal_those_on_the_dump() {
    for_each_recording(|world, recording| {
        let arguments = recorded_routes(recording);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let (live, offline) = (world.live(&arguments), world.offline(&arguments));
        assert_eq!(live.code, offline.code, "{}", live.err);
        let answers = |text: &str| without_suggestions(&without_source(text, world));
        pretty_equal(&answers(&live.out), &answers(&offline.out), &arguments);
    });
}

/// Removes suggestions. Without aggregated discovery they need lists that are not requested.
pub(crate) fn without_suggestions(lines: &str) -> String {
    let line = |line: &str| match line.find(",\"suggestion\":") {
        Some(at) => format!("{}}}\n", &line[..at]),
        None => format!("{line}\n"),
    };
    lines.lines().map(line).collect()
}

#[test]
fn one_route_as_text() {
    let world = World::new(&recording("v1.36-mixed"));
    for path in [
        "/apis/apps/v1/deployments",
        "/healthz",
        "/apis/nowhere.example/v1/things",
        "/openapi/v3/apis/apps/v1",
    ] {
        check(&world, &["route", path]);
    }
}

#[test]
fn other_commands_give_the_same_answers() {
    let world = World::new(&recording("v1.36-mixed"));
    for format in ["text", "json"] {
        check(&world, &["conflicts", "-o", format]);
        check(&world, &["explain", "-o", format, "FailedDiscoveryCheck"]);
    }
    check(&world, &["route", "/apis/edge.net/v1/routers", "--without", "v1.edge.net"]);
    let file = world.file(
        "expected.yaml",
        "requests:\n- request: GET /apis/edge.net/v1/routers\n  expect: {outcome: proxied}\n",
    );
    check(&world, &["test", file.to_str().unwrap()]);
    let same = world.live(&["diff", "here", world.dump.to_str().unwrap(), "-o", "json"]);
    assert_eq!(same.code, 0, "{}", same.err);
    let differences: serde_json::Value = serde_json::from_str(&same.out).unwrap();
    assert_eq!(
        (same.code, &differences["differences"]),
        (0, &serde_json::json!([])),
        "{}",
        same.out
    );
}
