//! Manifests to lint: files, directories, patterns, standard input, and the
//! configuration files that apply to them.

use super::files::{self, Content, Reader, Walk};
use crate::error::Error;
use globset::GlobBuilder;
use rayon::prelude::*;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// What was read, and what could not be.
#[derive(Debug, Default)]
pub struct Manifests {
    /// The manifests, sorted by name within each argument.
    pub manifests: Vec<Manifest>,
    /// The configuration files: name and content.
    pub configs: Vec<(String, Vec<u8>)>,
    /// What could not be read.
    pub errors: Vec<Error>,
}

/// A file to check.
#[derive(Debug)]
pub struct Manifest {
    /// What the user calls it.
    pub name: String,
    /// Where these very bytes are; nowhere for standard input and what was unpacked.
    pub path: Option<PathBuf>,
    /// Whether it was found in a directory.
    pub found: bool,
    /// Whether it was found, and its name says that it becomes a manifest only later.
    pub template: bool,
    /// Its content.
    pub bytes: Vec<u8>,
    /// The number of the configuration file that applies to it, and the path from there to here.
    pub config: Option<(usize, String)>,
}

/// Where configuration files come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Configuration {
    /// The nearest file of this name, upwards from each manifest.
    Nearest(&'static str),
    /// This file.
    File(PathBuf),
    /// None.
    None,
}

/// Reads everything that the arguments name; `-` is standard input.
pub fn read(arguments: &[PathBuf], configuration: &Configuration) -> Manifests {
    let mut entries = Vec::new();
    let mut manifests = Manifests::default();
    for argument in arguments {
        match expand(argument) {
            Ok(walk) => {
                entries.extend(walk.files);
                let skipped = walk.skipped.iter();
                manifests
                    .errors
                    .extend(skipped.map(|skipped| Error::source(format!("cannot read {skipped}"))));
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
                Err(why) => {
                    let why = why.why();
                    manifests.errors.push(Error::source(format!("cannot read {name}: {why}")));
                }
            }
        }
    }
    configure(&mut manifests, &reader, &read, configuration);
    manifests
}

/// Gives each manifest the configuration file that applies to it.
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
                manifests.errors.push(error);
                None
            }
        });
        let base = std::path::absolute(&found).unwrap_or(found);
        let base = base.parent().unwrap_or(Path::new("/"));
        let relative = path.strip_prefix(base).unwrap_or(&path).to_string_lossy().into_owned();
        manifests.manifests[number].config = config.map(|config| (config, relative));
    }
}

/// The nearest configuration file at or above a folder.
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

/// A path as a user would write it: relative where it is below the working directory.
fn shown(path: &Path) -> PathBuf {
    let here = std::env::current_dir().ok();
    let relative = here.and_then(|here| path.strip_prefix(here).map(Path::to_owned).ok());
    relative.unwrap_or_else(|| path.to_owned())
}

/// The files that an argument means. Hidden directories hold no manifests.
fn expand(argument: &Path) -> Result<Walk, Error> {
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
        let error = Error::source(format!("{name} has no .yaml, .yml or .json file"));
        return Err(error.with_hint("name the files, or pipe them into `aggctl lint -`"));
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

/// Whether the name of a file says that it becomes a manifest only later: `a.yaml.tmpl`.
fn is_template(path: &Path) -> bool {
    const LATER: [&str; 8] = ["gotmpl", "in", "j2", "jinja", "jinja2", "template", "tmpl", "tpl"];
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    LATER.contains(&extension) && path.file_stem().is_some_and(|stem| is_manifest(Path::new(stem)))
}

/// The files that match a pattern that no shell expanded.
fn pattern(text: &str) -> Result<Walk, Error> {
    let text = text.strip_prefix("./").unwrap_or(text);
    let glob = GlobBuilder::new(text)
        .literal_separator(true)
        .build()
        .map_err(|error| Error::usage(format!("invalid file pattern: {error}")))?
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
        return Err(Error::source(format!("no file matches {text}")));
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
