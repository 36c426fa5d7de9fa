//! What one endpoint answered.

use super::{HealthCheck, find};
use kube_aggregation::model::{Cause, HealthEndpoint, Unread};

/// What one endpoint answered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answered {
    /// Which one; none where a text does not tell.
    pub endpoint: Option<HealthEndpoint>,
    /// What it comes to.
    pub verdict: HealthVerdict,
    /// Its checks, in their order.
    pub checks: Vec<Judged>,
    /// Whether every check has its line: a log has only those that failed.
    pub whole: bool,
    /// Names that were to be excluded and are no checks.
    pub not_excluded: Vec<String>,
}

/// What an answer comes to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum HealthVerdict {
    /// 200
    Passed,
    /// 500
    Failed,
    /// It is cut off before its end, and nothing before that fails.
    #[default]
    CutOff,
    /// It is not of a health endpoint.
    Unusable(Unusable),
    /// There is none.
    Unread(Unread),
}

/// Why a text is no answer of a health endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unusable {
    /// A page of a proxy or a load balancer.
    Html,
    /// Nothing in it looks like one.
    Other,
}

impl HealthVerdict {
    /// The status of the answer, if there was one.
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

    /// Who asked, where a refusal says so: `User "NAME" cannot get path`.
    pub fn asked_by(&self) -> Option<&str> {
        let Self::Unread(unread) = self else { return None };
        let (_, after) = unread.why.split_once("User \"")?;
        after.split_once('"').map(|(user, _)| user)
    }

    /// Whether it tells if the server is healthy.
    pub fn is_known(&self) -> bool {
        matches!(self, Self::Passed | Self::Failed)
    }
}

/// One check of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// Its name.
    pub name: String,
    /// What is said of it.
    pub state: HealthState,
    /// What is known about it; none where plain Kubernetes has no such check.
    pub known: Option<&'static HealthCheck>,
}

/// What a line says of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HealthState {
    /// It passed.
    Passed,
    /// It was not asked.
    Excluded,
    /// It failed: why, unless that is withheld.
    Failed(Option<String>),
}

impl Judged {
    pub(super) fn new(name: &str, state: HealthState) -> Self {
        Self { name: name.to_owned(), state, known: find(name) }
    }

    /// Whether it failed.
    pub fn failed(&self) -> bool {
        matches!(self.state, HealthState::Failed(_))
    }

    /// Why it failed, unless that is withheld.
    pub fn reason(&self) -> Option<&str> {
        match &self.state {
            HealthState::Failed(reason) => reason.as_deref(),
            _ => None,
        }
    }
}
