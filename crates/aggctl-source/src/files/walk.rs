//! Lists the files below a path, in a stable order.

use std::path::Path;

use walkdir::WalkDir;

use super::content::{self, Entry, is_standard_input};
use super::error::{FileError, Unreadable};
use super::open::refuse_special;

/// The maximum depth of directories.
const MAX_LEVELS: usize = 32;

/// The result of a walk.
#[derive(Debug, Default)]
pub struct Walk {
    /// The files, sorted.
    pub files: Vec<Entry>,
    /// Skipped entries that may be relevant.
    pub skipped: Vec<FileError>,
}

/// Lists the file at `path`, or the files below it that `wanted` accepts. `wanted` gets each path
/// and whether it is a directory.
///
/// Links to directories are not followed, so there are no cycles. Links to files are followed only
/// to files below `path`: a directory of others must not make aggctl read, and quote, the rest of
/// the machine.
///
/// # Errors
/// If the path itself cannot be read.
pub fn walk(path: &Path, wanted: &dyn Fn(&Path, bool) -> bool) -> Result<Walk, FileError> {
    let mut walk = Walk::default();
    if is_standard_input(path) {
        walk.files.push(Entry::named(path));
        return Ok(walk);
    }
    let cannot = |why: Unreadable| FileError::new(content::name(path), why);
    let kind = std::fs::metadata(path).map_err(|error| cannot(error.into()))?.file_type();
    if !kind.is_dir() {
        refuse_special(path, &kind).map_err(cannot)?;
        walk.files.push(Entry::named(path));
        return Ok(walk);
    }
    // Compares entries of one directory, so whole paths sort like names.
    let entries = WalkDir::new(path)
        .min_depth(1)
        .max_depth(MAX_LEVELS + 1)
        .sort_by(|a, b| a.path().as_os_str().cmp(b.path().as_os_str()));
    let entries = entries
        .into_iter()
        .filter_entry(|entry| !entry.file_type().is_dir() || wanted(entry.path(), true));
    for entry in entries {
        let (path, why) = match entry {
            Ok(entry) if entry.file_type().is_dir() && entry.depth() <= MAX_LEVELS => continue,
            Ok(entry) if entry.file_type().is_dir() => {
                let why = format!("is more than {MAX_LEVELS} directories deep");
                (entry.into_path(), Unreadable::Malformed(why))
            }
            Ok(entry) if entry.depth() > MAX_LEVELS => continue,
            Ok(entry) if !wanted(entry.path(), false) => continue,
            Ok(entry) if entry.file_type().is_file() => {
                let path = entry.into_path();
                walk.files.push(Entry { path, found: true, regular: true });
                continue;
            }
            Ok(entry) => match regular(entry.path(), path) {
                Ok(true) => {
                    let path = entry.into_path();
                    walk.files.push(Entry { path, found: true, regular: false });
                    continue;
                }
                Ok(false) => continue,
                Err(why) => (entry.into_path(), why),
            },
            Err(error) => {
                let at = error.path().unwrap_or(path).to_owned();
                let text = error.to_string();
                (at, error.into_io_error().map_or(Unreadable::Malformed(text), Into::into))
            }
        };
        walk.skipped.push(FileError::new(content::name(&path), why));
    }
    Ok(walk)
}

/// Returns whether a link or special entry is a regular file; false for a link to a directory.
fn regular(path: &Path, root: &Path) -> Result<bool, Unreadable> {
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => Ok(false),
        Ok(_) if !is_inside(path, root) => Err(Unreadable::LinkOutside),
        Ok(found) => refuse_special(path, &found.file_type()).map(|()| true),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(Unreadable::Malformed("it is a link, and its target does not exist".to_owned()))
        }
        Err(error) => Err(error.into()),
    }
}

/// Returns whether a file is below a directory, after following all links.
pub(crate) fn is_inside(path: &Path, root: &Path) -> bool {
    let real = |path: &Path| path.canonicalize();
    matches!((real(path), real(root)), (Ok(path), Ok(root)) if path.starts_with(&root))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn skipped_entries_are_reported() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::os::unix::fs::symlink(at("gone"), at("link.yaml")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", at("zero.yaml")).unwrap();
        let elsewhere = tempfile::NamedTempFile::new().unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), at("out.yaml")).unwrap();
        std::os::unix::fs::symlink("d/a.yaml", at("in.yaml")).unwrap();
        std::fs::create_dir_all(at(&"d/".repeat(40))).unwrap();
        std::fs::write(at("d/a.yaml"), "").unwrap();
        let found = walk(dir.path(), &|_, _| true).unwrap();
        let files: Vec<_> = found.files.iter().map(|file| file.path.clone()).collect();
        assert_eq!(files, [at("d/a.yaml"), at("in.yaml")]);
        let deep = at(&"d/".repeat(33));
        let deep = deep.to_str().unwrap().trim_end_matches('/').to_owned();
        let want = [
            format!("cannot read {deep}: is more than 32 directories deep"),
            format!(
                "cannot read {}: it is a link, and its target does not exist",
                at("link.yaml").display()
            ),
            format!(
                "cannot read {}: it is a link to a file outside the directory",
                at("out.yaml").display()
            ),
            format!(
                "cannot read {}: it is a link to a file outside the directory",
                at("zero.yaml").display()
            ),
        ];
        let skipped: Vec<String> = found.skipped.iter().map(ToString::to_string).collect();
        assert_eq!(skipped, want);
    }
}
