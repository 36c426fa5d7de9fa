//! Tests the exit code of commands if the reader of their output closes the pipe early.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::{BLIND, Place, dump, repository, run};

/// The stream that has lost its reader.
#[derive(Debug, Clone, Copy)]
enum Closed {
    Out,
    Err,
    Both,
}

/// Returns the exit code of a command that writes to a closed pipe.
fn code(arguments: &[&str], input: &[u8], closed: Closed) -> i32 {
    let pipe = || {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        Stdio::from(writer)
    };
    let mut command = Command::new(env!("CARGO_BIN_EXE_aggctl"));
    command.args(arguments).current_dir(repository("")).stdin(Stdio::piped());
    BLIND.iter().for_each(|name| {
        command.env_remove(name);
    });
    let (out, err) = match closed {
        Closed::Out => (pipe(), Stdio::null()),
        Closed::Err => (Stdio::null(), pipe()),
        Closed::Both => (pipe(), pipe()),
    };
    let mut child = command.stdout(out).stderr(err).spawn().unwrap();
    // The command may end before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait().unwrap().code().unwrap()
}

#[test]
fn a_closed_pipe_keeps_the_verdict() {
    let mixed = dump("v1.36-mixed");
    let mixed = mixed.to_str().unwrap();
    let bad = "testdata/lint/invalid-version-priority/fire-1.yaml";
    let all = ["table", "json", "yaml", "jsonl", "name"];
    let mut wrong = vec![];
    for (arguments, want) in [
        (&["doctor", "--dump", mixed][..], 1),
        (&["lint", bad], 1),
        (&["conflicts", "--check", "--dump", mixed], 1),
        (&["explain", "no such text"], 1),
        (&["openapi", "--dump", mixed], 1),
        (&["upgrade", "--to", "1.37", "--fail-on", "changes", "--dump", mixed], 1),
        (&["route", "/apis/nothing", "--fail-on", "not-found", "--dump", mixed], 1),
        (&["diff", "builtin:1.30", "builtin:1.36", "--fail-on", "any"], 1),
        (&["apiservices", "--dump", "nowhere"], 3),
        (&["route", "nonsense nonsense", "--builtin"], 2),
        (&["chain", "--builtin"], 0),
    ] {
        for format in all {
            for closed in [Closed::Out, Closed::Err, Closed::Both] {
                let arguments = [arguments, &["-o", format]].concat();
                let open = run(&arguments);
                let found = code(&arguments, b"", closed);
                if found != open.code || format == "json" && found != want {
                    wrong.push(format!("{arguments:?}, {closed:?}: {found}, not {open}"));
                }
            }
        }
    }
    crate::assert_none(&wrong);
}

/// A failing line is found even after more output than any buffer can hold.
#[test]
fn a_stream_of_requests_is_read_to_its_verdict() {
    let fails = ["route", "-", "--builtin", "--fail-on", "not-found"];
    let good = b"/api/v1/pods\n".repeat(50_000);
    let late = [&good[..], b"/apis/nothing/v1\n"].concat();
    let early = [b"/apis/nothing/v1\n", &good[..]].concat();
    assert_eq!(code(&fails, &late, Closed::Out), 1);
    assert_eq!(code(&fails, &early, Closed::Both), 1);
    assert_eq!(code(&fails, &good, Closed::Out), 0);
    let malformed = [&good[..], b"a b c d\n"].concat();
    assert_eq!(code(&fails, &malformed, Closed::Out), 2);
}

/// Without a verdict to reach, a stream ends with its reader.
#[test]
fn an_endless_stream_ends_with_its_reader() {
    let mut yes = Command::new(env!("CARGO_BIN_EXE_aggctl"));
    yes.args(["route", "-", "--builtin"]).stdin(Stdio::piped()).stderr(Stdio::null());
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut child = yes.stdout(writer).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    while input.write_all(b"/api/v1/pods\n").is_ok() {}
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// After an interrupt, the partial counts may fail the command, but never pass it.
#[test]
fn an_interrupted_count_does_not_pass() {
    let event = |path: &str| {
        format!(
            r#"{{"kind":"Event","apiVersion":"audit.k8s.io/v1","auditID":"{path}","stage":"ResponseComplete","requestURI":"{path}","verb":"list","user":{{"username":"jane"}},"responseStatus":{{"code":200}},"requestReceivedTimestamp":"2026-11-16T12:00:00.000000Z"}}
"#
        )
    };
    let place = Place::with(&[
        ("good.log", &event("/api/v1/pods")),
        ("bad.log", &event("/apis/wardle.example.com/v1beta1/flunders")),
    ]);
    let mixed = dump("v1.36-mixed");
    let without = ["--without", "v1beta1.wardle.example.com", "--dump", mixed.to_str().unwrap()];
    for (log, code) in [("good.log", 3), ("bad.log", 1)] {
        let part = place.run(&[&["usage", log, "--partial"], &without[..]].concat());
        let part = part.out.replace("\"interrupted\":false", "\"interrupted\":true");
        place.write("part", &part);
        let merged = place.run(&["usage", "--merge", "part", "--fail-on", "breaks"]);
        assert_eq!(merged.code, code, "{part}\n{merged}");
        assert_eq!(place.run(&["usage", "--merge", "part"]).code, 0);
    }
}
