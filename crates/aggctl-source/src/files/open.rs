//! Opens files, except those that could block or never end.

use std::fs::{File, FileType};
use std::io;
use std::path::Path;

use super::content::is_standard_input;
use super::error::Unreadable;

pub(crate) fn open(path: &Path) -> io::Result<Box<dyn io::Read>> {
    if is_standard_input(path) {
        return Ok(Box::new(io::stdin().lock()));
    }
    refuse_special(path, &std::fs::metadata(path)?.file_type()).map_err(io::Error::other)?;
    Ok(Box::new(File::open(path)?))
}

/// Rejects files that may block or never end. A shell's `<(…)` names a pipe that is already open.
pub(super) fn refuse_special(path: &Path, kind: &FileType) -> Result<(), Unreadable> {
    if kind.is_file() || is_open_already(path) {
        return Ok(());
    }
    Err(Unreadable::NotAFile(if kind.is_dir() { "a directory" } else { special(kind) }))
}

/// Returns whether a path names a file that the shell has opened for this process.
pub(super) fn is_open_already(path: &Path) -> bool {
    let open = ["/dev/fd", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/proc/self/fd"];
    open.iter().any(|prefix| path.starts_with(prefix))
}

#[cfg(unix)]
fn special(kind: &FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match kind {
        _ if kind.is_fifo() => "a named pipe",
        _ if kind.is_socket() => "a socket",
        _ => "a device",
    }
}

#[cfg(not(unix))]
fn special(_: &FileType) -> &'static str {
    "a device"
}
