//! Writes files atomically: a reader sees either the old or the new content, even if the disk is
//! full or a signal arrives. aggctl writes all files here or in `dump`.

use std::error::Error;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::open::is_open_already;
use crate::interrupt::Deferred;

/// How much is written before a signal is noticed.
const CHUNK: usize = 1 << 20;

/// How many names are tried for a temporary file.
const NAMES: usize = 16;

/// Replaces `old`, the content that was read, with `new`. Keeps mode and owner.
///
/// # Errors
/// If that fails, if the file has changed in the meantime, or if it is a link. The file is then
/// unchanged.
pub fn replace(path: &Path, old: &[u8], new: &[u8]) -> io::Result<()> {
    refuse_link(path)?;
    // A write-protected file stays protected, even in a writable directory.
    let metadata = OpenOptions::new().write(true).open(path)?.metadata()?;
    if names(&metadata) > 1 {
        return Err(io::Error::other("it has several names (hard links)"));
    }
    write(path, Some(&metadata), new, || match fs::read(path)? == old {
        true => Ok(()),
        false => Err(io::Error::other("it changed in the meantime")),
    })
}

/// Creates or replaces a file. Keeps mode and owner of an existing one. Writes to a pipe or a device
/// directly.
///
/// # Errors
/// If that fails, or if it is a link. An existing file is then unchanged.
pub fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if is_open_already(path) {
        return OpenOptions::new().write(true).open(path)?.write_all(bytes);
    }
    refuse_link(path)?;
    let like = match OpenOptions::new().write(true).open(path) {
        Ok(mut file) => {
            let metadata = file.metadata()?;
            if !metadata.is_file() {
                return file.write_all(bytes);
            }
            Some(metadata)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    write(path, like.as_ref(), bytes, || Ok(()))
}

/// Why a file is not written: it is a link. Inside an [`io::Error`].
#[derive(Debug, Clone, Copy)]
pub struct IsLink;

impl fmt::Display for IsLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it is a link")
    }
}

impl Error for IsLink {}

/// Refuses a link, because the user did not name its target. In a directory that others can write
/// to, the target may be any file.
fn refuse_link(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() && !is_open_already(path) => Err(io::Error::other(IsLink)),
        _ => Ok(()),
    }
}

/// Writes a file next to `path`, and renames it if `check` agrees. Removes it otherwise.
fn write(
    path: &Path,
    like: Option<&fs::Metadata>,
    bytes: &[u8],
    check: impl FnOnce() -> io::Result<()>,
) -> io::Result<()> {
    let deferred = Deferred::start();
    let (beside, mut file) = create_beside(path)?;
    let fill = || {
        // First: users who cannot read the old content must not read the new one.
        if let Some(like) = like {
            keep_owner(&file, like)?;
            file.set_permissions(like.permissions())?;
        }
        for chunk in bytes.chunks(CHUNK) {
            file.write_all(chunk)?;
            if deferred.came() {
                return Err(io::Error::new(io::ErrorKind::Interrupted, "interrupted"));
            }
        }
        file.sync_all()?;
        check()?;
        fs::rename(&beside, path)
    };
    fill().inspect_err(|_| drop(fs::remove_file(&beside)))
}

/// Creates a file in the same directory, under a new name that cannot be guessed.
fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let mut tries = 0;
    loop {
        let random = RandomState::new().build_hasher().finish();
        let mut name = std::ffi::OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(format!(".aggctl-{random:016x}"));
        let beside = path.with_file_name(name);
        tries += 1;
        match OpenOptions::new().write(true).create_new(true).open(&beside) {
            Ok(file) => return Ok((beside, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tries < NAMES => {}
            Err(error) => return Err(error),
        }
    }
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

    fn count(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[cfg(unix)]
    #[test]
    fn the_mode_stays_and_links_are_refused() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let mode = || fs::metadata(at("a")).unwrap().permissions().mode() & 0o777;
        fs::write(at("a"), "old").unwrap();
        fs::set_permissions(at("a"), fs::Permissions::from_mode(0o640)).unwrap();
        replace(&at("a"), b"old", b"new").unwrap();
        assert_eq!((fs::read(at("a")).unwrap(), mode()), (b"new".to_vec(), 0o640));
        put(&at("a"), b"newer").unwrap();
        assert_eq!((fs::read(at("a")).unwrap(), mode()), (b"newer".to_vec(), 0o640));
        for target in ["a", "nothing"] {
            std::os::unix::fs::symlink(at(target), at("link")).unwrap();
            assert_eq!(put(&at("link"), b"x").unwrap_err().to_string(), "it is a link");
            assert_eq!(replace(&at("link"), b"", b"x").unwrap_err().to_string(), "it is a link");
            fs::remove_file(at("link")).unwrap();
        }
        assert_eq!(fs::read(at("a")).unwrap(), b"newer");
        assert_eq!(count(folder.path()), 1);
        put(Path::new("/dev/null"), b"x").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }

    #[test]
    fn an_existing_file_survives_a_failure() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a");
        put(&file, b"old").unwrap();
        let full = || Err(io::ErrorKind::StorageFull.into());
        assert!(write(&file, None, b"new", full).is_err());
        assert_eq!(fs::read(&file).unwrap(), b"old");
        assert_eq!(count(folder.path()), 1);
        assert!(put(&folder.path().join("none/a"), b"x").is_err());
        assert!(put(folder.path(), b"x").is_err());
    }

    #[test]
    fn changes_of_others_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a");
        fs::write(&file, "saved meanwhile").unwrap();
        let error = replace(&file, b"old", b"new").unwrap_err();
        assert_eq!(error.to_string(), "it changed in the meantime");
        assert_eq!(fs::read(&file).unwrap(), b"saved meanwhile");
        assert_eq!(count(folder.path()), 1);
        #[cfg(unix)]
        {
            fs::hard_link(&file, folder.path().join("b")).unwrap();
            let error = replace(&file, b"saved meanwhile", b"new").unwrap_err();
            assert_eq!(error.to_string(), "it has several names (hard links)");
        }
    }
}
