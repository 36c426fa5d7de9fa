//! One fact per key, whatever order the documents come in.

use std::collections::btree_map::{BTreeMap, Entry};
use std::fmt::Debug;
use std::sync::Arc;

use crate::model::Input;

/// One fact per key.
#[derive(Debug)]
pub(crate) struct FactsByKey<K, T> {
    all: BTreeMap<K, Found<T>>,
    /// The file that the last one was found in: the next is most often in the same.
    file: Arc<str>,
}

#[derive(Debug)]
struct Found<T> {
    value: T,
    /// `metadata.resourceVersion`, 0 where there is none: of two states the later one counts.
    revision: u64,
    file: Arc<str>,
}

impl<K, T> Default for FactsByKey<K, T> {
    fn default() -> Self {
        Self { all: BTreeMap::new(), file: Arc::default() }
    }
}

impl<K: Ord + Clone, T: PartialEq + Debug> FactsByKey<K, T> {
    /// Adds a fact. Where another file says otherwise, the later state wins, and without revisions
    /// an order of their own; the answer is what to tell the user.
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

/// Two files that say different things about one object.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Disagreement<K> {
    pub(super) key: K,
    pub(super) used: Arc<str>,
    pub(super) other: Arc<str>,
    /// Whether the one that is used is known to be the later state.
    pub(super) newer: bool,
}
