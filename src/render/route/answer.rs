//! The value that the route formats show: requests and where they end.

use aggctl_diagnose::access::FilterOutcome;
use kube_aggregation::baseline::When;
use kube_aggregation::model::Origin;
use kube_aggregation::routing::{Remarks, Route};

/// Requests, and where they end.
#[derive(Debug)]
pub struct RoutesAnswer<'a> {
    /// Where the facts come from.
    pub origin: &'a Origin,
    /// Where the facts of now come from, where the ways are as they would be.
    pub now: Option<&'a Origin>,
    /// The requests.
    pub requests: &'a [Routed<'a>],
}

/// A request, and where it ends.
#[derive(Debug)]
pub struct Routed<'a> {
    /// Its way.
    pub route: Route<'a>,
    /// What there is to say about it.
    pub remarks: Remarks<'a>,
    /// What to try instead.
    pub suggestion: Suggestion,
    /// How it passes the filters, where a caller is known.
    pub passage: Option<FilterOutcome<'a, 'a>>,
    /// Its way now, where the other is as it would be.
    pub now: Option<(Route<'a>, Remarks<'a>)>,
}

/// What to do about a request that was not served.
#[derive(Debug, Clone, Default)]
pub struct Suggestion {
    /// A path that was meant, perhaps.
    pub path: Option<String>,
    /// When Kubernetes served what was asked for.
    pub served: Option<When>,
    /// The command that tells more.
    pub next: Option<String>,
}

impl Suggestion {
    /// What it says, a sentence each.
    pub fn hints(&self) -> impl Iterator<Item = String> {
        let path = self.path.as_ref().map(|path| format!("did you mean {path}?"));
        path.into_iter().chain(self.served.as_ref().map(ToString::to_string))
    }
}
