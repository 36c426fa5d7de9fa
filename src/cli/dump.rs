use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use flate2::Compression;
use flate2::write::GzEncoder;

use super::progress::Bar;
use super::source::SourceArgs;
use super::terminal::{Status, Terminal};
use crate::error::Error;
use crate::render::sanitise;
use crate::source::live::{Document, Export, Needs, Resources, export};
use crate::source::{Note, Weight};

/// Write a live cluster's facts to a directory or an archive, for use with --dump
///
/// Reads with GET only, and never Secrets or ConfigMaps. What could not be read is listed, with the
/// reason, in the file aggctl-dump.json. The schemas of CRDs and most annotations are left out.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aggctl dump ./dump
  aggctl dump prod.tar.gz --context prod
  aggctl dump ./dump --for doctor --force
  aggctl apiservices --dump prod.tar.gz")]
pub struct DumpArgs {
    /// A directory to create, or an archive if it ends in .tar.gz or .tgz
    #[arg(value_name = "DIR|FILE.tar.gz")]
    target: PathBuf,

    /// What the dump should be good for
    #[arg(long = "for", value_enum, default_value_t = Purpose::All, value_name = "USE")]
    purpose: Purpose,

    /// Keep the schemas of CRDs
    #[arg(long)]
    full: bool,

    /// Replace what is there
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    source: SourceArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Purpose {
    /// route, discovery, order, apiservices, chain
    Route,
    /// doctor, apiservices, chain
    Doctor,
    /// Every command
    All,
}

impl Purpose {
    fn as_str(self) -> &'static str {
        match self {
            Self::Route => "route",
            Self::Doctor => "doctor",
            Self::All => "all",
        }
    }

    fn needs(self) -> Needs {
        match self {
            Self::Route => {
                let mut needs = Needs::routing().with(Resources::All);
                needs.documents.extend([Document::Groups, Document::OpenApiV3]);
                needs
            }
            Self::Doctor => Needs::diagnosis(),
            Self::All => Needs::everything(),
        }
    }
}

impl DumpArgs {
    /// Collects and writes.
    pub fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let target = &self.target;
        if fs::symlink_metadata(target).is_ok() && !self.force {
            let error = Error::usage(format!("{} is there already", target.display()));
            return Err(error.with_hint("--force replaces it").into());
        }
        replaceable(target).map_err(|why| {
            let error = Error::usage(format!("{} {why}: it is not replaced", target.display()));
            error.with_hint("name another place")
        })?;
        let Some((connection, why)) = self.source.live(terminal)? else {
            return Err(Error::source("there is no cluster to read")
                .with_hint("name one with --context or --server")
                .into());
        };
        if let Some(text) = why {
            terminal.note(&Note { weight: Weight::Note, text })?;
        }
        let mut bar = Bar::new("reading the cluster".to_owned());
        let needs = self.purpose.needs();
        let result =
            export(&connection, &needs, self.purpose.as_str(), self.full, &mut |progress| {
                bar.update(progress)
            });
        drop(bar);
        let export = result?;
        for note in &export.notes {
            terminal.note(note)?;
        }
        write(target, &export, self.force).map_err(|error| {
            let text = error.to_string();
            let why = text.split(" (os error").next().unwrap_or_default().to_lowercase();
            Error::source(format!("cannot write {}: {why}", target.display()))
        })?;
        let Export { collected, missing, .. } = export;
        let lacks = if missing == 0 {
            String::new()
        } else {
            format!(", {missing} could not be read (see aggctl-dump.json)")
        };
        writeln!(
            terminal.err,
            "wrote {}: {collected} documents of cluster {}{lacks}",
            sanitise(&target.display().to_string()),
            sanitise(&connection.name)
        )?;
        Ok(Status::Ok)
    }
}

/// Whether a directory is what this command writes, so that nothing else is lost by replacing it.
fn is_dump(directory: &Path) -> bool {
    directory.join("aggctl-dump.json").is_file()
        || fs::read_dir(directory).is_ok_and(|mut all| all.next().is_none())
}

/// Whether `--force` may replace what is there, if anything is; why not otherwise.
fn replaceable(target: &Path) -> Result<(), &'static str> {
    let Ok(found) = fs::symlink_metadata(target) else { return Ok(()) };
    if found.is_file() || found.is_dir() && is_dump(target) {
        Ok(())
    } else if found.is_dir() {
        Err("is a directory, and no dump of aggctl's")
    } else {
        Err("is neither a file nor a directory")
    }
}

/// Writes beside the target and moves, so that there is a whole dump or none.
fn write(target: &Path, export: &Export, force: bool) -> io::Result<()> {
    let name = target.file_name().unwrap_or(target.as_os_str()).to_string_lossy().into_owned();
    let beside =
        |what: &str| target.with_file_name(format!(".{name}.{what}-{}", std::process::id()));
    let (fresh, old) = (beside("new"), beside("old"));
    // What cannot be created is somebody else's, and left alone.
    if [".tar.gz", ".tgz"].iter().any(|end| name.ends_with(end)) {
        let file = OpenOptions::new().write(true).create_new(true).open(&fresh)?;
        let written = write_archive(file, export).and_then(|()| match force {
            true => replace(&fresh, target, &old),
            false => settle(&fresh, target),
        });
        written.inspect_err(|_| drop(fs::remove_file(&fresh)))
    } else {
        fs::create_dir(&fresh)?;
        let written = write_directory(&fresh, export).and_then(|()| match force {
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
        let reserved = OpenOptions::new().write(true).create_new(true).open(target);
        reserved.map_err(|error| appeared(target, error))?;
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

fn write_directory(directory: &Path, export: &Export) -> io::Result<()> {
    for (name, contents) in &export.files {
        fs::write(directory.join(name), contents)?;
    }
    Ok(())
}

fn write_archive(file: File, export: &Export) -> io::Result<()> {
    let mut archive = tar::Builder::new(GzEncoder::new(file, Compression::default()));
    for (name, contents) in &export.files {
        let mut header = tar::Header::new_gnu();
        header.set_size(contents.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, Path::new("dump").join(name), contents.as_slice())?;
    }
    archive.into_inner()?.finish()?.flush()
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests look at what was written")]
mod tests {
    use super::*;

    fn export() -> Export {
        let files = vec![("aggctl-dump.json".to_owned(), b"{}".to_vec())];
        Export { files, collected: 1, missing: 0, notes: vec![] }
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
            assert_eq!(fs::read_to_string(&target).unwrap(), "mine");
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
