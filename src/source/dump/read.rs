//! Any mix of JSON and YAML, in any folder layout, recognised by what is in it.

use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;

use crate::document;
use crate::error::Error;
use crate::health;
use crate::model::{GroupVersion, HealthSample, Origin, SourceKind};
use crate::source::dump::manifest::{self, Collected, Manifest};
use crate::source::facts::{Facts, control_plane, openapi, recognise, unnamed};
use crate::source::files::{self, Content, Reader, Unreadable};
use crate::source::live::{Document, Needs, Resources};
use crate::source::{Loaded, Note, Weight};
use crate::usage::is_metrics;

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

/// Reads files, directories and standard input into one snapshot. What is not needed is passed
/// over unread: it is as if nobody had collected it.
pub(in crate::source) fn load(paths: &[PathBuf], needs: &Needs) -> Result<Loaded, Error> {
    let kept = Facts::keeping(needs.objects, needs.texts);
    let empty = Facts { unneeded: unneeded(needs), asked: asked(needs), ..kept };
    let (facts, name) = facts(paths, DUMP, empty, Some(needs))?;
    let (snapshot, notes) = facts.into_snapshot(Origin { kind: SourceKind::Dump, name });
    Ok(Loaded { snapshot, notes })
}

/// Reads bytes as a dump of one file of that name.
pub(in crate::source) fn load_bytes(name: &str, bytes: &[u8]) -> Result<Loaded, Error> {
    let (mut facts, mut failure) = (Facts::default(), None);
    Reader::default().bytes(name, bytes, &mut |content| {
        if let Err(why) = add_file(&mut facts, content) {
            failure.get_or_insert(format!("cannot read {name}: {why}"));
        }
    });
    match failure {
        Some(why) if facts.is_empty() => Err(Error::source(why)),
        _ => {
            let origin = Origin { kind: SourceKind::Dump, name: name.to_owned() };
            let (snapshot, notes) = facts.into_snapshot(origin);
            Ok(Loaded { snapshot, notes })
        }
    }
}

/// Reads manifests; what else the files hold is counted and said, for it counts for nothing.
pub(in crate::source) fn load_manifests(paths: &[PathBuf]) -> Result<Loaded, Error> {
    let empty = Facts { order: Some(vec![]), of_manifests: true, ..Facts::default() };
    let (mut facts, name) = facts(paths, MANIFESTS, empty, None)?;
    if !facts.others.is_empty() {
        let total: usize = facts.others.values().sum();
        let kinds: Vec<_> = facts.others.keys().take(5).map(String::as_str).collect();
        let (objects, change) = match total {
            1 => ("object", "changes no route and is"),
            _ => ("objects", "change no route and are"),
        };
        let kinds = kinds.join(", ");
        let text = format!("{total} {objects} in {name} {change} left out: {kinds}");
        facts.notes.push(Note { weight: Weight::Note, text });
    }
    let order = facts.order.take().unwrap_or_default();
    let (mut snapshot, notes) = facts.into_snapshot(Origin { kind: SourceKind::Dump, name });
    snapshot.order = order;
    Ok(Loaded { snapshot, notes })
}

/// The group versions that alone matter where the server's own document lists all.
fn asked(needs: &Needs) -> Option<BTreeSet<GroupVersion>> {
    match &needs.resources {
        Resources::Unlisted(asked) if !needs.texts && !needs.objects => Some(asked.clone()),
        _ => None,
    }
}

/// The kinds of objects that are not needed. Whom Pods run as matters where it is judged what that
/// may.
fn unneeded(needs: &Needs) -> BTreeSet<&'static str> {
    let kinds = needs.does_without().flat_map(|document| match document {
        Document::RoleBindings => vec!["RoleBinding", "Pod"],
        Document::OpenApiV2 => vec![openapi::V2],
        Document::OpenApiV3 => vec![openapi::INDEX],
        document => document.kind().into_iter().collect(),
    });
    kinds.collect()
}

