//! Finds the configuration files of a run.
//!
//! A repository contains files of others: vendored charts, generated folders, pull requests. A
//! configuration file among them must not decide for the rest, so only the working directory and the
//! folders above it, up to the root of the repository, can have the configuration of the run.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use super::{Configuration, Manifests};
use crate::files::{self, FileError, Reader, Unreadable};

/// Finds the configuration of the run, and those that apply to each manifest. `paths` has the path
/// of each manifest and the argument that named it.
pub(super) fn configure(
    manifests: &mut Manifests,
    reader: &Reader,
    paths: &[(PathBuf, &Path)],
    configuration: &Configuration,
) {
    let mut search = Search { reader, manifests, known: HashMap::new() };
    let here = canonical(Path::new("")).unwrap_or_default();
    let root = repository(&here).unwrap_or(&here);
    let (of_run, name) = match configuration {
        Configuration::None => return,
        Configuration::File(file) => (search.read(file.clone(), file), None),
        Configuration::Found(name) => {
            let folders = here.ancestors().take_while(|folder| folder.starts_with(root));
            (folders.into_iter().find_map(|folder| search.within(folder, name, root)), Some(*name))
        }
    };
    let of_run = of_run.flatten();
    let mut folders: HashMap<(&Path, &Path), (PathBuf, Vec<Found>)> = HashMap::new();
    let mut configs = Vec::with_capacity(paths.len());
    for (path, argument) in paths {
        let parent = path.parent().unwrap_or(Path::new(""));
        let (folder, found) = folders.entry((parent, *argument)).or_insert_with(|| {
            let folder = canonical(parent).unwrap_or_else(|_| parent.to_owned());
            let bound =
                if folder.starts_with(root) { Some(root.to_owned()) } else { named(argument) };
            let above = |bound: &PathBuf| {
                let folders = folder.ancestors().take_while(|folder| folder.starts_with(bound));
                let found = |at: &Path| search.within(at, name?, bound).flatten();
                folders.filter_map(found).collect::<Vec<_>>()
            };
            let mut found = bound.as_ref().map(above).unwrap_or_default();
            found.retain(|one| of_run.as_ref().is_none_or(|run| run.number != one.number));
            found.extend(of_run.clone());
            (folder, found)
        });
        let path = folder.join(path.file_name().unwrap_or_default());
        let relative = |found: &Found| {
            let relative = path.strip_prefix(&found.folder).unwrap_or(&path);
            (found.number, relative.to_string_lossy().into_owned())
        };
        configs.push(found.iter().map(relative).collect());
    }
    for (manifest, configs) in manifests.manifests.iter_mut().zip(configs) {
        manifest.configs = configs;
    }
    manifests.of_run = of_run.map(|found| found.number);
}

/// A configuration file that was read.
#[derive(Debug, Clone)]
struct Found {
    number: usize,
    folder: PathBuf,
}

struct Search<'a> {
    reader: &'a Reader,
    manifests: &'a mut Manifests,
    /// The configuration file of each folder; the inner `None` is a file that cannot be read.
    known: HashMap<PathBuf, Option<Option<Found>>>,
}

impl Search<'_> {
    /// Returns the configuration file in a folder. A link is accepted only if its target is below
    /// `root`, because errors quote the content.
    fn within(&mut self, folder: &Path, name: &str, root: &Path) -> Option<Option<Found>> {
        if let Some(known) = self.known.get(folder) {
            return known.clone();
        }
        let path = folder.join(name);
        let found = match std::fs::metadata(&path) {
            Ok(metadata) if metadata.is_file() => {
                let shown = shown(&path);
                match files::is_inside(&path, root) {
                    true => self.read(path, &shown),
                    false => {
                        let why = Unreadable::LinkOutside;
                        self.fail(FileError::new(shown.to_string_lossy(), why))
                    }
                }
            }
            _ => None,
        };
        self.known.insert(folder.to_owned(), found.clone());
        found
    }

    fn read(&mut self, path: PathBuf, shown: &Path) -> Option<Option<Found>> {
        match self.reader.one(shown) {
            Ok(content) => {
                self.manifests.configs.push((content.name, content.bytes.unwrap_or_default()));
                let folder = canonical(path.parent().unwrap_or(Path::new(""))).unwrap_or_default();
                Some(Some(Found { number: self.manifests.configs.len() - 1, folder }))
            }
            Err(error) => self.fail(error),
        }
    }

    fn fail(&mut self, error: FileError) -> Option<Option<Found>> {
        self.manifests.errors.push(error.into());
        Some(None)
    }
}

/// Returns the root of the repository that a folder is in.
pub(super) fn repository(folder: &Path) -> Option<&Path> {
    // `.git` is a file in worktrees and submodules.
    folder.ancestors().find(|folder| folder.join(".git").symlink_metadata().is_ok())
}

/// Returns the directory that an argument names, if it names one.
fn named(argument: &Path) -> Option<PathBuf> {
    canonical(argument).ok().filter(|path| path.is_dir())
}

/// Same as [`Path::canonicalize`]; an empty path is the working directory.
pub(super) fn canonical(path: &Path) -> io::Result<PathBuf> {
    if path.as_os_str().is_empty() { Path::new(".").canonicalize() } else { path.canonicalize() }
}

/// Returns the path of a file relative to the working directory, if it is below or above that.
fn shown(path: &Path) -> PathBuf {
    let Ok(here) = canonical(Path::new("")) else { return path.to_owned() };
    if let Ok(below) = path.strip_prefix(&here) {
        return below.to_owned();
    }
    let above = path.parent().and_then(|folder| here.strip_prefix(folder).ok());
    match above {
        Some(steps) => {
            let up: PathBuf = steps.components().map(|_| "..").collect();
            up.join(path.file_name().unwrap_or_default())
        }
        None => path.to_owned(),
    }
}
