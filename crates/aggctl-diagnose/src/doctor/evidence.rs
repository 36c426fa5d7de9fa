//! Evidence: one observation about one check, and where it was made.
//!
//! Each source of evidence has at most one observation of a kind per check, so that their order
//! never matters. `fold` turns all of them into checks.

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
    /// In the objects of the source. Every check has this one.
    Objects(Observation<'r>),
    /// By the server's own check at its last run, as the condition reports it.
    Condition(ConditionFact<'r>),
    /// In the answer of the API server to a discovery request.
    Discovery(DiscoveryFact<'r>),
    /// By a direct connection from where aggctl runs.
    Direct(DirectFact<'r>),
}

/// How a check looks by the objects of the source alone.
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
    /// A list of this many resources came back.
    List(usize),
    /// The request failed at this step.
    Failed { state: CheckState, fact: Fact<'r>, answer: &'r str },
    /// The request failed at an earlier step.
    NotReached,
}

/// What a direct connection implies for one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DirectFact<'r> {
    /// This address accepts connections.
    Connected(&'r str),
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
    /// The served certificate that expires first, and in how many seconds, if that is soon.
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
    /// The order in which `fold` applies the observations of one check.
    pub(super) fn precedence(&self) -> u8 {
        match self {
            Self::Objects(_) => 0,
            // Completes the address, to which the others refer.
            Self::Condition(ConditionFact::Dialed(_)) => 1,
            Self::Condition(_) => 2,
            Self::Discovery(_) => 3,
            Self::Direct(_) => 4,
        }
    }
}
