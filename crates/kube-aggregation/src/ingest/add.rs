//! Adds decoded documents to a snapshot.
//!
//! Lists add their items, objects become facts of the model, and documents without a kind are
//! recognized by their fields or by the name of their file.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::codec::{Codec, Content};
use super::decode::{Body, Decoded, Items, List, Untyped};
use super::discovery::{aggregated, groups, resource_list};
use super::manifest::Manifest;
use super::openapi::{self, OpenApiVersion, Paths};
use super::{
    Missing, Note, NoteLevel, ServerDocument, SnapshotBuilder, control_plane, objects, rbac,
    refused, untyped,
};
use crate::kube::{ObjectMeta, VersionObject};
use crate::model::{DiscoveryForm, ObjectName, ServerVersion, Unread};

/// Adds one document, or one item of a list. `text` returns all of it as JSON.
///
/// # Errors
/// If an object does not fit its kind; the rest of the document is added.
pub(super) fn document(
    builder: &mut SnapshotBuilder,
    file: &str,
    decoded: Decoded,
    text: impl FnOnce() -> String,
) -> Result<(), String> {
    match decoded.body {
        Body::Untyped(untyped) => kindless(builder, file, *untyped, text),
        Body::Array(Ok(found)) => match groups_of(&found) {
            Some(found) => {
                groups(builder, file, found);
                Ok(())
            }
            None => unnamed_list(builder, file, Ok(found), false),
        },
        Body::Array(Err(why)) => Err(why),
        Body::List(found) => list(builder, file, found),
        _ => object(builder, file, decoded),
    }
}

/// Decodes the items of an array as the groups of `/apis`, if they have their form.
fn groups_of(items: &[Decoded]) -> Option<Vec<crate::kube::GroupObject>> {
    let objects: Option<Vec<&Map<String, Value>>> = (items.iter())
        .map(|item| match &item.body {
            Body::Untyped(untyped) => Some(&untyped.fields),
            _ => None,
        })
        .collect();
    untyped::groups(&objects?)
}

/// Adds a document that does not say what it is: `/version`, `/`, OpenAPI, or a list.
fn kindless(
    builder: &mut SnapshotBuilder,
    file: &str,
    untyped: Untyped,
    text: impl FnOnce() -> String,
) -> Result<(), String> {
    let Untyped { mut fields, items, paths, openapi } = untyped;
    let get = |name: &str| fields.get(name).filter(|value| !value.is_null());
    if get("gitVersion").is_some() {
        return version(builder, file, &Value::Object(fields));
    }
    // The fields of a document that had to be read twice, or that is an item of an array.
    let is = |name| get(name).and_then(|value| OpenApiVersion::of(name, value));
    let openapi = openapi.or_else(|| is("swagger")).or_else(|| is("openapi"));
    let paths = match (paths, get("paths")) {
        (None, Some(value)) => {
            let what = if value.is_array() { "/" } else { "/openapi/v3" };
            let paths = Paths::deserialize(value);
            Some(paths.map_err(|error| format!("the document {what}: {error}"))?)
        }
        (paths, _) => paths,
    };
    match paths {
        Some(Paths::List(paths)) => {
            let conflict = builder.root_paths.add((), paths.into_iter().collect(), 0, file);
            builder.note_conflict(conflict, |()| "the document /".to_owned());
            return Ok(());
        }
        Some(Paths::Map(paths)) => {
            openapi::add(builder, file, openapi, paths, text);
            return Ok(());
        }
        None => {}
    }
    // `kubectl version -o json` and troubleshoot.sh wrap the server's answer.
    if let Some(wrapped) = get("serverVersion").or_else(|| get("info")) {
        if wrapped.get("gitVersion").is_some_and(|version| !version.is_null()) {
            return version(builder, file, wrapped);
        }
        builder.count("");
        return Ok(());
    }
    if let Some(found) = get("groups").and_then(Value::as_array) {
        let objects: Option<Vec<_>> = found.iter().map(Value::as_object).collect();
        if let Some(found) = objects.and_then(|objects| untyped::groups(&objects)) {
            groups(builder, file, found);
            return Ok(());
        }
    }
    match items {
        Some(items) if untyped::kind_of_file(file).is_some() => {
            let is_partial = super::decode::is_partial(fields.remove("metadata"));
            unnamed_list(builder, file, items, is_partial)
        }
        _ => {
            builder.count("");
            Ok(())
        }
    }
}

