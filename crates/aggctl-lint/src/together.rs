//! Which files would be applied together.
//!
//! A repository has variants: staging beside production, one file for each release. An object that
//! two of them have is no conflict. Files belong together that one kustomization lists, or that
//! are in the same folder and share no object. What kustomizations build from such parts has a wider
//! circle, of use where something may be anywhere in it.

use super::found::Found;
use super::input::LintInput;
use super::kustomization::folder;
use super::kustomize::Kustomized;
use std::collections::{HashMap, HashSet};

/// The files by what they are applied with.
#[derive(Debug)]
pub(super) struct Together {
    units: Vec<usize>,
    kustomized: Kustomized,
}

/// Something that a file is applied with.
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
            None => Unit::Folder(folder(&inputs[file].name)),
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

    /// The number of what a file is applied with.
    pub(super) fn unit(&self, file: usize) -> usize {
        self.units.get(file).copied().unwrap_or(usize::MAX)
    }

    /// All that a file is applied with, kustomizations of kustomizations included.
    pub(super) fn circles(&self, file: usize) -> impl Iterator<Item = Circle> {
        let builds = self.kustomized.builds(file).map(Circle::Build);
        std::iter::once(Circle::Unit(self.unit(file))).chain(builds)
    }

    /// Whether two files are applied together.
    pub(super) fn same(&self, a: usize, b: usize) -> bool {
        self.unit(a) == self.unit(b)
    }
}
