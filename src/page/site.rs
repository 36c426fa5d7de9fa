//! What the page shows: a snapshot, and what it is compared with.

use jiff::Timestamp;

use crate::render::SourceFlags;
use kube_aggregation::model::Snapshot;

/// What the page shows.
#[derive(Debug, Clone, Copy)]
pub struct Site<'s> {
    pub snapshot: &'s Snapshot,
    /// The snapshot to compare with, if there is one.
    pub other: Option<&'s Snapshot>,
    /// Notes about the source, one sentence each.
    pub notes: &'s [String],
    /// The arguments that name the source again.
    pub same: &'s SourceFlags,
    /// What ages are measured against.
    pub now: Timestamp,
}
