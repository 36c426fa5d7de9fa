//! Validates `metadata` as the server does on create, in the same order.
//!
//! Before these checks, the server removes what a client may not set: the namespace of a
//! cluster-scoped object, deletion fields, the uid. It also replaces malformed managed fields. None
//! of these is an error.

use super::{Rejections, ServerRejection, View, names};
use located_document::{Entry, Node};
use std::collections::HashSet;

/// The maximum size of all annotation keys and values together, in bytes.
const ANNOTATIONS_LIMIT: usize = 256 * 1024;

pub(super) fn check(view: &View<'_>, out: &mut Rejections) {
    name(view, out);
    if let Some(generation) = view.node(&["metadata", "generation"])
        && generation.as_i64().is_some_and(|g| g < 0)
    {
        let message = "may not be negative";
        out.push(ServerRejection::Metadata, "metadata.generation", generation.span, message);
    }
    labels(view, out);
    annotations(view, out);
    owners(view, out);
    finalizers(view, out);
}

fn name(view: &View<'_>, out: &mut Rejections) {
    let required = format!("{}.{}", view.text(&["spec", "version"]), view.text(&["spec", "group"]));
    let problem = |name: &str| -> Option<String> {
        if let Some(problem) = names::path_segment(name) {
            return Some(problem.to_owned());
        }
        (name != required)
            .then(|| format!("must be `<spec.version>.<spec.group>`, here `{required}`"))
    };
    let generate = view.text(&["metadata", "generateName"]);
    if !generate.is_empty()
        && let Some(problem) = problem(generate)
    {
        let place = view.place(&["metadata", "generateName"]);
        out.push(ServerRejection::Name, "metadata.generateName", place, problem);
    }
    let name = view.text(&["metadata", "name"]);
    let place = view.place(&["metadata", "name"]);
    if !name.is_empty() {
        if let Some(problem) = problem(name) {
            out.push(ServerRejection::Name, "metadata.name", place, problem);
            out.help(format!("write `name: {required}`"));
        }
    } else if generate.is_empty() {
        let message = format!("a name is required, here `{required}`");
        out.push(ServerRejection::Name, "metadata.name", place, message);
    } else {
        // The server appends random characters, so the result never matches.
        let message = format!("generateName cannot produce the required name `{required}`");
        out.push(ServerRejection::Name, "metadata.name", place, message);
    }
}

fn labels(view: &View<'_>, out: &mut Rejections) {
    for entry in live(view, "labels") {
        if let Some(problem) = names::qualified(&entry.key) {
            let message = format!("the key `{}` {problem}", entry.key);
            out.push(ServerRejection::Labels, "metadata.labels", entry.key_span, message);
        }
        let value = entry.value.as_str().unwrap_or_default();
        if let Some(problem) = names::label_value(value) {
            let message = format!("the value `{value}` of `{}` {problem}", entry.key);
            out.push(ServerRejection::Labels, "metadata.labels", entry.value.span, message);
        }
    }
}

fn annotations(view: &View<'_>, out: &mut Rejections) {
    let mut size = 0;
    for entry in live(view, "annotations") {
        size += entry.key.len() + entry.value.as_str().map_or(0, str::len);
        // The server ignores the case of the key.
        if let Some(problem) = names::qualified(&entry.key.to_lowercase()) {
            let message = format!("the key `{}` {problem}", entry.key);
            out.push(ServerRejection::Annotations, "metadata.annotations", entry.key_span, message);
        }
    }
    if size > ANNOTATIONS_LIMIT {
        let message =
            format!("the annotations have {size} bytes in total; the limit is {ANNOTATIONS_LIMIT}");
        let place = view.place(&["metadata", "annotations"]);
        out.push(ServerRejection::Annotations, "metadata.annotations", place, message);
    }
}

/// Returns the effective entries of a map of strings. The last of duplicate keys counts.
fn live<'a>(view: &View<'a>, field: &str) -> Vec<&'a Entry<'a>> {
    let entries = view.node(&["metadata", field]).map_or(&[][..], Node::entries);
    let mut seen = HashSet::with_capacity(entries.len());
    let mut live: Vec<_> = entries.iter().rev().filter(|e| seen.insert(&*e.key)).collect();
    live.reverse();
    live
}

fn owners(view: &View<'_>, out: &mut Rejections) {
    const FIELD: &str = "metadata.ownerReferences";
    let Some(list) = view.node(&["metadata", "ownerReferences"]) else { return };
    // Before it validates, the server drops duplicate references.
    let mut seen = HashSet::new();
    let mut controller = false;
    for owner in list.items() {
        if !seen.insert(owner.to_json_value().to_string()) {
            continue;
        }
        let text = |key: &str| owner.get(key).and_then(Node::as_str).unwrap_or_default();
        let (api_version, kind) = (text("apiVersion"), text("kind"));
        if version_of(api_version).is_empty() {
            let message = "the owner's apiVersion has no version";
            out.push(
                ServerRejection::Metadata,
                &format!("{FIELD}.apiVersion"),
                owner.span,
                message,
            );
        }
        for key in ["kind", "name", "uid"] {
            if text(key).is_empty() {
                let message = format!("the owner's {key} is empty");
                out.push(ServerRejection::Metadata, &format!("{FIELD}.{key}"), owner.span, message);
            }
        }
        if api_version == "v1" && kind == "Event" {
            let message = "an Event cannot own anything";
            out.push(ServerRejection::Metadata, FIELD, owner.span, message);
        }
        if owner.get("controller").and_then(Node::as_bool) == Some(true) {
            if controller {
                let message = "only one owner can be the controller";
                out.push(ServerRejection::Metadata, FIELD, owner.span, message);
            }
            controller = true;
        }
    }
}

/// Returns the version in an `apiVersion`; empty if the server cannot parse it.
fn version_of(api_version: &str) -> &str {
    match api_version.split('/').collect::<Vec<_>>()[..] {
        [version] | [_, version] => version,
        _ => "",
    }
}

fn finalizers(view: &View<'_>, out: &mut Rejections) {
    const FIELD: &str = "metadata.finalizers";
    let Some(list) = view.node(&["metadata", "finalizers"]) else { return };
    let (mut orphan, mut foreground) = (false, false);
    for item in list.items() {
        let name = item.as_str().unwrap_or_default();
        if let Some(problem) = names::qualified(name) {
            let message = format!("the finalizer `{name}` {problem}");
            out.push(ServerRejection::Metadata, FIELD, item.span, message);
        }
        orphan |= name == "orphan";
        foreground |= name == "foregroundDeletion";
    }
    if orphan && foreground {
        let message = "`orphan` and `foregroundDeletion` are mutually exclusive";
        out.push(
            ServerRejection::Metadata,
            FIELD,
            view.place(&["metadata", "finalizers"]),
            message,
        );
    }
}
