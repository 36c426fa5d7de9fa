//! Tests `--open`, with a program in place of the browser, and `--port`.

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::Served;

/// Waits until another process wrote a line into a file.
fn line_of(file: &Path) -> String {
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        if text.ends_with('\n') {
            return text.trim().to_owned();
        }
        assert!(Instant::now() < end, "{} stays empty", file.display());
        std::thread::yield_now();
    }
}

/// Returns a port that was free a moment ago.
fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[test]
fn a_browser_opens_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let (opener, opened) = (folder.path().join("xdg-open"), folder.path().join("opened"));
    std::fs::write(&opener, format!("#!/bin/sh\necho \"$1\" > {}\n", opened.display())).unwrap();
    std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755)).unwrap();
    let port = free_port();
    let arguments = ["--builtin", "1.36", "--open", "--port", &port.to_string()];
    let served = Served::with(&arguments, |command| {
        command.env("PATH", folder.path());
    });
    assert_eq!(served.address.to_string(), format!("127.0.0.1:{port}"));
    assert_eq!(line_of(&opened), format!("http://127.0.0.1:{port}/aggctl/"));
}

/// Without a browser, the page is still served.
#[test]
fn the_page_is_served_without_a_browser() {
    let folder = tempfile::tempdir().unwrap();
    let served = Served::with(&["--builtin", "1.36", "--open"], |command| {
        command.env("PATH", folder.path());
    });
    assert_eq!(served.get("/aggctl/api/site", "application/json").status, 200);
}

#[test]
fn a_port_that_is_in_use_gets_a_hint() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let mut command = Command::new(env!("CARGO_BIN_EXE_aggctl"));
    let output = command.args(["serve", "--builtin", "1.36", "--port", &port.to_string()]).output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        format!(
            "error: cannot listen on 127.0.0.1:{port}: address already in use\nhint: --port 0 picks a free port\n"
        )
    );
}
