//! One check on the way from an APIService to an answer.

use super::fact::Fact;
use kube_aggregation::availability::AvailabilityStep;
use kube_aggregation::model::words;

words! {
    /// The state of a check.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum CheckState {
        /// It passes.
        Ok = "ok",
        /// It passes, but not well, or not for long.
        Odd = "odd",
        /// It fails.
        Broken = "broken",
        /// The evidence does not show it.
        Unknown = "unknown",
        /// It does not matter: the server does not check it here, or does not get this far.
        Skipped = "skipped",
    }
}

/// One check, decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DoctorCheck<'r> {
    /// Which one.
    pub step: AvailabilityStep,
    /// Its state.
    pub state: CheckState,
    /// What decides the state.
    pub fact: Fact<'r>,
    /// What else is known about it.
    pub notes: Vec<Fact<'r>>,
}
