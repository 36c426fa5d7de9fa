//! What a document is, told from its content alone.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::control_plane;
use super::discovery::{aggregated, groups, resource_list};
use super::rbac;
use super::refused;
use super::untyped;
use super::wire::{self, Envelope};
use super::{Missing, SnapshotBuilder};
use super::{convert, objects, openapi};
use crate::ingest::ServerDocument;
use crate::ingest::manifest::{self, API_VERSION, Manifest};
use crate::ingest::{Note, NoteLevel};
use crate::model::{DiscoveryForm, ObjectName, Unread};

/// Lists may hold lists, as `kubectl get` output pasted together does; not more.
const MAX_LISTS: usize = 4;

/// Adds `text` if it is exactly one JSON object, and returns `None` if it is not.
pub(super) fn add_single_document(
    builder: &mut SnapshotBuilder,
    file: &str,
    text: &str,
) -> Option<Result<(), String>> {
    let envelope: Envelope<'_> = serde_json::from_str(text).ok()?;
    Some(object(builder, file, text.trim_ascii(), &envelope, MAX_LISTS))
}

/// Adds what a JSON document says to the builder.
///
/// # Errors
/// Where the document is of a kind of ours, but not of its form.
pub(super) fn add(builder: &mut SnapshotBuilder, file: &str, json: &str) -> Result<(), String> {
    if json.trim_ascii_start().starts_with('[') {
        if let Some(found) = untyped::groups(json) {
            groups(builder, file, found);
            return Ok(());
        }
        let list = Elements { items: split(json)?, of: untyped::kind_of_file(file), is_cut: false };
        return items(builder, file, list, MAX_LISTS);
    }
    let envelope: Envelope<'_> = match serde_json::from_str(json) {
        Ok(envelope) => envelope,
        // A number, a string, or an object whose kind is no string: nothing of ours.
        Err(_) => {
            count(builder, "");
            return Ok(());
        }
    };
    object(builder, file, json, &envelope, MAX_LISTS)
}

fn object(
    builder: &mut SnapshotBuilder,
    file: &str,
    json: &str,
    envelope: &Envelope<'_>,
    lists: usize,
) -> Result<(), String> {
    let (kind, version) = (envelope.kind.as_ref(), envelope.api_version.as_ref());
    match kind {
        "" => return kindless(builder, file, json, envelope),
        "APIResourceList" => return resource_list(builder, file, json, typed(kind, json)?),
        "APIGroupList" => {
            groups(builder, file, part(kind, "groups", envelope.groups)?);
            builder.keep_text("/apis".to_owned(), DiscoveryForm::Legacy, json);
        }
        "Status" if version == "v1" => {
            builder.missing.extend(refused::missing(json));
            count(builder, kind);
        }
        "APIVersions" => builder.keep_text("/api".to_owned(), DiscoveryForm::Legacy, json),
        "APIGroup" => {}
        manifest::KIND if version == API_VERSION => return manifest(builder, json),
        "APIGroupDiscoveryList" => aggregated(builder, file, json, typed(kind, json)?),
        _ if kind.ends_with("List") && envelope.items.is_some() => {
            let of = kind.strip_suffix("List").filter(|of| !of.is_empty());
            let raw = envelope.items.map_or("[]", RawValue::get);
            let of = of.map(|of| (of, version));
            let list = Elements { items: split(raw)?, of, is_cut: envelope.is_cut() };
            return items(builder, file, list, lists);
        }
        _ => return single(builder, file, json, kind, version),
    }
    Ok(())
}

/// What a dump could not get is known to be missing, which is more than absent.
fn manifest(builder: &mut SnapshotBuilder, json: &str) -> Result<(), String> {
    let manifest: Manifest = typed(manifest::KIND, json)?;
    for entry in manifest.missing {
        if let Some(document) = ServerDocument::of_file(&entry.file) {
            let unread = Unread { cause: entry.cause(), why: entry.why };
            builder.missing.push(Missing { document, unread });
        }
    }
    Ok(())
}

/// The documents that say nothing of themselves: `/version`, `/` and OpenAPI.
fn kindless(
    builder: &mut SnapshotBuilder,
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
        let conflict = builder.version.add((), version.into(), 0, file);
        builder.note_conflict(conflict, |()| "the document /version".to_owned());
        return Ok(());
    }
    if let Some(paths) = envelope.paths.map(RawValue::get) {
        if paths.starts_with('[') {
            let paths: BTreeSet<String> = typed("the document /", paths)?;
            let conflict = builder.root_paths.add((), paths, 0, file);
            builder.note_conflict(conflict, |()| "the document /".to_owned());
        } else {
            return openapi::add(builder, file, json, envelope, paths);
        }
        return Ok(());
    }
    // `kubectl version -o json` wraps the server's answer.
    if let Ok(Client { server_version, info }) = serde_json::from_str(json)
        && let Some(version) = server_version.or(info)
    {
        return match serde_json::from_str::<Envelope<'_>>(version.get()) {
            Ok(inner) if inner.git_version.is_some() => {
                kindless(builder, file, version.get(), &inner)
            }
            _ => {
                count(builder, "");
                Ok(())
            }
        };
    }
    if let Some(list) = envelope.groups.and_then(|raw| untyped::groups(raw.get())) {
        groups(builder, file, list);
        return Ok(());
    }
    if let (Some(list), of @ Some(_)) = (envelope.items, untyped::kind_of_file(file)) {
        let list = Elements { items: split(list.get())?, of, is_cut: envelope.is_cut() };
        return items(builder, file, list, MAX_LISTS);
    }
    count(builder, "");
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

