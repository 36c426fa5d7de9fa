//! The orders of groups and versions, one named function per endpoint.
//!
//! They differ: the legacy document breaks ties by the name of an APIService, the aggregated one
//! by the name of the group, and `/openapi/v2` ignores version priorities. All are total, and none
//! depends on the order of its input.

use std::cmp::Ordering;
use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::model::compare_versions;

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
pub fn legacy<'a>(
    own: impl IntoIterator<Item = Registered<'a>>,
    services: impl IntoIterator<Item = Registered<'a>>,
) -> Vec<OrderedGroup<'a>> {
    let mut groups = grouped(own, by_version_priority, by_priority_then_name);
    groups.extend(grouped(services, by_version_priority, by_priority_then_name));
    groups
}

/// The order of the aggregated document: groups by their highest priority, equal ones by name.
pub fn aggregated<'a>(
    registered: impl IntoIterator<Item = Registered<'a>>,
) -> Vec<OrderedGroup<'a>> {
    grouped(registered, by_version_priority, by_priority_then_group)
}

/// The order in which `/openapi/v2` merges what is not local: groups by their highest priority,
/// and inside a group by the APIService's name. The server means to compare version priorities
/// there, but compares each with itself.
pub fn openapi_v2<'a>(
    registered: impl IntoIterator<Item = Registered<'a>>,
) -> Vec<OrderedGroup<'a>> {
    grouped(registered, |a, b| a.name.cmp(b.name), by_priority_then_group)
}

/// Higher group priority first, then the APIService's name.
fn by_priority_then_name(a: &Registered<'_>, b: &Registered<'_>) -> Ordering {
    b.group_priority.cmp(&a.group_priority).then_with(|| a.name.cmp(b.name))
}

/// Higher group priority first, then the group's name.
fn by_priority_then_group(a: &Registered<'_>, b: &Registered<'_>) -> Ordering {
    b.group_priority.cmp(&a.group_priority).then_with(|| a.group.cmp(b.group))
}

/// Higher version priority first, then version strings; names only to make the order total.
fn by_version_priority(a: &Registered<'_>, b: &Registered<'_>) -> Ordering {
    b.version_priority
        .cmp(&a.version_priority)
        .then_with(|| compare_versions(a.version, b.version))
        .then_with(|| a.name.cmp(b.name))
}

/// Collects versions under their groups, and sorts both: the groups by those that carry them.
fn grouped<'a>(
    registered: impl IntoIterator<Item = Registered<'a>>,
    versions: impl Fn(&Registered<'_>, &Registered<'_>) -> Ordering,
    groups: impl Fn(&Registered<'_>, &Registered<'_>) -> Ordering,
) -> Vec<OrderedGroup<'a>> {
    // First who belongs to which group, so that no group has to grow.
    let mut numbers: HashMap<&str, usize, FixedState> = HashMap::default();
    let mut carriers: Vec<(Registered<'a>, usize)> = vec![];
    let mut members: Vec<(usize, Registered<'a>)> = vec![];
    for one in registered {
        let number = *numbers.entry(one.group).or_insert_with(|| {
            carriers.push((one, 0));
            carriers.len() - 1
        });
        let (carrier, count) = &mut carriers[number];
        if by_priority_then_name(&one, carrier).is_lt() {
            *carrier = one;
        }
        *count += 1;
        members.push((number, one));
    }
    let mut ordered: Vec<OrderedGroup<'a>> = carriers
        .into_iter()
        .map(|(carrier, count)| OrderedGroup {
            name: carrier.group,
            carrier,
            versions: Vec::with_capacity(count),
        })
        .collect();
    for (number, one) in members {
        ordered[number].versions.push(one);
    }
    for group in &mut ordered {
        group.versions.sort_unstable_by(&versions);
    }
    ordered.sort_unstable_by(|a, b| groups(&a.carrier, &b.carrier));
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(order: fn(Vec<Registered<'_>>) -> Vec<OrderedGroup<'_>>, input: &str, want: &str) {
        let registered = input.lines().map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let (version, group) = words[0].split_once('.').unwrap();
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

    /// What no APIService stands for is the server's own.
    fn of_both(all: Vec<Registered<'_>>) -> Vec<OrderedGroup<'_>> {
        let (own, services): (Vec<_>, Vec<_>) = all.into_iter().partition(|r| r.name.is_empty());
        legacy(own, services)
    }

    #[test]
    fn legacy_breaks_ties_by_api_service_name() {
        check(
            of_both,
            SAMPLE,
            "apiregistration.k8s.io: v1\nc: v1 v2\nb: v1beta1 v2 v1\na: v1alpha1",
        );
    }

    #[test]
    fn legacy_lists_an_intruder_in_the_own_group_apart() {
        check(
            of_both,
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
            prop_assert_eq!(legacy([], all.clone()), legacy([], turned.clone()));
            prop_assert_eq!(aggregated(all.clone()), aggregated(turned.clone()));
            prop_assert_eq!(openapi_v2(all), openapi_v2(turned));
        }
    }
}