fn facts(
    paths: &[PathBuf],
    purpose: Purpose,
    mut facts: Facts,
    needs: Option<&Needs>,
) -> Result<(Facts, String), Error> {
    let hint = purpose.hint;
    let reader = Reader::default();
    let mut own = Own::default();
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
            if !own.is_empty() && own.passes_over(&entry.name(), &mut facts) {
                continue;
            }
            reader.each(entry, &mut |content| {
                seen += 1;
                if own.passes_over(&content.name, &mut facts) {
                    return;
                }
                if let Some(needs) = needs {
                    own.add(&content, needs);
                }
                let (name, found) = (content.name.clone(), content.found);
                match add_file(&mut facts, content) {
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
    for (name, json) in recognise::waiting(&mut facts) {
        let added = recognise::whole(&mut facts, &name, &json);
        let added = added.unwrap_or_else(|| add_json(&mut facts, &name, &json));
        skipped.extend(added.err().map(|why| format!("{name}: {why}")));
    }
    let name = paths.iter().map(|p| p.display().to_string()).collect::<Vec<_>>().join(", ");
    if facts.is_empty() {
        let error = match skipped.first() {
            Some(skipped) => Error::source(format!("cannot read {skipped}")),
            None => nothing(&name, seen, &facts, purpose),
        };
        return Err(error.with_hint(hint));
    }
    let warnings = skipped.iter().map(|skipped| recognise::warning(format!("skipped {skipped}")));
    facts.notes.extend(warnings);
    if about_others > 0 {
        let text = format!("{about_others} of {seen} files in {name} are about something else");
        facts.notes.push(Note { weight: Weight::Detail, text });
    }
    Ok((facts, name))
}

/// The files that nobody has to open, told by the manifest of a dump that aggctl wrote: it vouches
/// for their names. What a live cluster would not be asked for is not needed of its dump either;
/// what is small or shapes every answer is read all the same.
#[derive(Default)]
struct Own {
    unneeded: HashSet<String>,
    /// What is not needed where the aggregated document of the core group came before it.
    told_of_core: HashSet<String>,
    /// What is not needed where that of all other groups did.
    told_of_groups: HashSet<String>,
}

impl Own {
    /// Reads a manifest, if it is one.
    fn add(&mut self, content: &Content, needs: &Needs) {
        let Some(folder) = content.name.strip_suffix(manifest::FILE) else { return };
        let Ok(bytes) = &content.bytes else { return };
        let Ok(manifest) = serde_json::from_slice::<Manifest>(bytes) else { return };
        if manifest.kind != manifest::KIND || needs.texts || needs.objects {
            return;
        }
        let without: Vec<String> = needs.does_without().map(|one| one.file_name()).collect();
        let unlisted = matches!(needs.resources, Resources::Unlisted(_));
        let legacy = |file: &str, document: Document| {
            unlisted && file == document.file_name() && !needs.documents.contains(&document)
        };
        for Collected { file, .. } in &manifest.collected {
            let files = match Document::one_of_many(file) {
                Some(Document::Resources(gv)) if unlisted && gv.group.is_empty() => {
                    &mut self.told_of_core
                }
                Some(Document::Resources(_)) if unlisted => &mut self.told_of_groups,
                Some(Document::Resources(_)) if needs.resources != Resources::None => continue,
                Some(Document::OpenApiDocument(_)) if needs.openapi_documents => continue,
                Some(_) => &mut self.unneeded,
                None if legacy(file, Document::Core) => &mut self.told_of_core,
                None if legacy(file, Document::Groups) => &mut self.told_of_groups,
                None if without.contains(file) => &mut self.unneeded,
                None => continue,
            };
            files.insert(format!("{folder}{file}"));
        }
    }

    fn is_empty(&self) -> bool {
        self.unneeded.is_empty() && self.told_of_core.is_empty() && self.told_of_groups.is_empty()
    }

    /// Whether a file need not be read.
    fn passes_over(&self, name: &str, facts: &mut Facts) -> bool {
        let unneeded = self.unneeded.contains(name)
            || !facts.aggregated_core.is_empty() && self.told_of_core.contains(name)
            || !facts.aggregated_groups.is_empty() && self.told_of_groups.contains(name);
        facts.passed_over |= unneeded;
        unneeded
    }
}

fn nothing(name: &str, files: usize, facts: &Facts, purpose: Purpose) -> Error {
    let does = purpose.nothing;
    let message = match files {
        0 => format!("{name} is empty: there is nothing to read"),
        _ if facts.others.is_empty() => {
            let what = if files == 1 {
                "it is not".to_owned()
            } else {
                format!("none of {files} files is")
            };
            format!("nothing in {name} {does}: {what} JSON or YAML of Kubernetes")
        }
        _ => {
            let mut kinds: Vec<_> = facts.others.iter().collect();
            kinds.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            let kinds: Vec<_> = kinds.iter().take(3).map(|(kind, _)| kind.as_str()).collect();
            format!("nothing in {name} {does}: it holds {}", kinds.join(", "))
        }
    };
    Error::source(message)
}

/// Adds a file's documents; false where the file is about something else.
fn add_file(facts: &mut Facts, file: Content) -> Result<bool, String> {
    let text = match file.bytes.and_then(files::text) {
        Ok(text) => text,
        Err(Unreadable::Binary) => return Ok(false),
        Err(Unreadable::Broken(why)) => return Err(why),
    };
    let text = unnamed::without_headers(&text);
    let start = text.trim_ascii_start();
    if !start.starts_with('{') && add_text(facts, &file.name, text) {
        return Ok(true);
    }
    if !mentions_objects(text) && !unnamed::is_list(&file.name, text) {
        return Ok(false);
    }
    if start.starts_with('{')
        && let Some(added) = recognise::whole(facts, &file.name, text)
    {
        return added.map(|()| true);
    }
    let without_logs = unnamed::without_logs(text);
    let text = without_logs.as_deref().unwrap_or(text);
    if without_logs.is_some() && !mentions_objects(text) {
        return Ok(false);
    }
    let start = text.trim_ascii_start();
    let json = start.starts_with('{') || start.starts_with('[');
    let added = if json && !is_yaml_with_braces(start) {
        add_json(facts, &file.name, text)
    } else {
        add_yaml(facts, &file.name, text)
    };
    // Support bundles replace values by this, which leaves something that is not YAML.
    let hidden = added.is_err() && text.contains("***HIDDEN***");
    if hidden { Ok(false) } else { added.map(|()| true) }
}

/// Adds what a server prints that is no document; whether it is that.
fn add_text(facts: &mut Facts, file: &str, text: &str) -> bool {
    if health::is_body(text) {
        let endpoint = unnamed::endpoint_of_file(file);
        facts.health.push(HealthSample { endpoint, body: Ok(text.to_owned()) });
    } else if is_metrics(text) {
        facts.metrics = Some(text.to_owned());
    } else {
        return control_plane::add_text(facts, file, text);
    }
    true
}

/// Every document of a YAML file; the first error counts, and the others are still used.
fn add_yaml(facts: &mut Facts, file: &str, text: &str) -> Result<(), String> {
    let mut first_error = None;
    for document in document::parse(text.as_bytes()) {
        let result = match document {
            Ok(document) => recognise::add(facts, file, &document.to_json_value().to_string()),
            Err(error) => Err(error.to_string()),
        };
        if let Err(error) = result {
            first_error.get_or_insert(error);
        }
    }
    first_error.map_or(Ok(()), Err)
}

/// One JSON document or several, one behind the other.
fn add_json(facts: &mut Facts, file: &str, text: &str) -> Result<(), String> {
    let documents =
        serde_json::Deserializer::from_str(text).into_iter::<&serde_json::value::RawValue>();
    let mut first_error = None;
    for document in documents {
        let result = match document {
            Ok(raw) => recognise::add(facts, file, raw.get()),
            Err(error) => {
                let message = error.to_string();
                let why = message.split(" at line").next().unwrap_or_default().to_lowercase();
                // At the end behind a line break there is no column: the end is that of the line.
                let (line, column) = match (error.line(), error.column()) {
                    (line @ 2.., 0) => {
                        let last = text.lines().nth(line - 2).unwrap_or_default();
                        (line - 1, last.chars().count().max(1))
                    }
                    place => place,
                };
                Err(format!("{line}:{column}: {why}"))
            }
        };
        if let Err(error) = result {
            first_error.get_or_insert(error);
        }
    }
    first_error.map_or(Ok(()), Err)
}

/// Whether a text that begins with a brace is YAML all the same: documents with a marker between
/// them, or keys without quotes.
fn is_yaml_with_braces(start: &str) -> bool {
    let first_key = start.trim_start_matches(['{', '[']).trim_ascii_start();
    let quoted = first_key.starts_with(['"', '{', '[', '}', ']']) || first_key.is_empty();
    !quoted || start.lines().any(|line| line.trim_ascii_end() == "---" || line.starts_with("--- "))
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
