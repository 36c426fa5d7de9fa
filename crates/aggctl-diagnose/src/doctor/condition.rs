//! What the server's own check found, and whether the facts agree with it.
//!
//! The availability controller goes through the links in order and stops at the first that fails,
//! so the reason of the condition says that one is broken and that those before it held.

use jiff::Timestamp;

use super::age::age;
use super::asked::DiscoveryResponse;
use super::link::{CheckState, DoctorCheck};
use crate::knowledge::{FailureCause, cause_of};
use kube_aggregation::availability::{
    AvailabilityFailure, AvailabilityStep, VERIFIES_TLS_SINCE, lacks_transport,
};
use kube_aggregation::model::{ApiService, Condition, Minor, NOT_IN_SOURCE};

/// The condition as the result of a check.
pub(super) struct Checked<'c> {
    condition: Option<&'c Condition>,
    /// Where the check stopped; `None` where it passed, or where nothing follows from it.
    stopped: Option<AvailabilityStep>,
    cause: Option<FailureCause>,
    verifies_tls: bool,
    /// Whether the Service is in the source: ports and endpoints were checked for one type only.
    knows_service: bool,
}

impl<'c> Checked<'c> {
    pub(super) fn new(
        condition: Option<&'c Condition>,
        minor: Option<Minor>,
        knows_service: bool,
    ) -> Self {
        let failed = condition.filter(|c| c.reason == "FailedDiscoveryCheck");
        let cause = failed.and_then(|c| cause_of(&c.message));
        let stopped =
            condition.filter(|c| c.status != "True").and_then(|c| match c.reason.as_str() {
                "FailedDiscoveryCheck" => {
                    Some(cause.as_ref().map_or(AvailabilityStep::Discovery, |c| c.step))
                }
                reason => AvailabilityFailure::step_of(reason),
            });
        let verifies_tls = minor.is_some_and(|minor| minor >= VERIFIES_TLS_SINCE);
        Self { condition, stopped, cause, verifies_tls, knows_service }
    }

    pub(super) fn passed(&self) -> bool {
        self.condition.is_some_and(|c| c.status == "True")
    }

    /// What the check dialled, from the URL in its message: `https://10.0.0.7:443`.
    pub(super) fn dialled(&self) -> Option<&'c str> {
        let message =
            self.condition.filter(|c| c.reason == "FailedDiscoveryCheck")?.message.as_str();
        let (before, rest) = message.split_once("https://")?;
        let start = before.len();
        let end = rest.find(['/', ' ', '"']).unwrap_or(rest.len());
        message.get(start..start + "https://".len() + end).map(|url| url.trim_end_matches(':'))
    }

    /// Whether the check found a link to hold, found it broken, or did not get there.
    fn found(&self, step: AvailabilityStep) -> Option<bool> {
        // The check of older servers never looked at the certificate.
        if step == AvailabilityStep::Tls
            && !self.verifies_tls
            && self.stopped != Some(AvailabilityStep::Tls)
        {
            return None;
        }
        // A discovery request that failed for a reason that is not known may not even have got out.
        let obscure = self.stopped == Some(AvailabilityStep::Discovery) && self.cause.is_none();
        if obscure && (step == AvailabilityStep::Address || step == AvailabilityStep::Tls) {
            return None;
        }
        let by_type = (AvailabilityStep::Port..=AvailabilityStep::Ready).contains(&step);
        if by_type
            && !self.knows_service
            && self.stopped.is_none_or(|stopped| stopped > AvailabilityStep::Ready)
        {
            return None;
        }
        match self.stopped {
            Some(stopped) if step == stopped => Some(false),
            Some(stopped) if step < stopped => Some(true),
            Some(_) => None,
            None => self.passed().then_some(true),
        }
    }

    /// Completes a link with what the check found. Facts about objects beat the check, which may
    /// be half a minute old; about the network only the check can know.
    pub(super) fn complete(&self, mut link: DoctorCheck) -> DoctorCheck {
        let network = link.step >= AvailabilityStep::Address;
        match self.found(link.step) {
            Some(true) if link.state == CheckState::Unknown => {
                link.state = CheckState::Ok;
                match link.step {
                    AvailabilityStep::Address if link.what.starts_with("https://") => {
                        link.what.push_str(" answers")
                    }
                    AvailabilityStep::Address => {
                        link.what = "the server's own check reached it".to_owned()
                    }
                    AvailabilityStep::Tls => {
                        link.what = "the server's own check trusts the certificate".to_owned()
                    }
                    AvailabilityStep::Discovery => link.what = "answers discovery".to_owned(),
                    _ => {
                        let why = std::mem::replace(
                            &mut link.what,
                            "the server's own check found it right".to_owned(),
                        );
                        link.evidence.insert(0, why);
                    }
                }
            }
            Some(false)
                if link.state == CheckState::Unknown
                    || (network && link.state != CheckState::Broken) =>
            {
                link.state = CheckState::Broken;
                let known = std::mem::take(&mut link.what);
                link.what = self.words(link.step);
                if !(link.step == AvailabilityStep::Discovery || known.is_empty()) {
                    link.evidence.insert(0, known);
                }
            }
            _ => {}
        }
        link
    }

    fn words(&self, step: AvailabilityStep) -> String {
        match (&self.cause, step) {
            (Some(cause), _) => cause.what.clone(),
            (None, AvailabilityStep::Service) => {
                "the server's own check found no such Service".to_owned()
            }
            (None, AvailabilityStep::Port) => {
                "the server's own check found no such port".to_owned()
            }
            (None, AvailabilityStep::Endpoints) => {
                "the server's own check found no endpoints".to_owned()
            }
            (None, AvailabilityStep::Ready) => {
                "the server's own check found no ready endpoint".to_owned()
            }
            _ => "the discovery request of the server's own check failed".to_owned(),
        }
    }
}

