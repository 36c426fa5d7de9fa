//! Tests kubeconfigs of many kinds, each against a server.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::server::{Authority, Seen};
use crate::world::{World, recording};

fn world() -> World {
    World::new(&recording("v1.36-vanilla"))
}

/// Returns the binary in the folder of the kubeconfig, with an empty environment.
fn aggctl(world: &World, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aggctl"));
    command.env_clear().env("HOME", world.directory.path()).current_dir(world.directory.path());
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.args(arguments);
    command
}

fn run(command: &mut Command) -> (String, Option<i32>) {
    let output = command.output().unwrap();
    (String::from_utf8(output.stderr).unwrap(), output.status.code())
}

fn authorization(seen: &[Seen]) -> Option<&str> {
    seen.first()?.headers.get("authorization").map(|value| value.to_str().unwrap())
}

/// Returns a kubeconfig with one context. Cluster and user are given without their braces.
fn config(cluster: &str, user: &str) -> String {
    format!(
        "current-context: here\n\
         clusters: [{{name: c, cluster: {{{cluster}}}}}]\n\
         contexts: [{{name: here, context: {{cluster: c, user: u}}}}]\n\
         users: [{{name: u, user: {{{user}}}}}]\n"
    )
}

/// kubectl accepts each of these.
#[test]
fn what_kubectl_accepts_is_accepted() {
    let world = world();
    let url = world.server.url();
    let good = STANDARD.encode(&world.authority.pem);
    let stranger = Authority::new("stranger");
    std::fs::create_dir(world.directory.path().join("~")).unwrap();
    std::fs::create_dir(world.directory.path().join("sub")).unwrap();
    world.file("sub/relative.crt", &world.authority.pem);
    world.file("~/ca.crt", &world.authority.pem);
    world.file("stranger.crt", &stranger.pem);
    world.file("token", "from-a-file\n");
    let plain = format!("server: {url}, certificate-authority-data: {good}");
    let json = serde_json::json!({
        "kind": "Config", "apiVersion": "v1", "preferences": {}, "current-context": "here",
        "clusters": [{"name": "c", "cluster": {"server": url, "certificate-authority-data": good}}],
        "contexts": [{"name": "here", "context": {"cluster": "c", "user": "u", "namespace": "n"}}],
        "users": [{"name": "u", "user": {"token": "t"}}],
    });
    let rows = [
        ("JSON", json.to_string(), Some("Bearer t")),
        ("no credentials", config(&plain, ""), None),
        (
            "data before the file",
            config(&format!("{plain}, certificate-authority: stranger.crt"), ""),
            None,
        ),
        (
            "no home directory in a path",
            config(&format!("server: {url}, certificate-authority: ~/ca.crt"), ""),
            None,
        ),
        (
            "a trailing slash, and unknown fields",
            config(
                &format!(
                    "server: {url}/, certificate-authority-data: {good}, color: red, extensions: [{{name: x, extension: {{a: [1]}}}}], disable-compression: true"
                ),
                "token: t, shoe-size: 44, extensions: null",
            ),
            Some("Bearer t"),
        ),
        (
            "nulls",
            config(
                &format!("{plain}, proxy-url: null, tls-server-name: null"),
                "token: null, as-groups: null",
            ),
            None,
        ),
        (
            "empty texts",
            config(
                &format!("{plain}, proxy-url: '', tls-server-name: '', certificate-authority: ''"),
                "token: '', tokenFile: '', client-certificate: ''",
            ),
            None,
        ),
        (
            "the token of a file before another",
            config(&plain, "token: t, tokenFile: token"),
            Some("Bearer from-a-file"),
        ),
        ("a token of digits", config(&plain, "token: '0123'"), Some("Bearer 0123")),
        ("a password", config(&plain, "username: me, password: p"), Some("Basic bWU6cA==")),
        (
            "a token before a password",
            config(&plain, "token: t, username: me, password: p"),
            Some("Bearer t"),
        ),
        (
            "comments, anchors and several lines",
            format!(
                "# mine\ncurrent-context: &name here\nclusters:\n- name: c\n  cluster:\n    server: {url}\n    certificate-authority-data: >-\n      {good}\ncontexts:\n- name: *name\n  context:\n    cluster: c\n    user: u\nusers:\n- name: u\n  user:\n    token: >-\n      t\n"
            ),
            Some("Bearer t"),
        ),
    ];
    for (what, text, want) in rows {
        world.file("kubeconfig", &text);
        let (err, code) = run(&mut aggctl(&world, &["chain", "--kubeconfig", "kubeconfig"]));
        assert_eq!((err.as_str(), code), ("", Some(0)), "{what}");
        assert_eq!(authorization(&world.server.seen()), want, "{what}");
    }
    // Paths are relative to their file. Paths in flags are relative to the current folder.
    world.file(
        "sub/config",
        &config(
            &format!("server: {url}, certificate-authority: relative.crt"),
            "tokenFile: ../token",
        ),
    );
    let (err, code) = run(&mut aggctl(&world, &["chain", "--kubeconfig", "sub/config"]));
    assert_eq!((err.as_str(), code), ("", Some(0)));
    assert_eq!(authorization(&world.server.seen()), Some("Bearer from-a-file"));
    let flag =
        ["chain", "--kubeconfig", "sub/config", "--certificate-authority", "sub/relative.crt"];
    assert_eq!(run(&mut aggctl(&world, &flag)), (String::new(), Some(0)));
}

