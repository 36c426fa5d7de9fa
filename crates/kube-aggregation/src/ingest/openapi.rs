//! Reads OpenAPI documents: `/openapi/v2`, the index `/openapi/v3`, and the documents in it.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::named::typed;
use super::part::{Envelope, JsonText, Part};
use super::{FactsByKey, SnapshotBuilder};
use crate::ingest::ServerDocument;
use crate::lenient::lenient;
use crate::model::{Input, OpenApi, SlowDocument, Snapshot, V3Document};

type Index = BTreeMap<String, String>;

/// The OpenAPI documents added so far.
#[derive(Debug, Default)]
pub(crate) struct OpenApiFacts {
    index: FactsByKey<(), Index>,
    v2: FactsByKey<(), Arc<str>>,
    documents: FactsByKey<String, V3Document>,
    /// The responses to repeated requests for the index.
    samples: Vec<Index>,
    /// The ETags that the manifest of a dump has, by key.
    pub etags: BTreeMap<String, String>,
    /// Whether `/openapi/v2` was served as protobuf.
    pub protobuf: bool,
    /// The requests that were slow.
    pub slow: Vec<SlowDocument>,
}

impl OpenApiFacts {
    pub(super) fn is_empty(&self) -> bool {
        self.index.is_empty() && self.v2.is_empty() && self.documents.is_empty()
    }

    /// Returns whether the index has this key. Uses the first repeated response if there is no
    /// index.
    pub(super) fn index_has(&self, key: &str) -> bool {
        let first = self.index.values().chain(&self.samples).next();
        first.is_some_and(|index| index.contains_key(key))
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
                .map(|(key, mut one)| {
                    one.etag = one.etag.or_else(|| self.etags.get(&key).cloned());
                    (key, Input::Loaded(one))
                })
                .collect(),
            slow: self.slow,
        };
    }
}

/// Adds an OpenAPI document or the index: any document in which `paths` is an object.
pub(super) fn add<'a, P: Part<'a>>(
    builder: &mut SnapshotBuilder,
    file: &str,
    part: P,
    envelope: &Envelope<'a, P>,
    paths: P,
) -> Result<(), String> {
    let is = |field: Option<P>, version: &str| {
        field.is_some_and(|one| one.to_json().trim_start_matches('"').starts_with(version))
    };
    let (v2, document_of_v3) = (is(envelope.swagger, "2"), is(envelope.openapi, "3"));
    // Paths begin with a slash, keys of an index do not. This is a document without a version.
    let has_paths = || keys(paths).is_ok_and(|keys| keys.iter().any(|key| key.starts_with('/')));
    if !v2 && !document_of_v3 && has_paths() {
        *builder.others.entry("OpenAPI".to_owned()).or_default() += 1;
    } else if v2 {
        let conflict = builder.openapi.v2.add((), part.to_json().into(), 0, file);
        builder.note_conflict(conflict, |()| "the document /openapi/v2".to_owned());
    } else if document_of_v3 {
        let name = file.rsplit('/').next().unwrap_or(file);
        let key = match ServerDocument::of_file(name) {
            Some(ServerDocument::OpenApiDocument(key)) => Some(key),
            _ => key_of(paths)?,
        };
        if let Some(key) = key {
            document(builder, file, key, &part.to_json(), None);
        }
    } else {
        let index = read_index(paths)?;
        let conflict = builder.openapi.index.add((), index, 0, file);
        builder.note_conflict(conflict, |()| "the document /openapi/v3".to_owned());
    }
    Ok(())
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

/// Adds the response to a repeated request for the index.
pub(super) fn sample(builder: &mut SnapshotBuilder, json: &str) -> Result<(), String> {
    let envelope: Envelope<'_, JsonText<'_>> = typed("the document /openapi/v3", JsonText(json))?;
    builder.openapi.samples.push(read_index(envelope.paths.unwrap_or(JsonText("{}")))?);
    Ok(())
}

fn read_index<'a>(paths: impl Part<'a>) -> Result<Index, String> {
    #[derive(Deserialize, Default)]
    #[serde(rename_all = "camelCase", default)]
    struct Listed {
        #[serde(rename = "serverRelativeURL", deserialize_with = "lenient")]
        server_relative_url: String,
    }
    let index: BTreeMap<String, Option<Listed>> = typed("the document /openapi/v3", paths)?;
    Ok(index.into_iter().map(|(k, v)| (k, v.unwrap_or_default().server_relative_url)).collect())
}

/// Returns the key of the group version that most paths of a document belong to.
fn key_of<'a>(paths: impl Part<'a>) -> Result<Option<String>, String> {
    let mut votes: BTreeMap<String, usize> = BTreeMap::new();
    for path in keys(paths)? {
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
    // If several have the same number of paths, the alphabetically first one wins.
    Ok(votes.into_iter().rev().max_by_key(|(_, count)| *count).map(|(key, _)| key))
}

fn keys<'a>(paths: impl Part<'a>) -> Result<Vec<String>, String> {
    let paths: BTreeMap<String, IgnoredAny> = typed("an OpenAPI document", paths)?;
    Ok(paths.into_keys().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_documents_key_is_told_by_its_paths() {
        let check = |paths: &str, want: Option<&str>| {
            assert_eq!(key_of(JsonText(paths)).unwrap().as_deref(), want, "{paths}");
        };
        check(r#"{"/apis/a.io/v1/":{},"/apis/a.io/v1/x":{},"/apis/":{}}"#, Some("apis/a.io/v1"));
        check(r#"{"/api/v1/pods":{}}"#, Some("api/v1"));
        check(r#"{"/version/":{}}"#, None);
        check(r#"{"/apis/b.io/v1/x":{},"/apis/a.io/v1/x":{}}"#, Some("apis/a.io/v1"));
    }
}
