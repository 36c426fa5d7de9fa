//! Finds which groups move between two orders of API groups.

use std::collections::{BTreeMap, BTreeSet};

/// A changed order of groups in one discovery form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderChange {
    /// `legacy` or `aggregated`.
    pub form: &'static str,
    /// The order on the first side.
    pub before: Vec<String>,
    /// The order on the second side.
    pub after: Vec<String>,
}

impl OrderChange {
    /// Returns the minimal set of groups that must move to turn one order into the other. Each
    /// comes with the group that precedes it afterwards.
    pub fn moved(&self) -> Vec<(&str, Option<&str>)> {
        let after: BTreeMap<&str, usize> =
            self.after.iter().enumerate().map(|(place, g)| (g.as_str(), place)).collect();
        let common: Vec<(&str, usize)> = (self.before.iter())
            .filter_map(|g| Some((g.as_str(), *after.get(g.as_str())?)))
            .collect();
        let staying = longest_rise(&common);
        let mut movers: Vec<(&str, usize)> =
            common.into_iter().filter(|(group, _)| !staying.contains(group)).collect();
        movers.sort_by_key(|(_, place)| *place);
        let neighbour = |place: usize| self.after.get(place.checked_sub(1)?).map(String::as_str);
        movers.into_iter().map(|(group, place)| (group, neighbour(place))).collect()
    }
}

/// Returns the longest increasing subsequence of places: these groups do not move. Patience
/// sorting, O(n log n).
fn longest_rise<'a>(groups: &[(&'a str, usize)]) -> BTreeSet<&'a str> {
    // `ends`: per length, the last index of the run with the lowest end. `before`: each index's
    // predecessor.
    let mut ends: Vec<usize> = vec![];
    let mut before: Vec<Option<usize>> = Vec::with_capacity(groups.len());
    let place = |index: usize| groups.get(index).map_or(usize::MAX, |(_, place)| *place);
    for index in 0..groups.len() {
        let length = ends.partition_point(|end| place(*end) < place(index));
        before.push(length.checked_sub(1).and_then(|i| ends.get(i).copied()));
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut found = BTreeSet::new();
    let mut next = ends.last().copied();
    while let Some(index) = next {
        found.extend(groups.get(index).map(|(group, _)| *group));
        next = before.get(index).copied().flatten();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fewest_groups_move() {
        let check = |before: &str, after: &str, moved: &[(&str, Option<&str>)]| {
            let words = |text: &str| text.split(' ').map(str::to_owned).collect();
            let change = OrderChange { form: "legacy", before: words(before), after: words(after) };
            assert_eq!(change.moved(), moved, "{before} → {after}");
        };
        check("a b c", "a b c", &[]);
        check("a b c d", "b c d a", &[("a", Some("d"))]);
        check("a b c d", "d a b c", &[("d", None)]);
        check("a b c", "a x b c", &[]);
        check("a b c d", "c d a b", &[("a", Some("d")), ("b", Some("a"))]);
    }
}
