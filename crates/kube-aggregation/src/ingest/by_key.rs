//! Keeps one fact per key and reports files that disagree. The result does not depend on the order
//! of the documents.

use std::collections::btree_map::{BTreeMap, Entry};
use std::fmt::Debug;
use std::sync::Arc;

use crate::model::Input;

/// A map with one fact per key, and the file that each fact was read from.
#[derive(Debug)]
pub(crate) struct FactsByKey<K, T> {
    all: BTreeMap<K, Found<T>>,
    /// The file of the last fact added. Most facts come from the same file as the one before, so
    /// they share this name.
    file: Arc<str>,
}

#[derive(Debug)]
struct Found<T> {
    value: T,
    /// `metadata.resourceVersion`, or 0 without one. Of two different states, the higher one wins.
    revision: u64,
    file: Arc<str>,
}

impl<K, T> Default for FactsByKey<K, T> {
    fn default() -> Self {
        Self { all: BTreeMap::new(), file: Arc::default() }
    }
}

impl<K: Ord + Clone, T: PartialEq + Debug> FactsByKey<K, T> {
    /// Adds a fact. If another fact with this key differs, the one with the higher revision wins.
    /// If the revisions are equal, the one with the greater debug text wins, so that the order of
    /// files does not matter. Returns the disagreement, if any.
    pub(crate) fn add(
        &mut self,
        key: K,
        value: T,
        revision: u64,
        file: &str,
    ) -> Option<Disagreement<K>> {
        if &*self.file != file {
            self.file = file.into();
        }
        let new = Found { value, revision, file: Arc::clone(&self.file) };
        let mut place = match self.all.entry(key) {
            Entry::Occupied(place) => place,
            Entry::Vacant(place) => {
                place.insert(new);
                return None;
            }
        };
        let old = place.get();
        if old.value == new.value {
            return None;
        }
        let newer = match new.revision.cmp(&old.revision) {
            std::cmp::Ordering::Equal => format!("{:?}", new.value) > format!("{:?}", old.value),
            order => order.is_gt(),
        };
        let known = old.revision != new.revision && old.revision.min(new.revision) > 0;
        let (used, other) = if newer { (&new.file, &old.file) } else { (&old.file, &new.file) };
        let (used, other) = (Arc::clone(used), Arc::clone(other));
        let conflict = Disagreement { key: place.key().clone(), used, other, newer: known };
        if newer {
            place.insert(new);
        }
        Some(conflict)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(super) fn get(&self, key: &K) -> Option<&T> {
        self.all.get(key).map(|found| &found.value)
    }

    pub(super) fn contains(&self, key: &K) -> bool {
        self.all.contains_key(key)
    }

    pub(super) fn values(&self) -> impl Iterator<Item = &T> {
        self.all.values().map(|found| &found.value)
    }

    pub(super) fn into_entries(self) -> impl Iterator<Item = (K, T)> {
        self.all.into_iter().map(|(key, found)| (key, found.value))
    }

    pub(super) fn into_values(self) -> Vec<T> {
        self.all.into_values().map(|found| found.value).collect()
    }
}

impl<T> FactsByKey<(), T> {
    pub(super) fn into_input(self) -> Input<T> {
        let first = self.all.into_values().next();
        first.map_or(Input::Absent, |found| Input::Loaded(found.value))
    }
}

/// Two different facts with the same key, and the files that they are in.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Disagreement<K> {
    pub(super) key: K,
    pub(super) used: Arc<str>,
    pub(super) other: Arc<str>,
    /// Whether the used fact is known to be the newer one.
    pub(super) newer: bool,
}
