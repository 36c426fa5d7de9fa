//! When Kubernetes served what: the command, and what others say of what is not there.

use crate::json;
use crate::run;

#[test]
fn history_is_a_table() {
    let text = run(&["versions", "policy"]).out;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[..4],
        [
            "KUBERNETES 1.          25 28 29 30 31 32 33 34 35 36 37  SERVED",
            "policy/v1               ●  ●  ●  ●  ●  ●  ●  ●  ●  ●  ●  1.21-",
            "  poddisruptionbudgets  ●  ●  ●  ●  ●  ●  ●  ●  ●  ●  ●  1.21-",
            "policy/v1beta1          ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  -1.24",
        ]
    );
    assert_eq!(lines[6], "policy/v1beta1: served by Kubernetes up to 1.24, v1 since 1.21");
    let all = run(&["versions"]).out;
    assert!(all.lines().all(|line| line.chars().count() <= 80), "{all}");
    assert_eq!(run(&["versions", "batch/v1", "-o", "name"]).out, "batch/v1\nbatch/v1beta1\n");
}

#[test]
fn history_has_other_forms() {
    let document = run(&["versions", "resource.k8s.io", "-o", "json"]).json();
    assert_eq!(document["kubernetes"][0], "1.25");
    let whole = &document["items"][0];
    assert_eq!(whole["groupVersion"], "resource.k8s.io/v1");
    assert_eq!(whole["served"], serde_json::json!(["1.34", "1.35", "1.36", "1.37"]));
    assert_eq!((&whole["since"], &whole["until"]), (&"1.34".into(), &serde_json::Value::Null));
    let markdown = run(&["versions", "batch", "-o", "markdown"]).out;
    assert!(
        markdown.contains("\n| **batch/v1beta1** | | | | | | | | | | | | -1.24 |\n"),
        "{markdown}"
    );
    let gone = json(run(&["versions", "autoscaling", "-o", "jsonl"]).out.lines().last().unwrap());
    assert_eq!(gone["instead"]["groupVersion"], "autoscaling/v2");
    assert_eq!(gone["instead"]["since"], "1.23");
}

#[test]
fn a_group_that_never_was_is_refused() {
    let unknown = run(&["versions", "polcy"]);
    assert_eq!(unknown.code, 2);
    assert_eq!(
        unknown.err,
        "error: no Kubernetes that is known had a group \"polcy\"\nhint: did you mean policy?\n"
    );
}

/// Every command that may meet it says when it was there.
#[test]
fn what_is_gone_or_new_is_told() {
    let gone = "policy/v1beta1: served by Kubernetes up to 1.24, v1 since 1.21";
    let discovery = run(&["discovery", "/apis/policy/v1beta1", "--builtin"]);
    assert!(discovery.err.ends_with(&format!("hint: {gone}\n")), "{}", discovery.err);
    let text = "no matches for kind \"PodDisruptionBudget\" in version \"policy/v1beta1\"";
    let explain = run(&["explain", text, "--builtin"]).out;
    let words = explain.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(&format!("poddisruptionbudgets of {gone}")), "{explain}");
    assert!(words.contains("1. The version is not served any more"), "{explain}");
    assert!(!words.contains("extension server"), "{explain}");
    let new = run(&["route", "/apis/storagemigration.k8s.io/v1", "--builtin", "1.36"]).err;
    assert_eq!(new, "hint: storagemigration.k8s.io/v1: new in Kubernetes 1.37\n");
    // A slip in a group version that is there is not its history.
    assert_eq!(run(&["route", "/apis/apps/v1/nothing", "--builtin", "1.36"]).err, "");
    let path = "/apis/storage.k8s.io/v1/volumeattributesclasses";
    let route = run(&["route", path, "--builtin", "1.33", "-o", "json"]).json();
    assert_eq!(
        route["served"],
        "volumeattributesclasses of storage.k8s.io/v1: new in Kubernetes 1.34"
    );
}

#[test]
fn lint_tells_when_a_group_version_was_served() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("ghost.yaml");
    let manifest = "apiVersion: apiregistration.k8s.io/v1\nkind: APIService\nmetadata:\n  name: v1beta1.policy\nspec:\n  group: policy\n  version: v1beta1\n  groupPriorityMinimum: 1000\n  versionPriority: 15\n";
    std::fs::write(&file, manifest).unwrap();
    let out = run(&["lint", file.to_str().unwrap(), "--kubernetes-version", "1.36"]).out;
    assert!(out.contains("= help: policy/v1beta1: served by Kubernetes up to 1.24"), "{out}");
    std::fs::write(&file, manifest.replace("k8s.io/v1\n", "k8s.io/v1beta1\n")).unwrap();
    let out = run(&["lint", file.to_str().unwrap(), "--kubernetes-version", "1.36"]).out;
    assert!(out.contains("was removed in Kubernetes 1.22; v1 is there since 1.10"), "{out}");
}
