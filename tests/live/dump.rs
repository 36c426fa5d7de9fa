//! `aggctl dump`, and what is answered from what it wrote.

use std::path::Path;

use crate::server::Breakage;
use crate::world::{PIECE, Run, TOKEN, World, recording, recordings, run};

const QUESTIONS: [&[&str]; 8] = [
    &["apiservices", "-o", "wide"],
    &["order", "-o", "wide"],
    &["order", "--form", "aggregated", "-o", "wide"],
    &["discovery", "-o", "wide"],
    &["discovery", "--merged", "-o", "wide"],
    &["discovery", "--form", "legacy"],
    &["chain"],
    &[
        "route",
        "/apis/apps/v1/deployments",
        "/apis/apps/v9/x",
        "/healthz",
        "/openapi/v3/apis/apps/v1",
        "/apis/no/v1",
        "-o",
        "wide",
    ],
];

fn offline(dump: &Path, question: &[&str]) -> Run {
    let mut arguments = question.to_vec();
    arguments.extend(["--dump", dump.to_str().unwrap()]);
    run(&arguments)
}

fn dump(world: &World, name: &str, more: &[&str]) -> std::path::PathBuf {
    let target = world.directory.path().join(name);
    let mut arguments = vec!["dump", target.to_str().unwrap()];
    arguments.extend(more);
    let run = world.live(&arguments);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(run.out, "");
    target
}

#[test]
fn a_dump_answers_as_the_cluster_did() {
    for recording in recordings() {
        let world = World::new(&recording);
        let (directory, archive) =
            (dump(&world, "dump", &[]), dump(&world, "dump.tar.gz", &["--full"]));
        for question in QUESTIONS {
            let live = world.live(question);
            assert_eq!(offline(&directory, question), live, "{question:?}");
            assert_eq!(offline(&archive, question), live, "{question:?}");
        }
        assert!(world.server.seen().iter().all(|s| s.method == "GET"));
    }
}

#[test]
fn what_could_not_be_read_is_known_offline_too() {
    let world = World::new(&recording("v1.36-mixed"));
    world
        .server
        .break_at("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", Breakage::Status(403));
    world.server.break_at("/api/v1/services", Breakage::Status(500));
    world.server.break_at("/version", Breakage::Garbage);
    let directory = dump(&world, "dump", &[]);
    // Not `chain`: offline it has the aggregated document too, which tells ghosts from CRDs.
    for question in QUESTIONS.iter().filter(|q| q[0] == "apiservices" || q[0] == "route") {
        let (live, offline) = (world.live(question), offline(&directory, question));
        assert_eq!(offline.out, live.out, "{question:?}");
        for line in live.err.lines() {
            assert!(offline.err.contains(line), "{line} is not in {}", offline.err);
        }
        assert!(live.err.contains("could not read CRDs: forbidden (403)"), "{}", live.err);
    }
    let manifest = std::fs::read_to_string(directory.join("aggctl-dump.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let states: Vec<_> = manifest["missing"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| (m["file"].as_str().unwrap(), m["state"].as_str().unwrap()))
        .collect();
    for want in
        [("crds.json", "forbidden"), ("services.json", "failed"), ("version.json", "failed")]
    {
        assert!(states.contains(&want), "{states:?}");
    }
}

#[test]
fn nothing_secret_is_written() {
    let world = World::new(&recording("v1.36-mixed"));
    world.server.break_at("/api/v1/services", Breakage::Echo);
    let directory = dump(&world, "dump", &["-v"]);
    for entry in std::fs::read_dir(&directory).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(!text.contains(PIECE), "{}", path.display());
        assert!(!text.contains("last-applied-configuration"), "{}", path.display());
    }
    let paths: Vec<String> = world.server.seen().into_iter().map(|s| s.path).collect();
    assert!(paths.iter().all(|p| !p.contains("secrets") && !p.contains("configmaps")), "{paths:?}");
}

#[test]
fn nothing_is_overwritten_unasked() {
    let world = World::new(&recording("v1.36-vanilla"));
    let directory = dump(&world, "dump", &["--for", "doctor"]);
    let target = directory.to_str().unwrap();
    let refused = world.live(&["dump", target]);
    assert_eq!(
        (refused.code, refused.err.contains("is there already")),
        (2, true),
        "{}",
        refused.err
    );
    assert!(!directory.join("apis.json").exists());
    assert_eq!(world.live(&["dump", target, "--force"]).code, 0);
    assert!(directory.join("apis.json").exists());
    // A directory that is somebody's is not replaced, whatever the flags.
    let other = world.directory.path().join("other");
    std::fs::create_dir(&other).unwrap();
    std::fs::write(other.join("thesis.tex"), "").unwrap();
    let refused = world.live(&["dump", other.to_str().unwrap(), "--force"]);
    assert_eq!(refused.code, 2, "{}", refused.err);
    assert!(other.join("thesis.tex").exists());
}

#[test]
fn a_dump_that_fails_leaves_nothing() {
    let world = World::new(&recording("v1.36-vanilla"));
    let before = std::fs::read_dir(world.directory.path()).unwrap().count();
    world.configure_both("server: https://127.0.0.1:1", "");
    let target = world.directory.path().join("dump");
    let failed = world.live(&["dump", target.to_str().unwrap()]);
    assert_eq!(failed.code, 3, "{}", failed.err);
    world.configure(&format!("token: {TOKEN}"));
    let target = world.directory.path().join("no/such/place/dump.tar.gz");
    let failed = world.live(&["dump", target.to_str().unwrap()]);
    assert_eq!((failed.code, failed.err.contains("cannot write")), (3, true), "{}", failed.err);
    assert_eq!(std::fs::read_dir(world.directory.path()).unwrap().count(), before);
}
