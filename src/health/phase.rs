//! How far a server is in its life.

use std::fmt;

use super::check::HOOK;
use super::expect::Seen;
use super::judge::{Answered, Verdict};
use crate::model::{Cause, HealthEndpoint};

/// How far a server is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Nobody listens.
    Unreachable,
    /// Somebody takes connections and does not answer.
    Silent,
    /// It does not tell us.
    Forbidden,
    /// Not all routes are there yet.
    InstallingRoutes,
    /// All routes are there; objects that every cluster has are being written.
    Bootstrapping,
    /// It will not become ready by itself.
    Stuck,
    /// It is ready.
    Ready,
    /// It is alive; whether it is ready was not asked.
    Alive,
    /// It was started long ago, and something that it needs fails.
    Degraded,
    /// It got SIGTERM.
    Stopping,
    /// The answers do not tell.
    Unknown,
}

impl Phase {
    /// One word for it, as the JSON contract has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unreachable => "unreachable",
            Self::Silent => "silent",
            Self::Forbidden => "forbidden",
            Self::InstallingRoutes => "installing-routes",
            Self::Bootstrapping => "bootstrapping",
            Self::Stuck => "stuck",
            Self::Ready => "ready",
            Self::Alive => "alive",
            Self::Degraded => "degraded",
            Self::Stopping => "stopping",
            Self::Unknown => "unknown",
        }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unreachable => "nothing listens: it has not started, or has ended",
            Self::Silent => {
                "connections are accepted but not answered: normal in the first seconds of a start"
            }
            Self::Forbidden => "it does not tell us",
            Self::InstallingRoutes => "it is starting, and not all routes are there yet",
            Self::Bootstrapping => "it is starting: all routes are there, it is not ready",
            Self::Stuck => "it will not become ready by itself",
            Self::Ready => "it is ready",
            Self::Alive => "it is alive; /readyz was not asked",
            Self::Degraded => "it has been started, and something that it needs fails",
            Self::Stopping => "it is stopping",
            Self::Unknown => "the answers do not tell",
        })
    }
}

/// `stuck` is whether something keeps a server from ever becoming ready.
pub(super) fn phase(answers: &[Answered], stuck: bool) -> Phase {
    let failed = || answers.iter().flat_map(|one| &one.checks).filter(|check| check.failed());
    let seen = Seen(answers);
    let has = |name: &str| seen.failed(name);
    let known = answers.iter().any(|one| one.verdict.is_known());
    let cause = |causes: &[Cause]| {
        answers
            .iter()
            .any(|one| matches!(&one.verdict, Verdict::Unread(u) if causes.contains(&u.cause)))
    };
    if !known {
        return match () {
            () if cause(&[Cause::Forbidden, Cause::Unauthorized]) => Phase::Forbidden,
            () if cause(&[Cause::Silence, Cause::OutOfTime]) => Phase::Silent,
            () if cause(&[Cause::Connection]) => Phase::Unreachable,
            () => Phase::Unknown,
        };
    }
    let hooks = failed().any(|check| check.name == "informer-sync" || check.name.starts_with(HOOK));
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
    } else if failed().next().is_some() || answers.iter().any(|a| a.verdict == Verdict::Failed) {
        Phase::Degraded
    } else {
        let passed = |one: &&Answered| one.verdict == Verdict::Passed;
        let ready = |one: &Answered| one.endpoint == Some(HealthEndpoint::Readyz);
        match answers.iter().find(|one| passed(one) && ready(one)) {
            Some(_) => Phase::Ready,
            None if answers.iter().any(|one| passed(&one) && one.endpoint.is_none()) => {
                Phase::Unknown
            }
            None => Phase::Alive,
        }
    }
}
