//! Keeps objects as they came, whatever their kind.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::codec::Codec;
use super::decode::Kept;
use super::{FactsByKey, SnapshotBuilder};
use crate::model::{CollectedObject, CollectedObjects};

/// API version, kind, namespace and name.
type Key = (String, String, String, String);

/// The objects of a source.
#[derive(Debug, Default)]
pub(crate) struct ObjectFacts {
    all: FactsByKey<Key, (u64, Box<str>)>,
    listed: BTreeSet<(String, String)>,
}

impl ObjectFacts {
    /// Notes that a list of a kind came.
    pub(super) fn listed(&mut self, kind: &str, api_version: &str) {
        self.listed.insert((api_version.to_owned(), kind.to_owned()));
    }

    pub(super) fn settle(self) -> Arc<CollectedObjects> {
        let object = |((api_version, kind, namespace, name), (revision, json))| CollectedObject {
            api_version,
            kind,
            namespace,
            name,
            revision,
            json,
        };
        let all = self.all.into_entries().map(object).collect();
        Arc::new(CollectedObjects::new(all, self.listed))
    }
}

/// Keeps an object, if objects are wanted. Secrets are never kept.
pub(super) fn keep(
    builder: &mut SnapshotBuilder,
    file: &str,
    kind: &str,
    api_version: &str,
    kept: Kept,
) {
    let Some(objects) = &mut builder.objects else { return };
    let is_secret = (kind, api_version) == ("Secret", "v1");
    if is_secret || kind.is_empty() || api_version.is_empty() || kept.name.is_empty() {
        return;
    }
    let Kept { namespace, name, revision, json } = kept;
    let key = (api_version.to_owned(), kind.to_owned(), namespace, name);
    let conflict = objects.all.add(key, (revision, json), revision, file);
    // A conflict over the kinds of the model is noted when they are added there.
    if Codec::of(kind, api_version).is_none_or(|codec| !codec.is_listed()) {
        builder.note_conflict(conflict, |(_, kind, _, name)| format!("{kind} {name}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_not_kept_and_items_get_their_kind() {
        let mut builder = SnapshotBuilder::keeping(true, false);
        let list = r#"{"apiVersion":"v1","kind":"PodList","items":[
            {"metadata":{"name":"a","namespace":"x"},"spec":{"nodeName":"n"}}]}"#;
        let secret = r#"{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"},"data":{}}"#;
        let secrets =
            r#"{"apiVersion":"v1","kind":"SecretList","items":[{"metadata":{"name":"t"}}]}"#;
        for json in [list, secret, secrets] {
            builder.add_json("file", json).unwrap();
        }
        let objects = builder.objects.unwrap().settle();
        assert!(objects.of_kind("v1", "Secret").is_empty());
        let pods = objects.of_kind("v1", "Pod");
        assert_eq!(pods.len(), 1);
        assert_eq!(
            &*pods[0].json,
            r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"x"},"spec":{"nodeName":"n"}}"#
        );
    }
}
