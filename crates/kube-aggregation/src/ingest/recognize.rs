//! Determines what a document is from its content, and adds it to a builder.

use std::collections::BTreeSet;

use super::control_plane;
use super::discovery::{aggregated, groups, resource_list};
use super::named::{key, known, revision, typed, within};
use super::part::{Envelope, Part};
use super::rbac;
use super::refused;
use super::untyped;
use super::{Missing, SnapshotBuilder};
use super::{objects, openapi};
use crate::codec::{
    ApiServiceObject, CrdObject, EndpointSliceObject, EndpointsObject, ListMeta, NamespaceObject,
    ObjectMeta, ServiceObject, VersionObject,
};
use crate::ingest::ServerDocument;
use crate::ingest::manifest::{self, API_VERSION, Manifest};
use crate::ingest::{Note, NoteLevel};
use crate::model::{ApiService, DiscoveryForm, ObjectName, Unread};

/// The maximum nesting of lists. Pasted `kubectl get` output can contain lists in lists.
const MAX_LISTS: usize = 4;

/// Adds a document if it is one object. Returns `None` if it is not.
pub(super) fn add_object<'a, P: Part<'a>>(
    builder: &mut SnapshotBuilder,
    file: &str,
    document: P,
) -> Option<Result<(), String>> {
    let envelope = document.envelope()?;
    Some(object(builder, file, document, &envelope, MAX_LISTS))
}

/// Adds a document.
///
/// # Errors
/// If the document is of a known kind but malformed.
pub(super) fn add<'a, P: Part<'a>>(
    builder: &mut SnapshotBuilder,
    file: &str,
    document: P,
) -> Result<(), String> {
    if document.is_array() {
        if let Some(found) = untyped::groups(document) {
            groups(builder, file, found);
            return Ok(());
        }
        let of = untyped::kind_of_file(file);
        let list = Elements { items: split(document)?, of, is_partial: false };
        return items(builder, file, list, MAX_LISTS);
    }
    // A number, a string, or an object with an invalid kind is only counted.
    add_object(builder, file, document).unwrap_or_else(|| {
        count(builder, "");
        Ok(())
    })
}

fn object<'a, P: Part<'a>>(
    builder: &mut SnapshotBuilder,
    file: &str,
    part: P,
    envelope: &Envelope<'a, P>,
    lists: usize,
) -> Result<(), String> {
    let (kind, version) = (envelope.kind.as_ref(), envelope.api_version.as_ref());
    match kind {
        "APIResourceList" | "APIGroupList" | "APIGroupDiscoveryList" => {
            builder.bounds.take_discovery(part)?;
        }
        _ => {
            if let Some(known) = known(kind.strip_suffix("List").unwrap_or(kind), version) {
                builder.bounds.take(part).inspect_err(|_| {
                    builder.incomplete.insert(known);
                })?;
            }
        }
    }
    match kind {
        "" => return kindless(builder, file, part, envelope),
        "APIResourceList" => return resource_list(builder, file, part, typed(kind, part)?),
        "APIGroupList" => {
            let found = envelope.groups.map(|found| typed("APIGroupList.groups", found));
            groups(builder, file, found.transpose()?.unwrap_or_default());
            builder.keep_text("/apis".to_owned(), DiscoveryForm::Legacy, part);
        }
        "Status" if version == "v1" => {
            builder.missing.extend(refused::missing(part));
            count(builder, kind);
        }
        "APIVersions" => builder.keep_text("/api".to_owned(), DiscoveryForm::Legacy, part),
        "APIGroup" => {}
        manifest::KIND if version == API_VERSION => return manifest(builder, part),
        "APIGroupDiscoveryList" => aggregated(builder, file, part, typed(kind, part)?),
        _ => {
            let Some((of, list)) = kind.strip_suffix("List").zip(envelope.items) else {
                return single(builder, file, part, kind, version);
            };
            let of = Some((of, version)).filter(|_| !of.is_empty());
            let list = Elements { items: split(list)?, of, is_partial: is_partial(envelope) };
            return items(builder, file, list, lists);
        }
    }
    Ok(())
}

