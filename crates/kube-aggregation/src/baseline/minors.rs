//! Sets of Kubernetes minor versions, written as `25-28,34-`.

use std::fmt;

use crate::model::Minor;

/// A set of minors of Kubernetes 1. Bit n is 1.n.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Minors(u64);

impl Minors {
    /// Parses `25-28,34-`. A range without an end is open.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let number = |text: &str| text.parse::<u32>().ok().filter(|n| *n < u64::BITS);
        let mut bits = 0;
        for part in text.split(',') {
            let (first, last) = match part.split_once('-') {
                None => (number(part)?, number(part)?),
                Some((first, "")) => (number(first)?, u64::BITS - 1),
                Some((first, last)) => (number(first)?, number(last)?),
            };
            bits |= (u64::MAX << first) & (u64::MAX >> (u64::BITS - 1 - last));
        }
        Some(Self(bits))
    }

    /// Returns whether the set contains 1.n.
    pub fn contains(self, minor: Minor) -> bool {
        minor.minor < u64::BITS && self.0 >> minor.minor & 1 == 1
    }

    /// Returns the union of both sets.
    #[must_use]
    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Formats the set relative to `all` known minors. A range covers consecutive elements of
    /// `all`, and a range up to the last one has no end.
    pub(super) fn written(self, all: &[Minor]) -> String {
        let mut parts = vec![];
        for run in all.chunk_by(|a, b| self.contains(*a) == self.contains(*b)) {
            let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
            if !self.contains(*first) {
                continue;
            }
            parts.push(match (first.minor, last.minor) {
                (first, _) if Some(last) == all.last() => format!("{first}-"),
                (first, last) if first == last => first.to_string(),
                (first, last) => format!("{first}-{last}"),
            });
        }
        parts.join(",")
    }
}

impl FromIterator<Minor> for Minors {
    fn from_iter<I: IntoIterator<Item = Minor>>(minors: I) -> Self {
        let bits = minors.into_iter().filter(|m| m.minor < u64::BITS).map(|m| 1 << m.minor);
        Self(bits.fold(0, |all, bit| all | bit))
    }
}

impl fmt::Display for Minors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written(&super::MINORS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_as_written() {
        for text in ["25", "25-", "25-28", "25,34-", "28-30,32,35-36", "37-"] {
            let minors = Minors::parse(text).unwrap();
            assert_eq!(minors.to_string(), text);
        }
        let some = Minors::parse("25-28,34-").unwrap();
        let has = |minor| some.contains(Minor::new(minor));
        assert_eq!([24, 25, 26, 28, 29, 33, 34, 63, 64].map(has), {
            [false, true, true, true, false, false, true, true, false]
        });
        for text in ["", "x", "25-x", "64", "-3"] {
            assert_eq!(Minors::parse(text), None, "{text}");
        }
    }
}
