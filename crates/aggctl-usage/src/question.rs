//! What is counted, and by what.

use super::event::Event;
use kube_aggregation::model::words;

words! {
    /// What rows can be made by.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Dimension {
        /// The APIService that leads to a Service, or the server of the chain that answers.
        ApiService = "apiservice",
        /// The user, with its program.
        Client = "client",
        /// The resource, with version and group.
        Resource = "resource",
        /// What is done to it.
        Verb = "verb",
        /// The status that was answered.
        Status = "status",
        /// How it ends, by the routing model.
        Outcome = "outcome",
        /// The path, with names and namespaces left open.
        Path = "path",
        /// The hour.
        Hour = "hour",
        /// How it ends now, where that is compared.
        Now = "now",
        /// How it would end then.
        Then = "then",
    }
}

impl Dimension {
    /// All that a user can ask for: none that only a comparison has.
    pub const ASKED: &[Self] = Self::ALL.split_at(8).0;

    /// How many there are.
    pub(super) const COUNT: usize = Self::ALL.len();
}

/// What to count.
#[derive(Debug, Clone, Default)]
pub struct UsageQuestion {
    /// The columns that make a row.
    pub by: Vec<Dimension>,
    /// Only clients with one of these in their name.
    pub clients: Vec<String>,
    /// Only what these APIServices or servers handle.
    pub api_services: Vec<String>,
    /// Only from that time on, in microseconds since 1970.
    pub since: Option<i64>,
    /// Only before that time.
    pub until: Option<i64>,
}

impl UsageQuestion {
    /// Whether an event is in the span that was asked for. Events without a time are, where none
    /// was.
    pub(super) fn spans(&self, event: &Event<'_>) -> bool {
        let Some(time) = event.received.or(event.at) else {
            return self.since.is_none() && self.until.is_none();
        };
        self.since.is_none_or(|since| time >= since) && self.until.is_none_or(|until| time < until)
    }

    /// What was asked, in words that two partial results must share.
    pub fn words(&self) -> Vec<String> {
        let by = self.by.iter().map(|one| format!("by {}", one.as_str()));
        let clients = self.clients.iter().map(|part| format!("client {part}"));
        let services = self.api_services.iter().map(|name| format!("apiservice {name}"));
        let time = |what: &str, time: Option<i64>| time.map(|time| format!("{what} {time}"));
        let times = [time("since", self.since), time("until", self.until)];
        by.chain(clients).chain(services).chain(times.into_iter().flatten()).collect()
    }
}
