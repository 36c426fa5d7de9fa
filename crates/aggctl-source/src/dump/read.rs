//! Reads a dump: any mix of JSON and YAML, in any folder layout, recognized by content.

use std::path::{Path, PathBuf};

use super::error::{DumpError, InputKind};
use super::foreign;
use super::kept::DumpFiles;
use crate::files::{self, Content, FileError, Reader, Unreadable};
use crate::needs::Needs;
use aggctl_diagnose::health;
use aggctl_usage::is_metrics;
use kube_aggregation::ingest::{Note, NoteLevel, SnapshotBuilder};
use kube_aggregation::model::Snapshot;

/// The maximum number of other kinds that a message lists.
const MAX_KINDS: usize = 5;

/// Decodes documents into a builder, and also keeps them if they are to be changed.
pub(super) struct Decoder {
    pub(super) builder: SnapshotBuilder,
    pub(super) kept: Option<DumpFiles>,
}

impl From<SnapshotBuilder> for Decoder {
    fn from(builder: SnapshotBuilder) -> Self {
        Self { builder, kept: None }
    }
}

/// Reads files, directories and standard input into one snapshot.
pub(crate) fn load(paths: &[PathBuf], needs: &Needs) -> Result<(Snapshot, Vec<Note>), DumpError> {
    let (decoder, name) = decode(paths, needs, false)?;
    Ok(decoder.builder.build(name))
}

/// Decodes files, directories and standard input, and returns the name of the dump. `keeps` also
/// keeps the documents.
pub(super) fn decode(
    paths: &[PathBuf],
    needs: &Needs,
    keeps: bool,
) -> Result<(Decoder, String), DumpError> {
    let empty = || Decoder {
        builder: SnapshotBuilder::keeping(needs.objects, needs.texts),
        kept: keeps.then(DumpFiles::default),
    };
    let (decoder, name) = collect(paths, InputKind::Dump, empty())?;
    let Some([first, second]) = rivals(&decoder.builder, paths) else { return Ok((decoder, name)) };
    drop(decoder);
    let (mut decoder, _) = collect(&[PathBuf::from(&first)], InputKind::Dump, empty())?;
    let text = format!("{name} has dumps of two clusters, {first} and {second}: using {first}");
    decoder.builder.note(NoteLevel::Warning, text);
    if let Some(kept) = &mut decoder.kept {
        kept.warn("the source has dumps of two clusters: using the first".to_owned());
    }
    Ok((decoder, first))
}

/// What the folder or archive of one API server contains.
pub(crate) enum ServerDump {
    One(Box<Snapshot>, Vec<Note>),
    /// This folder contains several dumps.
    Several(PathBuf),
}

/// Reads the dump of one API server.
pub(crate) fn load_server(path: PathBuf, needs: &Needs) -> Result<ServerDump, DumpError> {
    let empty = SnapshotBuilder::keeping(needs.objects, needs.texts);
    let paths = [path];
    let (Decoder { builder, .. }, name) = collect(&paths, InputKind::Dump, empty.into())?;
    let Some([first, _]) = rivals(&builder, &paths) else {
        let (snapshot, notes) = builder.build(name);
        return Ok(ServerDump::One(Box::new(snapshot), notes));
    };
    let [path] = paths;
    Ok(ServerDump::Several(Path::new(&first).parent().map_or(path, Path::to_owned)))
}

/// Returns two folders of a dump that look like dumps of two clusters.
fn rivals(builder: &SnapshotBuilder, paths: &[PathBuf]) -> Option<[String; 2]> {
    let folders = builder.rival_folders().filter(|_| paths.len() == 1)?;
    // A folder in an archive cannot be read by itself.
    folders.iter().all(|folder| Path::new(folder).exists()).then_some(folders)
}

/// Reads bytes as a dump with a single file of this name.
pub(crate) fn load_bytes(name: &str, bytes: &[u8]) -> Result<(Snapshot, Vec<Note>), DumpError> {
    let (mut decoder, mut failure) = (Decoder::from(SnapshotBuilder::default()), None);
    Reader::default().bytes(name, bytes, &mut |content| {
        if let Err(why) = add_file(&mut decoder, content) {
            failure.get_or_insert(FileError::new(name, why));
        }
    });
    match failure {
        Some(error) if decoder.builder.is_empty() => Err(DumpError::File(error, InputKind::Dump)),
        _ => Ok(decoder.builder.build(name)),
    }
}

