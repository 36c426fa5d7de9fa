//! The text format of the embedded baselines. Each fact is one line, with the minors that have it.
//!
//! ```text
//! versions
//! 25 v1.25.16
//! paths
//! 25- /healthz
//! openapi
//! 28- apis/apps/v1
//! apps/v1 25- 17800 15
//! 25- deployments deployment namespaced Deployment create,delete,get deploy all
//! ```
//!
//! A group version line has its priorities. Each resource below it has its singular, scope, kind as
//! `[group/version/]Kind`, verbs, short names and categories. An empty word is written as `-`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::Minors;
use crate::model::{
    ApiResource, ApiService, Automanaged, GroupVersion, Input, Minor, Origin, ServerVersion,
    Snapshot, SourceKind, verb,
};

/// One line of the format, without its minors.
#[derive(Debug, Clone, Copy)]
pub(super) enum Fact<'a> {
    /// The exact version of a server.
    Version(&'a str),
    /// A path that `/` lists.
    Path(&'a str),
    /// An entry of the `/openapi/v3` index.
    OpenApi(&'a str),
    /// A group version with an APIService, its group priority and its version priority.
    GroupVersion(&'a str, i32, i32),
    /// A group version, and the words that describe one of its resources.
    Resource(&'a str, &'a str),
}

/// Returns all facts of a text, in order.
pub(super) fn facts(text: &str) -> impl Iterator<Item = (Minors, Fact<'_>)> {
    let mut section = "";
    text.lines().filter_map(move |line| {
        let Some((first, rest)) = line.split_once(' ') else {
            section = line;
            return None;
        };
        if !first.starts_with(|c: char| c.is_ascii_digit()) {
            section = first;
            let mut words = rest.split(' ');
            let minors = Minors::parse(words.next()?)?;
            let mut number = || words.next()?.parse().ok();
            return Some((minors, Fact::GroupVersion(first, number()?, number()?)));
        }
        let fact = match section {
            "versions" => Fact::Version(rest),
            "paths" => Fact::Path(rest),
            "openapi" => Fact::OpenApi(rest),
            gv => Fact::Resource(gv, rest),
        };
        Some((Minors::parse(first)?, fact))
    })
}

/// Encodes baselines as text.
pub fn encode(servers: &BTreeMap<Minor, Snapshot>) -> String {
    let all: Vec<Minor> = servers.keys().copied().collect();
    // Every fact, by its heading.
    let mut found: BTreeMap<Heading, BTreeMap<String, Minors>> = BTreeMap::new();
    let mut groups: BTreeMap<(String, i32, i32), Minors> = BTreeMap::new();
    for (minor, server) in servers {
        let here = Minors::from_iter([*minor]);
        let mut add = |heading, fact: &str| {
            let minors = found.entry(heading).or_default().entry(fact.to_owned()).or_default();
            *minors = minors.and(here);
        };
        if let Some(version) = server.version.loaded() {
            add(Heading::Versions, &version.git_version);
        }
        for path in server.root_paths.loaded().into_iter().flatten() {
            add(Heading::Paths, path);
        }
        for key in server.openapi_v3.loaded().into_iter().flatten() {
            add(Heading::OpenApi, key);
        }
        for (gv, list) in &server.resource_lists {
            for resource in list {
                add(Heading::GroupVersion(gv.to_string()), &words(resource));
            }
        }
        for service in server.api_services.loaded().into_iter().flatten() {
            let gv = service.group_version.to_string();
            let known = (gv, service.group_priority, service.version_priority);
            let minors = groups.entry(known).or_default();
            *minors = minors.and(here);
        }
    }
    let mut text = String::new();
    for (heading, facts) in found {
        match &heading {
            Heading::Versions => text.push_str("versions\n"),
            Heading::Paths => text.push_str("paths\n"),
            Heading::OpenApi => text.push_str("openapi\n"),
            // The aggregator's own group has no APIService.
            Heading::GroupVersion(gv) => {
                let registered: Vec<_> = groups.iter().filter(|((of, ..), _)| of == gv).collect();
                if registered.is_empty() {
                    let _ = writeln!(text, "{gv}");
                }
                for ((_, group, version), minors) in registered {
                    let minors = minors.written(&all);
                    let _ = writeln!(text, "{gv} {minors} {group} {version}");
                }
            }
        }
        for (fact, minors) in facts {
            let _ = writeln!(text, "{} {fact}", minors.written(&all));
        }
    }
    text
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Heading {
    Versions,
    Paths,
    OpenApi,
    GroupVersion(String),
}

/// Decodes the baseline of one minor.
pub fn decode(text: &str, minor: Minor) -> Snapshot {
    let mut snapshot =
        Snapshot::empty(Origin { kind: SourceKind::Builtin, name: minor.to_string() });
    let (mut paths, mut openapi) = (BTreeSet::new(), BTreeSet::new());
    let mut services = vec![];
    // Resources follow their group version.
    let mut lists: Vec<(&str, Vec<ApiResource>)> = vec![];
    for (_, fact) in facts(text).filter(|(minors, _)| minors.contains(minor)) {
        match fact {
            Fact::Version(git_version) => {
                let git_version = git_version.to_owned();
                snapshot.version = Input::Loaded(ServerVersion {
                    minor: Some(minor),
                    git_version,
                    emulation: None,
                });
            }
            Fact::Path(path) => drop(paths.insert(path.to_owned())),
            Fact::OpenApi(key) => drop(openapi.insert(key.to_owned())),
            Fact::GroupVersion(gv, group, version) => {
                lists.push((gv, vec![]));
                let Some(gv) = GroupVersion::parse(gv) else { continue };
                let automanaged = Some(Automanaged::OnStart);
                services.push(ApiService { automanaged, ..ApiService::local(gv, group, version) });
            }
            Fact::Resource(gv, words) => match lists.last_mut() {
                Some((of, list)) if *of == gv => list.extend(resource(words)),
                _ => lists.push((gv, resource(words).into_iter().collect())),
            },
        }
    }
    let lists = lists.into_iter().filter_map(|(gv, list)| Some((GroupVersion::parse(gv)?, list)));
    snapshot.resource_lists = lists.collect();
    services.sort_by(|a, b| a.name.cmp(&b.name));
    snapshot.root_paths = Input::Loaded(paths);
    snapshot.openapi_v3 = Input::Loaded(openapi);
    snapshot.api_services = Input::Loaded(services);
    snapshot.crds = Input::Loaded(vec![]);
    snapshot.crds_complete = true;
    snapshot.services = Input::Loaded(vec![]);
    snapshot.endpoint_slices = Input::Loaded(vec![]);
    snapshot.endpoints = Input::Loaded(vec![]);
    snapshot
}

/// Returns the group versions of the baseline of one minor, without decoding their resources.
pub(super) fn group_versions(text: &str, minor: Minor) -> BTreeSet<GroupVersion> {
    let here = facts(text).filter(|(minors, _)| minors.contains(minor));
    let named = here.filter_map(|(_, fact)| match fact {
        // The aggregator's own group has resources but no APIService.
        Fact::GroupVersion(gv, ..) | Fact::Resource(gv, _) => Some(gv),
        Fact::Version(_) | Fact::Path(_) | Fact::OpenApi(_) => None,
    });
    let named: BTreeSet<&str> = named.collect();
    named.into_iter().filter_map(GroupVersion::parse).collect()
}

/// Encodes a resource as words.
fn words(r: &ApiResource) -> String {
    let kind = if r.group.is_empty() && r.version.is_empty() {
        r.kind.clone()
    } else {
        format!("{}/{}/{}", r.group, r.version, r.kind)
    };
    let scope = if r.namespaced { "namespaced" } else { "cluster" };
    let (verbs, short, categories) =
        (r.verbs.join(","), r.short_names.join(","), r.categories.join(","));
    let word = |text: &str| if text.is_empty() { "-".to_owned() } else { text.to_owned() };
    [&r.name, &r.singular, scope, &kind, &verbs, &short, &categories].map(word).join(" ")
}

/// Decodes a resource from its words.
fn resource(words: &str) -> Option<ApiResource> {
    let mut words = words.split(' ').map(|word| if word == "-" { "" } else { word });
    let mut word = || words.next();
    let (name, singular, scope, kind) = (word()?, word()?, word()?, word()?);
    let mut list = || word().map(|all| all.split(',').filter(|one| !one.is_empty()));
    let (verbs, short_names, categories) = (list()?, list()?, list()?);
    let mut parts = kind.rsplitn(3, '/');
    let mut part = || parts.next().unwrap_or("").to_owned();
    let (kind, version, group) = (part(), part(), part());
    Some(ApiResource {
        name: name.to_owned(),
        singular: singular.to_owned(),
        namespaced: scope == "namespaced",
        group,
        version,
        kind,
        verbs: verbs.map(verb).collect(),
        short_names: short_names.map(str::to_owned).collect(),
        categories: categories.map(str::to_owned).collect(),
    })
}
