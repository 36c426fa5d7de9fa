//! Maps names to small numbers, with a limit on the number of names.

use std::collections::HashMap;

use foldhash::fast::FixedState;

/// The maximum number of names of one kind. Further ones become [`OTHERS`].
const MAX: usize = 16_384;

/// The maximum length of a name in bytes. Longer names are cut.
const LONGEST: usize = 512;

/// The number for all names beyond the limit.
pub(super) const OTHERS: u32 = 0;

/// Numbers for names, in order of appearance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Labels {
    numbers: HashMap<Box<str>, u32, FixedState>,
    names: Vec<Box<str>>,
}

impl Default for Labels {
    fn default() -> Self {
        Self { numbers: HashMap::default(), names: vec!["(others)".into()] }
    }
}

impl Labels {
    /// Returns the number of a name, and assigns one if it has none.
    pub(super) fn number(&mut self, name: &str) -> u32 {
        let mut end = name.len().min(LONGEST);
        while !name.is_char_boundary(end) {
            end -= 1;
        }
        let name = name.get(..end).unwrap_or(name);
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        if self.names.len() > MAX {
            return OTHERS;
        }
        let number = self.names.len() as u32;
        self.names.push(name.into());
        self.numbers.insert(name.into(), number);
        number
    }

    /// Returns the name of a number.
    pub(super) fn name(&self, number: u32) -> &str {
        self.names.get(number as usize).map_or("", |name| name)
    }

    /// Returns all names in the order of their numbers, without [`OTHERS`].
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().skip(1).map(|name| &**name)
    }

    /// Adds the names of `other`. Returns their numbers here, by their numbers there. [`OTHERS`]
    /// keeps its number.
    pub(super) fn adopt(&mut self, other: &Self) -> Vec<u32> {
        let own = other.names().map(|name| self.number(name));
        std::iter::once(OTHERS).chain(own).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_an_end_of_names() {
        let mut labels = Labels::default();
        let numbers: Vec<u32> = (0..MAX + 5).map(|n| labels.number(&n.to_string())).collect();
        assert_eq!((numbers[0], numbers[MAX - 1]), (1, MAX as u32));
        assert!(numbers[MAX..].iter().all(|number| *number == OTHERS));
        assert_eq!(labels.number("0"), 1);
        assert_eq!(labels.name(1), "0");
        let mut more = Labels::default();
        more.number("5");
        assert_eq!(more.adopt(&labels)[..3], [OTHERS, 2, 3]);
    }
}