fn version(builder: &mut SnapshotBuilder, file: &str, object: &Value) -> Result<(), String> {
    const WHAT: &str = "the document /version";
    let version = VersionObject::deserialize(object).map_err(|error| format!("{WHAT}: {error}"))?;
    let conflict = builder.version.add((), ServerVersion::from(version), 0, file);
    builder.note_conflict(conflict, |()| WHAT.to_owned());
    Ok(())
}

/// Adds a list without a kind. The name of its file may tell what is in it.
fn unnamed_list(
    builder: &mut SnapshotBuilder,
    file: &str,
    items: Items,
    is_partial: bool,
) -> Result<(), String> {
    let of = untyped::kind_of_file(file);
    let items = match of {
        Some((kind, version)) => items.map(|items| {
            let keep = builder.keep();
            items.into_iter().map(|item| item.into_kind(kind, version, keep)).collect()
        }),
        None => items,
    };
    let of = of.map(|(kind, version)| (kind.to_owned(), version.to_owned()));
    list(builder, file, List { items, of, is_partial })
}

/// Adds the items of a list, and notes which kinds came as lists.
fn list(builder: &mut SnapshotBuilder, file: &str, list: List) -> Result<(), String> {
    let List { items, of, is_partial } = list;
    let items = items?;
    let page = is_partial.then_some(file);
    if let Some((kind, version)) = &of {
        if let Some(objects) = &mut builder.objects {
            objects.listed(kind, version);
        }
        match Codec::of(kind, version).filter(|codec| codec.is_listed()) {
            Some(codec) => builder.lists(codec.kind(), page),
            // An empty list of another kind is of Kubernetes all the same.
            None if items.is_empty() => builder.count(&format!("{kind}List")),
            None => {}
        }
    }
    let mut first_error = None;
    for item in items {
        if of.is_none()
            && let Some(codec) = Codec::of(&item.kind, &item.api_version)
            && codec.is_listed()
        {
            builder.lists(codec.kind(), page);
        }
        let text = match &item.body {
            Body::Untyped(untyped) if untyped.fields.contains_key("paths") => {
                serde_json::to_string(&untyped.fields).unwrap_or_default()
            }
            _ => String::new(),
        };
        if let Err(error) = document(builder, file, item, || text) {
            first_error.get_or_insert(error);
        }
    }
    first_error.map_or(Ok(()), Err)
}

