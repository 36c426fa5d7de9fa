//! The value that the formats of `explain` show: an explanation and the source it was looked up in.

use crate::render::{CacheVerdicts, ResponseMeta, SourceFlags};
use aggctl_diagnose::explain::ExplainReport;
use kube_aggregation::model::Origin;

/// An explanation, and the source that it was looked up in.
#[derive(Debug)]
pub struct ExplanationAnswer<'a> {
    pub report: &'a ExplainReport,
    /// The source, if something was looked up.
    pub origin: Option<&'a Origin>,
    /// What kubectl's cache says about the names that the text reports as missing, if there is one.
    pub cache: Option<&'a CacheVerdicts>,
    /// The arguments that name the source again.
    pub same: &'a SourceFlags,
    pub meta: ResponseMeta<'a>,
}
