//! The parsed response of one health endpoint.

use super::check::HealthCheck;
use super::table::find;
use kube_aggregation::model::{Cause, HealthEndpoint, Unread};

/// The response of one endpoint.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answered {
    /// The endpoint; `None` if the text does not show it.
    pub endpoint: Option<HealthEndpoint>,
    /// Whether the endpoint passed.
    pub verdict: HealthVerdict,
    /// The checks, in order.
    pub checks: Vec<CheckResult>,
    /// Whether all checks are listed. A log lists only those that failed.
    pub whole: bool,
    /// Names in the request's `exclude` that are not checks.
    pub not_excluded: Vec<String>,
}

/// Whether an endpoint passed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum HealthVerdict {
    /// 200
    Passed,
    /// 500
    Failed,
    /// The text is truncated, and nothing in it fails.
    #[default]
    CutOff,
    /// The text is not the response of a health endpoint.
    Unusable(Unusable),
    /// There was no response.
    Unread(Unread),
}

/// Why a text is not the response of a health endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unusable {
    /// An HTML page of a proxy or a load balancer.
    Html,
    /// Anything else.
    Other,
}

impl HealthVerdict {
    /// Returns the HTTP status of the response, if there was one.
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

    /// Returns the user named in a 403: `User "NAME" cannot get path`.
    pub fn asked_by(&self) -> Option<&str> {
        let Self::Unread(unread) = self else { return None };
        let (_, after) = unread.why.split_once("User \"")?;
        after.split_once('"').map(|(user, _)| user)
    }

    /// Returns whether this shows if the server is healthy.
    pub fn is_known(&self) -> bool {
        matches!(self, Self::Passed | Self::Failed)
    }
}

/// The result of one check in a response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckResult {
    /// The name of the check.
    pub name: String,
    /// Its state.
    pub state: HealthState,
    /// The description of the check; `None` if the baseline has no such check.
    pub known: Option<&'static HealthCheck>,
}

/// The state of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HealthState {
    /// It passed.
    Passed,
    /// It was excluded from the request.
    Excluded,
    /// It failed.
    Failed(FailureReason),
}

/// Why a check failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FailureReason {
    /// The server withholds it.
    Withheld,
    /// This, as stated by the server.
    Stated(String),
    /// It is over: the check passed when its reason was requested.
    PassedSince,
}

impl FailureReason {
    /// Returns the reason in words, unless the server withholds it.
    pub fn words(&self) -> Option<&str> {
        match self {
            Self::Withheld => None,
            Self::Stated(reason) => Some(reason),
            Self::PassedSince => Some("passed when requested again"),
        }
    }

    /// Parses the words in a response, which may be truncated.
    pub(super) fn parse(words: &str) -> Self {
        match words {
            _ if WITHHELD.starts_with(words) => Self::Withheld,
            _ if Self::PassedSince.words() == Some(words) => Self::PassedSince,
            _ => Self::Stated(words.to_owned()),
        }
    }
}

/// What the server writes in place of a reason.
pub(super) const WITHHELD: &str = "reason withheld";

impl CheckResult {
    pub(super) fn new(name: &str, state: HealthState) -> Self {
        Self { name: name.to_owned(), state, known: find(name) }
    }

    pub fn failed(&self) -> bool {
        matches!(self.state, HealthState::Failed(_))
    }

    /// Returns why it failed, if it did.
    pub(super) fn failure(&self) -> Option<&FailureReason> {
        match &self.state {
            HealthState::Failed(reason) => Some(reason),
            _ => None,
        }
    }

    /// Returns the reason of a failure in words, unless the server withholds it.
    pub fn reason(&self) -> Option<&str> {
        self.failure()?.words()
    }

    /// Returns the reason of a failure that the server states.
    pub(super) fn stated(&self) -> Option<&str> {
        match self.failure()? {
            FailureReason::Stated(reason) => Some(reason),
            _ => None,
        }
    }
}
