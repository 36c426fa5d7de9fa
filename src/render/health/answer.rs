//! The value that the health formats show: what the health endpoints answered.

use crate::render::ResponseMeta;
use aggctl_diagnose::health::Health;

/// The health of an API server.
#[derive(Debug)]
pub struct HealthAnswer<'a> {
    pub health: &'a Health,
    /// When each poll began, in seconds after the first.
    pub seconds: &'a [u64],
    /// Whether to show passed checks too.
    pub all: bool,
    /// The command to run for each finding, if there is one.
    pub next: Vec<Option<String>>,
    pub meta: ResponseMeta<'a>,
}
