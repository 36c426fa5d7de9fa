//! A dump on disk: whole, or not there.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use super::Export;
use crate::error::Error;
use kube_aggregation::ingest::manifest::{self, Manifest};

/// Whether a dump may be written there, before anything is read for it.
///
/// # Errors
/// Where something is there that must not be replaced.
pub fn check_target(target: &Path, force: bool) -> Result<(), Error> {
    if fs::symlink_metadata(target).is_ok() && !force {
        let error = Error::usage(format!("{} is there already", target.display()));
        return Err(error.with_hint("--force replaces a dump"));
    }
    replaceable(target).map_err(|why| {
        let error = Error::usage(format!("{} {why}: it is not replaced", target.display()));
        error.with_hint("name another place")
    })
}

/// Whether `--force` may replace what is there, if anything is, so that nothing but a dump is lost;
/// why not otherwise. What is empty is no loss either.
fn replaceable(target: &Path) -> Result<(), String> {
    let Ok(found) = fs::symlink_metadata(target) else { return Ok(()) };
    if found.is_dir() {
        return is_dump(target);
    }
    if !found.is_file() {
        return Err("is neither a file nor a directory".to_owned());
    }
    if found.len() == 0 || is_packed_dump(target) {
        return Ok(());
    }
    Err("is a file, and no dump of aggctl's".to_owned())
}

/// Whether a directory holds what this command writes, and nothing else.
fn is_dump(directory: &Path) -> Result<(), String> {
    let foreign = || "is a directory, and no dump of aggctl's".to_owned();
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
        Some((name, _)) => {
            Err(format!("holds {:?}, which is not of the dump", name.to_string_lossy()))
        }
        None => Ok(()),
    }
}

/// Whether a file is an archive as this command writes it: the manifest comes first.
fn is_packed_dump(file: &Path) -> bool {
    let Ok(file) = File::open(file) else { return false };
    let mut archive = tar::Archive::new(GzDecoder::new(file));
    let first = archive.entries().ok().and_then(|mut entries| entries.next()?.ok());
    first.is_some_and(|entry| *entry.path_bytes() == *format!("dump/{}", manifest::FILE).as_bytes())
}

/// Writes beside the target and moves, so that there is a whole dump or none, and what was begun
/// is removed.
///
/// # Errors
/// Where it cannot be written, or somebody interrupts.
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
    // What cannot be created is somebody else's, and left alone.
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
            // Onto a file, or a directory with something in it, nothing is renamed.
            false => fs::rename(&fresh, target).map_err(|error| appeared(target, error)),
        });
        written.inspect_err(|_| drop(fs::remove_dir_all(&fresh)))
    }
}

/// Gives a file its name, unless that is taken.
fn settle(fresh: &Path, target: &Path) -> io::Result<()> {
    if fs::hard_link(fresh, target).is_err() {
        // Not every file system has links. A name that was free until now may be renamed onto.
        File::create_new(target).map_err(|error| appeared(target, error))?;
        return fs::rename(fresh, target).inspect_err(|_| drop(fs::remove_file(target)));
    }
    fs::remove_file(fresh)
}

/// Takes the place of what is there, if that may be lost: much can happen while a cluster is read.
fn replace(fresh: &Path, target: &Path, old: &Path) -> io::Result<()> {
    replaceable(target).map_err(|why| io::Error::other(format!("it {why}")))?;
    let Ok(found) = fs::symlink_metadata(target) else { return fs::rename(fresh, target) };
    if found.is_file() && fresh.is_file() {
        return fs::rename(fresh, target);
    }
    if fs::symlink_metadata(old).is_ok() {
        return Err(io::Error::other(format!("{} is in the way", old.display())));
    }
    fs::rename(target, old)?;
    match fs::rename(fresh, target) {
        Ok(()) if found.is_file() => fs::remove_file(old),
        Ok(()) => fs::remove_dir_all(old),
        Err(error) => fs::rename(old, target).and(Err(error)),
    }
}

/// Why a place could not be taken, where somebody else was faster.
fn appeared(target: &Path, error: io::Error) -> io::Error {
    match fs::symlink_metadata(target) {
        Ok(_) => io::Error::other("something appeared there while the cluster was read"),
        Err(_) => error,
    }
}

/// An end in the middle, if somebody wants it.
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

/// The same facts give the same bytes.
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
        Export { files, collected: 1, missing: 0, at: 1, notes: vec![] }
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

    /// Something came into the place after the first look at it.
    #[test]
    fn what_appeared_meanwhile_is_kept() {
        for name in ["dump", "dump.tar.gz"] {
            let place = tempfile::tempdir().unwrap();
            let target = place.path().join(name);
            fs::write(&target, "mine").unwrap();
            let error = write(&target, &export(), false).unwrap_err();
            assert!(error.to_string().starts_with("something appeared"), "{error}");
            let error = write(&target, &export(), true).unwrap_err();
            assert_eq!(error.to_string(), "it is a file, and no dump of aggctl's");
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
    fn a_dump_takes_the_place_of_another() {
        for name in ["dump", "dump.tgz"] {
            let place = tempfile::tempdir().unwrap();
            let target = place.path().join(name);
            for force in [false, true, true] {
                write(&target, &export(), force).unwrap();
                assert_eq!(names(place.path()), [name]);
            }
        }
    }

    /// At every moment at which somebody may press Ctrl-C.
    #[test]
    fn what_is_interrupted_leaves_nothing_new_and_loses_nothing_old() {
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
    fn what_is_not_of_the_dump_keeps_it() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("dump");
        write(&target, &export(), false).unwrap();
        fs::write(target.join("thesis.tex"), "mine").unwrap();
        let error = write(&target, &export(), true).unwrap_err();
        assert_eq!(error.to_string(), "it holds \"thesis.tex\", which is not of the dump");
        assert_eq!(names(&target), [manifest::FILE, "root.json", "thesis.tex"]);
        fs::remove_file(target.join("thesis.tex")).unwrap();
        fs::write(target.join(manifest::FILE), r#"{"kind":"Pod","collected":[]}"#).unwrap();
        assert!(write(&target, &export(), true).is_err());
    }

    #[test]
    fn what_another_run_writes_is_left_alone() {
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
