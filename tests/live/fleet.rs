//! Tests several clusters at once: patterns, summaries, unreachable clusters, comparisons.

use serde_json::json;

use crate::server::{Server, Setup};
use crate::world::{Run, World, recording};

/// Serves four clusters, and returns the servers besides the world's own. `prod-1` and `prod-2` are
/// alike, `prod-3` has an older version, `prod-4` does not answer, and `test` has broken APIServices.
fn fleet() -> (World, [Server; 2]) {
    let world = World::new(&recording("v1.36-vanilla"));
    let replaying = |name: &str| Setup::replaying(&recording(name).join("dump"));
    let others = ["v1.33-vanilla", "v1.36-mixed"]
        .map(|name| Server::start(&world.authority, &replaying(name)));
    let clusters = [
        ("one", world.server.url()),
        ("old", others[0].url()),
        ("mixed", others[1].url()),
        ("dead", "https://127.0.0.1:1".to_owned()),
    ];
    let clusters = clusters.map(|(name, url)| {
        format!("- {{name: {name}, cluster: {{server: '{url}', certificate-authority: ca.crt}}}}\n")
    });
    let contexts = [
        ("prod-1", "one"),
        ("prod-2", "one"),
        ("prod-3", "old"),
        ("prod-4", "dead"),
        ("test", "mixed"),
    ];
    let contexts = contexts
        .map(|(name, cluster)| format!("- {{name: {name}, context: {{cluster: {cluster}}}}}\n"));
    let text = format!("clusters:\n{}contexts:\n{}", clusters.concat(), contexts.concat());
    world.file("config", &text);
    (world, others)
}

/// Hides how long the slowest request took, and which one it was.
fn timeless(run: Run) -> Run {
    let line = |line: &str| match line.split_once("s /") {
        Some((before, _)) if before.ends_with(|c: char| c.is_ascii_digit()) => {
            let cut = before.rfind(' ').unwrap_or(0);
            format!("{} SLOWEST\n", before[..cut].trim_end())
        }
        _ => format!("{line}\n"),
    };
    Run { out: run.out.lines().map(line).collect(), ..run }
}

