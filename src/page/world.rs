//! The facts that an answer is about: as they are, or as they would be without something.

use std::borrow::Cow;

use super::Site;
use kube_aggregation::model::Snapshot;
use kube_aggregation::what_if::{self, Changes, Unknown};

/// The facts, and what the controllers would do where something was taken away.
#[derive(Debug)]
pub(super) struct World<'s> {
    pub snapshot: Cow<'s, Snapshot>,
    pub effects: Vec<String>,
}

impl<'s> World<'s> {
    /// The facts of a site without some APIServices, CRDs or Services.
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
