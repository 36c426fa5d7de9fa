//! Evidence: one observation about one check, and where it was made.
//!
//! Each source of evidence makes at most one observation of a kind per check, so their order never
//! matters. `fold` turns them into checks.

use super::check::CheckState;
use super::fact::Fact;
use crate::probe::{Handshake, InvalidDocument, ProbeFailure};
use aggctl_certificate::Certificate;
use kube_aggregation::availability::AvailabilityStep;

/// One observation about one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Evidence<'r> {
    pub step: AvailabilityStep,
    pub observed: Observed<'r>,
}

/// Where an observation was made, and what it shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Observed<'r> {
    /// In the objects of the source. Every check has one.
    Objects(Observation<'r>),
    /// By the server's own check when it last ran, as reported by the condition.
    Condition(ConditionFact<'r>),
    /// In the API server's answer to a discovery request.
    Discovery(DiscoveryFact<'r>),
    /// By a direct connection from where aggctl runs.
    Direct(DirectFact<'r>),
}

/// What the objects of the source alone show about a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Observation<'r> {
    pub state: CheckState,
    pub fact: Fact<'r>,
    /// Details of the fact.
    pub notes: Vec<Fact<'r>>,
}

/// What the condition implies for one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ConditionFact<'r> {
    /// The server dialed this URL.
    Dialed(&'r str),
    /// The server's check passed this step.
    Passed,
    /// The server's check stopped at this step.
    Failed(Fact<'r>),
}

/// What a discovery request through the API server implies for one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DiscoveryFact<'r> {
    /// A list with this number of resources.
    List(usize),
    /// The request failed at this step.
    Failed { state: CheckState, fact: Fact<'r>, answer: &'r str },
    /// The request failed at an earlier step.
    NotReached,
}

/// What a direct connection implies for one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DirectFact<'r> {
    /// This address accepts connections. If it hangs, it does not answer on them.
    Connected {
        address: &'r str,
        hangs: bool,
    },
    ConnectFailed(&'r ProbeFailure),
    Tls(DirectTls<'r>),
    HttpFailed(&'r ProbeFailure),
    Status {
        status: u16,
        document: Option<&'r Result<(), InvalidDocument>>,
    },
}

/// What a direct connection shows about TLS.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DirectTls<'r> {
    pub failure: Option<&'r ProbeFailure>,
    pub handshake: Option<&'r Handshake>,
    pub server_name: &'r str,
    /// The served certificate that expires first and the seconds left, if it expires soon.
    pub expires_soon: Option<(&'r Certificate, i64)>,
}

impl<'r> Observation<'r> {
    pub(super) fn new(state: CheckState, fact: Fact<'r>) -> Self {
        Self { state, fact, notes: vec![] }
    }

    #[must_use]
    pub(super) fn with(mut self, notes: impl IntoIterator<Item = Fact<'r>>) -> Self {
        self.notes.extend(notes);
        self
    }

    pub(super) fn at(self, step: AvailabilityStep) -> Evidence<'r> {
        Evidence { step, observed: Observed::Objects(self) }
    }
}

impl Observed<'_> {
    /// Returns the position in which `fold` applies this observation to its check.
    pub(super) fn precedence(&self) -> u8 {
        match self {
            Self::Objects(_) => 0,
            // Supplies the address that the other observations refer to.
            Self::Condition(ConditionFact::Dialed(_)) => 1,
            Self::Condition(_) => 2,
            Self::Discovery(_) => 3,
            Self::Direct(_) => 4,
        }
    }
}
