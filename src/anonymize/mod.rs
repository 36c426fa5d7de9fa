//! Replaces the names in a dump, so that it can be shown to others and still gives the same
//! answers.
//!
//! [`Names`] collects names from JSON documents: of namespaces, Services, other objects, groups,
//! hosts, users and label values, and IP addresses. Each gets one replacement, which is then used
//! in all documents, in keys, values, messages and file names. Names that Kubernetes itself
//! defines stay, and so do kinds, resources and versions.

mod certificate;
mod collect;
mod split;
mod words;

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use certificate::Certificates;
use collect::{Collector, is_vocabulary};
use kube_aggregation::ingest::{kind_of_file, manifest};
use words::WordMap;

/// The replacement of each name.
#[derive(Debug)]
pub struct Names {
    words: WordMap,
    certificates: Certificates,
}

impl Names {
    /// Collects the names of some documents. `cluster` is the name of their source.
    pub fn of<'v>(documents: impl IntoIterator<Item = &'v Value>, cluster: &str) -> Self {
        let mut collector = Collector::default();
        for document in documents {
            collector.add(document);
        }
        let certificates = Certificates::new(&collector);
        let words = WordMap::new(&collector, cluster, certificates.subjects());
        Self { words, certificates }
    }

    /// Replaces the names in a text.
    pub fn text(&self, text: &str) -> String {
        self.words.text(text)
    }

    /// Replaces the names in a file name, whose underscores stand for slashes.
    fn file(&self, name: &str) -> String {
        // The extension would look like a part of the name before it.
        let (stem, extension) = name.split_at(name.rfind('.').unwrap_or(name.len()));
        stem.split('_').map(|part| self.text(part)).collect::<Vec<_>>().join("_") + extension
    }

    /// Replaces the names in a document.
    pub fn json(&self, value: &Value) -> Value {
        self.field(value, "", "")
    }

    /// Replaces the names in the value of a field. `around` is the field of its object.
    fn field(&self, value: &Value, around: &str, field: &str) -> Value {
        match value {
            Value::String(text) if is_vocabulary(around, field, text) => value.clone(),
            Value::String(text) => {
                let certificate = self.certificates.replaced(text, |text| self.text(text));
                let new = certificate.unwrap_or_else(|| match text.contains("caBundle: ") {
                    true => self.text(&Certificates::without(text)),
                    false => self.text(text),
                });
                Value::String(new)
            }
            Value::Array(items) => {
                items.iter().map(|item| self.field(item, around, field)).collect()
            }
            Value::Object(fields) => {
                let field = |(key, value): (&String, &Value)| {
                    (self.text(key), self.field(value, field, key))
                };
                Value::Object(fields.iter().map(field).collect::<Map<_, _>>())
            }
            other => other.clone(),
        }
    }
}

/// The name of an anonymized source.
pub const SOURCE: &str = "cluster";

/// Replaces the names in all files of a dump that were parsed. Folders are numbered, except those
/// whose names show the kind of their objects.
pub fn parsed(files: Vec<(String, Vec<Value>)>) -> Vec<(String, Vec<Value>)> {
    let documents = || files.iter().flat_map(|(_, documents)| documents);
    let manifest = documents().find(|document| document["kind"] == manifest::KIND);
    let cluster = manifest.and_then(|manifest| manifest["cluster"].as_str()).unwrap_or_default();
    let names = Names::of(documents(), cluster);
    let mut folders = BTreeMap::new();
    let mut renamed = |folder: &str| match kind_of_file(folder) {
        Some(_) => format!("{folder}/"),
        None => {
            let next = folders.len();
            format!("{}/", folders.entry(folder.to_owned()).or_insert(next))
        }
    };
    // Each document is dropped once its replacement is made.
    let replaced = files.into_iter().map(|(path, documents)| {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let folder: String = folder.split('/').map(&mut renamed).collect();
        (folder + &names.file(name), documents.into_iter().map(|one| names.json(&one)).collect())
    });
    replaced.collect()
}

/// A file of a dump: its name and its content.
type File = (String, Vec<u8>);

/// Replaces the names in all files of a dump.
pub fn files(files: &[File], cluster: &str) -> Vec<File> {
    let parsed: Vec<Option<Value>> =
        files.iter().map(|(_, bytes)| serde_json::from_slice(bytes).ok()).collect();
    let names = Names::of(parsed.iter().flatten(), cluster);
    let written = files.iter().zip(&parsed).map(|((name, bytes), document)| {
        let text = match document {
            Some(document) => names.json(document).to_string() + "\n",
            None => names.text(&String::from_utf8_lossy(bytes)),
        };
        (names.file(name), text.into_bytes())
    });
    let mut written: Vec<File> = written.collect();
    written.sort();
    let sizes: BTreeMap<String, usize> =
        written.iter().map(|(name, bytes)| (name.clone(), bytes.len())).collect();
    for (_, bytes) in &mut written {
        if let Some(manifest) = with_sizes(bytes, &sizes) {
            *bytes = manifest;
        }
    }
    written
}

/// Returns the manifest of a dump with the new sizes of its files; `None` for any other file.
fn with_sizes(bytes: &[u8], sizes: &BTreeMap<String, usize>) -> Option<Vec<u8>> {
    let mut manifest: Value = serde_json::from_slice(bytes).ok()?;
    (manifest.get("kind")? == manifest::KIND).then_some(())?;
    for entry in manifest.get_mut("collected")?.as_array_mut()? {
        let size = entry.get("file")?.as_str().and_then(|file| sizes.get(file)).copied();
        entry.as_object_mut()?.insert("bytes".to_owned(), size.into());
    }
    Some((serde_json::to_string_pretty(&manifest).ok()? + "\n").into_bytes())
}

#[cfg(test)]
mod tests;
