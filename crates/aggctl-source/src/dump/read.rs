//! Any mix of JSON and YAML, in any folder layout, recognised by what is in it.

use std::path::PathBuf;

use super::foreign;
use crate::error::Error;
use crate::files::{self, Content, Reader, Unreadable};
use crate::live::Needs;
use crate::{Loaded, NoteLevel};
use aggctl_diagnose::health;
use aggctl_usage::is_metrics;
use kube_aggregation::ingest::SnapshotBuilder;
use located_document::NodeDeserializer;
use serde::de::IgnoredAny;

/// What files are read for, for whoever got them wrong.
#[derive(Debug, Clone, Copy)]
struct Purpose {
    /// What nothing in them does.
    nothing: &'static str,
    /// What they may be.
    hint: &'static str,
}

const DUMP: Purpose = Purpose { nothing: "contains API server data", hint: HINT };

const MANIFESTS: Purpose = Purpose { nothing: "can be applied", hint: MANIFEST_HINT };

/// What one `--dump` may be.
const HINT: &str = "a dump is what `kubectl get apiservices,crd -o json`, `kubectl get --raw /apis` and the like print, as files in any layout";

/// What a manifest may be.
const MANIFEST_HINT: &str = "manifests are APIServices, CustomResourceDefinitions, Services, EndpointSlices, roles and bindings, in YAML or JSON";

/// Reads files, directories and standard input into one snapshot.
pub(crate) fn load(paths: &[PathBuf], needs: &Needs) -> Result<Loaded, Error> {
    let empty = SnapshotBuilder::keeping(needs.objects, needs.texts);
    let (builder, name) = collect(paths, DUMP, empty)?;
    let (snapshot, notes) = builder.build(name);
    Ok(Loaded { snapshot, notes })
}

/// Reads bytes as a dump of one file of that name.
pub(crate) fn load_bytes(name: &str, bytes: &[u8]) -> Result<Loaded, Error> {
    let (mut builder, mut failure) = (SnapshotBuilder::default(), None);
    Reader::default().bytes(name, bytes, &mut |content| {
        if let Err(why) = add_file(&mut builder, content) {
            failure.get_or_insert(format!("cannot read {name}: {why}"));
        }
    });
    match failure {
        Some(why) if builder.is_empty() => Err(Error::source(why)),
        _ => {
            let (snapshot, notes) = builder.build(name);
            Ok(Loaded { snapshot, notes })
        }
    }
}

/// Reads manifests; what else the files hold is counted and said, for it counts for nothing.
pub(crate) fn load_manifests(paths: &[PathBuf]) -> Result<Loaded, Error> {
    let empty = SnapshotBuilder::of_manifests();
    let (mut builder, name) = collect(paths, MANIFESTS, empty)?;
    if !builder.other_kinds().is_empty() {
        let total: usize = builder.other_kinds().values().sum();
        let kinds: Vec<_> = builder.other_kinds().keys().take(5).map(String::as_str).collect();
        let (objects, change) = match total {
            1 => ("object", "changes no route and is"),
            _ => ("objects", "change no route and are"),
        };
        let kinds = kinds.join(", ");
        let text = format!("{total} {objects} in {name} {change} left out: {kinds}");
        builder.note(NoteLevel::Note, text);
    }
    let (snapshot, notes) = builder.build(name);
    Ok(Loaded { snapshot, notes })
}

fn collect(
    paths: &[PathBuf],
    purpose: Purpose,
    mut builder: SnapshotBuilder,
) -> Result<(SnapshotBuilder, String), Error> {
    let hint = purpose.hint;
    let reader = Reader::default();
    let mut seen = 0;
    let mut about_others = 0;
    let mut skipped = vec![];
    for path in paths {
        let walk = files::walk(path, &|_, _| true).map_err(|error| match error.hint() {
            Some(_) => error,
            None => error.with_hint(hint),
        })?;
        skipped.extend(walk.skipped);
        let mut failure = None;
        for entry in &walk.files {
            reader.each(entry, &mut |content| {
                seen += 1;
                let (name, found) = (content.name.clone(), content.found);
                match add_file(&mut builder, content) {
                    Ok(true) => {}
                    Ok(false) => about_others += 1,
                    Err(why) if found => skipped.push(format!("{name}: {why}")),
                    Err(why) => {
                        failure = Some(Error::source(format!("cannot read {name}: {why}")));
                    }
                }
            });
        }
        if let Some(error) = failure {
            return Err(error.with_hint(hint));
        }
    }
    let name = paths.iter().map(|p| p.display().to_string()).collect::<Vec<_>>().join(", ");
    if builder.is_empty() {
        let error = match skipped.first() {
            Some(skipped) => Error::source(format!("cannot read {skipped}")),
            None => nothing(&name, seen, &builder, purpose),
        };
        return Err(error.with_hint(hint));
    }
    for skipped in &skipped {
        builder.note(NoteLevel::Warning, format!("skipped {skipped}"));
    }
    if about_others > 0 {
        let text = format!("{about_others} of {seen} files in {name} are about something else");
        builder.note(NoteLevel::Detail, text);
    }
    Ok((builder, name))
}

