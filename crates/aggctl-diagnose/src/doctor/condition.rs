//! Evidence from the condition `Available`: what the server's own check found at its last run.
//!
//! The availability controller takes the steps in order and stops at the first that fails.
//! So the reason of the condition names the step that is broken, and those before it passed.

use super::evidence::{ConditionFact, Evidence, Observed};
use super::fact::Fact;
use crate::knowledge::{FailureCause, cause_of};
use kube_aggregation::availability::{AvailabilityFailure, AvailabilityStep, VERIFIES_TLS_SINCE};
use kube_aggregation::model::{Condition, Minor};

/// The steps of the server's own check.
const STEPS: [AvailabilityStep; 7] = [
    AvailabilityStep::Service,
    AvailabilityStep::Port,
    AvailabilityStep::Endpoints,
    AvailabilityStep::Ready,
    AvailabilityStep::Address,
    AvailabilityStep::Tls,
    AvailabilityStep::Discovery,
];

const FAILED_DISCOVERY: &str = "FailedDiscoveryCheck";

/// Collects what a condition implies. `knows_service` is whether the source has the Service: the
/// server checks ports and endpoints for one type of Service only.
pub(super) fn collect<'r>(
    condition: &'r Condition,
    minor: Option<Minor>,
    knows_service: bool,
) -> Vec<Evidence<'r>> {
    let check = ServerCheck::new(condition);
    let verifies_tls = minor.is_some_and(|minor| minor >= VERIFIES_TLS_SINCE);
    let dialed = dialed_url(condition).map(ConditionFact::Dialed);
    let dialed = dialed.map(|fact| (AvailabilityStep::Address, fact));
    let results = STEPS.into_iter().filter_map(|step| {
        let fact = match check.result(step, verifies_tls, knows_service)? {
            true => ConditionFact::Passed,
            false => ConditionFact::Failed(check.failure(step)),
        };
        Some((step, fact))
    });
    let all = dialed.into_iter().chain(results);
    all.map(|(step, fact)| Evidence { step, observed: Observed::Condition(fact) }).collect()
}

/// What the server dialed, from the URL in its message: `https://10.0.0.7:443`.
fn dialed_url(condition: &Condition) -> Option<&str> {
    let message =
        Some(condition.message.as_str()).filter(|_| condition.reason == FAILED_DISCOVERY)?;
    let (before, rest) = message.split_once("https://")?;
    let end = rest.find(['/', ' ', '"']).unwrap_or(rest.len());
    let url = message.get(before.len()..before.len() + "https://".len() + end)?;
    Some(url.trim_end_matches(':'))
}

/// A condition, read as the result of a check.
pub(super) struct ServerCheck {
    /// Whether all steps passed.
    pub passed: bool,
    /// The step that failed; `None` if all passed, or if the reason does not name one.
    pub stopped: Option<AvailabilityStep>,
    cause: Option<FailureCause>,
}

impl ServerCheck {
    pub(super) fn new(condition: &Condition) -> Self {
        let passed = condition.status == "True";
        let failed_discovery = condition.reason == FAILED_DISCOVERY;
        let cause = Some(&condition.message).filter(|_| failed_discovery).and_then(|m| cause_of(m));
        let stopped = match &cause {
            _ if passed => None,
            Some(cause) => Some(cause.step),
            None if failed_discovery => Some(AvailabilityStep::Discovery),
            None => AvailabilityFailure::step_of(&condition.reason),
        };
        Self { passed, stopped, cause }
    }

    /// Whether a step passed or failed; `None` if the check does not show it.
    fn result(
        &self,
        step: AvailabilityStep,
        verifies_tls: bool,
        knows_service: bool,
    ) -> Option<bool> {
        use AvailabilityStep::{Address, Discovery, Port, Ready, Tls};
        // Older servers never verify the certificate.
        if step == Tls && !verifies_tls && self.stopped != Some(Tls) {
            return None;
        }
        // A request that failed for an unknown reason may not have left the server.
        let is_obscure = self.stopped == Some(Discovery) && self.cause.is_none();
        if is_obscure && matches!(step, Address | Tls) {
            return None;
        }
        let depends_on_type = (Port..=Ready).contains(&step);
        if depends_on_type && !knows_service && self.stopped.is_none_or(|stopped| stopped > Ready) {
            return None;
        }
        match self.stopped {
            Some(stopped) if step == stopped => Some(false),
            Some(stopped) if step < stopped => Some(true),
            Some(_) => None,
            None => self.passed.then_some(true),
        }
    }

    fn failure(&self, step: AvailabilityStep) -> Fact<'static> {
        match &self.cause {
            Some(cause) => Fact::Cause(Box::new(cause.clone())),
            None if step < AvailabilityStep::Address => Fact::CheckFoundNo(step),
            None => Fact::CheckRequestFailed,
        }
    }
}
