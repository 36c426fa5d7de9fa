//! Reads manifests for lint, from files, directories, patterns and standard input, together with
//! the configuration files that apply to them.

use std::cell::RefCell;
use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

use globset::GlobBuilder;
use rayon::prelude::*;

mod configure;
mod surroundings;

use crate::files::{self, Content, FileError, Reader, Walk};

pub use surroundings::Surroundings;

/// The manifests that were read, and the errors.
#[derive(Debug, Default)]
pub struct Manifests {
    /// The manifests, sorted by name within each argument.
    pub manifests: Vec<Manifest>,
    /// The name and content of each configuration file.
    pub configs: Vec<(String, Vec<u8>)>,
    /// The index of the configuration file of the run. The others count for their own folder.
    pub of_run: Option<usize>,
    /// What could not be read.
    pub errors: Vec<ManifestError>,
    /// Folders that were skipped because they contain the files of others.
    pub vendored: Vec<String>,
}

/// Why an argument yields no manifests.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum ManifestError {
    /// A file could not be read.
    File(FileError),
    /// A directory or file has no manifest.
    NoManifest(String),
    /// A pattern matches no file.
    NoMatch(String),
    /// A pattern is malformed.
    InvalidPattern(globset::Error),
}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::NoManifest(name) => write!(f, "{name} has no .yaml, .yml or .json file"),
            Self::NoMatch(pattern) => write!(f, "no file matches {pattern}"),
            Self::InvalidPattern(error) => write!(f, "invalid file pattern: {error}"),
        }
    }
}

impl Error for ManifestError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::File(error) => error.source(),
            Self::InvalidPattern(error) => Some(error),
            Self::NoManifest(_) | Self::NoMatch(_) => None,
        }
    }
}

impl From<FileError> for ManifestError {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

/// A manifest file to check.
#[derive(Debug)]
pub struct Manifest {
    /// Its name in reports.
    pub name: String,
    /// The file with exactly these bytes; `None` for standard input and unpacked data.
    pub path: Option<PathBuf>,
    /// Whether it was found in a directory.
    pub found: bool,
    /// Whether it was found in a directory and its name is that of a template, such as
    /// `a.yaml.tmpl`.
    pub template: bool,
    /// Its content.
    pub bytes: Vec<u8>,
    /// The indices of the configuration files that count for it, and its path relative to each.
    pub configs: Vec<(usize, String)>,
}

/// Which configuration files count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Configuration {
    /// Files of this name. The nearest between the working directory and the root of the repository
    /// is that of the run. Others count for their own folder.
    Found(&'static str),
    /// This file, for the run.
    File(PathBuf),
    /// None.
    None,
}

/// Reads the files that the arguments name; `-` is standard input.
pub fn read(arguments: &[PathBuf], configuration: &Configuration) -> Manifests {
    let mut entries = Vec::new();
    let mut named = Vec::new();
    let mut manifests = Manifests::default();
    for argument in arguments {
        match expand(argument, &mut manifests.vendored) {
            Ok(walk) => {
                entries.extend(walk.files);
                named.resize(entries.len(), argument.as_path());
                manifests.errors.extend(walk.skipped.into_iter().map(Into::into));
            }
            Err(error) => manifests.errors.push(error),
        }
    }
    let reader = Reader::default();
    located_document::prepare_threads();
    let results: Vec<Vec<Content>> = entries
        .par_iter()
        .with_min_len(16)
        .map(|entry| {
            let mut contents = vec![];
            reader.each(entry, &mut |content| contents.push(content));
            contents
        })
        .collect();
    let mut read = Vec::new();
    for ((entry, argument), contents) in entries.into_iter().zip(named).zip(results) {
        for Content { name, path, found, bytes } in contents {
            match bytes {
                Ok(bytes) => {
                    let template = found && is_template(&entry.path);
                    let manifest = Manifest { name, path, found, template, bytes, configs: vec![] };
                    manifests.manifests.push(manifest);
                    read.push((entry.path.clone(), argument));
                }
                Err(why) => manifests.errors.push(FileError { name, why }.into()),
            }
        }
    }
    configure::configure(&mut manifests, &reader, &read, configuration);
    manifests
}

/// Lists the files that an argument names, except those in hidden directories and in directories
/// with the files of others, which are added to `vendored`.
fn expand(argument: &Path, vendored: &mut Vec<String>) -> Result<Walk, ManifestError> {
    let name = argument.to_string_lossy();
    if !argument.exists() && name.contains(['*', '?', '[', '{']) {
        return pattern(&name);
    }
    let skipped = RefCell::new(vendored);
    let found = files::walk(argument, &|path, is_dir| match is_dir {
        true if is_vendored(path) => {
            skipped.borrow_mut().push(path.display().to_string());
            false
        }
        true => !is_hidden(path),
        false => is_manifest(path) || is_template(path),
    })?;
    let only_templates = found.files.iter().all(|file| file.found && is_template(&file.path));
    if only_templates && found.skipped.is_empty() {
        return Err(ManifestError::NoManifest(name.into_owned()));
    }
    Ok(found)
}

pub(crate) fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// Returns whether a directory contains the files of others.
pub(crate) fn is_vendored(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "vendor" || name == "node_modules")
}

fn is_manifest(path: &Path) -> bool {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    ["yaml", "yml", "json"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// Returns whether the name of a file is that of a template, such as `a.yaml.tmpl`.
fn is_template(path: &Path) -> bool {
    const TEMPLATES: [&str; 8] =
        ["gotmpl", "in", "j2", "jinja", "jinja2", "template", "tmpl", "tpl"];
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    TEMPLATES.contains(&extension)
        && path.file_stem().is_some_and(|stem| is_manifest(Path::new(stem)))
}

/// Lists the files that match a pattern, for shells that do not expand patterns.
fn pattern(text: &str) -> Result<Walk, ManifestError> {
    let text = text.strip_prefix("./").unwrap_or(text);
    let glob = GlobBuilder::new(text)
        .literal_separator(true)
        .build()
        .map_err(ManifestError::InvalidPattern)?
        .compile_matcher();
    let fixed: PathBuf = Path::new(text)
        .components()
        .take_while(|c| !c.as_os_str().to_string_lossy().contains(['*', '?', '[', '{']))
        .collect();
    let root = if fixed.as_os_str().is_empty() { Path::new(".") } else { &fixed };
    let mut found = Walk::default();
    if root.is_dir() {
        let here = |path: &Path| path.strip_prefix("./").unwrap_or(path).to_owned();
        found = files::walk(root, &|path, is_dir| match is_dir {
            true => !is_hidden(path),
            false => glob.is_match(here(path)),
        })?;
        for file in &mut found.files {
            file.path = here(&file.path);
        }
    }
    if found.files.is_empty() && found.skipped.is_empty() {
        return Err(ManifestError::NoMatch(text.to_owned()));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_templates() {
        for name in ["a.yaml.j2", "x/a.yml.tmpl", "a.json.template"] {
            assert!(is_template(Path::new(name)), "{name}");
        }
        for name in ["a.tpl", "a.yaml", "a.yaml.j2x", "yaml.j2", "a.sh.tpl"] {
            assert!(!is_template(Path::new(name)), "{name}");
        }
    }
}
