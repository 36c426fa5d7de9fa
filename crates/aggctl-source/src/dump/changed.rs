//! Loads a dump with the names in its documents replaced.

use std::path::PathBuf;

use kube_aggregation::ingest::{Note, SnapshotBuilder};
use kube_aggregation::model::Snapshot;
use serde_json::Value;

use super::error::{DumpError, InputKind};
use super::kept::{DumpFiles, ParsedFile};
use super::read::{Decoder, add_file, add_text, decode};
use crate::files::{Content, FileError};
use crate::needs::Needs;

impl DumpFiles {
    /// Reads the files of a dump. Also returns the notes of [`load`](super::load).
    pub(crate) fn read(paths: &[PathBuf], needs: &Needs) -> Result<(Self, Vec<Note>), DumpError> {
        let (Decoder { builder, kept }, name) = decode(paths, needs, true)?;
        let (_, notes) = builder.build(name);
        Ok((kept.unwrap_or_default(), notes))
    }

    /// Reads the files of a dump that is not on disk.
    pub(crate) fn of(files: Vec<(String, Vec<u8>)>) -> Result<Self, DumpError> {
        let mut decoder =
            Decoder { builder: SnapshotBuilder::default(), kept: Some(Self::default()) };
        for (name, bytes) in files {
            let content =
                Content { name: name.clone(), path: None, found: false, bytes: Ok(bytes) };
            add_file(&mut decoder, content)
                .map_err(|why| DumpError::File(FileError { name, why }, InputKind::Dump))?;
        }
        Ok(decoder.kept.unwrap_or_default())
    }
}

/// Decodes the files of a dump of this name, after `change` has replaced what is in them.
///
/// # Errors
/// If there is nothing useful in them.
pub(crate) fn load_changed(
    name: &str,
    DumpFiles { files, notes, .. }: DumpFiles,
    change: &dyn Fn(Vec<ParsedFile>) -> Vec<ParsedFile>,
    needs: &Needs,
) -> Result<(Snapshot, Vec<Note>), DumpError> {
    let mut builder = SnapshotBuilder::keeping(needs.objects, needs.texts);
    for Note { weight, text } in notes {
        builder.note(weight, text);
    }
    for (name, documents) in change(files) {
        for document in documents {
            // Whatever cannot be decoded was reported when it was read.
            match document {
                Value::String(text) => drop(add_text(&mut builder, &name, &text)),
                document => drop(builder.add_value(&name, &document)),
            }
        }
    }
    if builder.is_empty() {
        let error = FileError::new("the source", "too large to replace names in it".to_owned());
        return Err(DumpError::File(error, InputKind::Dump));
    }
    Ok(builder.build(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn documents(text: &str) -> Vec<Value> {
        let files = vec![("services.json".to_owned(), text.as_bytes().to_vec())];
        DumpFiles::of(files)
            .map(|kept| kept.files.into_iter().flat_map(|(_, all)| all).collect())
            .unwrap_or_default()
    }

    #[test]
    fn every_form_of_a_document_is_kept() {
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
            assert_eq!(documents(&text), expected, "{text}");
        }
    }

    #[test]
    fn small_elements_are_refused_before_they_are_parsed() {
        let items = "{},".repeat(2_000_000);
        let list = format!(r#"{{"items":[{items}{{}}]}}"#);
        let why = DumpFiles::default().keep_json("services.json", &list).unwrap_err();
        assert_eq!(why, "too large to replace names in it");
    }
}