#[test]
fn doctor_summarizes_the_worst_first() {
    let (world, _others) = fleet();
    let run = timeless(world.live(&["doctor", "--all-contexts", "--now", "2026-11-18T12:00:00Z"]));
    let summary = run.out.lines().take_while(|line| !line.is_empty());
    let headings = run.out.lines().filter(|line| line.starts_with("==> "));
    let out = summary.chain(headings).map(|line| format!("{line}\n")).collect();
    insta::assert_snapshot!(Run { out, ..run }, @"
    CONTEXT   STATUS        VERSION    BROKEN   WARNINGS   SLOWEST
    prod-4    unreachable   -          -        -          -
    test      broken        v1.36.4    11       3 SLOWEST
    prod-1    healthy       v1.36.4    0        0 SLOWEST
    prod-2    healthy       v1.36.4    0        0 SLOWEST
    prod-3    healthy       v1.33.13   0        0 SLOWEST
    ==> prod-4 <==
    ==> test <==
    2> error: 1 of 5 clusters gave no answer
    [exit 3]
    ");
}

#[test]
fn an_unreachable_cluster_is_a_row() {
    let (world, _others) = fleet();
    let run = world.live(&["doctor", "--context", "prod-*", "-o", "json"]);
    assert_eq!(run.code, 3, "{}", run.err);
    let fleet: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(fleet["kind"], "Fleet");
    let rows: Vec<_> = fleet["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| json!([one["context"], one["status"], one["diagnosis"]["serverVersion"]]))
        .collect();
    assert_eq!(
        json!(rows),
        json!([
            ["prod-4", "unreachable", null],
            ["prod-1", "healthy", "v1.36.4"],
            ["prod-2", "healthy", "v1.36.4"],
            ["prod-3", "healthy", "v1.33.13"],
        ])
    );
    let error = fleet["items"][0]["error"].as_str().unwrap();
    assert!(error.contains("connection refused"), "{error}");
    assert!(fleet["items"][1]["slowest"]["path"].as_str().unwrap().starts_with('/'));
}

/// Every command that reads a cluster takes several.
#[test]
fn other_commands_summarize_too() {
    let (world, _others) = fleet();
    let run = timeless(world.live(&["version", "--all-contexts"]));
    let out = run.out.lines().take(12).map(|line| format!("{line}\n")).collect();
    insta::assert_snapshot!(Run { out, ..run }, @"
    CONTEXT   STATUS      VERSION    SLOWEST
    prod-4    no-answer   - SLOWEST
    prod-1    ok          v1.36.4 SLOWEST
    prod-2    ok          v1.36.4 SLOWEST
    prod-3    ok          v1.33.13 SLOWEST
    test      ok          v1.36.4 SLOWEST

    ==> prod-4 <==
    error: cannot read the version of the server

    ==> prod-1 <==
    aggctl:    0.1.0
    2> warning: prod-4: could not read the server's version: connection refused
    2> error: 1 of 5 clusters gave no answer
    [exit 3]
    ");
    let run = world.live(&["apiservices", "--context", "prod-[14]", "-o", "json"]);
    assert_eq!(run.code, 3, "{}", run.err);
    let list = crate::harness::json(&run.out);
    assert_eq!(list["kind"], "ContextList");
    let rows: Vec<_> = (list["items"].as_array().unwrap().iter())
        .map(|one| json!([one["context"], one["status"], one["version"], one["answer"]["kind"]]))
        .collect();
    assert_eq!(
        json!(rows),
        json!([
            ["prod-4", "unreachable", null, null],
            ["prod-1", "ok", "v1.36.4", "APIServiceList"],
        ])
    );
    insta::assert_snapshot!(world.live(&["lint", "x.yaml", "--cluster", "--context", "prod-*"]), @"
    2> error: this command supports one cluster at a time
    2> hint: select one with --context; lint, test, usage, verify, explain, dump, report, serve and mcp take one
    [exit 2]
    ");
}

#[test]
fn patterns_name_contexts() {
    let (world, _others) = fleet();
    let run = world.live(&["order", "--context", "prod-[12]", "--context", "test", "-o", "jsonl"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let sources: std::collections::BTreeSet<String> = run
        .out
        .lines()
        .map(|line| crate::harness::json(line)["source"]["name"].to_string())
        .collect();
    assert_eq!(Vec::from_iter(sources), ["\"prod-1\"", "\"prod-2\"", "\"test\""]);
    insta::assert_snapshot!(world.live(&["doctor", "--context", "qa-*"]), @r#"
    2> error: the kubeconfig has no context "qa-*"
    2> hint: known names: prod-1, prod-2, prod-3, prod-4, test
    [exit 3]
    "#);
}

#[test]
fn diff_shows_which_cluster_differs() {
    let (world, _others) = fleet();
    let run = world.live(&["diff", "--context", "prod-[123]"]);
    let out = run.out.lines().take(15).map(|line| format!("{line}\n")).collect();
    insta::assert_snapshot!(Run { out, ..run }, @"
    CONTEXT   STATUS    VERSION    DIFFERENCES
    prod-3    differs   v1.33.13   29
    prod-1    same      v1.36.4    0
    prod-2    same      v1.36.4    0

    ==> prod-3 <==
    from cluster with what most of 3 have
    to   cluster prod-3

    APISERVICES  1 removed
    - v1.resource.k8s.io  served by kube-apiserver

    GROUP VERSIONS  1 removed
    - resource.k8s.io/v1  the API server: deviceclasses, resourceclaims,
                          resourceclaimtemplates, resourceslices
    ");
    let run = world.live(&["diff", "--all-contexts", "-o", "json"]);
    assert_eq!(run.code, 3, "{}", run.err);
    let fleet = crate::harness::json(&run.out);
    let status: Vec<_> = fleet["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| format!("{} {}", one["context"], one["status"]).replace('"', ""))
        .collect();
    assert_eq!(
        status,
        ["prod-4 unreachable", "test differs", "prod-3 differs", "prod-1 same", "prod-2 same"]
    );
    let run = world.live(&["diff", "--context", "prod-[123]", "--fail-on", "removed"]);
    assert_eq!(run.code, 1, "{}", run.err);
}