/// Reads manifests. A note counts the objects that are irrelevant to routing.
pub(crate) fn load_manifests(paths: &[PathBuf]) -> Result<(Snapshot, Vec<Note>), DumpError> {
    let empty = SnapshotBuilder::of_manifests();
    let (Decoder { mut builder, .. }, name) = collect(paths, InputKind::Manifests, empty.into())?;
    if !builder.other_kinds().is_empty() {
        let total: usize = builder.other_kinds().values().sum();
        let kinds = builder.other_kinds().keys().take(MAX_KINDS);
        let kinds: Vec<_> = kinds.map(String::as_str).collect();
        let (objects, change) = match total {
            1 => ("object", "does"),
            _ => ("objects", "do"),
        };
        let kinds = kinds.join(", ");
        let text = format!("{total} {objects} in {name} {change} not affect routing: {kinds}");
        builder.note(NoteLevel::Note, text);
    }
    Ok(builder.build(name))
}

fn collect(
    paths: &[PathBuf],
    input: InputKind,
    mut decoder: Decoder,
) -> Result<(Decoder, String), DumpError> {
    let reader = Reader::default();
    let mut seen = 0;
    let mut about_others = 0;
    let mut skipped = vec![];
    let mut templates: Vec<String> = vec![];
    for path in paths {
        let walk =
            files::walk(path, &|_, _| true).map_err(|error| DumpError::File(error, input))?;
        skipped.extend(walk.skipped);
        let mut failure = None;
        for entry in &walk.files {
            reader.each(entry, &mut |content| {
                seen += 1;
                let (name, found) = (content.name.clone(), content.found);
                let template = input == InputKind::Manifests && found && is_template(&content);
                match add_file(&mut decoder, content) {
                    Ok(true) => {}
                    Ok(false) => about_others += 1,
                    Err(_) if template => templates.push(name),
                    Err(why) if found => skipped.push(FileError { name, why }),
                    Err(why) => failure = Some(FileError { name, why }),
                }
            });
        }
        if let Some(error) = failure {
            return Err(DumpError::File(error, input));
        }
    }
    let name = paths.iter().map(|p| p.display().to_string()).collect::<Vec<_>>().join(", ");
    let Decoder { builder, kept } = &mut decoder;
    if builder.is_empty() {
        return Err(match skipped.into_iter().next() {
            Some(skipped) => DumpError::File(skipped, input),
            None => nothing(name, seen, builder, input),
        });
    }
    if let Some(first) = templates.first() {
        let text = match templates.len() - 1 {
            0 => format!("skipped {first}, a template: render it first"),
            more => format!("skipped {first} and {more} more templates: render them first"),
        };
        builder.note(NoteLevel::Warning, text);
    }
    for FileError { name, why } in &skipped {
        builder.note(NoteLevel::Warning, format!("skipped {name}: {why}"));
    }
    if let (Some(kept), 1..) = (kept, skipped.len()) {
        let files = if skipped.len() == 1 { "file" } else { "files" };
        kept.warn(format!("skipped {} {files} that could not be read", skipped.len()));
    }
    if about_others > 0 {
        let text = format!("skipped {about_others} of {seen} files in {name}: unrelated");
        builder.note(NoteLevel::Detail, text);
    }
    Ok((decoder, name))
}

/// Returns whether a file of manifests is a template that was not rendered.
fn is_template(content: &Content) -> bool {
    let text = content.bytes.as_deref().unwrap_or_default();
    memchr::memmem::find(text, b"{{").is_some() || memchr::memmem::find(text, b"${").is_some()
}

fn nothing(name: String, files: usize, builder: &SnapshotBuilder, input: InputKind) -> DumpError {
    let mut kinds: Vec<_> = builder.other_kinds().iter().collect();
    kinds.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let kinds = kinds.iter().take(3).map(|(kind, _)| (*kind).clone()).collect();
    DumpError::Nothing { name, files, kinds, input }
}