/// Adds a single object.
fn object(builder: &mut SnapshotBuilder, file: &str, decoded: Decoded) -> Result<(), String> {
    let Decoded { kind, api_version, body, kept } = decoded;
    let text = match kept {
        Some(kept) if Codec::of(&kind, &api_version).is_none_or(Codec::is_object) => {
            objects::keep(builder, file, &kind, &api_version, kept);
            None
        }
        kept => kept.map(|kept| kept.json),
    };
    let content = match body {
        Body::Content(content) => content,
        Body::Malformed(why) => return Err(why),
        _ => {
            builder.count(&kind);
            return Ok(());
        }
    };
    match content {
        Content::ApiService(object) => {
            if object.status.is_some() {
                builder.with_status.insert("APIService");
            }
            let name = object.metadata.name.clone();
            let revision = revision(&kind, &name, &object.metadata.resource_version)?;
            if let Some(order) = &mut builder.order {
                order.push(ObjectName::ApiService(name.clone()));
            }
            let conflict = builder.api_services.add(name, (*object).into(), revision, file);
            builder.note_conflict(conflict, |name| format!("APIService {name}"));
        }
        Content::Crd(object) => {
            let name = object.metadata.name.clone();
            let revision = revision(&kind, &name, &object.metadata.resource_version)?;
            if let Some(order) = &mut builder.order {
                order.push(ObjectName::Crd(name.clone()));
            }
            let conflict = builder.crds.add(name, (*object).into(), revision, file);
            builder.note_conflict(conflict, |name| format!("CRD {name}"));
        }
        Content::Service(object) => {
            let (key, revision) = key(&kind, &object.metadata)?;
            let conflict = builder.services.add(key, (*object).into(), revision, file);
            builder.note_conflict(conflict, |key| within(&kind, key));
        }
        Content::Endpoints(object) => {
            let (key, revision) = key(&kind, &object.metadata)?;
            let conflict = builder.endpoints.add(key, (*object).into(), revision, file);
            builder.note_conflict(conflict, |key| within(&kind, key));
        }
        Content::EndpointSlice(object) => {
            let (key, revision) = key(&kind, &object.metadata)?;
            let conflict = builder.endpoint_slices.add(key, (*object).into(), revision, file);
            builder.note_conflict(conflict, |key| within(&kind, key));
        }
        Content::Namespace(object) => {
            let ((_, name), revision) = key(&kind, &object.metadata)?;
            let conflict = builder.namespaces.add(name, (*object).into(), revision, file);
            builder.note_conflict(conflict, |name| format!("Namespace {name}"));
        }
        Content::Role(object) => rbac::role(builder, file, &kind, *object)?,
        Content::Binding(object) => rbac::binding(builder, file, &kind, *object)?,
        Content::Pod(object) => {
            if !control_plane::pod(builder, file, *object) {
                builder.count(&kind);
            }
        }
        Content::ConfigMap(object) => {
            if !control_plane::config_map(builder, file, *object) {
                builder.count(&kind);
            }
        }
        Content::Flagz(object) => control_plane::flagz(builder, file, object),
        Content::ResourceList(found) => resource_list(builder, file, text.as_deref(), found)?,
        Content::GroupList(found) => {
            groups(builder, file, found.groups);
            builder.keep_text("/apis".to_owned(), DiscoveryForm::Legacy, text.as_deref());
        }
        Content::AggregatedList(found) => aggregated(builder, file, text.as_deref(), found),
        Content::Versions => {
            builder.keep_text("/api".to_owned(), DiscoveryForm::Legacy, text.as_deref());
        }
        Content::Group => {}
        Content::Status(status) => {
            builder.missing.extend(refused::missing(status));
            builder.count(&kind);
        }
        Content::DumpManifest(found) => manifest(builder, found),
    }
    Ok(())
}

/// Notes what a dump could not collect: it is known to be missing, which is more than absent.
fn manifest(builder: &mut SnapshotBuilder, manifest: Manifest) {
    for entry in manifest.missing {
        if let Some(document) = ServerDocument::of_file(&entry.file) {
            let unread = Unread { cause: entry.cause(), why: entry.why };
            builder.missing.push(Missing { document, unread });
        }
    }
}

/// Returns namespace and name of an object, and the state that it is in.
pub(super) fn key(kind: &str, metadata: &ObjectMeta) -> Result<((String, String), u64), String> {
    let revision = revision(kind, &metadata.name, &metadata.resource_version)?;
    Ok(((metadata.namespace.clone(), metadata.name.clone()), revision))
}

/// Returns the state that an object is in, 0 if it does not say. It must have a name.
fn revision(kind: &str, name: &str, resource_version: &str) -> Result<u64, String> {
    if name.is_empty() {
        return Err(format!("{kind} without a name"));
    }
    Ok(resource_version.parse().unwrap_or(0))
}

/// Names an object of a namespace in a message.
pub(super) fn within(kind: &str, (namespace, name): &(String, String)) -> String {
    format!("{kind} {namespace}/{name}")
}

impl SnapshotBuilder {
    /// Counts something that is not about the aggregation layer.
    fn count(&mut self, kind: &str) {
        let kind = if kind.is_empty() { "something without a kind" } else { kind };
        *self.others.entry(kind.to_owned()).or_default() += 1;
    }
}

/// A warning about one file.
pub(super) fn warning(text: String) -> Note {
    Note { weight: NoteLevel::Warning, text }
}