/// Adds a dump's manifest, which lists the documents that could not be read, and why.
fn manifest<'a>(builder: &mut SnapshotBuilder, part: impl Part<'a>) -> Result<(), String> {
    let manifest: Manifest = typed(manifest::KIND, part)?;
    builder.openapi.protobuf |= manifest.openapi_protobuf;
    for entry in manifest.collected {
        if let (Some(ServerDocument::OpenApiDocument(key)), Some(etag)) =
            (ServerDocument::of_file(&entry.file), entry.etag)
        {
            builder.openapi.etags.insert(key, etag);
        }
    }
    for entry in manifest.missing {
        if let Some(document) = ServerDocument::of_file(&entry.file) {
            let unread = Unread { cause: entry.cause(), why: entry.why };
            builder.missing.push(Missing { document, unread });
        }
    }
    Ok(())
}

/// Adds a document without a kind: `/version`, `/`, OpenAPI, or a list.
fn kindless<'a, P: Part<'a>>(
    builder: &mut SnapshotBuilder,
    file: &str,
    part: P,
    envelope: &Envelope<'a, P>,
) -> Result<(), String> {
    if envelope.git_version.is_some() {
        let version: VersionObject = typed("the document /version", part)?;
        let conflict = builder.version.add((), version.into(), 0, file);
        builder.note_conflict(conflict, |()| "the document /version".to_owned());
        return Ok(());
    }
    if let Some(paths) = envelope.paths {
        if !paths.is_array() {
            return openapi::add(builder, file, part, envelope, paths);
        }
        let paths: BTreeSet<String> = typed("the document /", paths)?;
        let conflict = builder.root_paths.add((), paths, 0, file);
        builder.note_conflict(conflict, |()| "the document /".to_owned());
        return Ok(());
    }
    if let Some(version) = envelope.server_version.or(envelope.info) {
        match version.envelope() {
            Some(inner) if inner.git_version.is_some() => {
                return kindless(builder, file, version, &inner);
            }
            _ => count(builder, ""),
        }
        return Ok(());
    }
    if let Some(list) = envelope.groups.and_then(untyped::groups) {
        groups(builder, file, list);
        return Ok(());
    }
    if let (Some(list), of @ Some(_)) = (envelope.items, untyped::kind_of_file(file)) {
        let list = Elements { items: split(list)?, of, is_partial: is_partial(envelope) };
        return items(builder, file, list, MAX_LISTS);
    }
    count(builder, "");
    Ok(())
}

/// Returns whether a list is a page and more pages follow.
fn is_partial<'a, P: Part<'a>>(list: &Envelope<'a, P>) -> bool {
    let metadata = list.metadata.and_then(|metadata| metadata.decode().ok());
    metadata.is_some_and(|metadata: ListMeta| metadata.is_partial())
}

fn split<'a, P: Part<'a>>(list: P) -> Result<Vec<P>, String> {
    list.items().map_err(|why| format!("its items: {why}"))
}

/// Returns whether a file of a dump is a list that has only the objects that aggctl needs.
fn is_selection(file: &str) -> bool {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let selections = [ServerDocument::ApiServerPods, ServerDocument::Leases];
    selections.iter().any(|document| document.file_name() == name)
}

/// The elements of a list.
struct Elements<'k, P> {
    items: Vec<P>,
    /// The kind and API version of the items, if the list states them.
    of: Option<(&'k str, &'k str)>,
    /// Whether more pages follow.
    is_partial: bool,
}

