//! The value that the formats of `explain` show: an explanation and the source it was looked up in.

use crate::render::{ResponseMeta, SourceFlags};
use aggctl_diagnose::explain::ExplainReport;
use kube_aggregation::model::Origin;

/// An explanation with what the source says about it.
#[derive(Debug)]
pub struct ExplanationAnswer<'a> {
    /// What is said.
    pub report: &'a ExplainReport,
    /// The source that was asked; none where none was.
    pub origin: Option<&'a Origin>,
    /// The arguments that name it again.
    pub same: &'a SourceFlags,
    pub meta: ResponseMeta<'a>,
}