fn items(
    builder: &mut SnapshotBuilder,
    file: &str,
    list: Elements<'_>,
    lists: usize,
) -> Result<(), String> {
    let Elements { items, of, is_cut } = list;
    let Some(lists) = lists.checked_sub(1) else {
        return Err("lists are nested too deeply".to_owned());
    };
    if let (Some(objects), Some((kind, version))) = (&mut builder.objects, of) {
        objects.listed(kind, version);
    }
    if let Some((kind, version)) = of
        && let Some(ours) = known(kind, version)
    {
        builder.lists(ours, is_cut.then_some(file));
    } else if let Some((kind, _)) = of
        && items.is_empty()
    {
        // An empty list of something else is of Kubernetes all the same.
        count(builder, &format!("{kind}List"));
    }
    let mut first_error = None;
    for item in items {
        let result = match serde_json::from_str::<Envelope<'_>>(item.get()) {
            // The items of a typed list do not repeat its kind.
            Ok(envelope) if envelope.kind.is_empty() => match of {
                Some((kind, version)) => single(builder, file, item.get(), kind, version),
                None => object(builder, file, item.get(), &envelope, lists),
            },
            Ok(envelope) => {
                if of.is_none()
                    && let Some(ours) = known(&envelope.kind, &envelope.api_version)
                {
                    builder.lists(ours, is_cut.then_some(file));
                }
                object(builder, file, item.get(), &envelope, lists)
            }
            Err(_) => {
                count(builder, "");
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
    builder: &mut SnapshotBuilder,
    file: &str,
    json: &str,
    kind: &str,
    api_version: &str,
) -> Result<(), String> {
    objects::keep(builder, file, json, kind, api_version);
    let Some(kind) = known(kind, api_version) else {
        let group = api_version.split_once('/').map_or("", |(group, _)| group);
        if !control_plane::add(builder, file, json, kind, group)? {
            count(builder, kind);
        }
        return Ok(());
    };
    match kind {
        "APIService" => {
            let object: wire::ApiService = typed(kind, json)?;
            if object.status.is_some() {
                builder.with_status.insert("APIService");
            }
            let revision = revision(kind, &object.metadata)?;
            let name = object.metadata.name.clone();
            if let Some(order) = &mut builder.order {
                order.push(ObjectName::ApiService(name.clone()));
            }
            let conflict = builder.api_services.add(name, object.into(), revision, file);
            builder.note_conflict(conflict, |name| format!("APIService {name}"));
        }
        "CustomResourceDefinition" => {
            let object: wire::Crd = typed(kind, json)?;
            let revision = revision(kind, &object.metadata)?;
            let name = object.metadata.name.clone();
            if let Some(order) = &mut builder.order {
                order.push(ObjectName::Crd(name.clone()));
            }
            let conflict = builder.crds.add(name, object.into(), revision, file);
            builder.note_conflict(conflict, |name| format!("CRD {name}"));
        }
        "Service" => {
            let object: wire::Service = typed(kind, json)?;
            let (key, revision) = (namespaced(&object.metadata), revision(kind, &object.metadata)?);
            let conflict = builder.services.add(key, object.into(), revision, file);
            builder.note_conflict(conflict, |key| within(kind, key));
        }
        "Endpoints" => {
            let object: wire::Endpoints = typed(kind, json)?;
            let (key, revision) = (namespaced(&object.metadata), revision(kind, &object.metadata)?);
            let conflict = builder.endpoints.add(key, convert::subsets(object), revision, file);
            builder.note_conflict(conflict, |key| within(kind, key));
        }
        "Namespace" => {
            let object: wire::Namespace = typed(kind, json)?;
            let revision = revision(kind, &object.metadata)?;
            let name = object.metadata.name.clone();
            let conflict = builder.namespaces.add(name, object.into(), revision, file);
            builder.note_conflict(conflict, |name| format!("Namespace {name}"));
        }
        "EndpointSlice" => {
            let object: wire::EndpointSlice = typed(kind, json)?;
            let (key, revision) = (namespaced(&object.metadata), revision(kind, &object.metadata)?);
            let conflict = builder.endpoint_slices.add(key, object.into(), revision, file);
            builder.note_conflict(conflict, |key| within(kind, key));
        }
        _ => return rbac::add(builder, file, json, kind),
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

fn count(builder: &mut SnapshotBuilder, kind: &str) {
    let kind = if kind.is_empty() { "something without a kind" } else { kind };
    *builder.others.entry(kind.to_owned()).or_default() += 1;
}

/// A warning about one file.
pub(super) fn warning(text: String) -> Note {
    Note { weight: NoteLevel::Warning, text }
}
