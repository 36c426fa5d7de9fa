//! Finds the kustomizations and charts that single files belong to.
//!
//! pre-commit and editors pass single files. Whether such a file is a patch, and which namespace its
//! objects get, is written in kustomizations elsewhere in the repository.

use std::path::{Path, PathBuf};

use super::configure::{canonical, repository};
use super::{is_hidden, is_vendored};
use crate::files::{self, Reader};

/// The repository around a file, or its folder if it is in none.
#[derive(Debug)]
pub struct Surroundings {
    reader: Reader,
    root: PathBuf,
    /// Whether the root is that of a repository.
    repository: bool,
}

impl Surroundings {
    /// Finds the surroundings of a file; `None` if its folder cannot be read.
    pub fn of(file: &Path) -> Option<Self> {
        let folder = canonical(file.parent()?).ok()?;
        let found = repository(&folder);
        let (repository, root) = (found.is_some(), found.unwrap_or(&folder).to_owned());
        Some(Self { reader: Reader::default(), root, repository })
    }

    /// Returns the path of a file relative to the root, with slashes; `None` if it is not inside.
    pub fn relative(&self, file: &Path) -> Option<String> {
        let folder = canonical(file.parent()?).ok()?;
        slashed(folder.join(file.file_name()?).strip_prefix(&self.root).ok()?)
    }

    /// Returns the paths of all kustomizations, relative to the root.
    pub fn kustomizations(&self) -> Vec<String> {
        if !self.repository {
            return KUSTOMIZATIONS.map(str::to_owned).to_vec();
        }
        let walk = files::walk(&self.root, &|path, is_dir| match is_dir {
            true => !is_hidden(path) && !is_vendored(path),
            false => is_kustomization(path),
        });
        let found = walk.map(|walk| walk.files).unwrap_or_default();
        let relative = |path: &Path| slashed(path.strip_prefix(&self.root).ok()?);
        found.iter().filter_map(|entry| relative(&entry.path)).collect()
    }

    /// Returns the path of the `Chart.yaml` of the chart that a file is in. Both are relative to the
    /// root.
    pub fn chart(&self, file: &str) -> Option<String> {
        let mut folders = Path::new(file).ancestors().skip(1);
        let chart = folders.find_map(|folder| {
            let chart = folder.join("Chart.yaml");
            self.root.join(&chart).is_file().then_some(chart)
        });
        slashed(&chart?)
    }

    /// Reads a file by its path relative to the root; `None` if that is not a readable file inside
    /// the root.
    pub fn read(&self, file: &str) -> Option<Vec<u8>> {
        let path = self.root.join(file);
        let inside = path.is_file() && files::is_inside(&path, &self.root);
        inside.then(|| self.reader.one(&path).ok()?.bytes.ok()).flatten()
    }
}

const KUSTOMIZATIONS: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

fn is_kustomization(path: &Path) -> bool {
    path.file_name().is_some_and(|name| KUSTOMIZATIONS.iter().any(|known| name == *known))
}

fn slashed(path: &Path) -> Option<String> {
    let parts: Option<Vec<&str>> = path.iter().map(|part| part.to_str()).collect();
    Some(parts?.join("/"))
}
