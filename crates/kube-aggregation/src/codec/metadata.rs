//! Codec of metadata and conditions, which many kinds share.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::{Present, Tolerant, object};
use crate::model::{Condition, Field, FieldManager, Merge};

/// The annotation in which `kubectl apply` stores a copy of the whole object.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Labels; null for a label that a manifest removes.
pub(super) type Labels = BTreeMap<String, Option<String>>;

object! {
    /// The metadata of most objects.
    struct ObjectMeta {
        namespace: String,
        name: String,
        deletion_timestamp: Option<String>,
        labels: Labels,
        resource_version: String,
    }
}

impl ObjectMeta {
    pub(super) fn new(namespace: String, name: String) -> Self {
        Self { namespace, name, ..Self::default() }
    }
}

object! {
    /// The metadata of objects that manifests are merged into. Other kinds do without annotations
    /// and managed fields, which can be larger than the rest of an object.
    struct OwnedMeta {
        name: String,
        creation_timestamp: Option<String>,
        deletion_timestamp: Option<String>,
        labels: Labels,
        annotations: Tolerant<BTreeMap<String, String>>,
        resource_version: String,
        managed_fields: Tolerant<Vec<ManagedFields>>,
        @stated {
            finalizers: Vec<String>,
        }
    }
}

object! {
    /// One entry of `metadata.managedFields`.
    struct ManagedFields {
        manager: String,
        time: Option<String>,
        /// Fields by name, with the prefix `f:`.
        #[serde(rename = "fieldsV1")]
        fields: BTreeMap<String, BTreeMap<String, Present>>,
    }
}

object! {
    /// The metadata of a list.
    struct ListMeta {
        /// The token of the next page.
        r#continue: String,
        remaining_item_count: u64,
    }
}

object! {
    /// One status condition.
    struct ConditionObject {
        r#type: String,
        status: String,
        reason: String,
        message: String,
        last_transition_time: Option<String>,
    }
}

/// A spec with optional fields.
pub(super) trait Spec: DeserializeOwned {
    /// Returns the optional fields that are set, including to null.
    fn stated(&self) -> Vec<Field>;
}

/// Returns the fields that are set.
pub(super) fn present<const N: usize>(fields: [(Field, bool); N]) -> Vec<Field> {
    fields.into_iter().filter(|(_, is)| *is).map(|(field, _)| field).collect()
}

impl OwnedMeta {
    /// Extracts what `kubectl apply` needs to merge the object, or to merge a manifest into it.
    pub(super) fn take_merge<S: Spec>(&mut self, spec: &S) -> Merge {
        #[derive(Deserialize)]
        struct Applied<S> {
            #[serde(default, deserialize_with = "crate::lenient::lenient")]
            metadata: OwnedMeta,
            spec: S,
        }
        let copy = self.annotations.0.remove(LAST_APPLIED);
        let applied = copy.and_then(|copy| serde_json::from_str::<Applied<S>>(&copy).ok());
        let nulls = self.labels.iter().filter(|(_, value)| value.is_none());
        Merge {
            stated: self.stated(spec),
            removed_labels: nulls.map(|(key, _)| key.clone()).collect(),
            last_applied: applied.map(|Applied { metadata, spec }| {
                (metadata.stated(&spec), metadata.labels.into_keys().collect())
            }),
            finalizers: self.finalizers.take().flatten().unwrap_or_default(),
            deleted: self.deletion_timestamp.take(),
        }
    }

    fn stated(&self, spec: &impl Spec) -> Vec<Field> {
        let mut fields = spec.stated();
        fields.extend(self.finalizers.as_ref().map(|_| Field::Finalizers));
        fields
    }

    /// Creates metadata with the finalizers and the time of deletion.
    pub(super) fn new(name: String, merge: Merge) -> Self {
        Self {
            name,
            deletion_timestamp: merge.deleted,
            finalizers: (!merge.finalizers.is_empty()).then_some(Some(merge.finalizers)),
            ..Self::default()
        }
    }
}

/// Returns the labels that have a value.
pub(super) fn set(labels: Labels) -> BTreeMap<String, String> {
    labels.into_iter().filter_map(|(key, value)| Some((key, value?))).collect()
}

impl ListMeta {
    /// Returns whether more pages follow.
    pub(crate) fn is_partial(&self) -> bool {
        !self.r#continue.is_empty() || self.remaining_item_count > 0
    }
}

impl From<ManagedFields> for FieldManager {
    fn from(object: ManagedFields) -> Self {
        let mut fields = vec![];
        for (parent, children) in &object.fields {
            let parent = parent.strip_prefix("f:").unwrap_or(parent);
            let names = children.keys().filter_map(|name| name.strip_prefix("f:"));
            fields.extend(names.map(|name| format!("{parent}.{name}")));
        }
        Self { manager: object.manager, time: object.time, fields }
    }
}

impl ConditionObject {
    /// Returns whether it has this type and this status.
    pub(super) fn is(&self, kind: &str, status: &str) -> bool {
        self.r#type == kind && self.status == status
    }

    pub(super) fn new(kind: &str, condition: Condition) -> Self {
        Self {
            r#type: kind.to_owned(),
            status: condition.status,
            reason: condition.reason,
            message: condition.message,
            last_transition_time: condition.since,
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
