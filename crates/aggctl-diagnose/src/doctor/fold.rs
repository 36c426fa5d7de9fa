//! Folds all evidence about an APIService into one list of checks.
//!
//! Each kind of evidence has its strength. The objects of the source show the current state. The
//! server's own check may be half a minute old, but knows the network. A discovery request proves
//! more than that check. A direct connection proves what is served, although it starts from another
//! place than the API server.

use super::check::{CheckState, DoctorCheck};
use super::evidence::{
    ConditionFact, DirectFact, DirectTls, DiscoveryFact, Evidence, Observation, Observed,
};
use super::fact::Fact;
use kube_aggregation::availability::AvailabilityStep;

/// Returns the checks that result from the evidence, in the order of the steps.
pub(super) fn fold(mut evidence: Vec<Evidence<'_>>) -> Vec<DoctorCheck<'_>> {
    evidence.sort_by_key(|one| (one.step, one.observed.precedence()));
    let mut checks: Vec<DoctorCheck<'_>> = vec![];
    for Evidence { step, observed } in evidence {
        let check = checks.last_mut().filter(|check| check.step == step);
        match (observed, check) {
            (Observed::Objects(Observation { state, fact, notes }), _) => {
                checks.push(DoctorCheck { step, state, fact, notes });
            }
            (Observed::Condition(seen), Some(check)) => check.apply_condition(seen),
            (Observed::Discovery(seen), Some(check)) => check.apply_discovery(seen),
            (Observed::Direct(seen), Some(check)) => check.apply_direct(seen),
            (_, None) => {}
        }
    }
    skip_unreached(&mut checks);
    checks
}

/// Marks the checks after a broken one as skipped if their state is unknown.
fn skip_unreached(checks: &mut [DoctorCheck<'_>]) {
    let broken = checks.iter().position(|check| check.state == CheckState::Broken);
    let rest = broken.and_then(|at| checks.get_mut(at + 1..)).unwrap_or_default();
    for check in rest.iter_mut().filter(|check| check.state == CheckState::Unknown) {
        check.state = CheckState::Skipped;
        if check.step == AvailabilityStep::Discovery {
            check.fact = Fact::NotReached;
        }
    }
}

impl<'r> DoctorCheck<'r> {
    /// Sets a new state and fact, and returns the previous fact.
    fn decide(&mut self, state: CheckState, fact: Fact<'r>) -> Fact<'r> {
        self.state = state;
        std::mem::replace(&mut self.fact, fact)
    }

    /// Sets a new state and fact, and keeps the previous fact as a note.
    fn override_with(&mut self, state: CheckState, fact: Fact<'r>) {
        let before = self.decide(state, fact);
        self.notes.insert(0, before);
    }

    /// Marks the address as one that answers.
    fn answers(&mut self) {
        let address = self.decide(CheckState::Ok, Fact::CheckReached);
        self.fact = Fact::Answers(Box::new(address));
    }

    /// Applies the server's own check. The objects are newer and take precedence, except about the
    /// network, which only the server's check knows.
    fn apply_condition(&mut self, seen: ConditionFact<'r>) {
        let is_network = self.step >= AvailabilityStep::Address;
        let is_unknown = self.state == CheckState::Unknown;
        match (seen, self.step) {
            (ConditionFact::Dialed(url), _) => match &self.fact {
                Fact::Address(at) if format!("https://{at}") != url => {
                    self.notes.insert(0, Fact::DialedInstead(url));
                }
                Fact::NoService | Fact::ServiceNotInSource => self.fact = Fact::Dialed(url),
                _ => {}
            },
            (ConditionFact::Passed, _) if !is_unknown => {}
            (ConditionFact::Passed, AvailabilityStep::Address) if self.fact.is_address() => {
                self.answers();
            }
            (ConditionFact::Passed, AvailabilityStep::Address) => {
                self.decide(CheckState::Ok, Fact::CheckReached);
            }
            (ConditionFact::Passed, AvailabilityStep::Tls) => {
                self.decide(CheckState::Ok, Fact::CheckTrusts);
            }
            (ConditionFact::Passed, AvailabilityStep::Discovery) => {
                self.decide(CheckState::Ok, Fact::AnswersDiscovery);
            }
            (ConditionFact::Passed, _) => self.override_with(CheckState::Ok, Fact::CheckFound),
            (ConditionFact::Failed(fact), step) => {
                if is_unknown || (is_network && self.state != CheckState::Broken) {
                    let before = self.decide(CheckState::Broken, fact);
                    if step != AvailabilityStep::Discovery {
                        self.notes.insert(0, before);
                    }
                }
            }
        }
    }

    fn apply_discovery(&mut self, seen: DiscoveryFact<'r>) {
        match (seen, self.step, self.state) {
            (DiscoveryFact::List(_), AvailabilityStep::Address, CheckState::Unknown)
                if self.fact.is_address() =>
            {
                self.answers();
            }
            (DiscoveryFact::List(_), AvailabilityStep::Tls, CheckState::Unknown) => {
                self.override_with(CheckState::Ok, Fact::ApiServerTrusts);
            }
            (
                DiscoveryFact::List(count),
                AvailabilityStep::Discovery,
                CheckState::Unknown | CheckState::Ok,
            ) => {
                self.decide(CheckState::Ok, Fact::AnswersWith(count));
            }
            (DiscoveryFact::List(_), ..) => {}
            // A request is newer than the server's check, and proves more.
            (DiscoveryFact::NotReached, _, CheckState::Ok) => self.state = CheckState::Unknown,
            (DiscoveryFact::NotReached, ..) => {}
            (DiscoveryFact::Failed { state, fact, answer }, step, known) => {
                self.notes.push(Fact::AskedForDiscovery(answer));
                if known != CheckState::Broken {
                    let before = self.decide(state, fact);
                    if step == AvailabilityStep::Tls {
                        self.notes.insert(0, before);
                    }
                }
            }
        }
    }

    fn apply_direct(&mut self, seen: DirectFact<'r>) {
        match seen {
            DirectFact::Connected { address, hangs } => {
                if self.state == CheckState::Unknown {
                    self.state = CheckState::Ok;
                }
                // If it accepts connections and hangs, the network is not the cause of the timeout.
                if hangs && self.state == CheckState::Broken && self.fact.is_timeout() {
                    self.decide(CheckState::Ok, Fact::AcceptsConnections(address));
                } else {
                    self.notes.push(Fact::AcceptsConnections(address));
                }
            }
            DirectFact::ConnectFailed(failure) => {
                self.notes.push(Fact::FromHere(&failure.what));
                match self.state {
                    // The API server could connect, so it uses a different route.
                    CheckState::Ok => self.state = CheckState::Odd,
                    CheckState::Unknown if !self.fact.is_reached() => {
                        self.decide(CheckState::Broken, Fact::ProbeFailed(&failure.what));
                    }
                    _ => {}
                }
            }
            DirectFact::Tls(seen) => self.apply_tls(seen),
            DirectFact::HttpFailed(failure) => {
                self.notes.push(Fact::FromHere(&failure.what));
                if failure.code == "timeout" && self.state == CheckState::Unknown {
                    self.decide(CheckState::Broken, Fact::ProbeFailed(&failure.what));
                }
            }
            DirectFact::Status { status, document } => {
                self.notes.push(Fact::Status(status));
                match (document, self.state) {
                    (Some(Ok(())), CheckState::Unknown) => {
                        self.decide(CheckState::Ok, Fact::AnswersDiscovery);
                    }
                    (Some(Err(why)), state) => {
                        self.notes.push(Fact::FromHere(&why.0));
                        if matches!(state, CheckState::Unknown | CheckState::Ok) {
                            self.decide(CheckState::Broken, Fact::NotADiscoveryDocument(&why.0));
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    fn apply_tls(&mut self, seen: DirectTls<'r>) {
        let DirectTls { failure, handshake, server_name, expires_soon } = seen;
        if let Some(failure) = failure {
            self.notes.push(Fact::FromHere(&failure.what));
            if self.state != CheckState::Broken {
                self.decide(CheckState::Broken, Fact::ProbeFailed(&failure.what));
            }
        }
        let Some(handshake) = handshake else { return };
        // It says that the source does not show what is served.
        self.notes.retain(|note| !matches!(note, Fact::BundleTrusts { .. }));
        for (index, certificate) in handshake.chain.iter().enumerate() {
            self.notes.push(Fact::Served { certificate, is_leaf: index == 0 });
        }
        match &handshake.verified {
            Some(Ok(())) => {
                let against = handshake.against;
                self.notes.push(Fact::Verified { against, server_name });
                if self.state == CheckState::Unknown {
                    self.decide(CheckState::Ok, Fact::TrustedBy(against));
                }
            }
            Some(Err(why)) => drop(self.decide(CheckState::Broken, Fact::Untrusted(&why.0))),
            None => {}
        }
        if let (Some((certificate, seconds)), CheckState::Ok) = (expires_soon, self.state) {
            self.decide(CheckState::Odd, Fact::ServedExpiresIn(certificate, seconds));
        }
    }
}
