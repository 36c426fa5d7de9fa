//! Tests runs with few file descriptors.

#![cfg(unix)]

use std::process::Command;

use crate::{BLIND, Place};

/// The runtime of the HTTP client needs descriptors, and panics without them.
#[test]
fn few_file_descriptors_are_one_clear_line() {
    let place = Place::with(&[]);
    for arguments in ["chain --server https://127.0.0.1:1", "serve --builtin 1.36", "mcp"] {
        // The loader needs one, and whatever started the tests may have left one open.
        for limit in 6..12 {
            let script = format!("ulimit -n {limit}; exec \"$0\" {arguments}");
            let mut shell = Command::new("sh");
            shell.args(["-c", &script, env!("CARGO_BIN_EXE_aggctl")]).current_dir(place.path(""));
            BLIND.iter().for_each(|name| {
                shell.env_remove(name);
            });
            let output = shell.output().unwrap();
            let err = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(3), "{arguments}, {limit}: {err}");
            assert!(err.starts_with("error: ") && !err.contains("panicked"), "{err}");
            assert!(!err.contains("uncategorized"), "{err}");
        }
    }
}
