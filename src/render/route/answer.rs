//! The value that the route formats show: requests and where they end.

use super::peer_hop::PeerHop;
use aggctl_diagnose::access::FilterOutcome;
use kube_aggregation::baseline::When;
use kube_aggregation::model::Origin;
use kube_aggregation::routing::{Remarks, Route};

/// Requests, and how they are routed.
#[derive(Debug)]
pub struct RoutesAnswer<'a> {
    pub origin: &'a Origin,
    /// The source without the changes, in a what-if.
    pub now: Option<&'a Origin>,
    pub requests: &'a [Routed<'a>],
}

/// A request, and how it is routed.
#[derive(Debug)]
pub struct Routed<'a> {
    /// The source of the asked server.
    pub origin: &'a Origin,
    pub route: Route<'a>,
    /// Warnings and assumptions.
    pub remarks: Remarks<'a>,
    pub suggestion: Suggestion,
    /// How it passes the filters, if there is a caller.
    pub passage: Option<FilterOutcome<'a, 'a>>,
    /// What the peer proxy does, if that is worth showing.
    pub peers: Option<PeerHop<'a>>,
    /// The same request without the changes, in a what-if.
    pub now: Option<RoutedNow<'a>>,
}

/// A request without the changes of a what-if.
#[derive(Debug)]
pub struct RoutedNow<'a> {
    pub route: Route<'a>,
    /// Warnings and assumptions.
    pub remarks: Remarks<'a>,
    /// How it passes the filters, if there is a caller.
    pub passage: Option<FilterOutcome<'a, 'a>>,
    /// What the peer proxy does, if that is worth showing.
    pub peers: Option<PeerHop<'a>>,
}

/// What to try if a request is not served.
#[derive(Debug, Clone, Default)]
pub struct Suggestion {
    /// A similar path that is served.
    pub path: Option<String>,
    /// When Kubernetes served the group version or resource.
    pub served: Option<When>,
    /// The command to run next.
    pub next: Option<String>,
}

impl Suggestion {
    /// Returns the hints, one sentence each.
    pub fn hints(&self) -> impl Iterator<Item = String> {
        let path = self.path.as_ref().map(|path| format!("did you mean {path}?"));
        path.into_iter().chain(self.served.as_ref().map(ToString::to_string))
    }
}
