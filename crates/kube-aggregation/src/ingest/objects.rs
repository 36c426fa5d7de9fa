//! Keeps complete objects of any kind, for commands that show them unchanged.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::named::{Named, known};
use super::part::Part;
use super::{FactsByKey, SnapshotBuilder};
use crate::model::{CollectedObject, CollectedObjects};

/// API version, kind, namespace and name.
type Key = (String, String, String, String);

/// The complete objects of a source, and the kinds that were added as lists.
#[derive(Debug, Default)]
pub(crate) struct ObjectFacts {
    all: FactsByKey<Key, (u64, Box<str>)>,
    listed: BTreeSet<(String, String)>,
}

impl ObjectFacts {
    /// Records that a list of a kind was added.
    pub(super) fn listed(&mut self, kind: &str, api_version: &str) {
        self.listed.insert((api_version.to_owned(), kind.to_owned()));
    }

    pub(super) fn settle(mut self, incomplete: &BTreeSet<&str>) -> Arc<CollectedObjects> {
        self.listed.retain(|(api_version, kind)| {
            known(kind, api_version).is_none_or(|kind| !incomplete.contains(kind))
        });
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

/// Keeps an object, if objects are kept. Never keeps a Secret.
pub(super) fn keep<'a>(
    builder: &mut SnapshotBuilder,
    file: &str,
    part: impl Part<'a>,
    kind: &str,
    api_version: &str,
) {
    let Some(objects) = &mut builder.objects else { return };
    if (kind, api_version) == ("Secret", "v1") || kind.is_empty() || api_version.is_empty() {
        return;
    }
    let Ok(Named { metadata }) = part.decode() else { return };
    if metadata.name.is_empty() {
        return;
    }
    let Some(whole) = whole(part, kind, api_version) else { return };
    let revision = metadata.resource_version.parse().unwrap_or(0);
    let key = (api_version.to_owned(), kind.to_owned(), metadata.namespace, metadata.name);
    let conflict = objects.all.add(key, (revision, whole), revision, file);
    // Conflicts over known kinds are reported where those are decoded.
    if known(kind, api_version).is_none() {
        builder.note_conflict(conflict, |(_, kind, _, name)| format!("{kind} {name}"));
    }
}

/// Serializes an object without white space, which may be half of a file. Adds the kind, which list
/// items often omit.
fn whole<'a>(part: impl Part<'a>, kind: &str, api_version: &str) -> Option<Box<str>> {
    let mut object: Map<String, Value> = part.decode().ok()?;
    if !object.contains_key("kind") {
        let rest = std::mem::take(&mut object);
        object.insert("apiVersion".to_owned(), api_version.into());
        object.insert("kind".to_owned(), kind.into());
        object.extend(rest);
    }
    serde_json::to_string(&object).ok().map(Into::into)
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
        let objects = builder.objects.unwrap().settle(&BTreeSet::new());
        assert!(objects.of_kind("v1", "Secret").is_empty());
        let pods = objects.of_kind("v1", "Pod");
        assert_eq!(pods.len(), 1);
        assert_eq!(
            &*pods[0].json,
            r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"x"},"spec":{"nodeName":"n"}}"#
        );
    }
}
