//! Splits `/openapi/v2` into its parts and merges them again, possibly with changes.

use std::collections::{BTreeSet, HashMap};

use serde_json::value::RawValue;

use super::super::contribution::Contribution;
use super::super::document::{Base, Published};
use super::super::local::{crd_paths, group_version, is_local};
use super::super::merge::{MergePart, merge};
use super::super::split::{Split, is_path, split, unused, without_number};
use super::{OpenApiReview, ReviewRequest, State, V2, server, service_name};
use kube_aggregation::discovery::registered;
use kube_aggregation::model::{ApiService, GroupVersion, Minor};
use kube_aggregation::priority::merged_in_openapi_v2;
use kube_aggregation::registry::{Backend, Registry};

/// Merges the parts, and starts a review with the result and the merge order.
pub(super) fn merged<'a>(question: ReviewRequest<'a>) -> OpenApiReview<'a> {
    let ReviewRequest { now, then, given } = question;
    let remote: Vec<&ApiService> = (then.api_services())
        .filter(|(_, backing)| *backing == Backend::Service)
        .map(|(service, _)| service)
        .collect();
    let ordered = merged_in_openapi_v2(remote.iter().map(|service| registered(service)));
    let mut highest: HashMap<&str, i32> = HashMap::new();
    for service in &remote {
        let priority = highest.entry(&service.group_version.group).or_insert(i32::MIN);
        *priority = service.group_priority.max(*priority);
    }
    let highest = |group: &str| highest.get(group).copied().unwrap_or_default();
    let mut review = OpenApiReview {
        items: vec![],
        index: vec![],
        order: ordered.iter().map(|one| (one.name.to_owned(), highest(one.group))).collect(),
        findings: vec![],
        assumptions: vec![],
        merged: None,
        services: vec![],
        numbered: Default::default(),
    };
    let text = now.snapshot.openapi.v2.loaded();
    let document = text.and_then(|text| Base::read(text).ok());
    let known = document.is_some();
    let Split { mut base, parts: mut extracted, numbered } = match document {
        Some(document) => taken_apart(question, document),
        None => Split::default(),
    };
    // The paths of CRDs that the document does not contain are known, but not their content.
    let paths = base.paths.get_or_insert_default();
    let mut imagined = 0;
    for gv in then.custom_group_versions() {
        let crds = then.custom_resources(gv);
        for path in crds.flat_map(|crd| crd_paths(crd, &gv.version)) {
            paths.entry(path.into()).or_insert_with(|| {
                imagined += 1;
                RawValue::NULL
            });
        }
    }
    if imagined > 0 && known {
        review.assumptions.push(format!(
            "{imagined} paths of CRDs are not in the source's /openapi/v2; only their names are known"
        ));
    }
    let mut parts = vec![];
    for one in &ordered {
        let Some((service, _)) = then.api_service(one.name) else { continue };
        let given = given.iter().find(|g| g.api_service == service.name && g.index().is_none());
        let document = match given {
            Some(given) => given.v2().cloned(),
            None => extracted.remove(&service.name).filter(|_| is_same(now, service)),
        };
        if let Some(document) = document {
            review.services.push(service_name(service));
            parts.push(MergePart { name: &service.name, prefix: prefix(then, service), document });
        }
    }
    if parts.len() > 1 {
        review.assumptions.extend(aggctl_diagnose::knowledge::phrase("order-remembered", |_| None));
    }
    review.merged = Some(merge(&base, parts));
    review.numbered = numbered;
    review
}

/// Splits the document into the part of the local servers, without what CRDs no longer publish, and
/// the parts of the Services.
fn taken_apart<'a>(question: ReviewRequest<'a>, document: Base<'a>) -> Split<'a> {
    let ReviewRequest { now, then, .. } = question;
    // If the CRDs are unknown, the given documents show which paths are not the Services'.
    let crds_known = now.snapshot.crds.is_loaded();
    let given = question.given.iter().filter(|_| !crds_known);
    let others: BTreeSet<&str> = given
        .filter_map(|given| Some(not_theirs(&document, given.v2()?, given.api_service)))
        .flatten()
        .collect();
    let owner = |path: &str| {
        let gv = group_version(path)?;
        let (service, backing) = now.api_service(&gv.api_service_name())?;
        let theirs =
            backing == Backend::Service && !others.contains(path) && !is_local(now, &gv, path);
        theirs.then(|| service.name.clone())
    };
    let gone = |path: &str| {
        let Some(gv) = group_version(path) else { return false };
        let custom = now.custom_resources(&gv).next().is_some();
        custom && is_local(now, &gv, path) && !is_local(then, &gv, path)
    };
    let mut split = split(document.clone(), &owner, &gone);
    // A definition that a Service publishes and that no path uses belongs to that Service.
    let published = question.given.iter().filter(|g| split.parts.contains_key(g.api_service));
    let names = published.filter_map(|given| given.v2()).flat_map(|part| part.definitions.keys());
    let mut names = names.peekable();
    let unused = names.peek().map(|_| unused(&document)).unwrap_or_default();
    for name in names.filter(|name| unused.contains(&***name)) {
        split.base.definitions.remove(name);
    }
    split
}

