//! Manifests to lint: files, directories, patterns, standard input, and the
//! configuration files that apply to them.

use crate::error::Error;
use crate::lint::{CONFIG_FILE, Input, Role};
use rayon::prelude::*;
use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};

/// What was read, and what could not be.
#[derive(Debug, Default)]
pub struct Manifests {
    /// The manifests, sorted by name within each argument, and behind them the
    /// configuration files.
    pub inputs: Vec<Input>,
    /// What could not be read.
    pub errors: Vec<Error>,
}

impl Manifests {
    /// The configuration files among the inputs.
    pub fn configs(&self) -> impl Iterator<Item = &Input> {
        self.inputs.iter().filter(|input| input.role == Role::Config)
    }
}

/// What standard input is called in reports.
pub const STDIN: &str = "<stdin>";

/// Where configuration files come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Configuration {
    /// The nearest `aggctl.toml`, upwards from each file.
    Nearest,
    /// This file.
    File(PathBuf),
    /// None.
    None,
}

/// Reads everything that the arguments name; `-` is standard input.
pub fn read(arguments: &[String], configuration: &Configuration) -> Manifests {
    let mut paths = Vec::new();
    let mut manifests = Manifests::default();
    for argument in arguments {
        if argument == "-" {
            paths.push(None);
            continue;
        }
        match expand(Path::new(argument)) {
            Ok(found) => paths.extend(found.into_iter().map(Some)),
            Err(error) => manifests.errors.push(error),
        }
    }
    let results: Vec<Result<Input, Error>> = paths
        .par_iter()
        .with_min_len(16)
        .map(|path| match path {
            None => standard_input(),
            Some(path) => file(path),
        })
        .collect();
    let mut read = Vec::new();
    for (path, result) in paths.into_iter().zip(results) {
        match result {
            Ok(input) => {
                manifests.inputs.push(input);
                read.push(path.unwrap_or_default());
            }
            Err(error) => manifests.errors.push(error),
        }
    }
    configure(&mut manifests, &read, configuration);
    manifests
}

/// Gives each manifest the configuration file that applies to it.
fn configure(manifests: &mut Manifests, paths: &[PathBuf], configuration: &Configuration) {
    let explicit = match configuration {
        Configuration::None => return,
        Configuration::Nearest => None,
        Configuration::File(path) => Some(path.clone()),
    };
    let mut nearest: HashMap<PathBuf, Option<PathBuf>> = HashMap::new();
    let mut numbers: HashMap<PathBuf, Option<usize>> = HashMap::new();
    for (number, path) in paths.iter().enumerate() {
        let Ok(path) =
            std::path::absolute(if path.as_os_str().is_empty() { Path::new("./-") } else { path })
        else {
            continue;
        };
        let Some(folder) = path.parent() else { continue };
        let found = match &explicit {
            Some(file) => Some(file.clone()),
            None => upwards(folder, &mut nearest),
        };
        let Some(found) = found else { continue };
        let config = *numbers.entry(found.clone()).or_insert_with(|| match file(&found) {
            Ok(input) => {
                manifests.inputs.push(Input { role: Role::Config, ..input });
                Some(manifests.inputs.len() - 1)
            }
            Err(error) => {
                manifests.errors.push(error);
                None
            }
        });
        let base = std::path::absolute(&found).unwrap_or(found);
        let base = base.parent().unwrap_or(Path::new("/"));
        let relative = path.strip_prefix(base).unwrap_or(&path).to_string_lossy().into_owned();
        manifests.inputs[number].role =
            Role::Manifest { config: config.map(|config| (config, relative)) };
    }
}

/// The nearest configuration file at or above a folder.
fn upwards(folder: &Path, known: &mut HashMap<PathBuf, Option<PathBuf>>) -> Option<PathBuf> {
    if let Some(found) = known.get(folder) {
        return found.clone();
    }
    let here = folder.join(CONFIG_FILE);
    let found = if here.is_file() {
        Some(shown(&here))
    } else {
        folder.parent().and_then(|parent| upwards(parent, known))
    };
    known.insert(folder.to_owned(), found.clone());
    found
}

