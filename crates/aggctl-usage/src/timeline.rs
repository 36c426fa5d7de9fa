//! Counts requests over time, in at most 64 steps.

use serde::{Deserialize, Serialize};

/// The maximum number of steps.
const MAX: i64 = 64;

/// The shortest step: a minute, in microseconds.
const MINUTE: i64 = 60_000_000;

/// Counts in steps of a minute times a power of two. The width of the steps depends only on the
/// first and the last time, so the order of adding and merging does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timeline {
    doublings: u32,
    first: i64,
    counts: Vec<u64>,
}

impl Timeline {
    /// Counts one request at a time in microseconds.
    pub fn add(&mut self, micros: i64) {
        self.count(micros.div_euclid(MINUTE).clamp(-LATEST, LATEST), 1);
    }

    /// Adds all counts of another timeline.
    pub fn merge(&mut self, other: &Self) {
        self.widen(other.doublings);
        for (step, count) in (other.first..).zip(&other.counts).filter(|(_, count)| **count > 0) {
            // A partial result from a file may contain any step.
            self.count(step.saturating_mul(1 << other.doublings).clamp(-LATEST, LATEST), *count);
        }
    }

    /// Returns the counts in the steps of `whole`, which must cover the time span of this timeline.
    pub fn along(&self, whole: &Self) -> Vec<u64> {
        let mut steps = vec![0; whole.counts.len()];
        let narrower = whole.doublings.saturating_sub(self.doublings);
        for (step, count) in (self.first..).zip(&self.counts) {
            let at = usize::try_from((step >> narrower) - whole.first);
            if let Some(slot) = at.ok().and_then(|at| steps.get_mut(at)) {
                *slot += count;
            }
        }
        steps
    }

    /// Returns the counts per step.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Returns the width of a step in minutes.
    pub fn minutes(&self) -> u64 {
        1 << self.doublings
    }

    /// Returns whether this can result from adding requests.
    pub(super) fn is_sound(&self) -> bool {
        self.doublings <= WIDEST && self.counts.len() <= MAX as usize && self.first.abs() <= LATEST
    }

    fn count(&mut self, minute: i64, count: u64) {
        if self.counts.is_empty() {
            self.first = minute >> self.doublings;
        }
        loop {
            let step = minute >> self.doublings;
            let last = self.first + self.counts.len() as i64 - 1;
            if step.max(last) - step.min(self.first) < MAX {
                break;
            }
            self.widen(self.doublings + 1);
        }
        let step = minute >> self.doublings;
        if step < self.first {
            let more = (self.first - step) as usize;
            self.counts.splice(0..0, std::iter::repeat_n(0, more));
            self.first = step;
        }
        let at = (step - self.first) as usize;
        if at >= self.counts.len() {
            self.counts.resize(at + 1, 0);
        }
        self.counts[at] = self.counts[at].saturating_add(count);
    }

    fn widen(&mut self, doublings: u32) {
        let by = doublings.min(WIDEST).saturating_sub(self.doublings);
        if by == 0 {
            return;
        }
        self.doublings += by;
        let first = self.first;
        let counts = std::mem::take(&mut self.counts);
        self.first >>= by;
        for (step, count) in (first..).zip(counts) {
            let at = ((step >> by) - self.first) as usize;
            if at >= self.counts.len() {
                self.counts.resize(at + 1, 0);
            }
            self.counts[at] += count;
        }
    }
}

/// The maximum number of times that the step of one minute is doubled.
const WIDEST: u32 = 22;

/// The maximum distance of a step from 1970, in minutes.
const LATEST: i64 = 1 << 26;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(minutes: &[i64]) -> Timeline {
        let mut line = Timeline::default();
        minutes.iter().for_each(|minute| line.add(minute * MINUTE));
        line
    }

    #[test]
    fn steps_widen_with_the_span() {
        assert_eq!((of(&[5, 5, 7]).counts(), of(&[5, 7]).minutes()), (&[2, 0, 1][..], 1));
        let day = of(&[0, 1, 1_439]);
        assert_eq!((day.minutes(), day.counts().len(), day.counts()[0]), (32, 45, 2));
        assert_eq!(of(&[1, 2]).along(&day)[0], 2);
    }

    proptest! {
        #[test]
        fn order_and_parts_do_not_matter(mut minutes in proptest::collection::vec(0i64..100_000, 1..60), cut in 0usize..60) {
            let whole = of(&minutes);
            let cut = cut.min(minutes.len());
            let mut merged = of(&minutes[cut..]);
            merged.merge(&of(&minutes[..cut]));
            prop_assert_eq!(&merged, &whole);
            minutes.reverse();
            prop_assert_eq!(&of(&minutes), &whole);
            prop_assert!(whole.counts().len() <= 64);
            prop_assert_eq!(whole.along(&whole), whole.counts());
        }
    }
}
