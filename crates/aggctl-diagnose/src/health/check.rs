//! What one health check is about.

use std::fmt;

use kube_aggregation::model::{HealthEndpoint, Minor, words};
use kube_aggregation::routing::Server;

/// A check of the API server's, as the table has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HealthCheck {
    /// Its full name; a trailing `*` stands for the rest of names that are numbered.
    pub name: &'static str,
    /// Who registers it. What all servers have, the innermost one registers first.
    pub server: Server,
    /// Whether every server of the chain registers it.
    pub shared: bool,
    /// Which endpoints have it.
    pub on: On,
    /// The first version that has it by default; none where all that we know do.
    pub since: Option<Minor>,
    /// The last version that has it.
    pub until: Option<Minor>,
    /// What must be set for it to be there.
    pub with: &'static str,
    /// When in a start it passes.
    pub stage: StartStage,
    /// What it waits for, as the end of a sentence that begins with "it waits for".
    pub waits_for: &'static str,
    /// What clients see while it fails; empty where they see nothing.
    pub meanwhile: &'static str,
    /// Why it stays failed; empty where it never does.
    pub stuck: &'static str,
    /// After how many seconds the process ends if it has not finished.
    pub fatal_after: Option<u16>,
}

/// Which endpoints have a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum On {
    /// All three.
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
        /// It is about the running process, not about its start.
        Running = "running",
        /// As soon as something was started: it waits for nothing.
        AtOnce = "at-once",
        /// When the informers have listed what they watch.
        Informers = "informers",
        /// When custom resources answer.
        CustomResources = "custom-resources",
        /// When every APIService has its route.
        Routes = "routes",
        /// When discovery is complete.
        Discovery = "discovery",
        /// When the built-in APIServices are registered.
        Registration = "registration",
        /// When the objects that every cluster has are there.
        Bootstrap = "bootstrap",
        /// Until the process ends.
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

/// What the names of start-up hooks begin with.
pub(super) const HOOK: &str = "poststarthook/";

impl HealthCheck {
    /// Whether it is a start-up hook: once passed, it never fails again.
    pub fn is_hook(&self) -> bool {
        self.name.starts_with(HOOK)
    }

    /// Whether `/livez` has it pass for as long as `--livez-grace-period` says.
    pub fn is_graced(&self) -> bool {
        self.server == Server::Aggregator && !self.shared
    }

    /// Whether an endpoint has it.
    pub fn is_on(&self, endpoint: HealthEndpoint) -> bool {
        match self.on {
            On::All => true,
            On::Readyz => endpoint == HealthEndpoint::Readyz,
            On::Livez => endpoint != HealthEndpoint::Readyz,
        }
    }

    /// Its name, or the beginning of it where names are numbered.
    fn matches(&self, name: &str) -> bool {
        match self.name.strip_suffix('*') {
            Some(start) => {
                let number = name.strip_prefix(start).unwrap_or_default();
                !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
            }
            None => self.name == name,
        }
    }
}

/// The check of that name: in full, or without `poststarthook/`.
pub fn find(name: &str) -> Option<&'static HealthCheck> {
    let known = |name: &str| super::table::CHECKS.iter().find(|check| check.matches(name));
    known(name).or_else(|| known(&format!("{HOOK}{name}")))
}
