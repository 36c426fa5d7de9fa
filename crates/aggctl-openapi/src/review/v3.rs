//! Finds which server's documents the index `/openapi/v3` lists, and issues with them.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::super::code::{Code, OpenApiFinding};
use super::super::split::references;
use super::owners::{group_version, owners};
use super::{Form, OpenApiReview, ReviewRequest, V3, service_name, status};
use kube_aggregation::model::{GroupVersion, Input, V3Document};
use kube_aggregation::registry::Backend;

/// The keys that every generic API server lists in addition to its group versions.
const OF_ALL: [&str; 2] = ["apis", "version"];

/// Returns the key of a group version.
pub(super) fn key(gv: &GroupVersion) -> String {
    gv.root_path().trim_start_matches('/').to_owned()
}

/// Describes a group version's document.
pub(super) fn of(question: ReviewRequest<'_>, gv: &GroupVersion) -> V3 {
    let snapshot = question.then.snapshot;
    let openapi = &question.now.snapshot.openapi;
    let key = key(gv);
    let document = openapi.documents.get(&key);
    let mut from = owners(question, &key);
    let service = question.then.api_service(&gv.api_service_name());
    let service = service.filter(|(_, backing)| *backing == Backend::Service);
    let listed = snapshot.openapi_v3.loaded().map(|keys| keys.contains(&key));
    let form = match (listed, document) {
        (Some(false), _) => Some(Form::None),
        (_, Some(Input::Loaded(document))) => form(document, gv),
        (Some(true), _) if service.is_none() => Some(Form::Own),
        _ => None,
    };
    if listed == Some(false) {
        from.clear();
    }
    V3 {
        from,
        form,
        status: document.and_then(status),
        address: openapi.address(&key).filter(|url| !url.is_empty()).map(str::to_owned),
        etag: document.and_then(Input::loaded).and_then(|document| document.etag.clone()),
    }
}

/// Returns the form of a document. A document converted from v2 lacks the parameters that it refers
/// to, and is not filtered. A document without paths does not show its form.
fn form(document: &V3Document, gv: &GroupVersion) -> Option<Form> {
    #[derive(Deserialize, Default)]
    #[serde(default)]
    struct Top {
        paths: BTreeMap<String, IgnoredAny>,
        components: Components,
    }
    #[derive(Deserialize, Default)]
    #[serde(default)]
    struct Components {
        parameters: BTreeMap<String, IgnoredAny>,
    }
    let Top { paths, components } = serde_json::from_str(&document.text).ok()?;
    let lost = references(&document.text)
        .filter_map(|reference| reference.strip_prefix("#/components/parameters/"))
        .any(|name| !components.parameters.contains_key(name));
    let root = gv.root_path();
    let outside = |path: &String| !path.starts_with(&root);
    match lost || paths.keys().any(outside) {
        true => Some(Form::Converted),
        false => (!paths.is_empty()).then_some(Form::Own),
    }
}

/// Finds issues with the index and its documents.
pub(super) fn findings(question: ReviewRequest<'_>, review: &mut OpenApiReview<'_>) {
    let (now, then) = (question.now, question.then);
    let openapi = &now.snapshot.openapi;
    let Some(keys) = then.snapshot.openapi_v3.loaded() else { return };
    let mut found = vec![];
    for item in &review.items {
        let gv = &item.group_version;
        let finding = |code: Code, facts: Vec<(&'static str, String)>| OpenApiFinding {
            code,
            api_service: item.api_service.clone(),
            group_version: Some(gv.to_string()),
            facts: [
                vec![
                    ("gv", gv.to_string()),
                    ("key", key(gv)),
                    ("from", item.v3.from.join(" or ")),
                    ("apiservice", item.api_service.clone().unwrap_or_default()),
                    ("service", item.v3.from.last().cloned().unwrap_or_default()),
                ],
                facts,
            ]
            .concat(),
        };
        if item.remote && !keys.contains(&key(gv)) {
            // A new APIService is listed within a minute, if its server publishes a document.
            let before = now.api_service(&gv.api_service_name()).map(|(service, _)| service);
            if let Some(service) = before.filter(|service| service.service.is_some()) {
                let who = format!("{} ({gv})", service_name(service));
                found.push(finding(Code::V3Missing, vec![("who", who)]));
            }
        } else if item.v3.from.len() > 1 {
            found.push(finding(Code::V3Overlap, vec![]));
        }
        match openapi.documents.get(&key(gv)) {
            Some(Input::Unread(unread)) if keys.contains(&key(gv)) => {
                let facts = vec![("why", unread.why.clone())];
                found.push(finding(Code::V3ListedUnreachable, facts));
            }
            _ => {}
        }
    }
    let known: BTreeSet<String> =
        review.items.iter().map(|item| key(&item.group_version)).collect();
    for other in keys.iter().filter(|key| !known.contains(*key)) {
        found.extend(of_other_key(question, other));
    }
    review.findings.extend(found);
}

/// Reports on a key that does not belong to a registered group version.
fn of_other_key(question: ReviewRequest<'_>, key: &str) -> Option<OpenApiFinding> {
    let openapi = &question.now.snapshot.openapi;
    let addresses: BTreeSet<&String> =
        openapi.indexes.iter().filter_map(|index| index.get(key)).collect();
    let gv = group_version(key);
    let listing: Vec<&str> = (question.given.iter())
        .filter(|given| given.index().is_some_and(|index| index.contains(key)))
        .map(|given| given.api_service)
        .collect();
    let by = match listing.as_slice() {
        [] => "an extension server".to_owned(),
        some => some.join(" or "),
    };
    let finding = |code: Code, facts: Vec<(&'static str, String)>| OpenApiFinding {
        code,
        api_service: None,
        group_version: gv.as_ref().map(ToString::to_string),
        facts: [facts, vec![("key", key.to_owned())]].concat(),
    };
    if addresses.len() > 1 || !listing.is_empty() && gv.is_none() {
        let code = if OF_ALL.contains(&key) { Code::V3OverlapOfAll } else { Code::V3Overlap };
        let from = format!("the API server or {by}");
        return Some(finding(code, vec![("from", from)]));
    }
    let gv = gv.as_ref()?;
    if question.then.crds_of(&gv.group).next().is_some() {
        return Some(finding(Code::UnservedStillListed, vec![("gv", gv.to_string())]));
    }
    let has_services = !question.then.api_services.iter().all(|s| s.service.is_none());
    let is_built_in = question.then.plain(gv).is_some();
    (has_services && !is_built_in).then(|| {
        finding(Code::OutsideGroupVersion, vec![("service", by), ("paths", key.to_owned())])
    })
}
