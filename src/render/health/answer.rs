//! The value that the health formats show: what the health endpoints answered.

use crate::render::ResponseMeta;
use aggctl_diagnose::health::Health;

/// How a server is.
#[derive(Debug)]
pub struct HealthAnswer<'a> {
    /// What its endpoints come to.
    pub health: &'a Health,
    /// When each look began, in seconds after the first.
    pub seconds: &'a [u64],
    /// Whether every check that is there is shown, not only what fails.
    pub all: bool,
    /// What to run about each finding, for the same source.
    pub next: Vec<Option<String>>,
    pub meta: ResponseMeta<'a>,
}
