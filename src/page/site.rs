//! The data that the page shows: a snapshot, and the snapshot to compare it with.

use jiff::Timestamp;

use crate::render::{ServersJson, SourceFlags};
use kube_aggregation::model::Snapshot;

/// The data that the page shows.
#[derive(Debug, Clone, Copy)]
pub struct Site<'s> {
    pub snapshot: &'s Snapshot,
    /// The snapshot to compare with, if there is one.
    pub other: Option<&'s Snapshot>,
    /// Notes about the source, one sentence each.
    pub notes: &'s [String],
    /// The API servers of the control plane, if there are several.
    pub servers: Option<&'s ServersJson>,
    /// The arguments that name the source again.
    pub same: &'s SourceFlags,
    /// The time against which ages are measured.
    pub now: Timestamp,
}
