//! Tests the files that aggctl writes: complete or not at all, and never through a link.

#![cfg(unix)]

use std::os::unix::fs::symlink;
use std::process::Command;

use crate::{Place, dump};

const BAD: &str = include_str!("../../testdata/lint/removed-api-version/fire-1.yaml");

/// Returns the commands that write a file of this name.
fn writers(file: &str) -> Vec<Vec<String>> {
    let dump = dump("v1.36-crds");
    let dump = dump.to_str().unwrap();
    let words = |text: &str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
    vec![
        words(&format!("lint bad.yaml -o sarif --output {file}")),
        words(&format!("report --force --builtin=1.36 {file}")),
        words(&format!("test --record --force --builtin=1.36 {file}")),
        words(&format!("doctor --dump {dump} --output-file {file}")),
    ]
}

fn names(place: &Place) -> Vec<String> {
    let all = std::fs::read_dir(place.path("")).unwrap();
    let mut names: Vec<String> =
        all.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn nothing_is_written_through_a_link() {
    let place = Place::with(&[("bad.yaml", BAD), ("precious", "precious")]);
    symlink("precious", place.path("link")).unwrap();
    symlink("bad.yaml", place.path("link.yaml")).unwrap();
    symlink("precious", place.path("aggctl.1")).unwrap();
    symlink("nothing", place.path("dangling")).unwrap();
    let before = names(&place);
    for arguments in [writers("link"), writers("dangling")].concat() {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let run = place.run(&arguments);
        assert_eq!(run.code, 3, "{arguments:?}: {run}");
        assert!(run.err.contains(": it is a link\nhint: remove the link, or"), "{run}");
    }
    let fix = place.run(&["lint", "--fix", "link.yaml"]);
    assert!(fix.err.contains("link.yaml: not fixed: it is a link"), "{fix}");
    assert_eq!(place.run(&["man", "--dir", "."]).code, 3);
    assert_eq!(place.read("precious"), "precious");
    assert_eq!(place.read("bad.yaml"), BAD);
    assert_eq!(names(&place), before);
}

/// The file size limit simulates a full disk.
#[test]
fn a_full_disk_leaves_the_old_file() {
    for arguments in writers("out") {
        let place = Place::with(&[("bad.yaml", BAD), ("out", "old")]);
        // Also with SIGXFSZ, which ends a process that does not handle it.
        for ignored in ["trap '' XFSZ; ", ""] {
            let script = format!("{ignored}ulimit -f 0; exec \"$0\" \"$@\"");
            let mut shell = Command::new("sh");
            shell.args(["-c", &script, env!("CARGO_BIN_EXE_aggctl")]).args(&arguments);
            let output = shell.current_dir(place.path("")).output().unwrap();
            let err = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(3), "{arguments:?}: {output:?}");
            assert!(err.contains("cannot write out: file too large"), "{err}");
            assert_eq!(place.read("out"), "old", "{arguments:?}");
            assert_eq!(names(&place), ["bad.yaml", "out"], "{arguments:?}");
        }
    }
}

/// aggctl writes directly to a file that the shell has opened.
#[test]
fn devices_and_open_files_are_written_to() {
    let place = Place::with(&[("bad.yaml", BAD)]);
    let run = place.run(&["lint", "-o", "name", "--output", "/dev/stdout", "bad.yaml"]);
    assert_eq!(run.out, "bad.yaml\n", "{run}");
    assert_eq!(place.run(&["lint", "-o", "name", "--output", "/dev/null", "bad.yaml"]).code, 1);
    assert_eq!(names(&place), ["bad.yaml"]);
}