/// A path as a user would write it: relative where it lies below where he is.
fn shown(path: &Path) -> PathBuf {
    let here = std::env::current_dir().ok();
    let relative = here.and_then(|here| path.strip_prefix(here).map(Path::to_owned).ok());
    relative.unwrap_or_else(|| path.to_owned())
}

fn standard_input() -> Result<Input, Error> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .read_to_end(&mut bytes)
        .map_err(|error| Error::source(format!("cannot read standard input: {error}")))?;
    Ok(Input::manifest(STDIN, bytes))
}

fn file(path: &Path) -> Result<Input, Error> {
    let name = path.to_string_lossy().into_owned();
    match std::fs::read(path) {
        Ok(bytes) => Ok(Input::manifest(name, bytes)),
        Err(error) => Err(Error::source(format!("cannot read {name}: {}", reason(&error)))),
    }
}

/// The files that an argument means.
fn expand(argument: &Path) -> Result<Vec<PathBuf>, Error> {
    let name = argument.to_string_lossy();
    match std::fs::metadata(argument) {
        Ok(metadata) if metadata.is_dir() => {
            let mut found = Vec::new();
            walk(argument, &mut found, &is_manifest)?;
            if found.is_empty() {
                let error = Error::source(format!("{name} has no .yaml, .yml or .json file"));
                return Err(error.with_hint("name the files, or pipe them into `aggctl lint -`"));
            }
            found.sort();
            Ok(found)
        }
        Ok(_) => Ok(vec![argument.to_owned()]),
        Err(_) if name.contains(['*', '?', '[', '{']) => pattern(&name),
        Err(error) => Err(Error::source(format!("cannot read {name}: {}", reason(&error)))),
    }
}

/// The files below a directory. Links to directories are not followed, so there
/// are no circles; hidden directories hold no manifests.
fn walk(
    directory: &Path,
    found: &mut Vec<PathBuf>,
    wanted: &dyn Fn(&Path) -> bool,
) -> Result<(), Error> {
    let cannot = |error: std::io::Error| {
        Error::source(format!("cannot read {}: {}", directory.display(), reason(&error)))
    };
    for entry in std::fs::read_dir(directory).map_err(cannot)? {
        let entry = entry.map_err(cannot)?;
        let path = entry.path();
        if entry.file_type().map_err(cannot)?.is_dir() {
            if !entry.file_name().as_encoded_bytes().starts_with(b".") {
                walk(&path, found, wanted)?;
            }
        } else if wanted(&path) {
            found.push(path);
        }
    }
    Ok(())
}

fn is_manifest(path: &Path) -> bool {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    ["yaml", "yml", "json"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// The files that match a pattern that no shell expanded.
fn pattern(text: &str) -> Result<Vec<PathBuf>, Error> {
    let text = text.strip_prefix("./").unwrap_or(text);
    let glob = globset::GlobBuilder::new(text)
        .literal_separator(true)
        .build()
        .map_err(|error| Error::usage(format!("cannot read the pattern {text}: {error}")))?
        .compile_matcher();
    let fixed: PathBuf = Path::new(text)
        .components()
        .take_while(|c| !c.as_os_str().to_string_lossy().contains(['*', '?', '[', '{']))
        .collect();
    let root = if fixed.as_os_str().is_empty() { Path::new(".") } else { &fixed };
    let mut all = Vec::new();
    if root.is_dir() {
        walk(root, &mut all, &|_| true)?;
    }
    let mut found: Vec<PathBuf> = all
        .into_iter()
        .map(|path| path.strip_prefix("./").map(Path::to_owned).unwrap_or(path))
        .filter(|path| glob.is_match(path))
        .collect();
    found.sort();
    if found.is_empty() {
        return Err(Error::source(format!("no file matches {text}")));
    }
    Ok(found)
}

/// What went wrong, without the number of the operating system.
fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file or directory".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}
