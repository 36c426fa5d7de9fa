//! The phase of a server's life: starting, ready, degraded, stopping.

use std::fmt;

use super::answer::{Answered, HealthVerdict};
use super::check::HOOK;
use super::expect::CheckEvidence;
use kube_aggregation::model::{Cause, HealthEndpoint, words};

words! {
    /// The phase of a server's life.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Phase {
        /// Nothing listens on its port.
        Unreachable = "unreachable",
        /// Connections are accepted, but not answered.
        Silent = "silent",
        /// Access to the health endpoint is denied.
        Forbidden = "forbidden",
        /// Not all routes are installed yet.
        InstallingRoutes = "installing-routes",
        /// All routes are installed. The objects that every cluster needs are being created.
        Bootstrapping = "bootstrapping",
        /// The server will not become ready by itself.
        Stuck = "stuck",
        /// The server is ready.
        Ready = "ready",
        /// The server is alive; `/readyz` was not requested.
        Alive = "alive",
        /// The server has started, but something that it needs fails.
        Degraded = "degraded",
        /// The server received SIGTERM.
        Stopping = "stopping",
        /// The responses do not show it.
        Unknown = "unknown",
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unreachable => "not running: nothing listens on the port",
            Self::Silent => {
                "connections are accepted but not answered: normal in the first seconds of a start"
            }
            Self::Forbidden => "unknown: access to the health endpoint is denied",
            Self::InstallingRoutes => "starting; not all routes are installed yet",
            Self::Bootstrapping => "starting; all routes are installed, but it is not ready",
            Self::Stuck => "stuck; it will not become ready by itself",
            Self::Ready => "ready",
            Self::Alive => "alive; /readyz was not checked",
            Self::Degraded => "degraded; it runs, but a dependency fails",
            Self::Stopping => "stopping",
            Self::Unknown => "unknown",
        })
    }
}

/// Returns the phase. `stuck` says whether something prevents the server from ever becoming ready.
pub(super) fn phase(answers: &[Answered], stuck: bool) -> Phase {
    let seen = CheckEvidence(answers);
    let has = |name: &str| seen.failed(name);
    let known = answers.iter().any(|one| one.verdict.is_known());
    let cause = |causes: &[Cause]| {
        answers.iter().any(
            |one| matches!(&one.verdict, HealthVerdict::Unread(u) if causes.contains(&u.cause)),
        )
    };
    if !known {
        return match () {
            () if cause(&[Cause::Forbidden, Cause::Unauthorized]) => Phase::Forbidden,
            () if cause(&[Cause::Silence, Cause::OutOfTime]) => Phase::Silent,
            () if cause(&[Cause::Connection]) => Phase::Unreachable,
            () => Phase::Unknown,
        };
    }
    let mut failed = answers.iter().flat_map(|one| &one.checks).filter(|check| check.failed());
    let hooks = failed.any(|check| check.name == "informer-sync" || check.name.starts_with(HOOK));
    let ends = |verdict: HealthVerdict| answers.iter().filter(move |one| one.verdict == verdict);
    let passed = |endpoint| ends(HealthVerdict::Passed).any(|one| one.endpoint == endpoint);
    if has("shutdown") {
        Phase::Stopping
    } else if has("poststarthook/crd-informer-synced")
        || has("poststarthook/apiservice-registration-controller")
    {
        Phase::InstallingRoutes
    } else if hooks {
        Phase::Bootstrapping
    } else if has("autoregister-completion") {
        if stuck { Phase::Stuck } else { Phase::Bootstrapping }
    } else if ends(HealthVerdict::Failed).next().is_some() {
        Phase::Degraded
    } else if passed(Some(HealthEndpoint::Readyz)) {
        Phase::Ready
    } else if passed(None) {
        Phase::Unknown
    } else {
        Phase::Alive
    }
}