/// Returns the paths below an APIService's group version that another server published. If the
/// document lacks a path that the Service publishes, it was made without the Service, so these are
/// all paths. Otherwise, if some paths are as the Service publishes them, these are the others.
fn not_theirs<'d>(document: &'d Base<'_>, part: &Published<'_>, name: &str) -> Vec<&'d str> {
    let Some((version, group)) = name.split_once('.') else { return vec![] };
    let prefix = format!("/apis/{group}/{version}/");
    let (Some(have), Some(published)) = (&document.paths, &part.paths) else { return vec![] };
    let lacks = published.keys().any(|p| p.starts_with(&prefix) && !have.contains_key(p));
    let below = have.iter().filter(|(path, _)| path.starts_with(&prefix));
    let (same, other): (Vec<_>, Vec<_>) = below
        .map(|(path, raw)| (&**path, raw))
        .partition(|(path, raw)| published.get(*path).is_some_and(|own| is_path(raw, own)));
    let named = |all: Vec<(&'d str, _)>| all.into_iter().map(|(path, _)| path).collect();
    match (lacks, same.is_empty()) {
        (true, _) => named(same.into_iter().chain(other).collect()),
        (false, false) => named(other),
        (false, true) => vec![],
    }
}

/// Returns the prefix of the paths that the server merges from a part.
fn prefix(registry: &Registry<'_>, service: &ApiService) -> String {
    let version = registry.snapshot.version.loaded();
    let patch = version.and_then(|version| {
        let (_, patch) =
            version.git_version.trim_start_matches('v').split_once('.')?.1.split_once('.')?;
        patch.split(|c: char| !c.is_ascii_digit()).next()?.parse::<u32>().ok()
    });
    let patch = patch.unwrap_or(u32::MAX);
    let minor = registry.minor;
    let all = minor < Minor::new(28)
        || (minor == Minor::new(28) && patch < 9)
        || (minor == Minor::new(29) && patch < 4);
    if all { "/apis/".to_owned() } else { service.group_version.root_path() + "/" }
}

/// Returns whether an APIService has the same Service as when the document was made.
pub(super) fn is_same(now: &Registry<'_>, service: &ApiService) -> bool {
    now.api_service(&service.name).is_some_and(|(before, _)| before.service == service.service)
}

/// Describes a group version's part of the document.
pub(super) fn of(question: ReviewRequest<'_>, review: &OpenApiReview<'_>, gv: &GroupVersion) -> V2 {
    let ReviewRequest { now, then, given } = question;
    let local = server(then, gv).map(str::to_owned);
    let known = now.snapshot.openapi.v2.is_loaded();
    let root = gv.root_path() + "/";
    let below = |review: &OpenApiReview<'_>| {
        let merged = review.merged.as_ref()?;
        Some(merged.paths_below(&root))
    };
    let count = below(review).filter(|_| known);
    let service = then.api_service(&gv.api_service_name());
    let Some((service, Backend::Service)) = service else {
        let state = match count {
            Some(0) => State::Nothing,
            Some(_) => State::Merged,
            None => State::Unknown,
        };
        let from = local.filter(|_| state != State::Nothing);
        return V2 { from, state, paths: count, renamed: vec![] };
    };
    let part = contribution(review, service);
    let is_given = given.iter().any(|g| g.api_service == service.name && g.index().is_none());
    let state = match part {
        Some(part) if part.failure.is_some() => State::Refused,
        Some(part) if part.paths.is_empty() => State::Nothing,
        Some(_) => State::Merged,
        None if is_given || (known && is_same(now, service)) => State::Nothing,
        None => State::Unknown,
    };
    let from = match state {
        State::Merged => Some(service_name(service)),
        _ => local.filter(|_| count.is_some_and(|count| count > 0)),
    };
    let mut renamed: Vec<(String, String, String)> = (part.into_iter())
        .flat_map(|part| &part.renamed)
        .map(|one| (one.name.clone(), one.to.clone(), review.owner(one.owner, &one.name, then)))
        .collect();
    // Without a given document, the numbers in names show what was renamed.
    let told = review.numbered.get(&service.name).filter(|_| !is_given && state == State::Merged);
    let known: BTreeSet<String> = renamed.iter().map(|one| one.1.clone()).collect();
    for to in told.into_iter().flatten() {
        if let Some(name) = without_number(to).filter(|_| !known.contains(to)) {
            let owner = review.merged.as_ref().and_then(|merged| merged.owner_of(name));
            let owner = owner.map(|owner| review.owner(owner, name, then)).unwrap_or_default();
            renamed.push((name.to_owned(), to.clone(), owner));
        }
    }
    renamed.sort();
    V2 { from, state, paths: count, renamed }
}

pub(super) fn contribution<'r>(
    review: &'r OpenApiReview<'_>,
    service: &ApiService,
) -> Option<&'r Contribution> {
    review.merged.as_ref()?.parts.iter().find(|part| part.name == service.name)
}
