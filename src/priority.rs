//! The orders of groups and versions, one named function per endpoint.
//!
//! They differ: the legacy document breaks ties by the name of an APIService, the aggregated one
//! by the name of the group, and `/openapi/v2` ignores version priorities. All are total, and none
//! depends on the order of its input.

use std::cmp::Ordering;
use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::model::{AGGREGATOR_GROUP, compare_versions};

/// The aggregator's own group in the aggregated document: above all that a manifest may ask for.
pub const AGGREGATOR_PRIORITY: i32 = 20_001;

/// One registered group version, as the orders see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Registered<'a> {
    /// The APIService's name.
    pub name: &'a str,
    /// Its group.
    pub group: &'a str,
    /// Its version.
    pub version: &'a str,
    /// `groupPriorityMinimum`
    pub group_priority: i32,
    /// `versionPriority`
    pub version_priority: i32,
}

/// A group in its place, with its versions in theirs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderedGroup<'a> {
    /// The group's name.
    pub name: &'a str,
    /// What put the group where it is: its highest priority, and who carries it.
    pub carrier: Registered<'a>,
    /// Its versions, preferred first.
    pub versions: Vec<Registered<'a>>,
}

/// The order of the legacy document `/apis`: the aggregator's own group, then groups by their
/// highest priority, equal ones by the name of the APIService that carries it.
///
/// The server puts its own group first without looking at the APIServices: one that is registered
/// in that group makes the document list the group a second time, in its place.
pub fn legacy<'a>(registered: impl IntoIterator<Item = Registered<'a>>) -> Vec<OrderedGroup<'a>> {
    let (own, services): (Vec<_>, Vec<_>) =
        registered.into_iter().partition(|r| r.name.is_empty() && r.group == AGGREGATOR_GROUP);
    let mut groups = grouped(services, by_priority_then_name, by_version_priority);
    groups.sort_unstable_by(|a, b| by_priority_then_name(&a.carrier, &b.carrier));
    let own = grouped(own, by_priority_then_name, by_version_priority);
    groups.splice(0..0, own);
    groups
}

/// The order of the aggregated document: groups by their highest priority, equal ones by name.
pub fn aggregated<'a>(
    registered: impl IntoIterator<Item = Registered<'a>>,
) -> Vec<OrderedGroup<'a>> {
    let mut groups = grouped(registered, by_priority_then_name, by_version_priority);
    groups.sort_unstable_by(|a, b| {
        let priority = b.carrier.group_priority.cmp(&a.carrier.group_priority);
        priority.then_with(|| a.name.cmp(b.name))
    });
    groups
}

/// The order in which `/openapi/v2` merges what is not local: groups by their highest priority,
/// and inside a group by the APIService's name. The server means to compare version priorities
/// there, but compares each with itself.
pub fn openapi_v2<'a>(
    registered: impl IntoIterator<Item = Registered<'a>>,
) -> Vec<OrderedGroup<'a>> {
    let mut groups = grouped(registered, by_priority_then_name, |a, b| a.name.cmp(b.name));
    groups.sort_unstable_by(|a, b| {
        let priority = b.carrier.group_priority.cmp(&a.carrier.group_priority);
        priority.then_with(|| a.name.cmp(b.name))
    });
    groups
}

/// Higher group priority first, then the APIService's name.
fn by_priority_then_name(a: &Registered<'_>, b: &Registered<'_>) -> Ordering {
    b.group_priority.cmp(&a.group_priority).then_with(|| a.name.cmp(b.name))
}

/// Higher version priority first, then version strings; names only to make the order total.
fn by_version_priority(a: &Registered<'_>, b: &Registered<'_>) -> Ordering {
    b.version_priority
        .cmp(&a.version_priority)
        .then_with(|| compare_versions(a.version, b.version))
        .then_with(|| a.name.cmp(b.name))
}