fn items<'a, P: Part<'a>>(
    builder: &mut SnapshotBuilder,
    file: &str,
    list: Elements<'_, P>,
    lists: usize,
) -> Result<(), String> {
    let Elements { items, of, is_partial } = list;
    let Some(lists) = lists.checked_sub(1) else {
        return Err("lists are nested too deeply".to_owned());
    };
    let is_complete = !is_partial && !is_selection(file);
    if let (Some(objects), Some((kind, version))) = (&mut builder.objects, of)
        && is_complete
    {
        objects.listed(kind, version);
    }
    if let Some((kind, version)) = of
        && let Some(ours) = known(kind, version)
    {
        builder.lists(ours, is_partial.then_some(file));
    } else if let Some((kind, _)) = of
        && items.is_empty()
    {
        // Count an empty list of another kind, too, because it shows that this is from Kubernetes.
        count(builder, &format!("{kind}List"));
    }
    let mut first_error = None;
    for item in items {
        let result = match item.envelope() {
            // The items of a typed list do not repeat its kind.
            Some(envelope) if envelope.kind.is_empty() => match of {
                Some((kind, version)) => single(builder, file, item, kind, version),
                None => object(builder, file, item, &envelope, lists),
            },
            Some(envelope) => {
                if let (Some(objects), None) = (&mut builder.objects, of)
                    && is_complete
                {
                    objects.listed(&envelope.kind, &envelope.api_version);
                }
                if of.is_none()
                    && let Some(ours) = known(&envelope.kind, &envelope.api_version)
                {
                    builder.lists(ours, is_partial.then_some(file));
                }
                object(builder, file, item, &envelope, lists)
            }
            None => {
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

/// Returns whether an object has a name but no spec, as a patch of its metadata.
fn is_without_spec<'a>(part: impl Part<'a>) -> bool {
    #[derive(serde::Deserialize)]
    struct Patch {
        metadata: ObjectMeta,
        #[serde(default)]
        spec: Option<serde::de::IgnoredAny>,
    }
    part.decode().is_ok_and(|Patch { metadata, spec }| !metadata.name.is_empty() && spec.is_none())
}

fn single<'a, P: Part<'a>>(
    builder: &mut SnapshotBuilder,
    file: &str,
    part: P,
    kind: &str,
    api_version: &str,
) -> Result<(), String> {
    objects::keep(builder, file, part, kind, api_version);
    let Some(kind) = known(kind, api_version) else {
        let group = api_version.split_once('/').map_or("", |(group, _)| group);
        if !control_plane::add(builder, file, part, kind, group)? {
            count(builder, kind);
        }
        return Ok(());
    };
    match kind {
        "APIService" => {
            let decoded: Result<ApiServiceObject, String> = typed(kind, part);
            let object = match decoded {
                Ok(object) if builder.of_manifests && object.is_patch() => {
                    builder.patches.push(file.to_owned());
                    return Ok(());
                }
                Err(_) if builder.of_manifests && is_without_spec(part) => {
                    builder.patches.push(file.to_owned());
                    return Ok(());
                }
                decoded => decoded?,
            };
            if object.status.is_some() {
                builder.with_status.insert("APIService");
            }
            let name = object.metadata.name.clone();
            let revision = revision(kind, &name, &object.metadata.resource_version)?;
            if let Some(order) = &mut builder.order {
                order.push(ObjectName::ApiService(name.clone()));
            }
            let service = ApiService::from(object);
            if builder.of_manifests
                && let Some(other) = builder.api_services.get(&name)
                && other.service != service.service
            {
                builder.rivals.extend([other.clone(), service.clone()]);
            }
            let conflict = builder.api_services.add(name, service, revision, file);
            builder.note_conflict(conflict, |name| format!("APIService {name}"));
        }
        "CustomResourceDefinition" => {
            let object: CrdObject = typed(kind, part)?;
            let name = object.metadata.name.clone();
            let revision = revision(kind, &name, &object.metadata.resource_version)?;
            if let Some(order) = &mut builder.order {
                order.push(ObjectName::Crd(name.clone()));
            }
            let conflict = builder.crds.add(name, object.into(), revision, file);
            builder.note_conflict(conflict, |name| format!("CRD {name}"));
        }
        "Service" => {
            let object: ServiceObject = typed(kind, part)?;
            let (key, revision) = key(kind, &object.metadata)?;
            let conflict = builder.services.add(key, object.into(), revision, file);
            builder.note_conflict(conflict, |key| within(kind, key));
        }
        "Endpoints" => {
            let object: EndpointsObject = typed(kind, part)?;
            let (key, revision) = key(kind, &object.metadata)?;
            let conflict = builder.endpoints.add(key, object.into(), revision, file);
            builder.note_conflict(conflict, |key| within(kind, key));
        }
        "Namespace" => {
            let object: NamespaceObject = typed(kind, part)?;
            let ((_, name), revision) = key(kind, &object.metadata)?;
            let conflict = builder.namespaces.add(name, object.into(), revision, file);
            builder.note_conflict(conflict, |name| format!("Namespace {name}"));
        }
        "EndpointSlice" => {
            let object: EndpointSliceObject = typed(kind, part)?;
            let (key, revision) = key(kind, &object.metadata)?;
            let conflict = builder.endpoint_slices.add(key, object.into(), revision, file);
            builder.note_conflict(conflict, |key| within(kind, key));
        }
        _ => return rbac::add(builder, file, part, kind),
    }
    Ok(())
}

fn count(builder: &mut SnapshotBuilder, kind: &str) {
    let kind = if kind.is_empty() { "something without a kind" } else { kind };
    *builder.others.entry(kind.to_owned()).or_default() += 1;
}

/// Creates a warning about one file.
pub(super) fn warning(text: String) -> Note {
    Note { weight: NoteLevel::Warning, text }
}
