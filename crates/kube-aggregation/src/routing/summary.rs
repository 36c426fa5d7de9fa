//! A comparable summary of a route, for diffs between snapshots and for expectations.

use std::fmt;

use super::mux::Match;
use super::outcome::{Decision, Hop, Outcome, Route};
use crate::model::ServiceReference;

/// A route as owned data that does not borrow from the snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteSummary {
    /// The outcome.
    pub outcome: Outcome,
    /// The expected statuses.
    pub status: Vec<u16>,
    /// The last server of the chain that received it.
    pub server: Option<&'static str>,
    /// The handler in a word or two; empty if there is none.
    pub handler: String,
    /// The Service that the request is forwarded to, as `namespace/name`.
    pub service: Option<String>,
    /// The APIService that determined the route.
    pub api_service: Option<String>,
    /// Each server that received it, with what matched there: `kube-aggregator prefix /apis/x/`.
    pub hops: Vec<String>,
}

impl fmt::Display for RouteSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.outcome.as_str())?;
        let by =
            if self.handler.is_empty() { self.server.unwrap_or_default() } else { &self.handler };
        match self.outcome {
            Outcome::Served => write!(f, " by {by}"),
            Outcome::Proxied => write!(f, " to {by}"),
            Outcome::Unavailable => write!(f, " ({by})"),
            _ => Ok(()),
        }
    }
}

impl Route<'_> {
    /// Summarizes the route.
    pub fn way(&self) -> RouteSummary {
        RouteSummary {
            outcome: self.outcome,
            status: self.status.to_vec(),
            server: self.last_hop().map(|hop| hop.server.as_str()),
            handler: self.handler_name(),
            service: self.api_service().and_then(|s| s.service.as_ref()).map(ServiceReference::id),
            api_service: self.api_service().map(|s| s.name.clone()),
            hops: self.hops().map(ToString::to_string).collect(),
        }
    }

    /// Returns the handler in a word or two.
    pub fn handler_name(&self) -> String {
        let Some(hop) = self.last_hop() else { return String::new() };
        match (self.outcome, hop.decision) {
            (Outcome::NotFound | Outcome::BadRequest, _) => String::new(),
            (_, Decision::Proxy(s) | Decision::Refuse(s, _)) => {
                s.service.as_ref().map(ServiceReference::id).unwrap_or_default()
            }
            (_, Decision::ProxyToUnknownService(_)) => "extension API server".to_owned(),
            (_, Decision::Custom(crd) | Decision::CustomVerb(crd)) => format!("crd/{}", crd.name),
            _ => hop.server.as_str().to_owned(),
        }
    }
}

/// Formats the server and what matched there: `kube-aggregator prefix /apis/x/`.
impl fmt::Display for Hop<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let server = self.server.as_str();
        match self.matched {
            Match::WebService(root) => write!(f, "{server} webservice {root}"),
            Match::Exact => write!(f, "{server} exact"),
            Match::Prefix(prefix) => write!(f, "{server} prefix {prefix}"),
            Match::None => write!(f, "{server} none"),
        }
    }
}
