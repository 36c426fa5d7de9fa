//! Codec of Namespaces.

use super::metadata::{ConditionObject, ObjectMeta};
use super::{Typed, codec, object};
use crate::model::Namespace;

object! {
    struct NamespaceObject {
        metadata: ObjectMeta,
        status: NamespaceStatus,
    }
}

object! {
    struct NamespaceStatus {
        phase: String,
        conditions: Vec<ConditionObject>,
    }
}

codec!(encode Namespace as NamespaceObject);

impl From<NamespaceObject> for Namespace {
    fn from(NamespaceObject { metadata, status }: NamespaceObject) -> Self {
        let condition = |mut condition: ConditionObject| {
            (std::mem::take(&mut condition.r#type), condition.into())
        };
        Self {
            name: metadata.name,
            phase: status.phase,
            deleted: metadata.deletion_timestamp,
            conditions: status.conditions.into_iter().map(condition).collect(),
        }
    }
}

impl From<Namespace> for Typed<NamespaceObject> {
    fn from(model: Namespace) -> Self {
        let metadata = ObjectMeta {
            deletion_timestamp: model.deleted,
            ..ObjectMeta::new(String::new(), model.name)
        };
        let conditions = model.conditions.into_iter();
        let conditions = conditions.map(|(kind, one)| ConditionObject::new(&kind, one)).collect();
        let status = NamespaceStatus { phase: model.phase, conditions };
        Self { api_version: "v1", kind: "Namespace", object: NamespaceObject { metadata, status } }
    }
}
