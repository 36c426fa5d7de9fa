//! What the page shows: a snapshot, and what it is compared with.

use jiff::Timestamp;

use crate::render::SourceFlags;
use kube_aggregation::model::Snapshot;

/// What is looked at.
#[derive(Debug, Clone, Copy)]
pub struct Site<'s> {
    /// The facts.
    pub snapshot: &'s Snapshot,
    /// What they are compared with, where that was asked for: how it was before.
    pub other: Option<&'s Snapshot>,
    /// What a user should know about how the facts came to be, a sentence each.
    pub notes: &'s [String],
    /// How commands name the source again.
    pub same: &'s SourceFlags,
    /// What ages are measured against.
    pub now: Timestamp,
}
