//! Merges the aggregated discovery documents of several servers, as a server does.

use std::collections::{BTreeMap, BTreeSet};

use super::order;
use crate::model::{AggregatedGroup, AggregatedResource, AggregatedVersion, GroupVersion};

/// Returns a peer's document without the group versions that CRDs and Services serve. The server
/// knows those objects itself, and a peer's list of them may be outdated.
///
/// The server first looks for a *resource* of such a group version. If the peer lists none, it
/// keeps the document unchanged.
pub(super) fn without(
    groups: &[AggregatedGroup],
    excluded: &BTreeSet<GroupVersion>,
) -> Vec<AggregatedGroup> {
    let is_excluded = |group: &AggregatedGroup, version: &AggregatedVersion| {
        excluded.contains(&GroupVersion::new(&*group.name, &*version.version))
    };
    let any = groups.iter().any(|group| {
        group.versions.iter().any(|v| !v.resources.is_empty() && is_excluded(group, v))
    });
    let mut groups = groups.to_vec();
    if any {
        for group in &mut groups {
            let kept = group.versions.iter().filter(|v| !is_excluded(group, v));
            group.versions = kept.cloned().collect();
        }
        groups.retain(|group| !group.versions.is_empty());
    }
    groups
}

/// Merges the documents of servers. The documents must be sorted by the identity of their server.
pub(super) fn merged(documents: &[Vec<AggregatedGroup>]) -> Vec<AggregatedGroup> {
    let mut groups: BTreeMap<&str, AggregatedGroup> = BTreeMap::new();
    for group in documents.iter().flatten() {
        match groups.get_mut(&*group.name) {
            Some(known) => add_versions(known, group),
            None => drop(groups.insert(&group.name, group.clone())),
        }
    }
    let names = |groups: &Vec<AggregatedGroup>| -> Vec<String> {
        groups.iter().map(|group| group.name.clone()).collect()
    };
    let lists: Vec<Vec<String>> = documents.iter().map(names).collect();
    let lists: Vec<Vec<&str>> =
        lists.iter().map(|list| list.iter().map(String::as_str).collect()).collect();
    order::merged(&lists).into_iter().filter_map(|name| groups.remove(name)).collect()
}

fn add_versions(into: &mut AggregatedGroup, from: &AggregatedGroup) {
    let known = std::mem::take(&mut into.versions);
    let mut versions: BTreeMap<&str, AggregatedVersion> =
        known.iter().map(|one| (&*one.version, one.clone())).collect();
    for version in &from.versions {
        match versions.get_mut(&*version.version) {
            Some(known) => add_resources(known, version),
            None => drop(versions.insert(&version.version, version.clone())),
        }
    }
    let names = |all: &'_ [AggregatedVersion]| -> Vec<String> {
        all.iter().map(|one| one.version.clone()).collect()
    };
    let (ours, theirs) = (names(&known), names(&from.versions));
    let lists = [ours, theirs];
    let lists = lists.each_ref().map(|list| list.iter().map(String::as_str).collect::<Vec<_>>());
    into.versions =
        order::merged(&lists).into_iter().filter_map(|name| versions.remove(name)).collect();
}

fn add_resources(into: &mut AggregatedVersion, from: &AggregatedVersion) {
    let known = std::mem::take(&mut into.resources);
    let mut resources: BTreeMap<&str, AggregatedResource> =
        known.iter().map(|one| (&*one.resource, one.clone())).collect();
    for resource in &from.resources {
        match resources.get_mut(&*resource.resource) {
            Some(known) if known == resource => {}
            Some(known) => add_capabilities(known, resource),
            None => drop(resources.insert(&resource.resource, resource.clone())),
        }
    }
    let names = |all: &'_ [AggregatedResource]| -> Vec<String> {
        all.iter().map(|one| one.resource.clone()).collect()
    };
    let lists = [names(&known), names(&from.resources)];
    let lists = lists.each_ref().map(|list| list.iter().map(String::as_str).collect::<Vec<_>>());
    into.resources =
        order::merged(&lists).into_iter().filter_map(|name| resources.remove(name)).collect();
}

