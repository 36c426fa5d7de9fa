//! One check on the path from an APIService to its response.

use super::fact::Fact;
use kube_aggregation::availability::AvailabilityStep;
use kube_aggregation::model::words;

words! {
    /// The state of a check.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum CheckState {
        /// It passes.
        Ok = "ok",
        /// It passes, but with a problem, or not for much longer.
        Odd = "odd",
        /// It fails.
        Broken = "broken",
        /// The evidence does not show whether it passes.
        Unknown = "unknown",
        /// It is not relevant: the server does not make this check here, or stops before it.
        Skipped = "skipped",
    }
}

/// One check with its result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DoctorCheck<'r> {
    /// The step that is checked.
    pub step: AvailabilityStep,
    /// Whether it passes.
    pub state: CheckState,
    /// What decides the state.
    pub fact: Fact<'r>,
    /// Further details.
    pub notes: Vec<Fact<'r>>,
}
