//! A histogram of latencies that merges without loss.
//!
//! Each power of two is divided into 32 equal buckets, so the error of a quantile is at most 1.6 %,
//! no matter how many histograms were merged.

use serde::{Deserialize, Serialize};

/// The number of buckets per power of two, as a power of two.
const BITS: u32 = 5;

/// Times in microseconds, counted per bucket, beginning with the first used bucket.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Histogram {
    first: u32,
    counts: Vec<u64>,
}

impl Histogram {
    /// The maximum relative error of a quantile.
    pub const ERROR: f64 = 1.0 / (1u64 << (BITS + 1)) as f64;

    /// Adds one time.
    pub fn add(&mut self, micros: u64) {
        *self.slot(bucket(micros)) += 1;
    }

    /// Adds all times of another histogram.
    pub fn merge(&mut self, other: &Self) {
        for (index, count) in (other.first..).zip(&other.counts).filter(|(_, count)| **count > 0) {
            let slot = self.slot(index.min(LAST));
            *slot = slot.saturating_add(*count);
        }
    }

    /// Returns the time that this share of all times did not exceed, in microseconds; `None` if
    /// empty.
    pub fn quantile(&self, share: f64) -> Option<u64> {
        let all: u64 = self.counts.iter().sum();
        let rank = (all as f64 * share).ceil().max(1.0) as u64;
        let mut seen = 0;
        for (index, count) in (self.first..).zip(&self.counts) {
            seen += count;
            if seen >= rank {
                return Some(middle(index));
            }
        }
        None
    }

    /// Returns whether this can result from adding times.
    pub(super) fn is_sound(&self) -> bool {
        self.first as usize + self.counts.len() <= LAST as usize + 1
    }

    fn slot(&mut self, index: u32) -> &mut u64 {
        if self.counts.is_empty() {
            self.first = index;
        }
        if index < self.first {
            let more = (self.first - index) as usize;
            self.counts.splice(0..0, std::iter::repeat_n(0, more));
            self.first = index;
        }
        let at = (index - self.first) as usize;
        if at >= self.counts.len() {
            self.counts.resize(at + 1, 0);
        }
        &mut self.counts[at]
    }
}

/// The bucket of the longest time.
const LAST: u32 = ((64 - BITS) << BITS) + (1 << BITS) - 1;

fn bucket(value: u64) -> u32 {
    let octave = 63 - (value | 1).leading_zeros();
    if octave < BITS {
        return value as u32;
    }
    let shift = octave - BITS;
    ((shift + 1) << BITS) + ((value >> shift) as u32 & ((1 << BITS) - 1))
}

/// Returns the value in the middle of a bucket.
fn middle(index: u32) -> u64 {
    if index < 1 << BITS {
        return index.into();
    }
    let shift = ((index >> BITS) - 1).min(63 - BITS);
    let low = (u64::from(index & ((1 << BITS) - 1)) | 1 << BITS) << shift;
    low + (1u64 << shift) / 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn quantiles() {
        let mut all = Histogram::default();
        assert_eq!(all.quantile(0.5), None);
        (1..=1000).for_each(|value| all.add(value));
        let near = |share: f64, want: f64| {
            let got = all.quantile(share).unwrap() as f64;
            assert!((got - want).abs() <= want * Histogram::ERROR + 1.0, "{got} {want}");
        };
        near(0.5, 500.0);
        near(0.99, 990.0);
        near(1.0, 1000.0);
    }

    proptest! {
        #[test]
        fn a_value_is_near_its_bucket(value in any::<u64>()) {
            let found = middle(bucket(value));
            prop_assert!(bucket(value) <= LAST);
            prop_assert!(found.abs_diff(value) as f64 <= value as f64 * Histogram::ERROR);
        }

        #[test]
        fn adding_up_is_adding_all(a in proptest::collection::vec(0u64..1 << 40, 0..50), b in proptest::collection::vec(0u64..1 << 40, 0..50)) {
            let of = |values: &[u64]| {
                let mut one = Histogram::default();
                values.iter().for_each(|value| one.add(*value));
                one
            };
            let (mut merged, mut swapped) = (of(&a), of(&b));
            merged.merge(&of(&b));
            swapped.merge(&of(&a));
            prop_assert_eq!(&merged, &of(&[a, b].concat()));
            prop_assert_eq!(merged, swapped);
        }
    }
}