/// Adds the verbs and subresources of `from`, and sorts them. If both have a subresource, that of
/// `from` replaces the other.
fn add_capabilities(into: &mut AggregatedResource, from: &AggregatedResource) {
    into.verbs.extend(from.verbs.iter().cloned());
    into.verbs.sort();
    into.verbs.dedup();
    let both = into.subresources.drain(..).chain(from.subresources.iter().cloned());
    let by_name: BTreeMap<String, _> = both.map(|sub| (sub.subresource.clone(), sub)).collect();
    into.subresources = by_name.into_values().collect();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{AggregatedSubresource, Freshness, GroupVersionKind, verb};

    /// Parses `group version:resource[verb,…]/sub;resource…` lines.
    fn document(text: &str) -> Vec<AggregatedGroup> {
        let resource = |text: &str| {
            let mut parts = text.split('/');
            let (name, verbs) = parts.next().unwrap().split_once('[').unwrap_or((text, "]"));
            let verbs = verbs.trim_end_matches(']').split(',').filter(|v| !v.is_empty()).map(verb);
            let sub = |name: &str| AggregatedSubresource {
                subresource: name.to_owned(),
                response_kind: GroupVersionKind::default(),
                verbs: vec![],
            };
            AggregatedResource {
                resource: name.to_owned(),
                verbs: verbs.collect(),
                subresources: parts.map(sub).collect(),
                ..AggregatedResource::default()
            }
        };
        let version = |text: &str| {
            let (version, resources) = text.split_once(':').unwrap();
            AggregatedVersion {
                version: version.to_owned(),
                resources: resources.split(';').filter(|r| !r.is_empty()).map(resource).collect(),
                freshness: Freshness::Current,
            }
        };
        let group = |line: &str| {
            let mut words = line.split_whitespace();
            let name = words.next().unwrap().to_owned();
            AggregatedGroup { name, versions: words.map(version).collect() }
        };
        text.lines().map(str::trim).filter(|line| !line.is_empty()).map(group).collect()
    }

    fn text(groups: &[AggregatedGroup]) -> String {
        let resource = |r: &AggregatedResource| {
            let subs: String =
                r.subresources.iter().map(|s| format!("/{}", s.subresource)).collect();
            format!("{}[{}]{subs}", r.resource, r.verbs.join(","))
        };
        let version = |v: &AggregatedVersion| {
            let all: Vec<String> = v.resources.iter().map(resource).collect();
            format!(" {}:{}", v.version, all.join(";"))
        };
        let group = |g: &AggregatedGroup| {
            format!("{}{}", g.name, g.versions.iter().map(version).collect::<String>())
        };
        groups.iter().map(group).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn groups_versions_resources_and_verbs_are_united() {
        let a = document("apps v1:pods[get]/log\ncerts v1:csrs[get,list];z[get]\n own v1:x[get]");
        let b = document("apps v1:pods[get]/log\ncerts v2:y[get] v1:csrs[delete,get]/status");
        let merged = merged(&[a, b]);
        assert_eq!(
            text(&merged),
            "apps v1:pods[get]/log\n\
             certs v2:y[get] v1:csrs[delete,get,list]/status;z[get]\n\
             own v1:x[get]"
        );
    }

    #[test]
    fn groups_of_one_server_come_by_name() {
        let a = document("apps v1:a[get]\n zoo v1:lions[get]");
        let b = document("apps v1:a[get]\n migration v1:m[get]");
        assert_eq!(
            text(&merged(&[a, b])),
            "apps v1:a[get]\nmigration v1:m[get]\nzoo v1:lions[get]"
        );
    }

    #[test]
    fn custom_group_versions_of_a_peer_are_left_out() {
        let peer = document("apps v1:a[get]\n zoo v1:lions[get] v2:\n gone v1:");
        let gv = |group: &str, version: &str| GroupVersion::new(group, version);
        let excluded = BTreeSet::from([gv("zoo", "v1"), gv("zoo", "v2"), gv("gone", "v1")]);
        assert_eq!(text(&without(&peer, &excluded)), "apps v1:a[get]");
        // The server only looks for resources, so it finds nothing to exclude here.
        let stale = BTreeSet::from([gv("gone", "v1")]);
        assert_eq!(without(&peer, &stale), peer);
    }
}
