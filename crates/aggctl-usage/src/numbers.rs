//! A set of small numbers, stored as a bit set.

use serde::{Deserialize, Serialize};

use super::labels::OTHERS;

/// The largest valid number. Files may contain any number.
const LARGEST: u32 = 1 << 16;

/// A set of label numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<u32>", into = "Vec<u32>")]
pub(super) struct Numbers(Vec<u64>);

impl Numbers {
    pub(super) fn insert(&mut self, number: u32) {
        let number = if number > LARGEST { OTHERS } else { number };
        let word = number as usize / 64;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (number % 64);
    }

    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = u32> {
        let bits = |(at, word): (usize, &u64)| {
            let word = *word;
            (0..64u32).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at as u32 * 64 + bit)
        };
        self.0.iter().enumerate().flat_map(bits)
    }
}

impl From<Vec<u32>> for Numbers {
    fn from(numbers: Vec<u32>) -> Self {
        let mut all = Self::default();
        numbers.into_iter().for_each(|number| all.insert(number));
        all
    }
}

impl From<Numbers> for Vec<u32> {
    fn from(numbers: Numbers) -> Self {
        numbers.iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_in_it_once() {
        let set = Numbers::from(vec![3, 64, 3, u32::MAX, 16_384]);
        assert_eq!(set.iter().collect::<Vec<_>>(), [OTHERS, 3, 64, 16_384]);
        assert_eq!(set.len(), 4);
        assert_eq!(Numbers::from(Vec::from(set.clone())), set);
    }
}