fn nothing(name: &str, files: usize, builder: &SnapshotBuilder, purpose: Purpose) -> Error {
    let does = purpose.nothing;
    let message = match files {
        0 => format!("{name} is empty: there is nothing to read"),
        _ if builder.other_kinds().is_empty() => {
            let what = if files == 1 {
                "it is not".to_owned()
            } else {
                format!("none of {files} files is")
            };
            format!("nothing in {name} {does}: {what} JSON or YAML of Kubernetes")
        }
        _ => {
            let mut kinds: Vec<_> = builder.other_kinds().iter().collect();
            kinds.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            let kinds: Vec<_> = kinds.iter().take(3).map(|(kind, _)| kind.as_str()).collect();
            format!("nothing in {name} {does}: it holds {}", kinds.join(", "))
        }
    };
    Error::source(message)
}

/// Adds a file's documents; false where the file is about something else.
fn add_file(builder: &mut SnapshotBuilder, file: Content) -> Result<bool, String> {
    let text = match file.bytes.and_then(files::text) {
        Ok(text) => text,
        Err(Unreadable::Binary) => return Ok(false),
        Err(Unreadable::Broken(why)) => return Err(why),
    };
    let text = foreign::without_headers(&text);
    let start = text.trim_ascii_start();
    if !start.starts_with('{') && add_text(builder, &file.name, text) {
        return Ok(true);
    }
    if !mentions_objects(text) && !foreign::is_list(&file.name, text) {
        return Ok(false);
    }
    let without_logs = foreign::without_logs(text);
    let text = without_logs.as_deref().unwrap_or(text);
    if without_logs.is_some() && !mentions_objects(text) {
        return Ok(false);
    }
    let start = text.trim_ascii_start();
    let json = start.starts_with('{') || start.starts_with('[');
    let added = if json && !is_yaml_with_braces(start) {
        builder.add_json(&file.name, text)
    } else {
        add_yaml(builder, &file.name, text)
    };
    // Support bundles replace values by this, which leaves something that is neither YAML nor JSON.
    let hidden = added.is_err() && text.contains("***HIDDEN***") && !is_json(text);
    if hidden { Ok(false) } else { added.map(|()| true) }
}

/// Adds what a server prints that is no document; whether it is that.
fn add_text(builder: &mut SnapshotBuilder, file: &str, text: &str) -> bool {
    if health::is_body(text) {
        let endpoint = foreign::endpoint_of_file(file);
        builder.add_health(endpoint, text);
    } else if is_metrics(text) {
        builder.set_metrics(text);
    } else {
        return builder.add_flags_text(file, text);
    }
    true
}

/// Adds every document of a YAML file. Returns the first error, after adding all others.
fn add_yaml(builder: &mut SnapshotBuilder, file: &str, text: &str) -> Result<(), String> {
    let mut first_error = Ok(());
    for document in located_document::parse(text.as_bytes()) {
        let added = match document {
            Ok(document) => {
                let mut located = NodeDeserializer::new(&document.root);
                // Finding the line of an error takes time, and only one error is reported.
                if first_error.is_ok() {
                    located = located.in_file(text.as_bytes());
                }
                builder.add_document(file, located, || document.to_json_value().to_string())
            }
            Err(error) => Err(error.to_string()),
        };
        first_error = first_error.and(added);
    }
    first_error
}

fn is_json(text: &str) -> bool {
    serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>().all(|one| one.is_ok())
}

/// Whether a text that begins with a brace is YAML all the same: documents with a marker between
/// them, or keys without quotes.
fn is_yaml_with_braces(start: &str) -> bool {
    let first_key = start.trim_start_matches(['{', '[']).trim_ascii_start();
    let quoted = first_key.starts_with(['"', '{', '[', '}', ']']) || first_key.is_empty();
    let is_marker = |at: usize| {
        let line = start.get(at + 1..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        line.trim_ascii_end() == "---" || line.starts_with("--- ")
    };
    !quoted || memchr::memmem::find_iter(start.as_bytes(), b"\n---").any(is_marker)
}

/// Whether a text has a key of the documents that we read. Logs and the like are full of braces
/// and colons, and nobody wants to hear that they are broken.
fn mentions_objects(text: &str) -> bool {
    ["kind", "gitVersion", "groupVersion", "paths"].iter().any(|key| {
        memchr::memmem::find_iter(text.as_bytes(), key).any(|at| {
            let before = text.as_bytes().get(at.wrapping_sub(1)).copied();
            let after = text.get(at + key.len()..).unwrap_or_default();
            let after = after.trim_start_matches(['"', '\'']).trim_ascii_start();
            after.starts_with(':') && before.is_none_or(|b| b" \n\t{,\"'-".contains(&b))
        })
    })
}
