//! Writes a dump to disk, either completely or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use super::error::{DumpError, NotReplaceable};
use super::export::Export;
use kube_aggregation::ingest::manifest::{self, Manifest};

/// Checks that a dump may be written to `target`, before the cluster is read.
///
/// # Errors
/// If `target` exists and `force` is false, or if it is not a dump.
pub fn check_target(target: &Path, force: bool) -> Result<(), DumpError> {
    if fs::symlink_metadata(target).is_ok() && !force {
        return Err(DumpError::TargetExists(target.to_owned()));
    }
    replaceable(target).map_err(|why| DumpError::NotReplaceable { target: target.to_owned(), why })
}

/// Checks that replacing `target` loses nothing but a dump. An empty file or directory may be
/// replaced.
fn replaceable(target: &Path) -> Result<(), NotReplaceable> {
    let Ok(found) = fs::symlink_metadata(target) else { return Ok(()) };
    if found.is_dir() {
        return is_dump(target);
    }
    if !found.is_file() {
        return Err(NotReplaceable::Special);
    }
    if found.len() == 0 || is_packed_dump(target) {
        return Ok(());
    }
    Err(NotReplaceable::File)
}

/// Checks that a directory contains a dump and nothing else.
fn is_dump(directory: &Path) -> Result<(), NotReplaceable> {
    let foreign = || NotReplaceable::Directory;
    let mut names = vec![];
    for entry in fs::read_dir(directory).map_err(|_| foreign())? {
        let entry = entry.map_err(|_| foreign())?;
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        names.push((entry.file_name(), is_file));
    }
    if names.is_empty() {
        return Ok(());
    }
    let text = fs::read_to_string(directory.join(manifest::FILE)).map_err(|_| foreign())?;
    let manifest: Manifest = serde_json::from_str(&text).map_err(|_| foreign())?;
    if manifest.kind != manifest::KIND {
        return Err(foreign());
    }
    let ours = |name: &OsString| {
        name == manifest::FILE || manifest.collected.iter().any(|entry| *name == *entry.file)
    };
    names.sort();
    match names.iter().find(|(name, is_file)| !is_file || !ours(name)) {
        Some((name, _)) => Err(NotReplaceable::Contains(name.to_string_lossy().into_owned())),
        None => Ok(()),
    }
}

/// Returns whether a file is an archive of a dump, with the manifest as its first file.
fn is_packed_dump(file: &Path) -> bool {
    let Ok(file) = File::open(file) else { return false };
    let mut archive = tar::Archive::new(GzDecoder::new(file));
    let first = archive.entries().ok().and_then(|mut entries| entries.next()?.ok());
    first.is_some_and(|entry| *entry.path_bytes() == *format!("dump/{}", manifest::FILE).as_bytes())
}

/// Writes a dump next to `target` and renames it. A partial dump is removed.
///
/// # Errors
/// If it cannot be written, or if `interrupted` returns true.
pub fn write(
    target: &Path,
    export: &Export,
    force: bool,
    interrupted: &dyn Fn() -> bool,
) -> io::Result<()> {
    let name = target.file_name().unwrap_or(target.as_os_str()).to_string_lossy().into_owned();
    let beside =
        |what: &str| target.with_file_name(format!(".{name}.{what}-{}", std::process::id()));
    let (fresh, old) = (beside("new"), beside("old"));
    // An existing file belongs to another process, so it is not touched.
    if [".tar.gz", ".tgz"].iter().any(|end| name.ends_with(end)) {
        let file = File::create_new(&fresh)?;
        let written = write_archive(file, export, interrupted).and_then(|()| match force {
            true => replace(&fresh, target, &old),
            false => settle(&fresh, target),
        });
        written.inspect_err(|_| drop(fs::remove_file(&fresh)))
    } else {
        fs::create_dir(&fresh)?;
        let written = write_directory(&fresh, export, interrupted).and_then(|()| match force {
            true => replace(&fresh, target, &old),
            // A rename does not replace a file or a non-empty directory.
            false => fs::rename(&fresh, target).map_err(|error| appeared(target, error)),
        });
        written.inspect_err(|_| drop(fs::remove_dir_all(&fresh)))
    }
}

