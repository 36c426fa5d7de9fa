//! Determines which files would be applied together.
//!
//! A repository has variants, such as staging and production, or one file per release. An object
//! that occurs in two of them is not a conflict. Files belong together if one kustomization lists
//! them, or if they are in the same folder and share no object. Kustomizations that build on these
//! units form larger scopes, for objects that may be anywhere in them.

use super::found::Found;
use super::input::LintInput;
use super::kustomization::folder;
use super::kustomize::Kustomized;
use std::collections::{HashMap, HashSet};

/// The files, grouped by what they are applied with.
#[derive(Debug)]
pub(super) struct Together {
    units: Vec<usize>,
    kustomized: Kustomized,
}

/// A set of files that a file is applied with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Circle {
    /// All files of the run.
    All,
    Unit(usize),
    Build(usize),
}

#[derive(PartialEq, Eq, Hash)]
enum Unit<'a> {
    Kustomization(usize),
    Folder(&'a str),
    Alone(usize),
}

impl Together {
    pub(super) fn new(
        inputs: &[LintInput],
        kustomized: Kustomized,
        identities: &[Found<u64>],
    ) -> Self {
        let home = |file: usize| match kustomized.by.get(&file) {
            Some(kustomization) => Unit::Kustomization(*kustomization),
            None => Unit::Folder(folder(inputs[file].location())),
        };
        let mut first: HashMap<(&str, u64), usize> = HashMap::with_capacity(identities.len());
        let mut variants: HashSet<usize> = HashSet::new();
        for Found { object, file } in identities {
            let Unit::Folder(folder) = home(*file) else { continue };
            let other = *first.entry((folder, *object)).or_insert(*file);
            if other != *file {
                variants.extend([other, *file]);
            }
        }
        let mut numbers: HashMap<Unit<'_>, usize> = HashMap::new();
        let unit = |file: usize| {
            let unit = if variants.contains(&file) { Unit::Alone(file) } else { home(file) };
            let next = numbers.len();
            *numbers.entry(unit).or_insert(next)
        };
        let units = (0..inputs.len()).map(unit).collect();
        Self { units, kustomized }
    }

    /// Returns the index of a file's unit.
    pub(super) fn unit(&self, file: usize) -> usize {
        self.units.get(file).copied().unwrap_or(usize::MAX)
    }

    /// Returns all scopes of a file, including those of indirect kustomizations.
    pub(super) fn circles(&self, file: usize) -> impl Iterator<Item = Circle> {
        let builds = self.kustomized.builds(file).map(Circle::Build);
        std::iter::once(Circle::Unit(self.unit(file))).chain(builds)
    }

    /// Returns whether a file can take effect where another one is applied. A kustomization applies
    /// only what it lists.
    pub(super) fn reaches(&self, file: usize, other: usize) -> bool {
        !self.kustomized.is_unlisted(file) || !self.kustomized.by.contains_key(&other)
    }

    /// Returns whether a kustomization may change the labels or selectors of a file.
    pub(super) fn relabels(&self, file: usize) -> bool {
        self.kustomized.relabels(file)
    }

    /// Returns whether two files are applied together.
    pub(super) fn same(&self, a: usize, b: usize) -> bool {
        self.unit(a) == self.unit(b)
    }
}
