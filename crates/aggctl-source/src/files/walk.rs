//! The files behind a path, in a stable order.

use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::{Content, STDIN, Unreadable, describe, is_standard_input, refuse_special};
use crate::error::Error;

/// How deep directories are walked.
const MOST_LEVELS: usize = 32;

/// A file that was named or found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Where it is; `-` for standard input.
    pub path: PathBuf,
    /// Whether it was found in a directory.
    pub found: bool,
    /// Whether the directory says that it is a file, so that nobody has to ask again.
    pub(super) regular: bool,
}

impl Entry {
    /// A file that the user named.
    pub fn named(path: &Path) -> Self {
        Self { path: path.to_owned(), found: false, regular: false }
    }

    /// What it is called in reports.
    pub fn name(&self) -> String {
        if is_standard_input(&self.path) {
            return STDIN.to_owned();
        }
        self.path.to_string_lossy().into_owned()
    }

    pub(super) fn content(&self, bytes: Result<Vec<u8>, Unreadable>) -> Content {
        let path = (!is_standard_input(&self.path)).then(|| self.path.clone());
        Content { name: self.name(), path, found: self.found, bytes }
    }
}

/// What a walk found.
#[derive(Debug, Default)]
pub struct Walk {
    /// The files, sorted.
    pub files: Vec<Entry>,
    /// What was passed over although it may hold something: one line each, with the path.
    pub skipped: Vec<String>,
}

/// The files that a path means: itself, or those below it that are wanted. Links to directories
/// are not followed, so there are no circles.
///
/// # Errors
/// Where the path itself cannot be read.
pub fn walk(path: &Path, wanted: &dyn Fn(&Path, bool) -> bool) -> Result<Walk, Error> {
    let mut walk = Walk::default();
    if is_standard_input(path) {
        walk.files.push(Entry::named(path));
        return Ok(walk);
    }
    let cannot = |error: std::io::Error| {
        Error::source(format!("cannot read {}: {}", path.display(), describe(&error)))
    };
    let kind = std::fs::metadata(path).map_err(cannot)?.file_type();
    if !kind.is_dir() {
        refuse_special(path, &kind)
            .map_err(|error| cannot(error).with_hint("pipe it into standard input, `-`"))?;
        walk.files.push(Entry::named(path));
        return Ok(walk);
    }
    // What is compared lies in one directory: whole paths sort as names do, and need not be split.
    let entries = WalkDir::new(path)
        .min_depth(1)
        .max_depth(MOST_LEVELS + 1)
        .sort_by(|a, b| a.path().as_os_str().cmp(b.path().as_os_str()));
    let entries = entries
        .into_iter()
        .filter_entry(|entry| !entry.file_type().is_dir() || wanted(entry.path(), true));
    for entry in entries {
        let (path, why) = match entry {
            Ok(entry) if entry.file_type().is_dir() && entry.depth() <= MOST_LEVELS => continue,
            Ok(entry) if entry.file_type().is_dir() => {
                (entry.into_path(), format!("is more than {MOST_LEVELS} directories deep"))
            }
            Ok(entry) if entry.depth() > MOST_LEVELS => continue,
            Ok(entry) if !wanted(entry.path(), false) => continue,
            Ok(entry) if entry.file_type().is_file() => {
                let path = entry.into_path();
                walk.files.push(Entry { path, found: true, regular: true });
                continue;
            }
            Ok(entry) => match regular(entry.path()) {
                Ok(true) => {
                    let path = entry.into_path();
                    walk.files.push(Entry { path, found: true, regular: false });
                    continue;
                }
                Ok(false) => continue,
                Err(why) => (entry.into_path(), why),
            },
            Err(error) => {
                let why = error.io_error().map_or_else(|| error.to_string(), describe);
                (error.path().unwrap_or(path).to_owned(), why)
            }
        };
        walk.skipped.push(format!("{}: {why}", path.display()));
    }
    Ok(walk)
}

/// Whether what a link or a name leads to is a file; a directory behind a link is not followed.
fn regular(path: &Path) -> Result<bool, String> {
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => Ok(false),
        Ok(found) => match refuse_special(path, &found.file_type()) {
            Ok(()) => Ok(true),
            Err(error) => Err(describe(&error)),
        },
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err("is a link to nothing".to_owned())
        }
        Err(error) => Err(describe(&error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn what_is_passed_over_is_said() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::os::unix::fs::symlink(at("gone"), at("link.yaml")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", at("zero.yaml")).unwrap();
        std::fs::create_dir_all(at(&"d/".repeat(40))).unwrap();
        std::fs::write(at("d/a.yaml"), "").unwrap();
        let found = walk(dir.path(), &|_, _| true).unwrap();
        let files: Vec<_> = found.files.iter().map(|file| file.path.clone()).collect();
        assert_eq!(files, [at("d/a.yaml")]);
        let deep = at(&"d/".repeat(33));
        let deep = deep.to_str().unwrap().trim_end_matches('/').to_owned();
        let want = [
            format!("{deep}: is more than 32 directories deep"),
            format!("{}: is a link to nothing", at("link.yaml").display()),
            format!("{}: it is a device, not a file", at("zero.yaml").display()),
        ];
        assert_eq!(found.skipped, want);
    }
}