#[test]
fn compression_can_be_turned_off() {
    let world = world();
    for (more, want) in [("", Some("gzip")), (", disable-compression: true", None)] {
        world.configure_both(
            &format!("server: {}, certificate-authority: ca.crt{more}", world.server.url()),
            "",
        );
        assert_eq!(world.live(&["chain"]).code, 0);
        let seen = world.server.seen();
        let encoding = seen[0].headers.get("accept-encoding").map(|value| value.to_str().unwrap());
        assert_eq!(encoding, want);
    }
}

/// If several files have the same name, the first one wins. Missing files are ignored.
#[test]
fn several_files_are_one() {
    let world = world();
    let url = world.server.url();
    world.file("first", &format!("clusters: [{{name: c, cluster: {{server: {url}, certificate-authority: ca.crt}}}}]\nusers: [{{name: u, user: {{token: first}}}}]\n"));
    world.file("second", "current-context: here\nclusters: [{name: c, cluster: {server: 'https://127.0.0.1:1'}}]\ncontexts: [{name: here, context: {cluster: c, user: u}}]\nusers: [{name: u, user: {token: second}}]\n");
    world.file(
        "third",
        "current-context: elsewhere\ncontexts: [{name: here, context: {cluster: gone}}]\n",
    );
    world.file("empty", "");
    world.file("nothing", "# nothing\n---\n");
    let list = "gone:first::empty:nothing:second:/also/gone:third";
    let (err, code) = run(aggctl(&world, &["chain"]).env("KUBECONFIG", list));
    assert_eq!((err.as_str(), code), ("", Some(0)));
    assert_eq!(authorization(&world.server.seen()), Some("Bearer first"));
    // A broken file is not ignored.
    world.file("broken", "clusters: {");
    let (err, code) = run(aggctl(&world, &["chain"]).env("KUBECONFIG", "first:broken:second"));
    assert_eq!(code, Some(3));
    insta::assert_snapshot!(err, @"
    error: cannot read kubeconfig broken: 1:11: not valid YAML or JSON
    hint: use --dump or --builtin to run without a cluster
    ");
}

#[test]
fn broken_references_are_named() {
    let world = world();
    let error = |text: &str, more: &[&str]| {
        world.file("kubeconfig", text);
        let arguments = [&["chain", "--kubeconfig", "kubeconfig"], more].concat();
        let (err, code) = run(&mut aggctl(&world, &arguments));
        assert_eq!(code, Some(3), "{text}: {err}");
        assert!(!err.contains("hunter2"), "{err}");
        err.replace(world.directory.path().to_str().unwrap(), "FOLDER")
    };
    let one = config(&format!("server: {}", world.server.url()), "token: hunter2");
    let changed = |from: &str, to: &str| one.replace(from, to);
    let old = "auth-provider: {name: gcp, config: {access-token: hunter2}}";
    let twice = changed("users: [", "users: [{name: u, user: {token: hunter2}}, ");
    let (gone, code) = run(&mut aggctl(&world, &["chain", "--kubeconfig", "gone"]));
    assert_eq!(code, Some(3));
    let errors = [
        error(&changed("{cluster: c,", "{cluster: d,"), &[]),
        error(&changed("user: u}", "user: v}"), &[]),
        error(&changed("text: here", "text: there"), &[]),
        error(&one, &["--context", "there"]),
        error(&one, &["--cluster", "there"]),
        error(&one, &["--user", "there"]),
        error(&changed("token: hunter2", old), &[]),
        error(&changed("token: hunter2", "tokenFile: gone"), &[]),
        error(&twice, &[]),
        error(&changed("token: hunter2", "token: {hunter2: 1}"), &[]),
        error("hunter2", &[]),
        gone,
    ];
    insta::assert_snapshot!(errors.join("\n"), @r#"
    error: the kubeconfig has no cluster "d"
    hint: known names: c

    error: the kubeconfig has no user "v"
    hint: known names: u

    error: the kubeconfig has no context "there"
    hint: known names: here

    error: the kubeconfig has no context "there"
    hint: known names: here

    error: the kubeconfig has no cluster "there"
    hint: known names: c

    error: the kubeconfig has no user "there"
    hint: known names: u

    error: auth-provider "gcp" in the kubeconfig was removed in Kubernetes 1.26
    hint: use an exec plugin or --token

    error: cannot read token file FOLDER/gone: no such file

    error: cannot read kubeconfig kubeconfig: duplicate user "u"
    hint: use --dump or --builtin to run without a cluster

    error: cannot read kubeconfig kubeconfig: a value of the wrong type, expected a string
    hint: use --dump or --builtin to run without a cluster

    error: cannot read kubeconfig kubeconfig: it is not a kubeconfig
    hint: use --dump or --builtin to run without a cluster

    error: cannot read kubeconfig gone: no such file
    hint: use --dump or --builtin to run without a cluster
    "#);
    assert!(world.server.seen().is_empty());
}

/// The shell's `<(…)` is a pipe, and standard input may be one.
#[cfg(unix)]
#[test]
fn a_kubeconfig_may_come_through_a_pipe() {
    let world = world();
    let ca = world.directory.path().join("ca.crt");
    let cluster =
        format!("server: {}, certificate-authority: {}", world.server.url(), ca.display());
    let text = config(&cluster, "token: piped");
    let mut command = aggctl(&world, &["chain", "--kubeconfig", "/dev/stdin"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(authorization(&world.server.seen()), Some("Bearer piped"));

    let pipe = world.directory.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for more in [
        &[][..],
        &["--context", "here"],
        &["--all-contexts"],
        &["--context", "here", "--context", "here"],
    ] {
        let (to, text) = (pipe.clone(), text.clone());
        let writing = std::thread::spawn(move || std::fs::write(to, text).unwrap());
        let arguments = [&["order", "--kubeconfig", "pipe"], more].concat();
        assert_eq!(run(&mut aggctl(&world, &arguments)), (String::new(), Some(0)), "{more:?}");
        writing.join().unwrap();
    }
}

/// A file that never ends, or a pipe without a writer, gives an error in bounded time.
#[cfg(unix)]
#[test]
fn endless_files_are_refused() {
    let world = world();
    let server = format!("server: {}", world.server.url());
    let trusting = format!("{server}, insecure-skip-tls-verify: true");
    let pipe = world.directory.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let errors = |path: &Path, timeout: &str| {
        let path = path.display();
        let files = [
            String::new(),
            config(&format!("{server}, certificate-authority: {path}"), ""),
            config(&trusting, &format!("tokenFile: {path}")),
            config(&trusting, &format!("client-certificate: {path}, client-key: {path}")),
        ];
        let error = |text: String| {
            world.file("kubeconfig", &text);
            let file = if text.is_empty() { path.to_string() } else { "kubeconfig".to_owned() };
            let arguments = ["chain", "--kubeconfig", &file, "--timeout", timeout];
            let (err, code) = run(&mut aggctl(&world, &arguments));
            assert_eq!(code, Some(3), "{err}");
            err.replace(world.directory.path().to_str().unwrap(), "FOLDER")
        };
        files.map(error).concat()
    };
    insta::assert_snapshot!(errors(&pipe, "1s"), @"
    error: cannot read kubeconfig FOLDER/pipe: it is not a regular file, and reading did not finish within 1 s (timeout)
    hint: use --dump or --builtin to run without a cluster
    error: cannot read certificate-authority FOLDER/pipe: it is not a regular file, and reading did not finish within 1 s (timeout)
    error: cannot read token file FOLDER/pipe: it is not a regular file, and reading did not finish within 1 s (timeout)
    error: cannot read client-certificate FOLDER/pipe: it is not a regular file, and reading did not finish within 1 s (timeout)
    ");
    insta::assert_snapshot!(errors(world.directory.path(), "20s"), @"
    error: cannot read kubeconfig FOLDER: it is a directory
    hint: use --dump or --builtin to run without a cluster
    error: cannot read certificate-authority FOLDER: it is a directory
    error: cannot read token file FOLDER: it is a directory
    error: cannot read client-certificate FOLDER: it is a directory
    ");
    insta::assert_snapshot!(errors(Path::new("/dev/zero"), "20s"), @"
    error: cannot read kubeconfig /dev/zero: it is larger than 16 MiB
    hint: use --dump or --builtin to run without a cluster
    error: cannot read certificate-authority /dev/zero: it is larger than 4 MiB
    error: cannot read token file /dev/zero: it is larger than 4 MiB
    error: cannot read client-certificate /dev/zero: it is larger than 4 MiB
    ");
}

/// The time for a login does not count towards the time for requests.
#[cfg(unix)]
#[test]
fn a_login_may_take_longer_than_the_requests() {
    let world = world();
    let answer = r#"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"typed"}}"#;
    world.file(
        "plugin",
        &format!("echo \"$KUBERNETES_EXEC_INFO\" > info\nsleep 4\necho '{answer}'\n"),
    );
    let exec = |mode: &str| {
        format!(
            "exec: {{apiVersion: client.authentication.k8s.io/v1, command: /bin/sh, args: [plugin], interactiveMode: {mode}}}"
        )
    };
    let ca = format!("server: {}, certificate-authority: ca.crt", world.server.url());
    let arguments = ["chain", "--kubeconfig", "config", "--timeout", "3s"];
    let attended = |mode: &str| {
        world.file("config", &config(&ca, &exec(mode)));
        let (_held, seat) = terminal();
        run(aggctl(&world, &arguments).stdin(seat))
    };
    for mode in ["Always", "IfAvailable"] {
        assert_eq!(attended(mode), (String::new(), Some(0)), "{mode}");
        let info = std::fs::read_to_string(world.directory.path().join("info")).unwrap();
        let info: serde_json::Value = serde_json::from_str(&info).unwrap();
        assert_eq!(info["spec"]["interactive"], true, "{info}");
        assert_eq!(authorization(&world.server.seen()), Some("Bearer typed"));
    }
    let (late, code) = attended("Never");
    assert_eq!(code, Some(3));
    insta::assert_snapshot!(late, @r#"
    error: exec plugin "/bin/sh" did not finish within 3 s
    hint: allow more time with --timeout
    "#);
    // Without a terminal there is no user to wait for.
    let unattended = |mode: &str| {
        world.file("config", &config(&ca, &exec(mode)));
        run(aggctl(&world, &arguments).stdin(Stdio::null()))
    };
    assert_eq!(unattended("IfAvailable"), (late, Some(3)));
    let (err, code) = unattended("Always");
    assert_eq!(code, Some(3));
    insta::assert_snapshot!(err, @r#"error: exec plugin "/bin/sh" is interactive, but standard input is not a terminal"#);
}

/// Opens a pseudoterminal. Returns the controlling end and the end for aggctl.
#[cfg(unix)]
fn terminal() -> (std::os::fd::OwnedFd, std::fs::File) {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let held = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&held).unwrap();
    unlockpt(&held).unwrap();
    let name = ptsname(&held, vec![]).unwrap();
    let seat = std::fs::File::open(name.to_str().unwrap()).unwrap();
    (held, seat)
}

/// Ctrl-C ends the process inside the picker. If it had hidden the cursor, the cursor would stay
/// hidden.
#[cfg(target_os = "linux")]
#[test]
fn the_picker_leaves_the_cursor_alone() {
    use std::io::{Read, Write};
    let (held, seat) = terminal();
    let name = std::fs::read_link(format!("/proc/self/fd/{}", {
        use std::os::fd::AsRawFd;
        seat.as_raw_fd()
    }))
    .unwrap();
    let written = std::fs::OpenOptions::new().write(true).open(name).unwrap();
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("aggctl"))
        .args(["route", "--builtin", "1.33"])
        .stdin(seat)
        .stdout(Stdio::null())
        .stderr(written)
        .spawn()
        .unwrap();
    let mut held = std::fs::File::from(held);
    let (mut shown, mut buffer) = (vec![], [0; 4096]);
    while !String::from_utf8_lossy(&shown).contains("/api/v1/pods") {
        let read = held.read(&mut buffer).unwrap();
        shown.extend_from_slice(&buffer[..read]);
    }
    // Keys are lost until the picker waits for one.
    let ended = loop {
        let _ = held.write(b"\x03");
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None => std::thread::sleep(std::time::Duration::from_millis(20)),
        }
    };
    assert_ne!(ended.code(), Some(0));
    assert!(!String::from_utf8_lossy(&shown).contains("\x1b[?25l"));
}