/// Renames a file, unless the target exists.
fn settle(fresh: &Path, target: &Path) -> io::Result<()> {
    if fs::hard_link(fresh, target).is_err() {
        // Without hard links, creating the name reserves it.
        File::create_new(target).map_err(|error| appeared(target, error))?;
        return fs::rename(fresh, target).inspect_err(|_| drop(fs::remove_file(target)));
    }
    fs::remove_file(fresh)
}

/// Replaces `target` after checking it again, because it may have changed in the meantime.
fn replace(fresh: &Path, target: &Path, old: &Path) -> io::Result<()> {
    replaceable(target).map_err(|why| io::Error::other(format!("it {why}")))?;
    let Ok(found) = fs::symlink_metadata(target) else { return fs::rename(fresh, target) };
    if found.is_file() && fresh.is_file() {
        return fs::rename(fresh, target);
    }
    if fs::symlink_metadata(old).is_ok() {
        return Err(io::Error::other(format!("{} already exists", old.display())));
    }
    fs::rename(target, old)?;
    match fs::rename(fresh, target) {
        Ok(()) if found.is_file() => fs::remove_file(old),
        Ok(()) => fs::remove_dir_all(old),
        Err(error) => fs::rename(old, target).and(Err(error)),
    }
}

/// Explains a failed rename if another process created the target in the meantime.
fn appeared(target: &Path, error: io::Error) -> io::Error {
    match fs::symlink_metadata(target) {
        Ok(_) => io::Error::other("another process created it while the cluster was read"),
        Err(_) => error,
    }
}

/// Errors if the user interrupted.
fn go_on(interrupted: &dyn Fn() -> bool) -> io::Result<()> {
    if interrupted() { Err(io::Error::other("interrupted")) } else { Ok(()) }
}

fn write_directory(
    directory: &Path,
    export: &Export,
    interrupted: &dyn Fn() -> bool,
) -> io::Result<()> {
    for (name, contents) in &export.files {
        go_on(interrupted)?;
        fs::write(directory.join(name), contents)?;
    }
    go_on(interrupted)
}

