//! The group versions that are part of the API server.

use super::facts::{Keeper, Registered};
use std::collections::{BTreeMap, HashMap, HashSet};

/// What is built into the API server that a manifest would be applied to.
#[derive(Debug, Default)]
pub struct Builtin<'a> {
    versions: HashMap<&'a str, HashSet<&'a str>>,
    /// Groups by priority.
    ranks: BTreeMap<i64, Vec<&'a str>>,
}

impl<'a> Builtin<'a> {
    pub(super) fn new(registered: &'a [Registered]) -> Self {
        let mut builtin = Self::default();
        for service in registered.iter().filter(|r| r.keeper == Keeper::Builtin) {
            let versions = builtin.versions.entry(&service.group).or_default();
            // The core group is under `/api` and has no place among the others.
            if versions.is_empty() && !service.group.is_empty() {
                builtin.ranks.entry(service.group_priority).or_default().push(&service.group);
            }
            versions.insert(&service.version);
        }
        builtin
    }

    /// Whether the group is built in.
    pub fn has_group(&self, group: &str) -> bool {
        self.versions.contains_key(group)
    }

    /// Whether the group version is built in.
    pub fn has(&self, group: &str, version: &str) -> bool {
        self.versions.get(group).is_some_and(|versions| versions.contains(version))
    }

    /// The groups with a lower priority, the highest first.
    pub fn groups_below(&self, priority: i64) -> Vec<&'a str> {
        self.ranks.range(..priority).rev().flat_map(|(_, groups)| groups.iter().copied()).collect()
    }
}
