//! The snapshot that an answer is about: as it is, or a what-if without some objects.

use std::borrow::Cow;

use super::site::Site;
use kube_aggregation::model::Snapshot;
use kube_aggregation::what_if::{self, Changes, Unknown};

/// A snapshot, and what the controllers would do after the removals.
#[derive(Debug)]
pub(super) struct World<'s> {
    pub snapshot: Cow<'s, Snapshot>,
    pub effects: Vec<String>,
}

impl<'s> World<'s> {
    /// Returns the snapshot of a site without some APIServices, CRDs or Services.
    pub(super) fn new(site: &Site<'s>, without: &[String]) -> Result<Self, Unknown> {
        if without.is_empty() {
            return Ok(Self { snapshot: Cow::Borrowed(site.snapshot), effects: vec![] });
        }
        let changes = Changes { applied: None, replace: false, removed: without };
        let mut changed = what_if::changed(site.snapshot, &changes)?;
        changed.snapshot.origin.name.push_str(&format!(" without {}", without.join(", ")));
        Ok(Self { snapshot: Cow::Owned(changed.snapshot), effects: changed.effects })
    }
}
