//! The counts of one row of a usage report.

use serde::{Deserialize, Deserializer, Serialize};

use super::histogram::Histogram;
use super::numbers::Numbers;
use super::question::Dimension;
use super::timeline::Timeline;
use kube_aggregation::routing::Outcome;

/// The key of a row: one number per dimension, zero if the dimension is not used.
pub(super) type Key = [u32; Dimension::COUNT];

/// The counts of one row. The order of adding and merging does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Row {
    /// All requests.
    pub requests: u64,
    /// Requests by the first digit of their status. The first element counts those without a
    /// status.
    pub classes: [u64; 6],
    /// Requests by outcome, in the order of [`Outcome::ALL`].
    #[serde(deserialize_with = "padded")]
    pub outcomes: [u64; Outcome::ALL.len()],
    /// Watches, exec, logs and similar requests, with meaningless durations.
    pub long_running: u64,
    /// Long-running requests that had not ended when the log ended.
    pub running: u64,
    /// Requests without a response in the log.
    pub unanswered: u64,
    /// Requests that work now and would fail in the what-if.
    pub breaks: u64,
    /// The durations of all other requests.
    pub latency: Histogram,
    /// The numbers of the clients.
    pub(super) clients: Numbers,
    /// When the first request was received, in microseconds since 1970.
    pub first: Option<i64>,
    /// When the last request was received.
    pub last: Option<i64>,
    /// The distribution of the requests over time.
    pub timeline: Timeline,
}

/// Decodes counts from a file that may be older, with fewer outcomes.
fn padded<'de, D: Deserializer<'de>, const N: usize>(from: D) -> Result<[u64; N], D::Error> {
    let known: Vec<u64> = Vec::deserialize(from)?;
    let mut all = [0; N];
    all.iter_mut().zip(known).for_each(|(own, its)| *own = its);
    Ok(all)
}

/// The number of an unknown client.
pub(super) const NOBODY: u32 = u32::MAX;

/// The properties of one request that a row counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Seen {
    /// The client's number.
    pub(super) client: u32,
    pub(super) code: u16,
    /// The index in [`Outcome::ALL`].
    pub(super) outcome: u8,
    pub(super) long_running: bool,
    pub(super) over: bool,
    pub(super) breaks: bool,
    pub(super) received: Option<i64>,
    /// The duration in microseconds.
    pub(super) took: Option<u64>,
}

impl Row {
    /// Adds a number of identical requests.
    pub(super) fn add(&mut self, seen: &Seen, times: u64) {
        let sum = |count: &mut u64| *count = count.saturating_add(times);
        sum(&mut self.requests);
        let class = usize::from(seen.code / 100).min(self.classes.len() - 1);
        sum(&mut self.classes[class]);
        self.outcomes.get_mut(usize::from(seen.outcome)).into_iter().for_each(sum);
        match (seen.long_running, seen.over) {
            (true, true) => sum(&mut self.long_running),
            (true, false) => {
                sum(&mut self.long_running);
                sum(&mut self.running);
            }
            (false, false) => sum(&mut self.unanswered),
            (false, true) => {
                if let Some(took) = seen.took {
                    self.latency.add(took);
                }
            }
        }
        if seen.breaks {
            sum(&mut self.breaks);
        }
        if seen.client != NOBODY {
            self.clients.insert(seen.client);
        }
        if let Some(time) = seen.received {
            self.first = Some(self.first.map_or(time, |first| first.min(time)));
            self.last = self.last.max(Some(time));
            self.timeline.add(time);
        }
    }

    /// Adds all counts of another row. `client` maps its client numbers to those of this tally.
    pub(super) fn merge(&mut self, other: &Self, client: impl Fn(u32) -> u32) {
        let sum = |own: &mut u64, its: u64| *own = own.saturating_add(its);
        sum(&mut self.requests, other.requests);
        self.classes.iter_mut().zip(other.classes).for_each(|(own, its)| sum(own, its));
        self.outcomes.iter_mut().zip(other.outcomes).for_each(|(own, its)| sum(own, its));
        sum(&mut self.long_running, other.long_running);
        sum(&mut self.running, other.running);
        sum(&mut self.unanswered, other.unanswered);
        sum(&mut self.breaks, other.breaks);
        self.latency.merge(&other.latency);
        other.clients.iter().for_each(|one| self.clients.insert(client(one)));
        self.first = [self.first, other.first].into_iter().flatten().min();
        self.last = self.last.max(other.last);
        self.timeline.merge(&other.timeline);
    }

    /// Returns the number of distinct clients.
    pub fn clients(&self) -> usize {
        self.clients.len()
    }

    /// Returns the number of responses with a 4xx and with a 5xx status.
    pub fn errors(&self) -> (u64, u64) {
        (self.classes[4], self.classes[5])
    }
}
