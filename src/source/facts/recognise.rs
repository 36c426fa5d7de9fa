//! What a document is, told from its content alone.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::control_plane;
use super::discovery::{aggregated, groups, resource_list};
use super::list::{self, Object};
use super::rbac;
use super::refused;
use super::unnamed;
use super::wire::{self, Envelope};
use super::{Facts, Missing};
use super::{convert, objects, openapi};
use crate::model::{AggregatedGroup, Form, Freshness, GroupVersion, Unread};
use crate::source::dump::manifest::{self, Manifest};
use crate::source::live::Document;
use crate::source::{Note, Weight};
use crate::usage::is_one_value;

pub(in crate::source) const API_VERSION: &str = "aggctl/v1";

/// Lists may hold lists, as `kubectl get` output pasted together does; not more.
const MAX_LISTS: usize = 4;

/// Adds what a text says that is one JSON object and nothing else; `None` where it is not.
pub(in crate::source) fn whole(
    facts: &mut Facts,
    file: &str,
    text: &str,
) -> Option<Result<(), String>> {
    // The server writes the kind first: what is large is then read in one go.
    let (kind, json) = (wire::leading_kind(text), text.trim_ascii());
    let needless = kind.map_or(Some(false), |kind| is_needless(facts, kind, json));
    if needless != Some(false) && is_one_value(json.as_bytes()) {
        if needless.is_none() {
            // An aggregated document may still come.
            facts.waiting.push((file.to_owned(), json.to_owned()));
        }
        return Some(Ok(()));
    }
    if kind == Some("APIResourceList")
        && let Ok(list) = serde_json::from_str(json)
    {
        return Some(resource_list(facts, file, json, list));
    }
    if kind == Some("APIGroupDiscoveryList")
        && let Ok(list) = serde_json::from_str(json)
    {
        aggregated(facts, file, json, list);
        return Some(Ok(()));
    }
    let of = kind.and_then(|kind| kind.strip_suffix("List"));
    let added = match of {
        Some(wire::ApiService::KIND) => list::add::<wire::ApiService>(facts, file, json),
        Some(wire::Crd::KIND) => list::add::<wire::Crd>(facts, file, json),
        _ => None,
    };
    if added.is_some() {
        return Some(Ok(()));
    }
    if let Some(of) = of
        && let Ok(wire::List { api_version, metadata, items: list }) = serde_json::from_str(json)
    {
        let of = (!of.is_empty()).then_some((of, &*api_version));
        let list = Elements { items: list, of, is_cut: metadata.is_cut() };
        return Some(items(facts, file, list, MAX_LISTS));
    }
    let envelope: Envelope<'_> = serde_json::from_str(text).ok()?;
    Some(object(facts, file, json, &envelope, MAX_LISTS))
}

/// Whether nothing would come of reading a document of that kind; `None` where that is not known
/// before all files were seen.
fn is_needless(facts: &Facts, kind: &str, json: &str) -> Option<bool> {
    match (kind, &facts.asked) {
        // One group of the legacy document: it follows from the APIServices.
        ("APIGroup", _) => Some(true),
        // Where the registrations are there, it adds nothing to what the others list.
        ("APIGroupList", Some(_)) => {
            let others = !facts.aggregated_groups.is_empty() && !facts.root_paths.is_empty();
            (others && !facts.api_services.is_empty()).then_some(true)
        }
        ("APIResourceList", Some(asked)) => {
            let gv = wire::leading_group_version(json).and_then(GroupVersion::parse);
            let Some(gv) = gv else { return Some(false) };
            let document = facts.aggregated(&gv)?;
            let lists = |group: &AggregatedGroup| {
                let mut versions = group.versions.iter().filter(|v| v.version == gv.version);
                group.name == gv.group && versions.any(|v| v.freshness == Freshness::Current)
            };
            Some(!asked.contains(&gv) || document.iter().any(lists))
        }
        _ => Some(false),
    }
}

/// What waited for an aggregated document that did not come, by files: it is to be read after all.
pub(in crate::source) fn waiting(facts: &mut Facts) -> Vec<(String, String)> {
    let mut waiting = std::mem::take(&mut facts.waiting);
    waiting.retain(|(_, json)| {
        let kind = wire::leading_kind(json).unwrap_or_default();
        is_needless(facts, kind, json) != Some(true)
    });
    facts.asked = None;
    waiting
}

