//! Evidence from requesting the discovery document of an APIService through the API server.
//!
//! The request takes the same path as client requests: to the Service, with verified TLS. So an
//! answer proves more than the condition, which up to 1.35 covers neither TLS nor the response's
//! content.

use super::check::CheckState;
use super::evidence::{DiscoveryFact, Evidence, Observed};
use super::fact::Fact;
use crate::knowledge::{FailureCause, cause_of, known_cause};
use kube_aggregation::availability::AvailabilityStep;
use kube_aggregation::model::{AGGREGATOR_GROUP, ApiService, Cause, Unread};
use kube_aggregation::registry::Registry;

/// The API server's answer to the discovery request.
#[derive(Debug, Clone, Copy)]
pub(super) enum DiscoveryResponse<'r> {
    /// There was no request, or the answer is not about the Service.
    None,
    /// A list with this number of resources.
    List(usize),
    /// An answer that is not a usable list, or no answer.
    Failed(&'r Unread),
    /// The API server's own 404: it does not route the group version yet.
    NotRouted(&'r Unread),
}

impl<'r> DiscoveryResponse<'r> {
    /// Finds the answer for an APIService with a Service. Skips APIServices that are unavailable,
    /// since the API server rejects requests to them, and the aggregator's own group, which the API
    /// server serves itself.
    pub(super) fn of(registry: &Registry<'r>, service: &ApiService) -> Self {
        let snapshot = registry.snapshot;
        let gv = &service.group_version;
        if service.service.is_none() || !service.is_available() || gv.group == AGGREGATOR_GROUP {
            return Self::None;
        }
        if let Some(list) = snapshot.resource_lists.get(gv) {
            return Self::List(list.len());
        }
        let unread = snapshot.unread_lists.get(gv).filter(|u| is_about_service(u.cause));
        let Some(unread) = unread else { return Self::None };
        // Every routed group version is listed, even if it is stale.
        let is_unlisted =
            snapshot.own_document().is_loaded() && registry.aggregated_version(gv).is_none();
        match unread.cause {
            Cause::NotFound if is_unlisted => Self::NotRouted(unread),
            _ => Self::Failed(unread),
        }
    }

    /// Returns what went wrong on the way to the Service, if the answer shows it.
    pub(super) fn cause(self) -> Option<FailureCause> {
        match self {
            Self::Failed(Unread { cause: Cause::NotFound | Cause::Status(_), why }) => {
                cause_of(why)
            }
            Self::NotRouted(_) => known_cause("route-not-installed"),
            _ => None,
        }
    }

    /// Returns whether there was an answer, but not a discovery document.
    pub(super) fn is_not_a_document(self) -> bool {
        matches!(self, Self::Failed(unread) if is_not_a_document(unread.cause))
    }

    /// Collects what the answer implies for each check.
    pub(super) fn collect(self) -> Vec<Evidence<'r>> {
        use AvailabilityStep::{Address, Discovery, Endpoints, Port, Ready, Tls};
        let evidence = |step, fact| Evidence { step, observed: Observed::Discovery(fact) };
        let unread = match self {
            Self::None => return vec![],
            // A list proves every check that only a request can prove.
            Self::List(count) => {
                let proven = [Address, Tls, Discovery];
                return proven.map(|step| evidence(step, DiscoveryFact::List(count))).into();
            }
            Self::Failed(unread) | Self::NotRouted(unread) => unread,
        };
        let cause = self.cause();
        let failed_at = cause.as_ref().map_or(Discovery, |cause| cause.step);
        let answer = unread.why.as_str();
        let (state, fact) = match (unread.cause, cause) {
            (_, Some(cause)) => (CheckState::Broken, Fact::Cause(Box::new(cause))),
            (why, None) if is_not_a_document(why) => {
                (CheckState::Broken, Fact::NotADiscoveryDocument(answer))
            }
            (Cause::Silence, None) => (CheckState::Odd, Fact::NoAnswerInTime),
            (_, None) => (CheckState::Broken, Fact::DiscoveryFails(answer)),
        };
        let later = [Port, Endpoints, Ready, Address, Tls, Discovery];
        let later = later.into_iter().filter(|step| *step > failed_at);
        let mut found: Vec<Evidence<'r>> =
            later.map(|step| evidence(step, DiscoveryFact::NotReached)).collect();
        found.push(evidence(failed_at, DiscoveryFact::Failed { state, fact, answer }));
        found
    }
}

/// Returns whether an answer is about the Service, rather than about the permission to read the
/// list or the connection to the API server.
fn is_about_service(why: Cause) -> bool {
    is_not_a_document(why) || matches!(why, Cause::NotFound | Cause::Status(_) | Cause::Silence)
}

fn is_not_a_document(why: Cause) -> bool {
    matches!(why, Cause::Unusable | Cause::TooLarge)
}