/// What the condition says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reported<'r> {
    /// The condition itself.
    pub condition: &'r Condition,
    /// How long it is so.
    pub age: Option<String>,
    /// Whether the facts agree.
    pub agreement: Agreement,
}

/// Whether a condition and the facts agree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Agreement {
    /// They do.
    Agrees,
    /// They do not; how that can be.
    Contradicts(String),
    /// There are no facts to compare with.
    Untold,
}

/// What the condition of an APIService says, beside the walk.
pub(super) fn report<'r>(
    api_service: &'r ApiService,
    links: &[DoctorCheck],
    asked: DiscoveryResponse<'_>,
    minor: Minor,
    now: Timestamp,
) -> Option<Reported<'r>> {
    let condition = api_service.available.as_ref().filter(|c| c.reason != NOT_IN_SOURCE)?;
    let age = condition.since.as_deref().and_then(|since| age(since, now));
    let agreement = agreement(api_service, condition, links, asked, minor);
    Some(Reported { condition, age, agreement })
}

fn agreement(
    api_service: &ApiService,
    condition: &Condition,
    links: &[DoctorCheck],
    asked: DiscoveryResponse<'_>,
    minor: Minor,
) -> Agreement {
    if api_service.service.is_none() {
        return Agreement::Agrees;
    }
    let checked = Checked::new(Some(condition), Some(VERIFIES_TLS_SINCE), true);
    let first =
        links.iter().find(|l| l.state == CheckState::Broken && l.step != AvailabilityStep::Fresh);
    let state = |step: AvailabilityStep| links.iter().find(|l| l.step == step).map(|l| l.state);
    match (checked.stopped, first) {
        (Some(stopped), Some(link)) if link.step == stopped => Agreement::Agrees,
        (Some(stopped), Some(link)) if link.step > stopped && state(stopped) == Some(CheckState::Ok) => {
            Agreement::Contradicts(again(&format!("what it names holds now; broken is: {}", link.what)))
        }
        (Some(_), Some(link)) => {
            Agreement::Contradicts(again(&format!("an earlier link is broken now: {}", link.what)))
        }
        (Some(stopped), None) => match state(stopped) {
            Some(CheckState::Ok | CheckState::Odd) => Agreement::Contradicts(again("what it names holds now")),
            _ => Agreement::Untold,
        },
        (None, Some(link)) if checked.passed() => Agreement::Contradicts(match link.step {
            AvailabilityStep::Tls if minor >= VERIFIES_TLS_SINCE && lacks_transport(api_service, minor) => "the server's own check cannot build a connection, and leaves the condition as it was".to_owned(),
            AvailabilityStep::Tls if minor < VERIFIES_TLS_SINCE => "up to Kubernetes 1.35 the server's own check does not verify TLS, the requests of clients do".to_owned(),
            AvailabilityStep::Discovery if asked.is_strange() => "the server's own check takes any answer with a status of 2xx for right, and does not read it".to_owned(),
            _ => again(&format!("broken now: {}", link.what)),
        }),
        (None, None) if checked.passed() => Agreement::Agrees,
        (None, _) => Agreement::Untold,
    }
}

/// Why a condition may lag behind.
fn again(fact: &str) -> String {
    format!(
        "{fact} (the server checks again every 30 s, and parts of a source may be of different moments)"
    )
}
