//! The answer of one health endpoint, parsed.

use super::check::HealthCheck;
use super::table::find;
use kube_aggregation::model::{Cause, HealthEndpoint, Unread};

/// The answer of one endpoint.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answered {
    /// The endpoint; `None` if the text does not show it.
    pub endpoint: Option<HealthEndpoint>,
    /// Whether it passed.
    pub verdict: HealthVerdict,
    /// Its checks, in order.
    pub checks: Vec<CheckResult>,
    /// Whether all checks are listed; a log lists only those that failed.
    pub whole: bool,
    /// Names that were to be excluded, but are not checks.
    pub not_excluded: Vec<String>,
}

/// Whether an endpoint passed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum HealthVerdict {
    /// 200
    Passed,
    /// 500
    Failed,
    /// The text ends early, and nothing in it fails.
    #[default]
    CutOff,
    /// The text is not the answer of a health endpoint.
    Unusable(Unusable),
    /// There is no answer.
    Unread(Unread),
}

/// Why a text is not the answer of a health endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unusable {
    /// A page of a proxy or a load balancer.
    Html,
    /// Anything else.
    Other,
}

impl HealthVerdict {
    /// The HTTP status of the answer, if there was one.
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::Passed => Some(200),
            Self::Failed => Some(500),
            Self::CutOff | Self::Unusable(_) => None,
            Self::Unread(unread) => match unread.cause {
                Cause::Forbidden => Some(403),
                Cause::Unauthorized => Some(401),
                Cause::NotFound => Some(404),
                Cause::Status(status) => Some(status),
                _ => None,
            },
        }
    }

    /// The user that a refusal names: `User "NAME" cannot get path`.
    pub fn asked_by(&self) -> Option<&str> {
        let Self::Unread(unread) = self else { return None };
        let (_, after) = unread.why.split_once("User \"")?;
        after.split_once('"').map(|(user, _)| user)
    }

    /// Whether it shows if the server is healthy.
    pub fn is_known(&self) -> bool {
        matches!(self, Self::Passed | Self::Failed)
    }
}

/// The result of one check in an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckResult {
    /// The name of the check.
    pub name: String,
    /// Its state.
    pub state: HealthState,
    /// The check; `None` if plain Kubernetes has no such check.
    pub known: Option<&'static HealthCheck>,
}

/// The state of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HealthState {
    /// It passed.
    Passed,
    /// It was excluded from the request.
    Excluded,
    /// It failed, with the reason unless that is withheld.
    Failed(Option<String>),
}

impl CheckResult {
    pub(super) fn new(name: &str, state: HealthState) -> Self {
        Self { name: name.to_owned(), state, known: find(name) }
    }

    pub fn failed(&self) -> bool {
        matches!(self.state, HealthState::Failed(_))
    }

    /// The reason of a failure, unless it is withheld.
    pub fn reason(&self) -> Option<&str> {
        match &self.state {
            HealthState::Failed(reason) => reason.as_deref(),
            _ => None,
        }
    }
}
