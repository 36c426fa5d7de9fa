//! Reads manifests for lint, from files, directories, patterns and standard input, together with
//! the configuration files that apply to them.

use std::collections::HashMap;
use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

use globset::GlobBuilder;
use rayon::prelude::*;

use crate::files::{self, Content, FileError, Reader, Walk};

/// The manifests that were read, and the errors.
#[derive(Debug, Default)]
pub struct Manifests {
    /// The manifests, sorted by name within each argument.
    pub manifests: Vec<Manifest>,
    /// The name and content of each configuration file.
    pub configs: Vec<(String, Vec<u8>)>,
    /// What could not be read.
    pub errors: Vec<ManifestError>,
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
    /// The index of its configuration file, and its path relative to that file.
    pub config: Option<(usize, String)>,
}

/// Which configuration file applies to a manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Configuration {
    /// The nearest file with this name, in its directory or above.
    Nearest(&'static str),
    /// This file.
    File(PathBuf),
    /// None.
    None,
}

/// Reads the files that the arguments name; `-` is standard input.
pub fn read(arguments: &[PathBuf], configuration: &Configuration) -> Manifests {
    let mut entries = Vec::new();
    let mut manifests = Manifests::default();
    for argument in arguments {
        match expand(argument) {
            Ok(walk) => {
                entries.extend(walk.files);
                manifests.errors.extend(walk.skipped.into_iter().map(Into::into));
            }
            Err(error) => manifests.errors.push(error),
        }
    }
    let reader = Reader::default();
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
    for (entry, contents) in entries.into_iter().zip(results) {
        for Content { name, path, found, bytes } in contents {
            match bytes {
                Ok(bytes) => {
                    let template = found && is_template(&entry.path);
                    let manifest = Manifest { name, path, found, template, bytes, config: None };
                    manifests.manifests.push(manifest);
                    read.push(entry.path.clone());
                }
                Err(why) => manifests.errors.push(FileError { name, why }.into()),
            }
        }
    }
    configure(&mut manifests, &reader, &read, configuration);
    manifests
}

/// Assigns each manifest its configuration file.
fn configure(
    manifests: &mut Manifests,
    reader: &Reader,
    paths: &[PathBuf],
    configuration: &Configuration,
) {
    let mut nearest: HashMap<PathBuf, Option<PathBuf>> = HashMap::new();
    let mut numbers: HashMap<PathBuf, Option<usize>> = HashMap::new();
    for (number, path) in paths.iter().enumerate() {
        let Ok(path) = std::path::absolute(path) else { continue };
        let Some(folder) = path.parent() else { continue };
        let found = match configuration {
            Configuration::None => None,
            Configuration::File(file) => Some(file.clone()),
            Configuration::Nearest(name) => upwards(folder, name, &mut nearest),
        };
        let Some(found) = found else { continue };
        let config = *numbers.entry(found.clone()).or_insert_with(|| match reader.one(&found) {
            Ok(content) => {
                manifests.configs.push((content.name, content.bytes.unwrap_or_default()));
                Some(manifests.configs.len() - 1)
            }
            Err(error) => {
                manifests.errors.push(error.into());
                None
            }
        });
        let base = std::path::absolute(&found).unwrap_or(found);
        let base = base.parent().unwrap_or(Path::new("/"));
        let relative = path.strip_prefix(base).unwrap_or(&path).to_string_lossy().into_owned();
        manifests.manifests[number].config = config.map(|config| (config, relative));
    }
}

/// Returns the nearest configuration file in a folder or above.
fn upwards(
    folder: &Path,
    name: &str,
    known: &mut HashMap<PathBuf, Option<PathBuf>>,
) -> Option<PathBuf> {
    if let Some(found) = known.get(folder) {
        return found.clone();
    }
    let here = folder.join(name);
    let found = if here.is_file() {
        Some(shown(&here))
    } else {
        folder.parent().and_then(|parent| upwards(parent, name, known))
    };
    known.insert(folder.to_owned(), found.clone());
    found
}

/// Returns the path relative to the working directory, if it is below it.
fn shown(path: &Path) -> PathBuf {
    let here = std::env::current_dir().ok();
    let relative = here.and_then(|here| path.strip_prefix(here).map(Path::to_owned).ok());
    relative.unwrap_or_else(|| path.to_owned())
}

/// Lists the files that an argument names, except those in hidden directories.
fn expand(argument: &Path) -> Result<Walk, ManifestError> {
    let name = argument.to_string_lossy();
    if !argument.exists() && name.contains(['*', '?', '[', '{']) {
        return pattern(&name);
    }
    let found = files::walk(argument, &|path, is_dir| match is_dir {
        true => !is_hidden(path),
        false => is_manifest(path) || is_template(path),
    })?;
    let only_templates = found.files.iter().all(|file| file.found && is_template(&file.path));
    if only_templates && found.skipped.is_empty() {
        return Err(ManifestError::NoManifest(name.into_owned()));
    }
    Ok(found)
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
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
