//! Tests which cluster the binary finds in its environment, and that it contacts no other.

use std::process::Command;

use crate::harness::Run;
use crate::world::{PIECE, TOKEN, World, recording};

/// Returns the binary with an empty environment.
fn aggctl(world: &World) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aggctl"));
    command.env_clear().env("HOME", world.directory.path()).current_dir(world.directory.path());
    command
}

fn output(command: &mut Command) -> Run {
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Run { out: text(output.stdout), err: text(output.stderr), code: output.status.code().unwrap() }
}

#[test]
fn kubeconfig_comes_from_the_environment_or_the_home_directory() {
    let world = World::new(&recording("v1.36-vanilla"));
    let order = |arguments: &[&str], environment: &[(&str, &str)]| {
        let mut command = aggctl(&world);
        command.args(["order", "-o", "json"]).args(arguments).envs(environment.iter().copied());
        let run = output(&mut command);
        let source = run.json()["source"].clone();
        (format!("{} {}", source["kind"], source["name"]).replace('"', ""), run.err)
    };
    let (source, err) = order(&[], &[]);
    assert_eq!(source, "builtin 1.37");
    insta::assert_snapshot!(err, @"note: no cluster found; using built-in Kubernetes 1.37");
    assert!(world.server.seen().is_empty());

    assert_eq!(order(&[], &[("KUBECONFIG", "gone:config")]).0, "live here");
    let home = world.directory.path().join(".kube");
    std::fs::create_dir(&home).unwrap();
    std::fs::rename(world.kubeconfig(), home.join("config")).unwrap();
    std::fs::rename(world.directory.path().join("ca.crt"), home.join("ca.crt")).unwrap();
    assert_eq!(order(&[], &[]).0, "live here");
    assert!(!world.server.seen().is_empty());

    // An explicit source takes precedence, and no cluster is contacted.
    let dump = world.dump.to_str().unwrap();
    let of_dump = format!("dump {dump}");
    assert_eq!(order(&["--builtin", "1.33"], &[]).0, "builtin 1.33");
    assert_eq!(order(&["--dump", dump], &[]).0, of_dump);
    assert_eq!(order(&[], &[("AGGCTL_DUMP", dump)]).0, of_dump);
    assert_eq!(order(&[], &[("KUBECONFIG", "/dev/null")]).0, "builtin 1.37");
    assert!(world.server.seen().is_empty());
}

#[test]
fn a_broken_kubeconfig_is_named() {
    let world = World::new(&recording("v1.36-vanilla"));
    let path = world.file("broken", "clusters: [\n");
    let run = output(aggctl(&world).arg("order").env("KUBECONFIG", &path));
    insta::assert_snapshot!(world.shown(run), @"
    2> error: cannot read kubeconfig FOLDER/broken: 1:11: not valid YAML or JSON
    2> hint: use --dump or --builtin to run without a cluster
    [exit 3]
    ");
    // `version` answers without a server, too.
    let run = output(aggctl(&world).arg("version").env("KUBECONFIG", &path));
    insta::assert_snapshot!(world.shown(run).err, @"warning: cannot read kubeconfig FOLDER/broken: 1:11: not valid YAML or JSON");
}

#[test]
fn the_proxy_of_the_environment_is_not_for_loopback() {
    let world = World::new(&recording("v1.36-vanilla"));
    let mut command = aggctl(&world);
    command.args(["order", "--kubeconfig", "config"]).env("HTTPS_PROXY", "http://127.0.0.1:1");
    let run = output(&mut command);
    assert_eq!((run.err.as_str(), run.code), ("", 0));
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
    let run = output(&mut command);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(!run.err.contains(PIECE), "{}", run.err);
    assert_eq!(world.server.seen()[0].headers["authorization"], format!("Bearer {TOKEN}"));
}

#[test]
fn commands_for_one_cluster_refuse_several() {
    let world = World::new(&recording("v1.36-vanilla"));
    world.file("routes.yaml", "requests:\n- request: /api\n  expect: {outcome: served}\n");
    let mut errors = vec![];
    for command in [
        &["test", "routes.yaml"][..],
        &["lint", "routes.yaml"],
        &["diff", "here", "here"],
        &["dump", "there", "--context", "here"],
    ] {
        let mut run = aggctl(&world);
        run.args(command).args(["--kubeconfig", "config"]);
        // `dump` has no --all-contexts.
        let many =
            if command[0] == "dump" { ["--context", "here"] } else { ["--all-contexts", "-v"] };
        let run = output(run.args(many));
        assert_eq!(run.code, 2, "{command:?}: {}", run.err);
        errors.push(run.err);
        assert!(world.server.seen().is_empty(), "{command:?}");
    }
    errors.dedup();
    insta::assert_snapshot!(errors.join("\n"), @"
    error: this command supports one cluster at a time
    hint: select one with --context; lint, test, usage, verify, explain, dump, report, serve and mcp take one
    ");
}
