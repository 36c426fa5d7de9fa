//! The order of API groups and versions, with one function per endpoint.
//!
//! The orders differ: the legacy document breaks ties by APIService name, the aggregated document
//! by group name, and `/openapi/v2` ignores version priorities. All orders are total and
//! independent of the order of the input.

mod precedence;

use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;

use crate::model::compare_versions;

pub use precedence::{Form, Precedence, version_words, why_group, why_version};

/// The priority of the aggregator's own group in the aggregated document: higher than any manifest
/// may set.
pub const AGGREGATOR_PRIORITY: i32 = 20_001;

/// The fields of a registered group version that determine its order.
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
    /// Whether the priorities are assumed, because the source has no such APIService.
    pub inferred: bool,
}

/// A group with its versions, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderedGroup<'a> {
    /// The group's name.
    pub name: &'a str,
    /// The group version with the highest group priority, which determines the group's place.
    pub carrier: Registered<'a>,
    /// Its versions, preferred first.
    pub versions: Vec<Registered<'a>>,
}

/// Returns the order of the legacy document `/apis`: the aggregator's own group, then groups by
/// their highest priority. Ties are broken by the name of the APIService with that priority.
///
/// The server lists its own group first, regardless of APIServices. An APIService registered in
/// that group makes the document list the group a second time.
pub fn legacy<'a>(
    own: impl IntoIterator<Item = Registered<'a>>,
    services: impl IntoIterator<Item = Registered<'a>>,
) -> Vec<OrderedGroup<'a>> {
    let mut groups = grouped(own, by_version_priority, |one| one.name);
    groups.extend(grouped(services, by_version_priority, |one| one.name));
    groups
}

/// Returns the order of the aggregated document: groups by highest priority, then by name.
pub fn aggregated<'a>(
    registered: impl IntoIterator<Item = Registered<'a>>,
) -> Vec<OrderedGroup<'a>> {
    grouped(registered, by_version_priority, |one| one.group)
}

/// Reorders groups and versions as a document of the server lists them. Unlisted ones follow, in
/// their current order.
pub fn as_listed<'d>(
    groups: &mut [OrderedGroup<'_>],
    listed: impl Iterator<Item = (&'d str, Vec<&'d str>)>,
) {
    let mut places: HashMap<&str, (usize, Vec<&str>)> = HashMap::new();
    for (place, (group, versions)) in listed.enumerate() {
        // The aggregator's own group may be listed twice; its first place counts.
        places.entry(group).or_insert((place, versions));
    }
    groups.sort_by_key(|group| places.get(group.name).map_or(usize::MAX, |(place, _)| *place));
    for group in groups {
        let Some((_, versions)) = places.get(group.name) else { continue };
        let place = |one: &Registered<'_>| versions.iter().position(|v| *v == one.version);
        group.versions.sort_by_key(|one| place(one).unwrap_or(usize::MAX));
    }
}

/// Returns the order of groups in which `/openapi/v2` merges APIServices that are not local: by
/// highest priority, then by the first APIService name, which also orders the versions. The server
/// intends to compare version priorities there, but compares each with itself.
pub fn openapi_v2<'a>(
    registered: impl IntoIterator<Item = Registered<'a>>,
) -> Vec<OrderedGroup<'a>> {
    let mut groups = grouped(registered, |a, b| a.name.cmp(b.name), |one| one.name);
    let first = |group: &OrderedGroup<'a>| group.versions.first().map(|one| one.name);
    groups.sort_by_key(|group| (Reverse(group.carrier.group_priority), first(group)));
    groups
}

/// Returns the order in which `/openapi/v2` merges APIServices that are not local: by the highest
/// priority of their group, then by APIService name. Groups with equal priority interleave.
pub fn merged_in_openapi_v2<'a>(
    registered: impl IntoIterator<Item = Registered<'a>>,
) -> Vec<Registered<'a>> {
    let mut all: Vec<(i32, Registered<'a>)> = (openapi_v2(registered).into_iter())
        .flat_map(|g| g.versions.into_iter().map(move |one| (g.carrier.group_priority, one)))
        .collect();
    all.sort_by_key(|(priority, one)| (Reverse(*priority), one.name));
    all.into_iter().map(|(_, one)| one).collect()
}

/// Compares by version priority (higher first), then version string. Names make the order total.
fn by_version_priority(a: &Registered<'_>, b: &Registered<'_>) -> Ordering {
    b.version_priority
        .cmp(&a.version_priority)
        .then_with(|| compare_versions(a.version, b.version))
        .then_with(|| a.name.cmp(b.name))
}

/// Groups versions and sorts groups by highest priority. Ties are broken by the `tie` text.
fn grouped<'a>(
    registered: impl IntoIterator<Item = Registered<'a>>,
    versions: impl Fn(&Registered<'_>, &Registered<'_>) -> Ordering,
    tie: impl Fn(&Registered<'a>) -> &'a str,
) -> Vec<OrderedGroup<'a>> {
    let mut members: HashMap<&str, Vec<Registered<'a>>> = HashMap::new();
    for one in registered {
        members.entry(one.group).or_default().push(one);
    }
    let group = |(name, mut all): (&'a str, Vec<Registered<'a>>)| {
        all.sort_by(&versions);
        // CRDs have no APIService name to break ties, so the preferred version is used.
        let carrier = *all.iter().min_by_key(|one| (Reverse(one.group_priority), one.name))?;
        Some(OrderedGroup { name, carrier, versions: all })
    };
    let mut groups: Vec<OrderedGroup<'a>> = members.into_iter().filter_map(group).collect();
    groups.sort_by_key(|group| {
        (Reverse(group.carrier.group_priority), tie(&group.carrier), group.name)
    });
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
            let own = words.get(3) == Some(&"own");
            Registered {
                name: if own { "" } else { words[0] },
                group,
                version,
                group_priority: words[1].parse().unwrap(),
                version_priority: words[2].parse().unwrap(),
                inferred: false,
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

    /// Entries without an APIService name are the server's own.
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
            "c: v1 v2\nb: v1 v1beta1 v2\na: v1alpha1\napiregistration.k8s.io: v1",
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
                .map(|(r, name)| Registered { name, group: &r.0, version: &r.1, group_priority: r.2, version_priority: r.3, inferred: false })
                .collect();
            let mut turned = all.clone();
            if !turned.is_empty() {
                let by = seed.index(turned.len());
                turned.rotate_left(by);
                turned.reverse();
            }
            prop_assert_eq!(legacy([], all.clone()), legacy([], turned.clone()));
            prop_assert_eq!(aggregated(all.clone()), aggregated(turned.clone()));
            prop_assert_eq!(openapi_v2(all.clone()), openapi_v2(turned.clone()));
            // Group versions of CRDs have no APIService.
            let unnamed = |all: &[Registered<'_>]| -> Vec<_> {
                aggregated(all.iter().map(|one| Registered { name: "", ..*one }))
                    .iter().map(|group| (group.carrier.version.to_owned(), group.name.to_owned())).collect()
            };
            prop_assert_eq!(unnamed(&all), unnamed(&turned));
            // The order of groups follows the first merged member of each.
            let mut merged: Vec<&str> = vec![];
            for one in merged_in_openapi_v2(all.clone()) {
                if !merged.contains(&one.group) {
                    merged.push(one.group);
                }
            }
            let groups: Vec<&str> = openapi_v2(all).iter().map(|group| group.name).collect();
            prop_assert_eq!(groups, merged);
        }
    }
}
