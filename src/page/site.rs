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
    /// The other API servers, which may get a request as peers.
    pub peers: &'s [(String, Snapshot)],
    /// The manifests that the snapshot has applied, for a what-if.
    pub applied: &'s [String],
    /// The objects that the snapshot lacks, for a what-if.
    pub removed: &'s [String],
    /// What the controllers would do after these changes.
    pub effects: &'s [String],
    /// The arguments that name the source again.
    pub same: &'s SourceFlags,
    /// The time against which ages are measured.
    pub now: Timestamp,
}
