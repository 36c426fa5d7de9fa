//! The counts of a log, with everything needed to add up the counts of several parts.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::coverage::Coverage;
use super::event::Stage;
use super::join::{Join, Open};
use super::labels::Labels;
use super::question::Dimension;
use super::row::{Key, Row, Seen};

/// The key for all requests beyond the row limit.
pub(super) const OTHERS: Key = [u32::MAX; Dimension::COUNT];

/// The maximum number of rows.
const MAX_ROWS: usize = 4_096;

/// The counts of part of a log. The tallies of all parts add up to the tally of the whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    pub(super) labels: [Labels; Dimension::COUNT],
    pub(super) rows: HashMap<Key, Row, FixedState>,
    pub(super) join: Join,
    /// What the log covers.
    pub coverage: Coverage,
    /// In a comparison: the number of requests with an unchanged outcome.
    pub same: u64,
}

/// Returns the index of the labels of a dimension; `None` if its numbers are the values themselves.
pub(super) fn names(dimension: Dimension) -> Option<usize> {
    match dimension {
        Dimension::Status | Dimension::Hour => None,
        // The two share their labels, since they are compared.
        Dimension::Then => Some(Dimension::Now as usize),
        other => Some(other as usize),
    }
}

impl Tally {
    /// Counts one event of a request.
    pub(super) fn take(&mut self, audit_id: &[u8], stage: Stage, key: &Key, seen: &Seen) {
        if self.join.take(audit_id, stage, key, seen) {
            self.count(key, seen, 1);
        }
    }

    /// Counts a number of identical requests.
    pub(super) fn count(&mut self, key: &Key, seen: &Seen, times: u64) {
        if is_same(key) {
            self.same = self.same.saturating_add(times);
        } else {
            self.row(*key).add(seen, times);
        }
    }

    fn row(&mut self, key: Key) -> &mut Row {
        let full = self.rows.len() >= MAX_ROWS && !self.rows.contains_key(&key);
        self.rows.entry(if full { OTHERS } else { key }).or_default()
    }

    /// Adds another part of the same log.
    pub fn merge(&mut self, other: Self) {
        let renumbered: Vec<Vec<u32>> =
            self.labels.iter_mut().zip(&other.labels).map(|(own, its)| own.adopt(its)).collect();
        let number = |at: usize, number: u32| {
            renumbered.get(at).and_then(|all| all.get(number as usize)).copied().unwrap_or(number)
        };
        let client = |its: u32| number(Dimension::Client as usize, its);
        let own_key = |key: &Key| {
            let mut own = *key;
            for dimension in Dimension::ALL {
                if let Some(at) = names(dimension) {
                    own[dimension as usize] = number(at, own[dimension as usize]);
                }
            }
            own
        };
        for (key, row) in &other.rows {
            let key = own_key(key);
            self.row(key).merge(row, client);
        }
        let mut join = other.join;
        for open in join.open.values_mut() {
            open.key = own_key(&open.key);
            open.seen.client = client(open.seen.client);
        }
        for ended in join.ended.values_mut().flatten() {
            ended.key = own_key(&ended.key);
            ended.seen.client = client(ended.seen.client);
        }
        for ended in self.join.merge(join) {
            self.count(&ended.key, &ended.seen, 1);
        }
        self.coverage.merge(other.coverage);
        self.same = self.same.saturating_add(other.same);
    }

    /// Returns the tally with all ended requests counted. They are no longer joined with those of
    /// other logs.
    pub(super) fn counted(&self) -> Self {
        let mut end = self.clone();
        for ended in end.join.drain() {
            end.count(&ended.key, &ended.seen, 1);
        }
        end
    }

    /// Returns the tally at the end of the log. Open requests are still running or were never
    /// answered.
    pub(super) fn settled(&self) -> Self {
        let mut end = self.counted();
        let open: Vec<Open> = end.join.open.drain().map(|(_, open)| open).collect();
        for open in open {
            end.count(&open.key, &open.seen, 1);
        }
        end
    }
}

/// Returns whether the two routes were compared and are equal.
fn is_same(key: &Key) -> bool {
    let (now, then) = (key[Dimension::Now as usize], key[Dimension::Then as usize]);
    now == then && now == SAME
}

/// The number for a route that did not change.
pub(super) const SAME: u32 = u32::MAX - 1;
