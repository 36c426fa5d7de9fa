use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use flate2::Compression;
use flate2::write::GzEncoder;

use super::progress::Bar;
use super::source::SourceArgs;
use super::terminal::{Status, Terminal};
use crate::error::Error;
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
        let exists = fs::symlink_metadata(target).is_ok();
        if exists && !self.force {
            let error = Error::usage(format!("{} is there already", target.display()));
            return Err(error.with_hint("--force replaces it").into());
        }
        if exists && target.is_dir() && !is_dump(target) {
            let error = Error::usage(format!(
                "{} is a directory, and no dump of aggctl's: it is not replaced",
                target.display()
            ));
            return Err(error.with_hint("name another place").into());
        }
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
        write(target, &export).map_err(|error| {
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
            target.display(),
            connection.name
        )?;
        Ok(Status::Ok)
    }
}

/// Whether a directory is what this command writes, so that nothing else is lost by replacing it.
fn is_dump(directory: &Path) -> bool {
    directory.join("aggctl-dump.json").is_file()
        || fs::read_dir(directory).is_ok_and(|mut all| all.next().is_none())
}

/// Writes beside the target and renames, so that there is a whole dump or none.
fn write(target: &Path, export: &Export) -> io::Result<()> {
    let name = target.file_name().unwrap_or(target.as_os_str()).to_string_lossy().into_owned();
    let beside =
        |what: &str| target.with_file_name(format!(".{name}.{what}-{}", std::process::id()));
    let fresh = beside("new");
    let archive = [".tar.gz", ".tgz"].iter().any(|end| name.ends_with(end));
    let written =
        if archive { write_archive(&fresh, export) } else { write_directory(&fresh, export) };
    let moved = written.and_then(|()| {
        if fs::symlink_metadata(target).is_err() || target.is_file() {
            return fs::rename(&fresh, target);
        }
        let old = beside("old");
        fs::rename(target, &old)?;
        match fs::rename(&fresh, target) {
            Ok(()) => fs::remove_dir_all(&old),
            Err(error) => fs::rename(&old, target).and(Err(error)),
        }
    });
    if moved.is_err() {
        let _ = if archive { fs::remove_file(&fresh) } else { fs::remove_dir_all(&fresh) };
    }
    moved
}

fn write_directory(directory: &Path, export: &Export) -> io::Result<()> {
    fs::create_dir(directory)?;
    for (name, contents) in &export.files {
        fs::write(directory.join(name), contents)?;
    }
    Ok(())
}

fn write_archive(path: &Path, export: &Export) -> io::Result<()> {
    let mut archive =
        tar::Builder::new(GzEncoder::new(File::create(path)?, Compression::default()));
    for (name, contents) in &export.files {
        let mut header = tar::Header::new_gnu();
        header.set_size(contents.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, Path::new("dump").join(name), contents.as_slice())?;
    }
    archive.into_inner()?.finish()?.flush()
}