/// Writes an archive. The same documents produce the same bytes.
fn write_archive(file: File, export: &Export, interrupted: &dyn Fn() -> bool) -> io::Result<()> {
    let mut archive = tar::Builder::new(GzEncoder::new(file, Compression::default()));
    for (name, contents) in &export.files {
        go_on(interrupted)?;
        let mut header = tar::Header::new_gnu();
        header.set_size(contents.len() as u64);
        header.set_mode(0o644);
        header.set_uid(0);
        header.set_gid(0);
        header.set_mtime(export.at);
        archive.append_data(&mut header, Path::new("dump").join(name), contents.as_slice())?;
    }
    archive.into_inner()?.finish()?.flush()?;
    go_on(interrupted)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests look at what was written")]
mod tests {
    use super::*;

    fn export() -> Export {
        let manifest = br#"{"kind":"DumpManifest","collected":[{"file":"root.json"}]}"#;
        let files = vec![
            (manifest::FILE.to_owned(), manifest.to_vec()),
            ("root.json".to_owned(), b"{}".to_vec()),
        ];
        Export { cluster: "c".to_owned(), files, collected: 1, missing: 0, at: 1, notes: vec![] }
    }

    fn write(target: &Path, export: &Export, force: bool) -> io::Result<()> {
        super::write(target, export, force, &|| false)
    }

    fn names(directory: &Path) -> Vec<String> {
        let all = fs::read_dir(directory).unwrap();
        let mut names: Vec<String> =
            all.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_target_that_appeared_meanwhile_is_kept() {
        for name in ["dump", "dump.tar.gz"] {
            let place = tempfile::tempdir().unwrap();
            let target = place.path().join(name);
            fs::write(&target, "mine").unwrap();
            let error = write(&target, &export(), false).unwrap_err();
            assert!(error.to_string().starts_with("another process"), "{error}");
            let error = write(&target, &export(), true).unwrap_err();
            assert_eq!(error.to_string(), "it is a file, not a dump");
            assert_eq!(fs::read_to_string(&target).unwrap(), "mine");
            assert_eq!(names(place.path()), [name]);
            fs::write(&target, "").unwrap();
            write(&target, &export(), true).unwrap();
            assert_eq!(names(place.path()), [name]);
            fs::remove_file(&target).or_else(|_| fs::remove_dir_all(&target)).unwrap();
            fs::create_dir(&target).unwrap();
            fs::write(target.join("thesis.tex"), "mine").unwrap();
            for force in [false, true] {
                assert!(write(&target, &export(), force).is_err());
                assert_eq!(names(&target), ["thesis.tex"]);
            }
            assert_eq!(names(place.path()), [name]);
        }
    }

    #[test]
    fn a_dump_replaces_another() {
        for name in ["dump", "dump.tgz"] {
            let place = tempfile::tempdir().unwrap();
            let target = place.path().join(name);
            for force in [false, true, true] {
                write(&target, &export(), force).unwrap();
                assert_eq!(names(place.path()), [name]);
            }
        }
    }

    #[test]
    fn an_interrupt_at_any_moment_leaves_the_target_as_it_was() {
        for name in ["dump", "dump.tgz"] {
            for (force, before) in [(false, &[][..]), (true, &[name][..])] {
                for moment in 0..=export().files.len() {
                    let place = tempfile::tempdir().unwrap();
                    let target = place.path().join(name);
                    if force {
                        write(&target, &export(), false).unwrap();
                    }
                    let asked = std::cell::Cell::new(0);
                    let interrupted = || asked.replace(asked.get() + 1) == moment;
                    let error = super::write(&target, &export(), force, &interrupted).unwrap_err();
                    assert_eq!(error.to_string(), "interrupted");
                    assert_eq!(names(place.path()), before, "{name} {moment}");
                }
            }
        }
    }

    #[test]
    fn the_same_facts_give_the_same_bytes() {
        let place = tempfile::tempdir().unwrap();
        let bytes = ["a.tgz", "b.tar.gz"].map(|name| {
            write(&place.path().join(name), &export(), false).unwrap();
            fs::read(place.path().join(name)).unwrap()
        });
        assert_eq!(bytes[0], bytes[1]);
    }

    #[test]
    fn a_directory_with_other_files_is_kept() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("dump");
        write(&target, &export(), false).unwrap();
        fs::write(target.join("thesis.tex"), "mine").unwrap();
        let error = write(&target, &export(), true).unwrap_err();
        assert_eq!(error.to_string(), "it contains \"thesis.tex\", which is not part of the dump");
        assert_eq!(names(&target), [manifest::FILE, "root.json", "thesis.tex"]);
        fs::remove_file(target.join("thesis.tex")).unwrap();
        fs::write(target.join(manifest::FILE), r#"{"kind":"Pod","collected":[]}"#).unwrap();
        assert!(write(&target, &export(), true).is_err());
    }

    #[test]
    fn files_of_another_run_are_left_alone() {
        for name in ["dump", "dump.tgz"] {
            let place = tempfile::tempdir().unwrap();
            let other = format!(".{name}.new-{}", std::process::id());
            fs::write(place.path().join(&other), "other").unwrap();
            assert!(write(&place.path().join(name), &export(), true).is_err());
            assert_eq!(names(place.path()), [other]);
        }
    }

    #[cfg(unix)]
    #[test]
    fn only_files_and_dumps_are_replaced() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("dump.tgz");
        let _socket = std::os::unix::net::UnixListener::bind(&target).unwrap();
        assert!(replaceable(&target).is_err());
        assert!(write(&target, &export(), true).is_err());
        assert_eq!(names(place.path()), ["dump.tgz"]);
    }
}
