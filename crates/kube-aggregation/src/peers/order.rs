//! Merges ordered lists so that each list keeps its order. Names decide the rest.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// Merges lists as the server does. Uses the first list that has all items, or else a topological
/// sort that takes the smallest name first. If the lists contradict each other, sorts by name.
pub(super) fn merged<'a>(lists: &[Vec<&'a str>]) -> Vec<&'a str> {
    let mut followers: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for list in lists {
        for (index, item) in list.iter().enumerate() {
            followers.entry(item).or_default().extend(list.get(index + 1));
        }
    }
    let has_all = |list: &&Vec<&str>| {
        list.len() == followers.len() && list.iter().collect::<BTreeSet<_>>().len() == list.len()
    };
    if let Some(list) = lists.iter().find(has_all) {
        return list.clone();
    }
    let mut before: BTreeMap<&str, usize> = followers.keys().map(|item| (*item, 0)).collect();
    for item in followers.values().flatten() {
        *before.entry(item).or_default() += 1;
    }
    let mut free: BinaryHeap<Reverse<&str>> =
        before.iter().filter(|(_, count)| **count == 0).map(|(item, _)| Reverse(*item)).collect();
    let mut order = vec![];
    while let Some(Reverse(item)) = free.pop() {
        order.push(item);
        for next in followers.get(item).into_iter().flatten() {
            if let Some(count) = before.get_mut(next) {
                *count -= 1;
                if *count == 0 {
                    free.push(Reverse(next));
                }
            }
        }
    }
    if order.len() < followers.len() { followers.into_keys().collect() } else { order }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_keeps_its_order() {
        let check = |lists: &[&str], want: &str| {
            let lists: Vec<Vec<&str>> =
                lists.iter().map(|list| list.split_whitespace().collect()).collect();
            assert_eq!(merged(&lists).join(" "), want, "{lists:?}");
        };
        check(&[], "");
        check(&["c a b"], "c a b");
        check(&["a c", "b a c"], "b a c");
        check(&["v1 v1beta1", "v1 v1alpha1"], "v1 v1alpha1 v1beta1");
        check(&["a b c d", "a b c d", "a x z d", "z y", "q"], "a b c q x z d y");
        check(&["c d e", "b d e"], "b c d e");
        // A cycle, then a list that has all items although it contradicts another.
        check(&["a b", "c d", "b a"], "a b c d");
        check(&["b a", "a b"], "b a");
    }
}
