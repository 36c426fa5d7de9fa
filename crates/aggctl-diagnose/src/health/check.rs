//! Describes one health check: who registers it, when it passes, and what it waits for.

use std::fmt;

use kube_aggregation::model::{HealthEndpoint, Minor, words};
use kube_aggregation::routing::Server;

/// A health check of the API server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HealthCheck {
    /// Its full name; a trailing `*` matches a number.
    pub name: &'static str,
    /// The server that registers it. The innermost server registers shared checks first.
    pub server: Server,
    /// Whether every server of the chain registers it.
    pub shared: bool,
    /// The endpoints that include it.
    pub on: On,
    /// The first version that has it by default; `None` if all known versions do.
    pub since: Option<Minor>,
    /// The last version that has it.
    pub until: Option<Minor>,
    /// The flag that enables it; empty if it needs none.
    pub with: &'static str,
    /// When it passes during a start.
    pub stage: StartStage,
    /// What it waits for, as the end of a sentence that begins with "it waits for".
    pub waits_for: &'static str,
    /// What clients see while it fails; empty if they see nothing.
    pub meanwhile: &'static str,
    /// Why it keeps failing; empty if it never does.
    pub stuck: &'static str,
    /// The seconds after which the process exits if the check still fails.
    pub fatal_after: Option<u16>,
}

/// The endpoints that include a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum On {
    /// All three endpoints.
    All,
    /// `/readyz` only.
    Readyz,
    /// `/livez` and `/healthz` only.
    Livez,
}

words! {
    /// When in the life of the process a check passes.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum StartStage {
        /// At any time: it does not depend on the start.
        Running = "running",
        /// Immediately: it waits for nothing.
        AtOnce = "at-once",
        /// When the informers have synced.
        Informers = "informers",
        /// When custom resources are served.
        CustomResources = "custom-resources",
        /// When every APIService has its route.
        Routes = "routes",
        /// When discovery is complete.
        Discovery = "discovery",
        /// When the built-in APIServices are registered.
        Registration = "registration",
        /// When the objects that every cluster has exist.
        Bootstrap = "bootstrap",
        /// Until the process shuts down.
        Ending = "ending",
    }
}

impl fmt::Display for StartStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Running => "about the running process, at any time",
            Self::AtOnce => "passes at once, for it waits for nothing",
            Self::Informers => "early in a start: informers",
            Self::CustomResources => "early in a start: custom resources",
            Self::Routes => "early in a start: routes of APIServices",
            Self::Discovery => "in the middle of a start: discovery",
            Self::Registration => "in the middle of a start: built-in APIServices",
            Self::Bootstrap => "late in a start: objects that every cluster has",
            Self::Ending => "at the end of the process",
        })
    }
}

/// The prefix of the names of start-up hooks.
pub(super) const HOOK: &str = "poststarthook/";

impl HealthCheck {
    /// Whether it is a start-up hook, which never fails again once it has passed.
    pub fn is_hook(&self) -> bool {
        self.name.starts_with(HOOK)
    }

    /// Whether `/livez` lets it pass during `--livez-grace-period`.
    pub fn is_graced(&self) -> bool {
        self.server == Server::Aggregator && !self.shared
    }

    /// Whether an endpoint includes it.
    pub fn is_on(&self, endpoint: HealthEndpoint) -> bool {
        match self.on {
            On::All => true,
            On::Readyz => endpoint == HealthEndpoint::Readyz,
            On::Livez => endpoint != HealthEndpoint::Readyz,
        }
    }

    /// Whether it has this name.
    pub(super) fn matches(&self, name: &str) -> bool {
        match self.name.strip_suffix('*') {
            Some(start) => {
                let number = name.strip_prefix(start).unwrap_or_default();
                !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
            }
            None => self.name == name,
        }
    }
}