/// Adds the documents of a file, and returns whether it has any.
pub(super) fn add_file(decoder: &mut Decoder, file: Content) -> Result<bool, Unreadable> {
    let text = match file.bytes.and_then(files::text) {
        Ok(text) => text,
        Err(Unreadable::Binary) => return Ok(false),
        Err(why) => return Err(why),
    };
    let text = foreign::without_headers(&text);
    let start = text.trim_ascii_start();
    let Decoder { builder, kept } = decoder;
    if !start.starts_with('{') && add_text(builder, &file.name, text) {
        if let Some(kept) = kept {
            kept.keep_text(&file.name, text).map_err(Unreadable::Malformed)?;
        }
        return Ok(true);
    }
    if !mentions_objects(text) && !foreign::is_list(&file.name, text) {
        return Ok(false);
    }
    if start.starts_with('{')
        && let Some(added) = builder.add_single_json(&file.name, text)
    {
        let kept = kept.as_mut().map_or(Ok(()), |kept| kept.keep_json(&file.name, start));
        return kept.and(added).map(|()| true).map_err(Unreadable::Malformed);
    }
    let without_logs = foreign::without_logs(text);
    let text = without_logs.as_deref().unwrap_or(text);
    if without_logs.is_some() && !mentions_objects(text) {
        return Ok(false);
    }
    let start = text.trim_ascii_start();
    let json = start.starts_with('{') || start.starts_with('[');
    let added = if json && !is_yaml_with_braces(start) {
        add_json(decoder, &file.name, text)
    } else {
        add_yaml(decoder, &file.name, text)
    };
    // Support bundles replace values with this, which may leave invalid YAML.
    let hidden = added.is_err() && text.contains("***HIDDEN***");
    if hidden { Ok(false) } else { added.map(|()| true).map_err(Unreadable::Malformed) }
}

/// Adds a text document (health response, metrics or flags), and returns whether `text` is one.
pub(super) fn add_text(builder: &mut SnapshotBuilder, file: &str, text: &str) -> bool {
    if health::is_body(text) {
        let endpoint = foreign::endpoint_of_file(file);
        builder.add_health(endpoint, text);
    } else if is_metrics(text) {
        builder.set_metrics(text);
    } else if let Some(version) = foreign::server_version(text) {
        return builder.add_value(file, &serde_json::json!({ "gitVersion": version })).is_ok();
    } else {
        return builder.add_flags_text(file, text);
    }
    true
}

/// Adds all documents of a YAML file, and returns the first error.
fn add_yaml(decoder: &mut Decoder, file: &str, text: &str) -> Result<(), String> {
    let mut first_error = None;
    for document in located_document::parse(text.as_bytes()) {
        let result = match document {
            Ok(document) => {
                let value = document.to_json_value();
                let added = decoder.builder.add_value(file, &value);
                decoder
                    .kept
                    .as_mut()
                    .map_or(Ok(()), |kept| kept.keep_json(file, &value.to_string()))
                    .and(added)
            }
            Err(error) => Err(error.to_string()),
        };
        if let Err(error) = result {
            first_error.get_or_insert(error);
        }
    }
    first_error.map_or(Ok(()), Err)
}

/// Adds concatenated JSON documents, and returns the first error.
fn add_json(decoder: &mut Decoder, file: &str, text: &str) -> Result<(), String> {
    let documents =
        serde_json::Deserializer::from_str(text).into_iter::<&serde_json::value::RawValue>();
    let mut first_error = None;
    for document in documents {
        let result = match document {
            Ok(raw) => {
                let added = decoder.builder.add_json(file, raw.get());
                let kept = decoder.kept.as_mut();
                kept.map_or(Ok(()), |kept| kept.keep_json(file, raw.get())).and(added)
            }
            Err(error) => {
                let message = error.to_string();
                let why = message.split(" at line").next().unwrap_or_default().to_lowercase();
                // An error after the last line break has no column; report the end of that line.
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

/// Returns whether a text that starts with a brace is YAML, because it has document markers or
/// unquoted keys.
fn is_yaml_with_braces(start: &str) -> bool {
    let first_key = start.trim_start_matches(['{', '[']).trim_ascii_start();
    let quoted = first_key.starts_with(['"', '{', '[', '}', ']']) || first_key.is_empty();
    !quoted || start.lines().any(|line| line.trim_ascii_end() == "---" || line.starts_with("--- "))
}

/// Returns whether a text has a key of a supported document. Logs are full of braces and colons,
/// and must not be reported as broken documents.
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
