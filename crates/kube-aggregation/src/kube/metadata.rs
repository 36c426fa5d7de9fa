//! What objects of many kinds share: metadata and conditions.
//!
//! There is one struct of metadata for each set of fields that some kind needs. Managed fields and
//! annotations can be larger than the rest of an object, so they are read only where they matter.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::object;
use super::text::{MaybeText, Text};
use crate::model::{Condition, FieldManager};

/// The annotation in which `kubectl apply` keeps a copy of the whole object.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

object! {
    /// The metadata of most objects.
    pub struct ObjectMeta {
        namespace: String,
        name: String,
        deletion_timestamp: Option<String>,
        labels: BTreeMap<String, String>,
        resource_version: String,
    }
}

impl ObjectMeta {
    pub(super) fn named(namespace: &str, name: &str) -> Self {
        Self { namespace: namespace.to_owned(), name: name.to_owned(), ..Self::default() }
    }
}

object! {
    /// The metadata of an object whose writers are of interest.
    pub struct OwnedMeta {
        name: String,
        creation_timestamp: Option<String>,
        deletion_timestamp: Option<String>,
        labels: BTreeMap<String, String>,
        annotations: Annotations,
        finalizers: Vec<String>,
        resource_version: String,
        managed_fields: Vec<ManagedFields>,
    }
}

object! {
    /// The metadata of a CRD.
    pub struct CrdMeta {
        name: String,
        annotations: Annotations,
        finalizers: Vec<String>,
        resource_version: String,
    }
}

object! {
    /// The metadata of a list.
    pub(crate) struct ListMeta {
        /// Where the next page begins.
        r#continue: String,
        remaining_item_count: u64,
    }
}

impl ListMeta {
    /// Whether other pages of the list follow.
    pub(crate) fn is_partial(&self) -> bool {
        !self.r#continue.is_empty() || self.remaining_item_count > 0
    }
}

object! {
    /// One condition of a status.
    pub struct ConditionObject {
        r#type: String,
        status: String,
        reason: String,
        message: String,
        last_transition_time: Option<String>,
    }
}

impl ConditionObject {
    /// Whether it is this condition, with this status.
    pub(super) fn is(&self, kind: &str, status: &str) -> bool {
        self.r#type == kind && self.status == status
    }

    pub(super) fn new(kind: &str, condition: &Condition) -> Self {
        Self {
            r#type: kind.to_owned(),
            status: condition.status.clone(),
            reason: condition.reason.clone(),
            message: condition.message.clone(),
            last_transition_time: condition.since.clone(),
        }
    }
}

impl From<ConditionObject> for Condition {
    fn from(object: ConditionObject) -> Self {
        Self {
            status: object.status,
            reason: object.reason,
            message: object.message,
            since: object.last_transition_time,
        }
    }
}

/// Annotations, with the copy that `kubectl apply` keeps apart from the others.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Annotations {
    /// The copy, as JSON.
    pub last_applied: Option<String>,
    /// All others.
    pub others: BTreeMap<String, String>,
}

impl Serialize for Annotations {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let copy = self.last_applied.iter().map(|text| (LAST_APPLIED, text));
        serializer
            .collect_map(self.others.iter().map(|(key, value)| (key.as_str(), value)).chain(copy))
    }
}

impl<'de> Deserialize<'de> for Annotations {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = Annotations;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Annotations, A::Error> {
                let mut found = Annotations::default();
                while let Some(Text(key)) = map.next_key()? {
                    // The server refuses anything but text. It tells nothing about the writer.
                    let MaybeText(Some(value)) = map.next_value()? else { continue };
                    match &*key {
                        LAST_APPLIED => found.last_applied = Some(value.into_owned()),
                        _ => drop(found.others.insert(key.into_owned(), value.into_owned())),
                    }
                }
                Ok(found)
            }
        }
        deserializer.deserialize_map(Read)
    }
}

/// What `kubectl apply` was given, from its copy.
#[derive(Serialize, Deserialize)]
struct LastApplied<S> {
    #[serde(default, deserialize_with = "super::lenient")]
    metadata: AppliedMeta,
    spec: S,
}

object! {
    struct AppliedMeta {
        labels: BTreeMap<String, String>,
    }
}

impl Annotations {
    /// Reads the copy: its spec, and the keys of its labels.
    pub(super) fn last_applied<S: for<'t> Deserialize<'t>>(&self) -> Option<(S, Vec<String>)> {
        let copy: LastApplied<S> = serde_json::from_str(self.last_applied.as_deref()?).ok()?;
        Some((copy.spec, copy.metadata.labels.into_keys().collect()))
    }

    /// Writes a copy with this spec and labels of these keys.
    pub(super) fn set_last_applied<S: Serialize>(&mut self, spec: S, labels: &[String]) {
        let labels = labels.iter().map(|key| (key.clone(), String::new())).collect();
        let copy = LastApplied { metadata: AppliedMeta { labels }, spec };
        self.last_applied = serde_json::to_string(&copy).ok();
    }
}

object! {
    /// One entry of `metadata.managedFields`.
    pub struct ManagedFields {
        manager: String,
        time: Option<String>,
        #[serde(rename = "fieldsV1")]
        fields: OwnedFields,
    }
}

impl From<ManagedFields> for FieldManager {
    fn from(object: ManagedFields) -> Self {
        Self { manager: object.manager, time: object.time, fields: object.fields.0 }
    }
}

impl From<&FieldManager> for ManagedFields {
    fn from(model: &FieldManager) -> Self {
        Self {
            manager: model.manager.clone(),
            time: model.time.clone(),
            fields: OwnedFields(model.fields.clone()),
        }
    }
}

/// The fields that a manager owns, two levels deep: `spec.caBundle`. The API nests them as
/// `{"f:spec": {"f:caBundle": {}}}`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OwnedFields(Vec<String>);

impl Serialize for OwnedFields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut nested: BTreeMap<String, BTreeMap<String, BTreeMap<(), ()>>> = BTreeMap::new();
        for field in &self.0 {
            let (parent, child) = field.split_once('.').unwrap_or((field, ""));
            let children = nested.entry(format!("f:{parent}")).or_default();
            children.insert(format!("f:{child}"), BTreeMap::new());
        }
        nested.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for OwnedFields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = OwnedFields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<OwnedFields, A::Error> {
                let mut fields = vec![];
                while let Some(Text(parent)) = map.next_key()? {
                    let parent = parent.strip_prefix("f:").unwrap_or(&parent);
                    let Keys(children) = map.next_value()?;
                    let own = children.iter().filter_map(|child| child.0.strip_prefix("f:"));
                    fields.extend(own.map(|child| format!("{parent}.{child}")));
                }
                fields.sort_unstable();
                Ok(OwnedFields(fields))
            }
        }
        deserializer.deserialize_map(Read)
    }
}

/// The keys of a map.
struct Keys<'a>(Vec<Text<'a>>);

impl<'de> Deserialize<'de> for Keys<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = Keys<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Keys<'de>, A::Error> {
                let mut keys = vec![];
                while let Some((key, IgnoredAny)) = map.next_entry()? {
                    keys.push(key);
                }
                Ok(Keys(keys))
            }
        }
        deserializer.deserialize_map(Read)
    }
}
