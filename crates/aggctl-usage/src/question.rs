//! What to count, and by which dimensions to group it.

use super::event::Event;
use kube_aggregation::model::words;

words! {
    /// A dimension by which requests can be grouped.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Dimension {
        /// The APIService with a Service, or the server of the chain that answers.
        ApiService = "apiservice",
        /// The user with its program.
        Client = "client",
        /// The resource with version and group.
        Resource = "resource",
        /// The verb of the request.
        Verb = "verb",
        /// The status of the response.
        Status = "status",
        /// The outcome according to the routing model.
        Outcome = "outcome",
        /// The path with placeholders for names and namespaces.
        Path = "path",
        /// The hour of the request.
        Hour = "hour",
        /// The current route, in a comparison.
        Now = "now",
        /// The what-if route, in a comparison.
        Then = "then",
    }
}

impl Dimension {
    /// All dimensions that a user can select. Excludes those of comparisons.
    pub const ASKED: &[Self] = Self::ALL.split_at(8).0;

    /// The number of dimensions.
    pub(super) const COUNT: usize = Self::ALL.len();
}

/// Which requests to count, and how to group them.
#[derive(Debug, Clone, Default)]
pub struct UsageQuestion {
    /// The dimensions of a row.
    pub by: Vec<Dimension>,
    /// Count only clients with one of these strings in their name.
    pub clients: Vec<String>,
    /// Count only requests that these APIServices or servers handle.
    pub api_services: Vec<String>,
    /// Count only requests since this time, in microseconds since 1970.
    pub since: Option<i64>,
    /// Count only requests before this time.
    pub until: Option<i64>,
}

impl UsageQuestion {
    /// Returns whether an event is within the requested time span. Events without a time match only
    /// if no span was requested.
    pub(super) fn spans(&self, event: &Event<'_>) -> bool {
        let Some(time) = event.received.or(event.at) else {
            return self.since.is_none() && self.until.is_none();
        };
        self.since.is_none_or(|since| time >= since) && self.until.is_none_or(|until| time < until)
    }

    /// Returns the question in words. Two partial results can be added only if theirs are equal.
    pub fn words(&self) -> Vec<String> {
        let by = self.by.iter().map(|one| format!("by {}", one.as_str()));
        let clients = self.clients.iter().map(|part| format!("client {part}"));
        let services = self.api_services.iter().map(|name| format!("apiservice {name}"));
        let time = |what: &str, time: Option<i64>| time.map(|time| format!("{what} {time}"));
        let times = [time("since", self.since), time("until", self.until)];
        by.chain(clients).chain(services).chain(times.into_iter().flatten()).collect()
    }
}
