//! Adds OpenAPI documents and their index to a snapshot.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::{FactsByKey, ServerDocument, SnapshotBuilder};
use crate::kube::lenient;
use crate::model::{Input, OpenApi, SlowDocument, Snapshot, V3Document};

type Index = BTreeMap<String, String>;

/// What was found of them.
#[derive(Debug, Default)]
pub(crate) struct OpenApiFacts {
    index: FactsByKey<(), Index>,
    v2: FactsByKey<(), Arc<str>>,
    documents: FactsByKey<String, V3Document>,
    /// What came when the index was asked for again.
    samples: Vec<Index>,
    /// Whether protobuf came.
    pub protobuf: bool,
    /// The requests that took long.
    pub slow: Vec<SlowDocument>,
}

impl OpenApiFacts {
    pub(super) fn is_empty(&self) -> bool {
        self.index.is_empty() && self.v2.is_empty() && self.documents.is_empty()
    }

    pub(super) fn settle(self, snapshot: &mut Snapshot) {
        let index = self.index.into_input();
        if let Input::Loaded(index) = &index {
            snapshot.openapi_v3 = Input::Loaded(index.keys().cloned().collect());
        }
        let indexes = index.loaded().cloned().into_iter().chain(self.samples);
        snapshot.openapi = OpenApi {
            v2: self.v2.into_input(),
            protobuf: if self.protobuf { Input::Loaded(()) } else { Input::Absent },
            indexes: indexes.collect(),
            documents: (self.documents.into_entries())
                .map(|(key, one)| (key, Input::Loaded(one)))
                .collect(),
            slow: self.slow,
        };
    }
}

/// The `paths` of a document: what `/` lists, the index, or the content of an OpenAPI document.
#[derive(Debug)]
pub(super) enum Paths {
    List(Vec<String>),
    Map(Vec<(String, PathItem)>),
}

/// One entry of the index; the paths of a document have no such field.
#[derive(Debug, Deserialize, Default)]
#[serde(default)]
pub(super) struct PathItem {
    #[serde(rename = "serverRelativeURL", deserialize_with = "lenient")]
    url: String,
}

impl<'de> Deserialize<'de> for Paths {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = Paths;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a map")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Paths, A::Error> {
                let mut paths = vec![];
                while let Some(path) = seq.next_element()? {
                    paths.push(path);
                }
                Ok(Paths::List(paths))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Paths, A::Error> {
                let mut paths = vec![];
                while let Some((path, item)) = map.next_entry::<_, Option<_>>()? {
                    paths.push((path, item.unwrap_or_default()));
                }
                Ok(Paths::Map(paths))
            }
        }
        deserializer.deserialize_any(Read)
    }
}

/// The version of an OpenAPI document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OpenApiVersion {
    V2,
    V3,
}

impl OpenApiVersion {
    /// Reads `"swagger": "2.0"` or `"openapi": "3.0.0"`.
    pub(super) fn of(field: &str, value: &Value) -> Option<Self> {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        match field {
            "swagger" if text.starts_with('2') => Some(Self::V2),
            "openapi" if text.starts_with('3') => Some(Self::V3),
            _ => None,
        }
    }
}

/// Adds an OpenAPI document or the index.
pub(super) fn add(
    builder: &mut SnapshotBuilder,
    file: &str,
    version: Option<OpenApiVersion>,
    paths: Vec<(String, PathItem)>,
    text: impl FnOnce() -> String,
) {
    match version {
        Some(OpenApiVersion::V2) => {
            let conflict = builder.openapi.v2.add((), text().into(), 0, file);
            builder.note_conflict(conflict, |()| "the document /openapi/v2".to_owned());
        }
        Some(OpenApiVersion::V3) => {
            let name = file.rsplit('/').next().unwrap_or(file);
            let key = match ServerDocument::of_file(name) {
                Some(ServerDocument::OpenApiDocument(key)) => Some(key),
                _ => key_of(paths.iter().map(|(path, _)| path.as_str())),
            };
            if let Some(key) = key {
                document(builder, file, key, &text(), None);
            }
        }
        // Paths begin with a slash, keys do not: that is a document without a version.
        None if paths.first().is_some_and(|(path, _)| path.starts_with('/')) => {
            *builder.others.entry("OpenAPI".to_owned()).or_default() += 1;
        }
        None => {
            let conflict = builder.openapi.index.add((), index(paths), 0, file);
            builder.note_conflict(conflict, |()| "the document /openapi/v3".to_owned());
        }
    }
}

fn index(paths: Vec<(String, PathItem)>) -> Index {
    paths.into_iter().map(|(key, item)| (key, item.url)).collect()
}

/// Adds a document of the index under its key.
pub(super) fn document(
    builder: &mut SnapshotBuilder,
    file: &str,
    key: String,
    json: &str,
    etag: Option<String>,
) {
    let found = V3Document { text: json.into(), etag };
    let conflict = builder.openapi.documents.add(key, found, 0, file);
    builder.note_conflict(conflict, |key| format!("the document /openapi/v3/{key}"));
}

/// Adds another answer of the index.
pub(super) fn sample(builder: &mut SnapshotBuilder, json: &str) -> Result<(), String> {
    #[derive(Deserialize)]
    struct Answer {
        paths: Option<Paths>,
    }
    let answer: Answer =
        serde_json::from_str(json).map_err(|error| format!("the document /openapi/v3: {error}"))?;
    let paths = match answer.paths {
        None => vec![],
        Some(Paths::Map(paths)) => paths,
        Some(Paths::List(_)) => return Err("the document /openapi/v3 is a list".to_owned()),
    };
    builder.openapi.samples.push(index(paths));
    Ok(())
}

/// Returns the key of the group version that most paths of a document are below.
fn key_of<'p>(paths: impl Iterator<Item = &'p str>) -> Option<String> {
    let mut votes: BTreeMap<String, usize> = BTreeMap::new();
    for path in paths {
        let mut segments = path.split('/').skip(1);
        let count = match segments.next() {
            Some("apis") => 3,
            Some("api") => 2,
            _ => continue,
        };
        let key: Vec<&str> = path.split('/').skip(1).take(count).collect();
        if key.len() == count && key.iter().all(|segment| !segment.is_empty()) {
            *votes.entry(key.join("/")).or_default() += 1;
        }
    }
    // Of equals the first by name.
    votes.into_iter().rev().max_by_key(|(_, count)| *count).map(|(key, _)| key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_documents_key_is_told_by_its_paths() {
        let check = |paths: &[&str], want: Option<&str>| {
            assert_eq!(key_of(paths.iter().copied()).as_deref(), want, "{paths:?}");
        };
        check(&["/apis/a.io/v1/", "/apis/a.io/v1/x", "/apis/"], Some("apis/a.io/v1"));
        check(&["/api/v1/pods"], Some("api/v1"));
        check(&["/version/"], None);
        check(&["/apis/b.io/v1/x", "/apis/a.io/v1/x"], Some("apis/a.io/v1"));
    }
}
