//! The binary itself: environment, exit codes, and no cluster where none was asked for.

use std::process::Command;

use crate::world::{PIECE, TOKEN, World, recording};

/// The binary, with nothing in its environment but what the test puts there.
fn aggctl(world: &World) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aggctl"));
    command.env_clear().env("HOME", world.directory.path()).current_dir(world.directory.path());
    command
}

fn output(command: &mut Command) -> (String, String, Option<i32>) {
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}

#[test]
fn kubeconfig_comes_from_the_environment_or_the_home_directory() {
    let world = World::new(&recording("v1.36-vanilla"));
    let plain = "note: no cluster found; using built-in Kubernetes 1.37\n";
    let (_, err, code) = output(aggctl(&world).arg("order"));
    assert_eq!((err.as_str(), code), (plain, Some(0)));
    assert!(world.server.seen().is_empty());

    let (_, err, code) =
        output(aggctl(&world).args(["order", "-v"]).env("KUBECONFIG", "gone:config"));
    assert!(err.contains("answers come from cluster here"), "{err}");
    assert_eq!(code, Some(0));

    std::fs::create_dir(world.directory.path().join(".kube")).unwrap();
    std::fs::rename(world.kubeconfig(), world.directory.path().join(".kube/config")).unwrap();
    std::fs::rename(
        world.directory.path().join("ca.crt"),
        world.directory.path().join(".kube/ca.crt"),
    )
    .unwrap();
    let (_, err, _) = output(aggctl(&world).args(["order", "-v"]));
    assert!(err.contains("answers come from cluster here"), "{err}");
    assert!(!world.server.seen().is_empty());

    // What is asked for comes first, and touches no cluster.
    let dump = world.dump.to_str().unwrap();
    for arguments in [["--builtin", "1.33"], ["--dump", dump]] {
        let (_, err, code) = output(aggctl(&world).arg("order").args(arguments));
        assert_eq!((err.as_str(), code), ("", Some(0)));
    }
    let (_, err, code) = output(aggctl(&world).arg("order").env("AGGCTL_DUMP", dump));
    assert_eq!((err.as_str(), code), ("", Some(0)));
    let (_, err, _) = output(aggctl(&world).arg("order").env("KUBECONFIG", "/dev/null"));
    assert_eq!(err, plain);
    assert!(world.server.seen().is_empty());
}

#[test]
fn a_broken_kubeconfig_is_named() {
    let world = World::new(&recording("v1.36-vanilla"));
    let path = world.file("broken", "clusters: [\n");
    let (_, err, code) = output(aggctl(&world).arg("order").env("KUBECONFIG", &path));
    assert_eq!(code, Some(3));
    assert!(
        err.starts_with(&format!("error: cannot read kubeconfig {}: ", path.display())),
        "{err}"
    );
    assert!(err.ends_with("hint: --builtin and --dump answer without a cluster\n"), "{err}");
}

#[test]
fn the_proxy_of_the_environment_is_not_for_loopback() {
    let world = World::new(&recording("v1.36-vanilla"));
    let mut command = aggctl(&world);
    command.args(["order", "--kubeconfig", "config"]).env("HTTPS_PROXY", "http://127.0.0.1:1");
    let (_, err, code) = output(&mut command);
    assert_eq!((err.as_str(), code), ("", Some(0)));
}

#[test]
fn a_server_on_the_command_line_is_enough() {
    let world = World::new(&recording("v1.36-vanilla"));
    let address = world.server.address.to_string();
    let mut command = aggctl(&world);
    command.args([
        "order",
        "--server",
        &address,
        "--certificate-authority",
        "ca.crt",
        "--token",
        TOKEN,
        "-v",
    ]);
    let (_, err, code) = output(&mut command);
    assert_eq!(code, Some(0), "{err}");
    assert!(!err.contains(PIECE));
    assert_eq!(world.server.seen()[0].headers["authorization"], format!("Bearer {TOKEN}"));
}

#[test]
fn what_takes_one_cluster_takes_one() {
    let world = World::new(&recording("v1.36-vanilla"));
    world.file("routes.yaml", "requests:\n- request: /api\n  expect: {outcome: served}\n");
    for command in [
        &["test", "routes.yaml"][..],
        &["lint", "routes.yaml"],
        &["diff", "here", "here"],
        &["dump", "there", "--context", "here"],
    ] {
        let mut run = aggctl(&world);
        run.args(command).args(["--kubeconfig", "config"]);
        // `dump` knows no such flag, and several contexts are as many too many.
        let many =
            if command[0] == "dump" { ["--context", "here"] } else { ["--all-contexts", "-v"] };
        let (_, err, code) = output(run.args(many));
        assert_eq!(code, Some(2), "{command:?}: {err}");
        assert!(err.starts_with("error: this takes one cluster at a time\n"), "{command:?}: {err}");
        assert!(world.server.seen().is_empty(), "{command:?}");
    }
}
