//! Tests signals while files are written. Handlers are process-wide, so this needs its own test
//! binary.

#![cfg(unix)]
#![expect(clippy::disallowed_methods, reason = "tests look at files")]

use std::io::ErrorKind;

use aggctl_source::files;
use aggctl_source::interrupt::{Deferred, Interrupt};
use signal_hook::consts::{SIGABRT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
use signal_hook::low_level::raise;

#[test]
fn signals_are_seen_and_leave_no_temporary_file() {
    let interrupt = Interrupt::listen();
    assert!(!interrupt.came());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a");
    let deferred = Deferred::start();
    files::put(&file, b"old").unwrap();
    for signal in [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGXFSZ, SIGABRT] {
        raise(signal).unwrap();
        assert!(deferred.came());
    }
    assert!(interrupt.came());
    let error = files::put(&file, b"new").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Interrupted);
    let error = files::replace(&file, b"old", b"new").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Interrupted);
    assert_eq!(std::fs::read(&file).unwrap(), b"old");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    // After the end of `deferred`, these could not have their default effect again.
    #[cfg(target_os = "linux")]
    {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
        let caught = u64::from_str_radix(caught.trim(), 16).unwrap();
        for signal in [16, signal_hook::consts::SIGIO, 30].into_iter().chain(34..=64) {
            assert_eq!((caught >> (signal - 1)) & 1, 0, "{signal}");
        }
    }
}
