//! One link of the walk from an APIService to the answer behind it.

use kube_aggregation::availability::AvailabilityStep;
use kube_aggregation::model::words;

words! {
    /// How a link looks.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum CheckState {
        /// It holds.
        Ok = "ok",
        /// It holds, but not well, or not for long.
        Odd = "odd",
        /// It does not hold.
        Broken = "broken",
        /// It cannot be told from what is there.
        Unknown = "unknown",
        /// It does not matter: the server does not look at it here, or does not come so far.
        Skipped = "skipped",
    }
}

/// One link, as it looks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DoctorCheck {
    /// Which one.
    pub step: AvailabilityStep,
    /// How it looks.
    pub state: CheckState,
    /// What there is to say, as a phrase.
    pub what: String,
    /// What that rests on, a line each.
    pub evidence: Vec<String>,
}

impl DoctorCheck {
    pub(super) fn new(step: AvailabilityStep, state: CheckState, what: impl Into<String>) -> Self {
        Self { step, state, what: what.into(), evidence: vec![] }
    }

    #[must_use]
    pub(super) fn with(mut self, evidence: impl IntoIterator<Item = String>) -> Self {
        self.evidence.extend(evidence);
        self
    }
}
