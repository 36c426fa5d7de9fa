//! Describes one health check: which server registers it, when it passes, and what it waits for.

use std::fmt;

use kube_aggregation::model::{HealthEndpoint, Minor, words};
use kube_aggregation::routing::Server;

/// A health check of the API server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HealthCheck {
    /// The full name. A trailing `*` matches a number.
    pub name: &'static str,
    /// The server that registers it. The innermost server registers shared checks first.
    pub server: Server,
    /// Whether every server of the chain registers it.
    pub shared: bool,
    /// The endpoints that include it.
    pub on: On,
    /// The first version that has the check by default; `None` if all known versions have it.
    pub since: Option<Minor>,
    /// The last version that has the check; `None` if it still exists.
    pub until: Option<Minor>,
    /// The flag that enables it; empty if none is needed.
    pub with: &'static str,
    /// The stage of a start at which it passes.
    pub stage: StartStage,
    /// What it waits for, as the end of a sentence that begins with "it waits for".
    pub waits_for: &'static str,
    /// What clients see while it fails; empty if they see nothing.
    pub meanwhile: &'static str,
    /// Why it may keep failing; empty if it never does.
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
    /// The stage in the life of the process at which a check passes.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum StartStage {
        /// At any time: it does not depend on the start.
        Running = "running",
        /// Immediately: it waits for nothing.
        AtOnce = "at-once",
        /// Once the informers have synced.
        Informers = "informers",
        /// Once custom resources are served.
        CustomResources = "custom-resources",
        /// Once every APIService is routed.
        Routes = "routes",
        /// Once discovery is complete.
        Discovery = "discovery",
        /// Once the built-in APIServices are registered.
        Registration = "registration",
        /// Once the objects that every cluster needs exist.
        Bootstrap = "bootstrap",
        /// Until the process shuts down.
        Ending = "ending",
    }
}

impl fmt::Display for StartStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Running => "about the running process, at any time",
            Self::AtOnce => "passes immediately; it waits for nothing",
            Self::Informers => "early in a start: informers",
            Self::CustomResources => "early in a start: custom resources",
            Self::Routes => "early in a start: routes of APIServices",
            Self::Discovery => "in the middle of a start: discovery",
            Self::Registration => "in the middle of a start: built-in APIServices",
            Self::Bootstrap => "late in a start: objects that every cluster has",
            Self::Ending => "during shutdown",
        })
    }
}

/// The name prefix of start-up hooks.
pub(super) const HOOK: &str = "poststarthook/";

impl HealthCheck {
    /// Returns whether this is a start-up hook, which never fails again once it has passed.
    pub fn is_hook(&self) -> bool {
        self.name.starts_with(HOOK)
    }

    /// Returns whether `/livez` lets the check pass during `--livez-grace-period`.
    pub fn is_graced(&self) -> bool {
        self.server == Server::Aggregator && !self.shared
    }

    /// Returns whether an endpoint includes the check.
    pub fn is_on(&self, endpoint: HealthEndpoint) -> bool {
        match self.on {
            On::All => true,
            On::Readyz => endpoint == HealthEndpoint::Readyz,
            On::Livez => endpoint != HealthEndpoint::Readyz,
        }
    }

    /// Returns whether the check has this name.
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
