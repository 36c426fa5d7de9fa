//! Responses of kube-apiserver's health endpoints.

use super::{Unread, words};

words! {
    /// A health endpoint. Every server in the chain has all three; clients reach the aggregator's.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum HealthEndpoint {
        /// `/readyz`: whether the server should receive requests.
        Readyz = "readyz",
        /// `/livez`: whether the process is alive or should be restarted.
        Livez = "livez",
        /// `/healthz`: the old name for `/livez`.
        Healthz = "healthz",
    }
}

impl HealthEndpoint {
    /// Parses the name, with or without the slash.
    pub fn parse(name: &str) -> Option<Self> {
        Self::from_word(name.strip_prefix('/').unwrap_or(name))
    }
}

/// One response to `?verbose`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthSample {
    /// The endpoint; `None` if pasted text does not name it.
    pub endpoint: Option<HealthEndpoint>,
    /// The body, or why it could not be read.
    pub body: Result<String, Unread>,
}
