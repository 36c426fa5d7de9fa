//! What a log covers, so that the report claims no more than that.

use serde::{Deserialize, Serialize};

use super::event::{Event, Stage};
use super::metrics::Metrics;

/// What was read, and what was not recognized.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Coverage {
    /// The number of audit events.
    pub events: u64,
    /// Events by stage: received, started, complete, panic.
    pub stages: [u64; 4],
    /// The time of the first event, in microseconds since 1970.
    pub first: Option<i64>,
    /// The time of the last event.
    pub last: Option<i64>,
    /// Events that do not match the question's time, client or APIService.
    pub left_out: u64,
    /// Lines without an event.
    pub not_understood: u64,
    /// The beginning of one such line.
    pub example: Option<String>,
    /// What the metrics of an API server show, if any were read.
    pub metrics: Option<Metrics>,
}

/// The maximum length of the example, in bytes.
const EXAMPLE: usize = 120;

impl Coverage {
    pub(super) fn take(&mut self, event: &Event<'_>) {
        self.events += 1;
        self.stages[match event.stage {
            Stage::RequestReceived => 0,
            Stage::ResponseStarted => 1,
            Stage::ResponseComplete => 2,
            Stage::Panic => 3,
        }] += 1;
        if let Some(time) = event.at.or(event.received) {
            self.first = Some(self.first.map_or(time, |first| first.min(time)));
            self.last = self.last.max(Some(time));
        }
    }

    /// Counts a line without an event. Keeps the alphabetically first example, so that the order of
    /// lines does not matter.
    pub(super) fn miss(&mut self, line: &[u8]) {
        self.not_understood += 1;
        let start = line.trim_ascii();
        let start = start.get(..EXAMPLE).unwrap_or(start);
        if self.example.as_ref().is_none_or(|kept| start < kept.as_bytes()) {
            self.example(String::from_utf8_lossy(start).into_owned());
        }
    }

    fn example(&mut self, example: String) {
        if self.example.as_ref().is_none_or(|kept| example < *kept) {
            self.example = Some(example);
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.events = self.events.saturating_add(other.events);
        for (own, its) in self.stages.iter_mut().zip(other.stages) {
            *own = own.saturating_add(its);
        }
        self.first = [self.first, other.first].into_iter().flatten().min();
        self.last = self.last.max(other.last);
        self.left_out = self.left_out.saturating_add(other.left_out);
        self.not_understood = self.not_understood.saturating_add(other.not_understood);
        if let Some(metrics) = other.metrics {
            self.metrics.get_or_insert_default().merge(metrics);
        }
        if let Some(example) = other.example {
            self.example(example);
        }
    }
}
