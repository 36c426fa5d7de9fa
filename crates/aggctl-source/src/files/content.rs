//! The content of a file, and its name in reports.

use std::path::{Path, PathBuf};

use super::error::Unreadable;

/// The name of standard input in reports.
pub const STDIN: &str = "<stdin>";

/// The content of one file.
#[derive(Debug)]
pub struct Content {
    /// The path. For a file in an archive, the archive's path followed by its own.
    pub name: String,
    /// The file with exactly these bytes. `None` for standard input, and for unpacked or converted
    /// data.
    pub path: Option<PathBuf>,
    /// Whether it was found in a directory or an archive, rather than named by the user.
    pub found: bool,
    /// The bytes, converted to UTF-8 if they start as UTF-16, or why they could not be read.
    pub bytes: Result<Vec<u8>, Unreadable>,
}

/// A file that was named by the user or found in a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its path; `-` for standard input.
    pub path: PathBuf,
    /// Whether it was found in a directory.
    pub found: bool,
    /// Whether the directory listing says that it is a regular file.
    pub(super) regular: bool,
}

impl Entry {
    /// Returns the entry of a file that the user named.
    pub fn named(path: &Path) -> Self {
        Self { path: path.to_owned(), found: false, regular: false }
    }

    /// Returns its name in reports.
    pub fn name(&self) -> String {
        name(&self.path)
    }

    pub(super) fn content(&self, bytes: Result<Vec<u8>, Unreadable>) -> Content {
        let path = (!is_standard_input(&self.path)).then(|| self.path.clone());
        Content { name: self.name(), path, found: self.found, bytes }
    }
}

/// Returns the name of a path in reports.
pub(super) fn name(path: &Path) -> String {
    if is_standard_input(path) { STDIN.to_owned() } else { path.to_string_lossy().into_owned() }
}

/// Returns whether a path means standard input.
pub fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}