/// Adds what a JSON document says to the facts.
///
/// # Errors
/// Where the document is of a kind of ours, but not of its form.
pub(in crate::source) fn add(facts: &mut Facts, file: &str, json: &str) -> Result<(), String> {
    if json.trim_ascii_start().starts_with('[') {
        if let Some(found) = unnamed::groups(json) {
            groups(facts, file, found);
            return Ok(());
        }
        let list = Elements { items: split(json)?, of: unnamed::kind_of_file(file), is_cut: false };
        return items(facts, file, list, MAX_LISTS);
    }
    let envelope: Envelope<'_> = match serde_json::from_str(json) {
        Ok(envelope) => envelope,
        // A number, a string, or an object whose kind is no string: nothing of ours.
        Err(_) => {
            count(facts, "");
            return Ok(());
        }
    };
    object(facts, file, json, &envelope, MAX_LISTS)
}

fn object(
    facts: &mut Facts,
    file: &str,
    json: &str,
    envelope: &Envelope<'_>,
    lists: usize,
) -> Result<(), String> {
    let (kind, version) = (envelope.kind.as_ref(), envelope.api_version.as_ref());
    match kind {
        "" => return kindless(facts, file, json, envelope),
        "APIResourceList" => return resource_list(facts, file, json, typed(kind, json)?),
        "APIGroupList" => {
            groups(facts, file, part(kind, "groups", envelope.groups)?);
            facts.keep_text("/apis".to_owned(), Form::Legacy, json);
        }
        "Status" if version == "v1" => {
            facts.missing.extend(refused::missing(json));
            count(facts, kind);
        }
        "APIVersions" => facts.keep_text("/api".to_owned(), Form::Legacy, json),
        "APIGroup" => {}
        manifest::KIND if version == API_VERSION => return manifest(facts, json),
        "APIGroupDiscoveryList" => aggregated(facts, file, json, typed(kind, json)?),
        _ if kind.ends_with("List") && envelope.items.is_some() => {
            let of = kind.strip_suffix("List").filter(|of| !of.is_empty());
            let raw = envelope.items.map_or("[]", RawValue::get);
            let of = of.map(|of| (of, version));
            let list = Elements { items: split(raw)?, of, is_cut: envelope.is_cut() };
            return items(facts, file, list, lists);
        }
        _ => return single(facts, file, json, kind, version),
    }
    Ok(())
}

/// What a dump could not get is known to be missing, which is more than absent.
fn manifest(facts: &mut Facts, json: &str) -> Result<(), String> {
    let manifest: Manifest = typed(manifest::KIND, json)?;
    for entry in manifest.missing {
        if let Some(document) = Document::of_file(&entry.file) {
            let unread = Unread { cause: entry.cause(), why: entry.why };
            facts.missing.push(Missing { document, unread });
        }
    }
    Ok(())
}

/// The documents that say nothing of themselves: `/version`, `/` and OpenAPI.
fn kindless(
    facts: &mut Facts,
    file: &str,
    json: &str,
    envelope: &Envelope<'_>,
) -> Result<(), String> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Client<'a> {
        #[serde(borrow)]
        server_version: Option<&'a RawValue>,
        /// As troubleshoot.sh wraps it.
        #[serde(borrow)]
        info: Option<&'a RawValue>,
    }
    if envelope.git_version.is_some() {
        let version: wire::Version = typed("the document /version", json)?;
        let conflict = facts.version.add((), version.into(), 0, file);
        facts.note_conflict(conflict, |()| "the document /version".to_owned());
        return Ok(());
    }
    if let Some(paths) = envelope.paths.map(RawValue::get) {
        if paths.starts_with('[') {
            let paths: BTreeSet<String> = typed("the document /", paths)?;
            let conflict = facts.root_paths.add((), paths, 0, file);
            facts.note_conflict(conflict, |()| "the document /".to_owned());
        } else {
            return openapi::add(facts, file, json, envelope, paths);
        }
        return Ok(());
    }
    // `kubectl version -o json` wraps the server's answer.
    if let Ok(Client { server_version, info }) = serde_json::from_str(json)
        && let Some(version) = server_version.or(info)
    {
        return match serde_json::from_str::<Envelope<'_>>(version.get()) {
            Ok(inner) if inner.git_version.is_some() => {
                kindless(facts, file, version.get(), &inner)
            }
            _ => {
                count(facts, "");
                Ok(())
            }
        };
    }
    if let Some(list) = envelope.groups.and_then(|raw| unnamed::groups(raw.get())) {
        groups(facts, file, list);
        return Ok(());
    }
    if let (Some(list), of @ Some(_)) = (envelope.items, unnamed::kind_of_file(file)) {
        let list = Elements { items: split(list.get())?, of, is_cut: envelope.is_cut() };
        return items(facts, file, list, MAX_LISTS);
    }
    count(facts, "");
    Ok(())
}

