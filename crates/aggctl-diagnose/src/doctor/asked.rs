//! What came of asking the API server for the discovery document of an APIService.
//!
//! The request goes the way that the requests of clients go: to the Service, and with TLS verified.
//! So an answer proves more than the condition does, which up to 1.35 is about neither TLS nor what
//! the answer is.

use super::link::{CheckState, DoctorCheck};
use crate::knowledge::{FailureCause, cause_of, known_cause};
use kube_aggregation::availability::AvailabilityStep;
use kube_aggregation::model::Cause as Reason;
use kube_aggregation::model::{AGGREGATOR_GROUP, ApiService, Unread};
use kube_aggregation::registry::Registry;

/// What the API server passed on.
#[derive(Debug, Clone, Copy)]
pub(super) enum DiscoveryResponse<'s> {
    /// Nobody asked, or it says nothing about the Service.
    Nothing,
    /// A list of so many resources.
    List(usize),
    /// Something else, or nothing.
    Failed(&'s Unread),
    /// The API server's own 404: it has no route for it yet.
    NotRouted(&'s Unread),
}

impl<'s> DiscoveryResponse<'s> {
    /// What is known of an APIService that leads to a Service. One that is not available is refused
    /// without being asked, and the aggregator answers for its own group itself.
    pub(super) fn of(registry: &Registry<'s>, service: &ApiService) -> Self {
        let snapshot = registry.snapshot;
        let gv = &service.group_version;
        if service.service.is_none() || !service.is_available() || gv.group == AGGREGATOR_GROUP {
            return Self::Nothing;
        }
        if let Some(list) = snapshot.resource_lists.get(gv) {
            return Self::List(list.len());
        }
        let Some(unread) = snapshot.unread_lists.get(gv).filter(|u| tells(u.cause)) else {
            return Self::Nothing;
        };
        // What is routed is listed, be it as stale.
        let listed =
            snapshot.aggregated_groups.is_loaded().then(|| registry.aggregated_version(gv));
        match (unread.cause, listed) {
            (Reason::NotFound, Some(None)) => Self::NotRouted(unread),
            _ => Self::Failed(unread),
        }
    }

    /// What went wrong on the way to the Service, where that can be told.
    pub(super) fn cause(self) -> Option<FailureCause> {
        match self {
            Self::Failed(Unread { cause: Reason::NotFound | Reason::Status(_), why }) => {
                cause_of(why)
            }
            Self::NotRouted(_) => known_cause("route-not-installed"),
            _ => None,
        }
    }

    /// Whether something answered that is no discovery document.
    pub(super) fn is_strange(self) -> bool {
        matches!(self, Self::Failed(unread) if is_strange(unread.cause))
    }

    /// Lets what came speak.
    pub(super) fn apply(self, links: &mut [DoctorCheck]) {
        match self {
            Self::Nothing => {}
            Self::List(count) => read(links, count),
            Self::Failed(unread) | Self::NotRouted(unread) => self.failed(links, unread),
        }
    }

    fn failed(self, links: &mut [DoctorCheck], unread: &Unread) {
        let cause = self.cause();
        let step = cause.as_ref().map_or(AvailabilityStep::Discovery, |cause| cause.step);
        let evidence = format!("asked for discovery: {}", unread.why);
        // What the check found of the links behind is of another moment, or less than a request is.
        for link in links.iter_mut().filter(|l| l.step > step && l.state == CheckState::Ok) {
            link.state = CheckState::Unknown;
        }
        let Some(link) = links.iter_mut().find(|link| link.step == step) else { return };
        link.evidence.push(evidence);
        if link.state == CheckState::Broken {
            return;
        }
        let (state, what) = match (unread.cause, cause) {
            (_, Some(cause)) => (CheckState::Broken, cause.what),
            (why, None) if is_strange(why) => (
                CheckState::Broken,
                format!("answers, but not with a discovery document: {}", unread.why),
            ),
            (Reason::Silence, None) => (CheckState::Odd, "no answer came in time".to_owned()),
            (_, None) => (CheckState::Broken, format!("discovery fails: {}", unread.why)),
        };
        let known = std::mem::replace(&mut link.what, what);
        if link.step == AvailabilityStep::Tls {
            link.evidence.insert(0, known);
        }
        link.state = state;
    }
}

/// Whether it says something about whoever was to answer: not where the list may not be read, nor
/// where the way to the API server failed.
fn tells(why: Reason) -> bool {
    use Reason::{NotFound, Silence, Status};
    is_strange(why) || matches!(why, NotFound | Status(_) | Silence)
}

/// Whether something answered that is not an APIResourceList.
fn is_strange(why: Reason) -> bool {
    matches!(why, Reason::Unusable | Reason::TooLarge)
}

/// A list that came is proof of all links up to it that only a request can prove.
fn read(links: &mut [DoctorCheck], count: usize) {
    for link in links.iter_mut() {
        match (link.step, link.state) {
            (AvailabilityStep::Address, CheckState::Unknown)
                if link.what.starts_with("https://") =>
            {
                link.what.push_str(" answers");
            }
            (AvailabilityStep::Tls, CheckState::Unknown) => {
                let known = std::mem::replace(
                    &mut link.what,
                    "the API server trusts the certificate: it passed an answer on".to_owned(),
                );
                link.evidence.insert(0, known);
            }
            (AvailabilityStep::Discovery, CheckState::Unknown | CheckState::Ok) => {
                let resources = if count == 1 { "resource" } else { "resources" };
                link.what = format!("answers discovery with {count} {resources}");
            }
            _ => continue,
        }
        link.state = CheckState::Ok;
    }
}
