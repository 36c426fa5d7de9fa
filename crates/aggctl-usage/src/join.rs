//! Joins the events of a request by its audit ID. The last stage wins.
//!
//! A request is counted when its last event is read. Until then it is open. What is still open at
//! the end is running, or was never answered. Parts of a log are joined the same way, in any order:
//! each part remembers the requests that ended in it and began elsewhere.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;
use serde::{Deserialize, Serialize};

use super::event::Stage;
use super::row::{Key, Seen};

/// The maximum number of open requests. Further ones are counted at once.
const MOST_OPEN: usize = 1 << 17;

/// The maximum number of remembered ends.
const MOST_ENDS: usize = 1 << 20;

/// The same for a log without RequestReceived events, in which only long-running requests have two
/// events.
const FEW_ENDS: usize = 1 << 16;

/// Requests with other events elsewhere or later.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Join {
    pub(super) open: HashMap<u64, Open, FixedState>,
    pub(super) ended: HashSet<u64, FixedState>,
    /// Whether the log has RequestReceived events.
    pub(super) receives: bool,
    /// The number of ends that were not remembered.
    pub(super) forgotten: u64,
    /// The number of ends of requests that had already ended.
    pub(super) repeated: u64,
}

/// A request that has not ended yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Open {
    /// Whether the response has begun.
    pub(super) started: bool,
    pub(super) key: Key,
    pub(super) seen: Seen,
}

impl Join {
    /// Adds one event. Returns whether the request has to be counted now.
    pub(super) fn take(&mut self, audit_id: &[u8], stage: Stage, key: &Key, seen: &Seen) -> bool {
        if audit_id.is_empty() {
            return true;
        }
        let id = number(audit_id);
        if stage.is_last() {
            let begun = !self.open.is_empty() && self.open.remove(&id).is_some();
            // Long-running requests have a third event, which may be elsewhere. The first ends are
            // remembered to detect a log that is read twice.
            if !begun || seen.long_running || self.ended.len() < FEW_ENDS {
                self.remember(id, seen.long_running);
            }
            return true;
        }
        self.receives |= stage == Stage::RequestReceived;
        if self.ended.contains(&id) {
            return false;
        }
        let open = Open { started: stage == Stage::ResponseStarted, key: *key, seen: *seen };
        !self.insert(id, open)
    }

    /// Keeps an open request. Returns `false` if there is no room.
    fn insert(&mut self, id: u64, open: Open) -> bool {
        if self.open.len() >= MOST_OPEN && !self.open.contains_key(&id) {
            return false;
        }
        let kept = self.open.entry(id).or_insert(open);
        if open.started && !kept.started {
            *kept = open;
        }
        true
    }

    fn remember(&mut self, id: u64, long_running: bool) {
        let most = if long_running || self.receives { MOST_ENDS } else { FEW_ENDS };
        if self.ended.len() < most {
            self.repeated += u64::from(!self.ended.insert(id));
        } else {
            self.forgotten += 1;
        }
    }

    /// Adds the requests of another part of the log. Returns those for which there is no room.
    pub(super) fn merge(&mut self, other: Self) -> Vec<Open> {
        self.receives |= other.receives;
        self.forgotten = self.forgotten.saturating_add(other.forgotten);
        self.repeated = self.repeated.saturating_add(other.repeated);
        let mut no_room = vec![];
        let opened = other.open.into_iter().filter(|(id, _)| !self.ended.contains(id));
        let opened: Vec<(u64, Open)> = opened.collect();
        for id in other.ended {
            if self.open.remove(&id).is_none_or(|open| open.seen.long_running) {
                self.remember(id, true);
            }
        }
        for (id, open) in opened {
            if !self.insert(id, open) {
                no_room.push(open);
            }
        }
        no_room
    }
}

/// Hashes an audit ID, with the same result on every machine.
fn number(id: &[u8]) -> u64 {
    const PRIME: u64 = 0x9e37_79b9_7f4a_7c15;
    let (chunks, rest) = id.as_chunks::<8>();
    let mix = |hash: u64, part: u64| (hash ^ part).wrapping_mul(PRIME).rotate_left(29);
    let hash = chunks.iter().fold(PRIME, |hash, chunk| mix(hash, u64::from_le_bytes(*chunk)));
    mix(rest.iter().fold(hash, |hash, byte| mix(hash, u64::from(*byte))), id.len() as u64)
}
