//! Joins the events of a request by its audit ID. The last stage wins.
//!
//! A request is counted when its last event is read. Until then it is open. What is still open at
//! the end is running, or was never answered. Parts of a log are joined the same way, in any order:
//! each part remembers the requests that ended in it and began elsewhere.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use serde::{Deserialize, Serialize};

use super::event::Stage;
use super::row::{Key, Seen};

/// The maximum number of open requests. Further ones are counted at once.
const MAX_OPEN: usize = 1 << 17;

/// The maximum number of remembered ends.
const MAX_ENDS: usize = 1 << 20;

/// The maximum number of remembered ends in a log without RequestReceived events. In such a log,
/// only long-running requests have two events.
const FEW_ENDS: usize = 1 << 16;

/// The requests of a log that may have further events, later or in another part of the log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Join {
    pub(super) open: HashMap<u64, Open, FixedState>,
    /// Requests that have ended. The first `FEW_ENDS` wait to be counted, because the log of
    /// another API server may contain the same request if it was proxied.
    pub(super) ended: HashMap<u64, Option<Ended>, FixedState>,
    /// Whether the log has RequestReceived events.
    pub(super) receives: bool,
    /// The number of ends that were not remembered.
    pub(super) forgotten: u64,
    /// The number of ends of requests that had already ended.
    pub(super) repeated: u64,
    /// The number of requests in the logs of two API servers, each counted once.
    pub(super) rerouted: u64,
}

/// A request that has ended and is not counted yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ended {
    pub(super) key: Key,
    pub(super) seen: Seen,
}

/// The longest time, in microseconds, between the arrivals of one request at two API servers.
const PROXIED_WITHIN: i64 = 60_000_000;

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
            // Long-running requests have a third event, which may be in another part. The first
            // ends are remembered to detect a log that was read twice, and requests that were
            // proxied.
            let ended = Ended { key: *key, seen: *seen };
            if !begun || seen.long_running || self.ended.len() < FEW_ENDS {
                return self.remember(id, seen.long_running, Some(ended)).is_some();
            }
            return true;
        }
        self.receives |= stage == Stage::RequestReceived;
        if self.ended.contains_key(&id) {
            return false;
        }
        let open = Open { started: stage == Stage::ResponseStarted, key: *key, seen: *seen };
        !self.insert(id, open)
    }

    /// Keeps an open request. Returns `false` if there is no room.
    fn insert(&mut self, id: u64, open: Open) -> bool {
        if self.open.len() >= MAX_OPEN && !self.open.contains_key(&id) {
            return false;
        }
        let kept = self.open.entry(id).or_insert(open);
        if open.started && !kept.started {
            *kept = open;
        }
        true
    }

    /// Remembers the end of a request. Returns the request if it has to be counted now.
    fn remember(&mut self, id: u64, long_running: bool, ended: Option<Ended>) -> Option<Ended> {
        if let Some(known) = self.ended.get_mut(&id) {
            let (Some(first), Some(again)) = (known.as_mut(), ended) else {
                self.repeated += 1;
                return ended;
            };
            let apart = first.seen.received.zip(again.seen.received);
            let apart = apart.map_or(0, |(one, other)| (one - other).abs());
            match apart {
                0 => self.repeated += 1,
                apart if apart <= PROXIED_WITHIN => self.rerouted += 1,
                // Clients may choose the ID, and reuse it.
                _ => {
                    self.repeated += 1;
                    return ended;
                }
            }
            // The server that the client asked received it first.
            let order = |one: &Ended| (one.seen.received, one.key);
            if order(&again) < order(first) {
                *first = again;
            }
            return None;
        }
        let most = if long_running || self.receives { MAX_ENDS } else { FEW_ENDS };
        if self.ended.len() >= most {
            self.forgotten += 1;
            return ended;
        }
        let waits = self.ended.len() < FEW_ENDS;
        self.ended.insert(id, ended.filter(|_| waits));
        ended.filter(|_| !waits)
    }

    /// Adds the requests of another part of the log. Returns those that have to be counted now.
    pub(super) fn merge(&mut self, other: Self) -> Vec<Ended> {
        self.receives |= other.receives;
        self.forgotten = self.forgotten.saturating_add(other.forgotten);
        self.repeated = self.repeated.saturating_add(other.repeated);
        self.rerouted = self.rerouted.saturating_add(other.rerouted);
        let mut counted = vec![];
        let opened = other.open.into_iter().filter(|(id, _)| !self.ended.contains_key(id));
        let opened: Vec<(u64, Open)> = opened.collect();
        let mut ended: Vec<(u64, Option<Ended>)> = other.ended.into_iter().collect();
        ended.sort_unstable_by_key(|(id, _)| *id);
        for (id, end) in ended {
            let begun = self.open.remove(&id).is_some_and(|open| !open.seen.long_running);
            if !begun || end.is_some() {
                counted.extend(self.remember(id, true, end));
            }
        }
        for (id, Open { key, seen, started }) in opened {
            if !self.insert(id, Open { key, seen, started }) {
                counted.push(Ended { key, seen });
            }
        }
        counted
    }

    /// Removes and returns the requests that have ended and wait to be counted.
    pub(super) fn drain(&mut self) -> Vec<Ended> {
        self.ended.values_mut().filter_map(Option::take).collect()
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