/// Collects versions under their groups; the carrier is the first by `carrier`.
fn grouped<'a>(
    registered: impl IntoIterator<Item = Registered<'a>>,
    carrier: fn(&Registered<'_>, &Registered<'_>) -> Ordering,
    versions: fn(&Registered<'_>, &Registered<'_>) -> Ordering,
) -> Vec<OrderedGroup<'a>> {
    let registered = registered.into_iter();
    let some = registered.size_hint().0 / 2;
    let mut groups: Vec<OrderedGroup<'a>> = Vec::with_capacity(some);
    let mut places: HashMap<&str, usize, FixedState> =
        HashMap::with_capacity_and_hasher(some, FixedState::default());
    for one in registered {
        let place = *places.entry(one.group).or_insert_with(|| {
            groups.push(OrderedGroup { name: one.group, carrier: one, versions: vec![] });
            groups.len() - 1
        });
        let Some(group) = groups.get_mut(place) else { continue };
        if carrier(&one, &group.carrier).is_lt() {
            group.carrier = one;
        }
        group.versions.push(one);
    }
    for group in &mut groups {
        group.versions.sort_unstable_by(versions);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(order: fn(Vec<Registered<'_>>) -> Vec<OrderedGroup<'_>>, input: &str, want: &str) {
        let registered = input.lines().map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let (version, group) = words[0].split_once('.').unwrap();
            // What no APIService stands for has no name.
            let own = words.get(3) == Some(&"own");
            Registered {
                name: if own { "" } else { words[0] },
                group,
                version,
                group_priority: words[1].parse().unwrap(),
                version_priority: words[2].parse().unwrap(),
            }
        });
        let got: Vec<String> = order(registered.collect())
            .iter()
            .map(|g| {
                let versions: Vec<&str> = g.versions.iter().map(|v| v.version).collect();
                format!("{}: {}", g.name, versions.join(" "))
            })
            .collect();
        assert_eq!(got.join("\n"), want);
    }

    const SAMPLE: &str = "v1alpha1.a 1000 100\nv1.b 1000 100\nv2.c 900 10\nv1.c 2000 20\nv1.apiregistration.k8s.io 1 1 own\nv2.b 1000 100\nv1beta1.b 1 1000";

    #[test]
    fn legacy_breaks_ties_by_api_service_name() {
        check(
            |r| legacy(r),
            SAMPLE,
            "apiregistration.k8s.io: v1\nc: v1 v2\nb: v1beta1 v2 v1\na: v1alpha1",
        );
    }

    #[test]
    fn legacy_lists_an_intruder_in_the_own_group_apart() {
        check(
            |r| legacy(r),
            "v1.apiregistration.k8s.io 20001 1 own\nv9.apiregistration.k8s.io 500 9\nv1.a 900 1\nv1.b 400 1",
            "apiregistration.k8s.io: v1\na: v1\napiregistration.k8s.io: v9\nb: v1",
        );
    }

    #[test]
    fn aggregated_breaks_ties_by_group_name() {
        check(
            |r| aggregated(r),
            SAMPLE,
            "c: v1 v2\na: v1alpha1\nb: v1beta1 v2 v1\napiregistration.k8s.io: v1",
        );
    }

    #[test]
    fn openapi_ignores_version_priorities() {
        check(
            |r| openapi_v2(r),
            SAMPLE,
            "c: v1 v2\na: v1alpha1\nb: v1 v1beta1 v2\napiregistration.k8s.io: v1",
        );
    }

    proptest! {
        #[test]
        fn orders_do_not_depend_on_input_order(
            rows in proptest::collection::vec(("[a-c]{1,2}", "(v[0-9]|v[0-9]beta1|[a-z]{2})", 0..3i32, 0..3i32), 0..12),
            seed in any::<prop::sample::Index>(),
        ) {
            let names: Vec<String> = rows.iter().map(|r| format!("{}.{}", r.1, r.0)).collect();
            let mut seen = std::collections::BTreeSet::new();
            let all: Vec<Registered<'_>> = rows.iter().zip(&names)
                .filter(|(_, name)| seen.insert(name.as_str()))
                .map(|(r, name)| Registered { name, group: &r.0, version: &r.1, group_priority: r.2, version_priority: r.3 })
                .collect();
            let mut turned = all.clone();
            if !turned.is_empty() {
                let by = seed.index(turned.len());
                turned.rotate_left(by);
                turned.reverse();
            }
            prop_assert_eq!(legacy(all.clone()), legacy(turned.clone()));
            prop_assert_eq!(aggregated(all.clone()), aggregated(turned.clone()));
            prop_assert_eq!(openapi_v2(all), openapi_v2(turned));
        }
    }
}
