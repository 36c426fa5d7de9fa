//! The value that the diff formats show: two sources and what differs.

use kube_aggregation::diff::Diff;
use kube_aggregation::model::Origin;

/// Two sources, and what differs.
#[derive(Debug)]
pub struct DiffAnswer<'a> {
    pub from: &'a Origin,
    pub to: &'a Origin,
    pub diff: &'a Diff,
}
