//! What the API server's health endpoints answered.

use super::{Unread, words};

words! {
    /// One of the three. Every server of the chain has them; a client reaches the aggregator's.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum HealthEndpoint {
        /// `/readyz`: whether requests should be sent.
        Readyz = "readyz",
        /// `/livez`: whether the process should go on.
        Livez = "livez",
        /// `/healthz`: the old name for `/livez`.
        Healthz = "healthz",
    }
}

impl HealthEndpoint {
    /// The endpoint of that name, with or without the slash.
    pub fn parse(name: &str) -> Option<Self> {
        Self::from_word(name.strip_prefix('/').unwrap_or(name))
    }
}

/// One answer to `?verbose`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthSample {
    /// Who was asked; none where a text does not tell.
    pub endpoint: Option<HealthEndpoint>,
    /// The body, or why there is none.
    pub body: Result<String, Unread>,
}
