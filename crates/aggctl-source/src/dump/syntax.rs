//! The files of a dump before they are decoded into a snapshot, so that names in them can be
//! replaced.

use std::path::PathBuf;

use kube_aggregation::ingest::{Note, NoteLevel, SnapshotBuilder};
use kube_aggregation::model::Snapshot;
use serde_json::Value;

use super::error::{DumpError, InputKind};
use super::foreign;
use super::read::{add_text, decode, mentions_objects};
use crate::files::{self, FileError, Reader, Unreadable};
use crate::needs::Needs;

/// A file of a dump: its path and its documents. A health response, metrics, flags and a version are
/// strings.
pub type ParsedFile = (String, Vec<Value>);

/// The files of a dump, and how many of them could not be parsed.
#[derive(Debug, Default)]
pub(crate) struct DumpFiles {
    files: Vec<ParsedFile>,
    unreadable: usize,
}

impl DumpFiles {
    /// Parses the files of a dump. Fails if there is no useful file.
    pub(crate) fn read(paths: &[PathBuf], needs: &Needs) -> Result<Self, DumpError> {
        let (_, _, paths) = decode(paths, needs)?;
        let reader = Reader::default();
        let mut all = Self::default();
        for path in &paths {
            let walk = files::walk(path, &|_, _| true)
                .map_err(|error| DumpError::File(error, InputKind::Dump))?;
            all.unreadable += walk.skipped.len();
            for entry in &walk.files {
                reader.each(entry, &mut |file| match file.bytes.and_then(files::text) {
                    Ok(text) => all.add(&file.name, &text),
                    Err(Unreadable::Binary) => {}
                    Err(_) => all.unreadable += 1,
                });
            }
        }
        Ok(all)
    }

    /// Parses the files of a dump that is not on disk.
    pub(crate) fn of(files: Vec<(String, Vec<u8>)>) -> Result<Self, DumpError> {
        let mut all = Self::default();
        for (name, bytes) in files {
            let text = files::text(bytes).map_err(|why| {
                DumpError::File(FileError { name: name.clone(), why }, InputKind::Dump)
            })?;
            all.add(&name, &text);
        }
        Ok(all)
    }

    fn add(&mut self, name: &str, text: &str) {
        let documents = documents(name, text);
        if !documents.is_empty() {
            self.files.push((name.to_owned(), documents));
        } else if mentions_objects(text) {
            self.unreadable += 1;
        }
    }
}

/// Parses what a dump may contain.
fn documents(name: &str, text: &str) -> Vec<Value> {
    let text = foreign::without_headers(text);
    if !text.trim_ascii_start().starts_with('{')
        && add_text(&mut SnapshotBuilder::default(), name, text)
    {
        return vec![text.into()];
    }
    if !mentions_objects(text) && !foreign::is_list(name, text) {
        return vec![];
    }
    let without_logs = foreign::without_logs(text);
    let text = without_logs.as_deref().unwrap_or(text);
    let json: Result<Vec<Value>, _> =
        serde_json::Deserializer::from_str(text).into_iter().collect();
    let mut documents = json.unwrap_or_else(|_| {
        let yaml = located_document::parse(text.as_bytes()).into_iter().flatten();
        yaml.map(|document| document.to_json_value()).collect()
    });
    documents.retain(|one| one.is_object() || one.is_array());
    documents
}

/// Decodes the files of a dump of this name, after `change` has replaced what is in them.
pub(crate) fn load_changed(
    name: &str,
    DumpFiles { files, mut unreadable }: DumpFiles,
    change: &dyn Fn(Vec<ParsedFile>) -> Vec<ParsedFile>,
    needs: &Needs,
) -> (Snapshot, Vec<Note>) {
    let mut builder = SnapshotBuilder::keeping(needs.objects, needs.texts);
    for (name, documents) in change(files) {
        let added = documents.iter().all(|document| match document {
            Value::String(text) => add_text(&mut builder, &name, text),
            document => builder.add_value(&name, document).is_ok(),
        });
        unreadable += usize::from(!added);
    }
    if unreadable > 0 {
        let files = if unreadable == 1 { "file" } else { "files" };
        let text = format!("skipped {unreadable} {files} that could not be read");
        builder.note(NoteLevel::Warning, text);
    }
    builder.build(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_form_of_a_document_is_parsed() {
        let list = json!({"kind": "ServiceList", "items": []});
        let json = list.to_string();
        let yaml = "kind: ServiceList\nitems: []\n";
        let health = "[+]ping ok\nreadyz check passed\n";
        for (text, expected) in [
            (json.clone(), vec![list.clone()]),
            (format!("{json}\n{json}"), vec![list.clone(), list.clone()]),
            (format!("{yaml}---\n{yaml}"), vec![list.clone(), list.clone()]),
            (format!("HTTP/1.1 200 OK\r\nA: b\r\n\r\n{json}"), vec![list.clone()]),
            (health.to_owned(), vec![json!(health)]),
            ("notes".to_owned(), vec![]),
            ("{\"kind\": ".to_owned(), vec![]),
        ] {
            assert_eq!(documents("services.json", &text), expected, "{text}");
        }
    }
}
