//! Tests the pager: long output on a terminal goes to it, and nothing else does.

use std::fs::File;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// Runs aggctl with a pager that writes what it gets to a file. Returns the exit code, and what the
/// pager got.
fn run(arguments: &[&str], terminal: bool, place: &Path) -> (Option<i32>, Option<String>) {
    let (pager, paged) = (place.join("pager"), place.join("paged"));
    std::fs::write(&pager, "#!/bin/sh\ncat > \"$PAGED\"\nexit 7\n").unwrap();
    std::fs::set_permissions(&pager, std::fs::Permissions::from_mode(0o755)).unwrap();
    let _ = std::fs::remove_file(&paged);
    let held = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&held).unwrap();
    unlockpt(&held).unwrap();
    let name = ptsname(&held, vec![]).unwrap();
    let open = || {
        let mut options = std::fs::OpenOptions::new();
        Stdio::from(options.read(true).write(true).open(name.to_str().unwrap()).unwrap())
    };
    let sized = Command::new("stty").args(["rows", "20", "cols", "80"]).stdin(open()).status();
    assert!(sized.unwrap().success());
    let mut command = Command::new(env!("CARGO_BIN_EXE_aggctl"));
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
    command.env("TERM", "xterm").env("AGGCTL_PAGER", &pager).env("PAGED", &paged);
    command.stdout(if terminal { open() } else { Stdio::piped() }).stderr(open());
    let mut child = command.spawn().unwrap();
    drop(command);
    let mut screen = File::from(held);
    let shown = std::thread::spawn(move || {
        let mut text = vec![];
        // When the last program has closed the terminal, reading it fails.
        let _ = screen.read_to_end(&mut text);
    });
    let piped = child.stdout.take();
    piped.into_iter().for_each(|mut pipe| drop(std::io::copy(&mut pipe, &mut std::io::sink())));
    let code = child.wait().unwrap().code();
    shown.join().unwrap();
    (code, std::fs::read_to_string(paged).ok())
}

/// Long output is paged. The exit code stays that of the command, whatever the pager returns.
pub(crate) fn long_output_is_paged() {
    let place = tempfile::tempdir().unwrap();
    let doctor = ["doctor", "--dump", "testdata/recordings/v1.36-mixed/dump"];
    let (code, paged) = run(&doctor, true, place.path());
    assert_eq!(code, Some(1));
    assert!(paged.unwrap().contains("11 of 58 APIServices are broken"));
    assert_eq!(run(&doctor, false, place.path()), (Some(1), None));
    assert_eq!(run(&["version", "--client"], true, place.path()), (Some(0), None));
    let file: PathBuf = place.path().join("doctor.txt");
    let to_file = [&doctor[..], &["--output-file", file.to_str().unwrap()]].concat();
    assert_eq!(run(&to_file, true, place.path()), (Some(1), None));
}

/// A page is shown on a terminal; only a pipe gets its source.
pub(crate) fn manual_pages_are_shown() {
    let place = tempfile::tempdir().unwrap();
    let (code, paged) = run(&["man", "route"], true, place.path());
    let page = paged.unwrap();
    assert_eq!(code, Some(0));
    assert!(page.contains("Show which server answers a request"), "{page}");
    assert!(!page.contains(".SH"), "{page}");
    assert_eq!(page.lines().find(|line| line.chars().count() > 80), None);
}
