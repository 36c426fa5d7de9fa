//! What the API server's health endpoints answered.

use super::Unread;

/// One of the three. Every server of the chain has them; a client reaches the aggregator's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HealthEndpoint {
    /// `/readyz`: whether requests should be sent.
    Readyz,
    /// `/livez`: whether the process should go on.
    Livez,
    /// `/healthz`: the old name for `/livez`.
    Healthz,
}

impl HealthEndpoint {
    /// All of them, the one that says most first.
    pub const ALL: [Self; 3] = [Self::Readyz, Self::Livez, Self::Healthz];

    /// Its name, which is its path without the slash.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Readyz => "readyz",
            Self::Livez => "livez",
            Self::Healthz => "healthz",
        }
    }

    /// The endpoint of that name, with or without the slash.
    pub fn parse(name: &str) -> Option<Self> {
        let name = name.strip_prefix('/').unwrap_or(name);
        Self::ALL.into_iter().find(|endpoint| endpoint.as_str() == name)
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