/// The elements of a list, unread.
fn split(list: &str) -> Result<Vec<&RawValue>, String> {
    serde_json::from_str(list).map_err(|e| {
        let text = e.to_string();
        format!("its items: {}", text.split(" at line").next().unwrap_or_default())
    })
}

/// The elements of a list.
struct Elements<'a> {
    items: Vec<&'a RawValue>,
    /// Kind and API version of each, where the list says so.
    of: Option<(&'a str, &'a str)>,
    /// Whether more follow, on other pages.
    is_cut: bool,
}

fn items(facts: &mut Facts, file: &str, list: Elements<'_>, lists: usize) -> Result<(), String> {
    let Elements { items, of, is_cut } = list;
    let Some(lists) = lists.checked_sub(1) else {
        return Err("lists are nested too deeply".to_owned());
    };
    if let (Some(objects), Some((kind, version))) = (&mut facts.objects, of) {
        objects.listed(kind, version);
    }
    if let Some((kind, version)) = of
        && let Some(ours) = known(kind, version)
    {
        facts.lists(ours, is_cut.then_some(file));
    } else if let Some((kind, _)) = of
        && items.is_empty()
    {
        // An empty list of something else is of Kubernetes all the same.
        count(facts, &format!("{kind}List"));
    }
    if let Some((kind, version)) = of
        && known(kind, version).is_some_and(|ours| facts.unneeded.contains(ours))
    {
        facts.passed_over = true;
        return Ok(());
    }
    let mut first_error = None;
    for item in items {
        // The server writes the items of a typed list without a kind, and begins with this.
        let bare = item.get().trim_start_matches('{').trim_ascii_start();
        if let (Some((kind, version)), true) = (of, bare.starts_with("\"metadata\"")) {
            if let Err(error) = single(facts, file, item.get(), kind, version) {
                first_error.get_or_insert(error);
            }
            continue;
        }
        let result = match serde_json::from_str::<Envelope<'_>>(item.get()) {
            // The items of a typed list do not repeat its kind.
            Ok(envelope) if envelope.kind.is_empty() => match of {
                Some((kind, version)) => single(facts, file, item.get(), kind, version),
                None => object(facts, file, item.get(), &envelope, lists),
            },
            Ok(envelope) => {
                if of.is_none()
                    && let Some(ours) = known(&envelope.kind, &envelope.api_version)
                {
                    facts.lists(ours, is_cut.then_some(file));
                }
                object(facts, file, item.get(), &envelope, lists)
            }
            Err(_) => {
                count(facts, "");
                Ok(())
            }
        };
        if let Err(error) = result {
            first_error.get_or_insert(error);
        }
    }
    first_error.map_or(Ok(()), Err)
}

/// The kinds of single objects that matter, by kind and API group.
pub(super) fn known(kind: &str, api_version: &str) -> Option<&'static str> {
    let group = api_version.split_once('/').map_or("", |(group, _)| group);
    match (kind, group) {
        ("APIService", "apiregistration.k8s.io") => Some("APIService"),
        ("CustomResourceDefinition", "apiextensions.k8s.io") => Some("CustomResourceDefinition"),
        ("Service", "") => Some("Service"),
        ("Namespace", "") => Some("Namespace"),
        ("EndpointSlice", "discovery.k8s.io") => Some("EndpointSlice"),
        ("Endpoints", "") => Some("Endpoints"),
        (kind, rbac::GROUP) => rbac::known(kind),
        _ => None,
    }
}

