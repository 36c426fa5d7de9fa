//! Replaces files atomically: a reader sees either the old or the new content.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Replaces `old`, the content that was read, with `new`. Writes a temporary file and renames it,
/// keeping mode and owner. A symbolic link stays, and its target changes.
///
/// # Errors
/// If that fails, or if the file has changed in the meantime. The file is then unchanged.
pub fn replace(path: &Path, old: &[u8], new: &[u8]) -> io::Result<()> {
    let path = fs::canonicalize(path)?;
    // A write-protected file stays protected, even in a writable directory.
    let metadata = OpenOptions::new().write(true).open(&path)?.metadata()?;
    if names(&metadata) > 1 {
        return Err(io::Error::other("it has several names (hard links)"));
    }
    let beside = beside(&path);
    let written = write(&beside, &metadata, new).and_then(|()| {
        if fs::read(&path)? != old {
            return Err(io::Error::other("it was changed meanwhile"));
        }
        fs::rename(&beside, &path)
    });
    if written.is_err() {
        // It may not exist.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Creates or replaces a file.
///
/// # Errors
/// If that fails. An existing file is then unchanged.
pub fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = beside(path);
    let written = fs::write(&beside, bytes).and_then(|()| {
        // Keep the permissions that the owner has set.
        if let Ok(old) = fs::metadata(path) {
            fs::set_permissions(&beside, old.permissions())?;
        }
        fs::rename(&beside, path)
    });
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Returns an unused name in the same directory.
fn beside(path: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".aggctl-{}", std::process::id()));
    path.with_file_name(name)
}

fn write(path: &Path, like: &fs::Metadata, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    keep_owner(&file, like)?;
    file.set_permissions(like.permissions())?;
    file.sync_all()
}

#[cfg(unix)]
fn names(metadata: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}

#[cfg(unix)]
fn keep_owner(file: &File, like: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let own = file.metadata()?;
    if (own.uid(), own.gid()) == (like.uid(), like.gid()) {
        return Ok(());
    }
    fchown(file, Some(like.uid()), Some(like.gid()))
}

#[cfg(not(unix))]
fn names(_: &fs::Metadata) -> u64 {
    1
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &fs::Metadata) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn mode_and_links_stay() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("a"), "old").unwrap();
        fs::set_permissions(at("a"), fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(at("a"), at("link")).unwrap();
        replace(&at("link"), b"old", b"new").unwrap();
        assert_eq!(fs::read(at("a")).unwrap(), b"new");
        assert_eq!(fs::metadata(at("a")).unwrap().permissions().mode() & 0o777, 0o640);
        assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn changes_of_others_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a");
        fs::write(&file, "saved meanwhile").unwrap();
        let error = replace(&file, b"old", b"new").unwrap_err();
        assert_eq!(error.to_string(), "it was changed meanwhile");
        assert_eq!(fs::read(&file).unwrap(), b"saved meanwhile");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        #[cfg(unix)]
        {
            fs::hard_link(&file, folder.path().join("b")).unwrap();
            let error = replace(&file, b"saved meanwhile", b"new").unwrap_err();
            assert_eq!(error.to_string(), "it has several names (hard links)");
        }
    }
}
