//! Manifests to lint: files, directories, patterns, standard input.

use crate::error::Error;
use crate::lint::Input;
use rayon::prelude::*;
use std::io::Read;
use std::path::{Path, PathBuf};

/// What was read, and what could not be.
#[derive(Debug, Default)]
pub struct Manifests {
    /// The files, sorted by name within each argument.
    pub inputs: Vec<Input>,
    /// Files that could not be read.
    pub errors: Vec<Error>,
}

/// Reads everything that the arguments name; `-` is standard input.
pub fn read(arguments: &[String]) -> Manifests {
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
        .map(|path| match path {
            None => standard_input(),
            Some(path) => file(path),
        })
        .collect();
    for result in results {
        match result {
            Ok(input) => manifests.inputs.push(input),
            Err(error) => manifests.errors.push(error),
        }
    }
    manifests
}

fn standard_input() -> Result<Input, Error> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .read_to_end(&mut bytes)
        .map_err(|error| Error::source(format!("cannot read standard input: {error}")))?;
    Ok(Input::manifest("<stdin>", bytes))
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
            walk(argument, &mut found)?;
            found.sort();
            Ok(found)
        }
        Ok(_) => Ok(vec![argument.to_owned()]),
        Err(_) if name.contains(['*', '?', '[', '{']) => pattern(&name),
        Err(error) => Err(Error::source(format!("cannot read {name}: {}", reason(&error)))),
    }
}

/// The manifests below a directory. Links to directories are not followed, so
/// there are no circles; hidden directories hold no manifests.
fn walk(directory: &Path, found: &mut Vec<PathBuf>) -> Result<(), Error> {
    let cannot = |error: std::io::Error| {
        Error::source(format!("cannot read {}: {}", directory.display(), reason(&error)))
    };
    for entry in std::fs::read_dir(directory).map_err(cannot)? {
        let entry = entry.map_err(cannot)?;
        let kind = entry.file_type().map_err(cannot)?;
        let path = entry.path();
        if kind.is_dir() {
            if !entry.file_name().as_encoded_bytes().starts_with(b".") {
                walk(&path, found)?;
            }
        } else if is_manifest(&path) {
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
        everything(root, &mut all)?;
    }
    let mut found: Vec<PathBuf> = all
        .into_iter()
        .map(|path| path.strip_prefix("./").map(Path::to_owned).unwrap_or(path))
        .filter(|path| glob.is_match(path) || glob.is_match(Path::new(".").join(path)))
        .collect();
    found.sort();
    if found.is_empty() {
        return Err(Error::source(format!("no file matches {text}")));
    }
    Ok(found)
}

fn everything(directory: &Path, found: &mut Vec<PathBuf>) -> Result<(), Error> {
    let cannot = |error: std::io::Error| {
        Error::source(format!("cannot read {}: {}", directory.display(), reason(&error)))
    };
    for entry in std::fs::read_dir(directory).map_err(cannot)? {
        let entry = entry.map_err(cannot)?;
        if entry.file_type().map_err(cannot)?.is_dir() {
            everything(&entry.path(), found)?;
        } else {
            found.push(entry.path());
        }
    }
    Ok(())
}

/// What went wrong, without the number of the operating system.
fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file or directory".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}