fn single(
    facts: &mut Facts,
    file: &str,
    json: &str,
    kind: &str,
    api_version: &str,
) -> Result<(), String> {
    objects::keep(facts, file, json, kind, api_version);
    let Some(kind) = known(kind, api_version) else {
        let group = api_version.split_once('/').map_or("", |(group, _)| group);
        if !control_plane::add(facts, file, json, kind, group)? {
            count(facts, kind);
        }
        return Ok(());
    };
    if facts.unneeded.contains(kind) {
        facts.passed_over = true;
        return Ok(());
    }
    match kind {
        wire::ApiService::KIND => return typed::<wire::ApiService>(kind, json)?.add(facts, file),
        wire::Crd::KIND => return typed::<wire::Crd>(kind, json)?.add(facts, file),
        "Service" => {
            let object: wire::Service = typed(kind, json)?;
            let (key, revision) = (namespaced(&object.metadata), revision(kind, &object.metadata)?);
            let conflict = facts.services.add(key, object.into(), revision, file);
            facts.note_conflict(conflict, |key| within(kind, key));
        }
        "Endpoints" => {
            let object: wire::Endpoints = typed(kind, json)?;
            let (key, revision) = (namespaced(&object.metadata), revision(kind, &object.metadata)?);
            let conflict = facts.endpoints.add(key, convert::subsets(object), revision, file);
            facts.note_conflict(conflict, |key| within(kind, key));
        }
        "Namespace" => {
            let object: wire::Namespace = typed(kind, json)?;
            let revision = revision(kind, &object.metadata)?;
            let name = object.metadata.name.clone();
            let conflict = facts.namespaces.add(name, object.into(), revision, file);
            facts.note_conflict(conflict, |name| format!("Namespace {name}"));
        }
        "EndpointSlice" => {
            let object: wire::EndpointSlice = typed(kind, json)?;
            let (key, revision) = (namespaced(&object.metadata), revision(kind, &object.metadata)?);
            let conflict = facts.endpoint_slices.add(key, object.into(), revision, file);
            facts.note_conflict(conflict, |key| within(kind, key));
        }
        _ => return rbac::add(facts, file, json, kind),
    }
    Ok(())
}

fn namespaced(metadata: &wire::Metadata) -> (String, String) {
    (metadata.namespace.clone(), metadata.name.clone())
}

/// What a message calls an object of a namespace.
pub(super) fn within(kind: &str, (namespace, name): &(String, String)) -> String {
    format!("{kind} {namespace}/{name}")
}

/// The state that an object is in, 0 where it does not say. It must have a name.
pub(super) fn revision(kind: &str, metadata: &wire::Metadata) -> Result<u64, String> {
    if metadata.name.is_empty() {
        return Err(format!("{kind} without a name"));
    }
    Ok(metadata.resource_version.parse().unwrap_or(0))
}

fn part<'a, T: Deserialize<'a> + Default>(
    kind: &str,
    name: &str,
    raw: Option<&'a RawValue>,
) -> Result<T, String> {
    let Some(raw) = raw.filter(|raw| raw.get() != "null") else { return Ok(T::default()) };
    typed(&format!("{kind}.{name}"), raw.get())
}

/// Reads a part whose kind is known; an error names the object if it has a name.
pub(super) fn typed<'a, T: Deserialize<'a>>(what: &str, json: &'a str) -> Result<T, String> {
    #[derive(Deserialize)]
    struct Named {
        metadata: wire::Metadata,
    }
    serde_json::from_str(json).map_err(|error| {
        let name = serde_json::from_str(json).map(|named: Named| named.metadata.name);
        let text = error.to_string();
        let why = text.split(" at line").next().unwrap_or_default();
        match name {
            Ok(name) if !name.is_empty() => format!("{what} {name}: {why}"),
            _ => format!("{what}: {why}"),
        }
    })
}

fn count(facts: &mut Facts, kind: &str) {
    let kind = if kind.is_empty() { "something without a kind" } else { kind };
    *facts.others.entry(kind.to_owned()).or_default() += 1;
}

/// A warning about one file.
pub(in crate::source) fn warning(text: String) -> Note {
    Note { weight: Weight::Warning, text }
}
