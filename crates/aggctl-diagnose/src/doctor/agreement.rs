//! Compares the condition `Available` with the rest of the evidence.

use super::check::{CheckState, DoctorCheck};
use super::condition::ServerCheck;
use super::discovery::DiscoveryResponse;
use super::fact::Fact;
use kube_aggregation::availability::{AvailabilityStep, VERIFIES_TLS_SINCE, lacks_transport};
use kube_aggregation::model::{ApiService, Condition, Minor};

/// Whether the condition and the checks agree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Agreement<'r> {
    /// They agree.
    Agrees,
    /// They disagree.
    Contradicts(Contradiction<'r>),
    /// There is nothing to compare the condition with.
    Unknown,
}

/// How the condition and the checks disagree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Contradiction<'r> {
    /// The step that the condition names passes now.
    PassesNow,
    /// The step that the condition names passes now, and a later check is broken.
    LaterIsBroken(Fact<'r>),
    /// A check before the step that the condition names is broken.
    EarlierIsBroken(Fact<'r>),
    /// The condition reports success, but a check is broken.
    BrokenNow(Fact<'r>),
    /// The server's check cannot even connect, so it keeps the last condition.
    CheckCannotConnect,
    /// Before 1.36, the server's check does not verify TLS.
    CheckSkipsTls,
    /// The server's check accepts any 2xx response.
    CheckReadsNoAnswer,
}

/// Compares the condition of an APIService with its checks.
pub(super) fn agreement<'r>(
    api_service: &ApiService,
    condition: &Condition,
    checks: &[DoctorCheck<'r>],
    response: DiscoveryResponse<'_>,
    minor: Minor,
) -> Agreement<'r> {
    use Contradiction::{
        BrokenNow, CheckCannotConnect, CheckReadsNoAnswer, CheckSkipsTls, EarlierIsBroken,
        LaterIsBroken, PassesNow,
    };
    if api_service.service.is_none() {
        return Agreement::Agrees;
    }
    let ServerCheck { passed, stopped, .. } = ServerCheck::new(condition);
    let is_broken = |check: &&DoctorCheck<'_>| {
        check.state == CheckState::Broken && check.step != AvailabilityStep::Fresh
    };
    let broken = checks.iter().find(is_broken);
    let of = |step| checks.iter().find(|check| check.step == step);
    let state = |step| of(step).map(|check| check.state);
    // The server's check does not know which step hung, and a direct connection does.
    let hung = |step| of(step).is_some_and(|c| matches!(c.fact, Fact::AcceptsConnections(_)));
    match (stopped, broken) {
        (Some(stopped), Some(check)) if check.step == stopped => Agreement::Agrees,
        (Some(stopped), Some(_)) if hung(stopped) => Agreement::Agrees,
        (Some(stopped), Some(check)) => {
            let fact = check.fact.clone();
            let is_later = check.step > stopped && state(stopped) == Some(CheckState::Ok);
            Agreement::Contradicts(if is_later {
                LaterIsBroken(fact)
            } else {
                EarlierIsBroken(fact)
            })
        }
        (Some(stopped), None) => match state(stopped) {
            Some(CheckState::Ok | CheckState::Odd) => Agreement::Contradicts(PassesNow),
            _ => Agreement::Unknown,
        },
        (None, Some(check)) if passed => Agreement::Contradicts(match check.step {
            AvailabilityStep::Tls if minor < VERIFIES_TLS_SINCE => CheckSkipsTls,
            AvailabilityStep::Tls if lacks_transport(api_service, minor) => CheckCannotConnect,
            AvailabilityStep::Discovery if response.is_not_a_document() => CheckReadsNoAnswer,
            _ => BrokenNow(check.fact.clone()),
        }),
        (None, None) if passed => Agreement::Agrees,
        (None, _) => Agreement::Unknown,
    }
}
