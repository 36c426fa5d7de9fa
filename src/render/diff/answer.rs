//! The value that the diff formats show: two sources and what differs.

use kube_aggregation::diff::Diff;
use kube_aggregation::model::Origin;

/// A diff of two sources.
#[derive(Debug)]
pub struct DiffAnswer<'a> {
    /// The first source.
    pub from: &'a Origin,
    /// The second source.
    pub to: &'a Origin,
    /// What differs.
    pub diff: &'a Diff,
}
