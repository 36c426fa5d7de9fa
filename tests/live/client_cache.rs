//! Tests what `doctor` and `explain` make of kubectl's own cache of a live cluster.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::harness::Run;
use crate::world::{World, recording};
use serde_json::json;

/// Runs the binary with a home directory and nothing else.
fn run(world: &World, arguments: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aggctl"));
    command.env_clear().env("HOME", world.directory.path()).current_dir(world.directory.path());
    command.args(arguments).arg("--kubeconfig").arg(world.kubeconfig());
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Run { out: text(output.stdout), err: text(output.stderr), code: output.status.code().unwrap() }
}

/// Writes a list of groups to the cache of a server, whose directory is named after its address.
fn write_cache(world: &World, host: &str, versions: &[(&str, &str)]) -> PathBuf {
    let directory = world.directory.path().join(".kube/cache/discovery").join(host);
    fs::create_dir_all(&directory).unwrap();
    let groups: Vec<_> = versions
        .iter()
        .map(|(group, version)| {
            let named = json!({"groupVersion": format!("{group}/{version}"), "version": version});
            json!({"name": group, "versions": [named], "preferredVersion": named})
        })
        .collect();
    let list = json!({"kind": "APIGroupList", "apiVersion": "v1", "groups": groups});
    fs::write(directory.join("servergroups.json"), list.to_string()).unwrap();
    directory
}

fn host(world: &World) -> String {
    world.server.url().trim_start_matches("https://").replace(':', "_")
}

fn notes(run: &Run) -> String {
    let words: Vec<&str> = run.out.split_whitespace().collect();
    let text = words.join(" ");
    match text.split_once("note: kubectl's cache") {
        Some((_, note)) => note.split(" refreshes it.").next().unwrap().to_owned(),
        None => String::new(),
    }
}

#[test]
fn doctor_notes_a_cache_that_contradicts_the_cluster() {
    let world = World::new(&recording("v1.36-vanilla"));
    let doctor = |more: &[&str]| run(&world, &[&["doctor"], more].concat());
    let without = doctor(&[]);
    assert_eq!(notes(&without), "");

    // What is new, and what agrees, does not mislead kubectl.
    write_cache(&world, &host(&world), &[("apps", "v1")]);
    assert_eq!(notes(&doctor(&[])), "");
    // The cache of another server does not matter.
    write_cache(&world, "10.9.9.9_6443", &[("apps", "v0")]);
    fs::write(world.directory.path().join(".kube/cache/servergroups.json"), "{}").unwrap();
    assert_eq!(notes(&doctor(&[])), "");

    let directory =
        write_cache(&world, &host(&world), &[("apps", "v1beta9"), ("autoscaling", "v1")]);
    let with = doctor(&[]);
    assert_eq!(with.code, without.code);
    let note = notes(&with);
    for part in [
        "contradicts this cluster: the cache has apps/v1beta9, which the server does not serve",
        "apps: the cache prefers v1beta9, the server prefers v1",
        "autoscaling: the cache prefers v1, the server prefers v2",
        "until kubectl api-resources",
    ] {
        assert!(note.contains(part), "{part}: {note}");
    }
    assert!(
        with.out.lines().all(|line| line.chars().count() <= 80 || line.contains("--kubeconfig"))
    );
    let found = &doctor(&["-o", "json"]).json()["clientCache"];
    assert_eq!(found["disagreements"].as_array().unwrap().len(), 3);
    assert!(directory.ends_with(found["directory"].as_str().unwrap().rsplit('/').next().unwrap()));

    // Files that are not documents, and documents that are too old, contradict nothing.
    fs::write(directory.join("servergroups.json"), "<html>").unwrap();
    assert_eq!(notes(&doctor(&[])), "");
    assert_eq!(doctor(&[]).err, without.err);
    write_cache(&world, &host(&world), &[("apps", "v1beta9")]);
    assert_eq!(notes(&doctor(&["--now", "2099-01-01T00:00:00Z"])), "");
}

/// The cache of the cluster is found by its address, and no option is needed.
#[test]
fn explain_reads_the_cache_of_the_cluster() {
    let world = World::new(&recording("v1.36-vanilla"));
    let text = r#"error: the server doesn't have a resource type "deploymnts""#;
    let explain = || run(&world, &["explain", text, "-o", "json"]).json()["clientCache"].clone();
    assert!(explain().is_null());
    assert!(world.server.seen().is_empty(), "no cache, no request");
    write_cache(&world, "10.9.9.9_6443", &[("apps", "v1")]);
    assert!(explain().is_null());
    write_cache(&world, &host(&world), &[("apps", "v1")]);
    let verdict = &explain()["verdicts"][0];
    assert_eq!(
        (&verdict["blame"], &verdict["didYouMean"]),
        (&json!("name"), &json!("deployments"))
    );
}
