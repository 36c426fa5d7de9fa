//! The codec of Namespaces.

use super::metadata::{ConditionObject, ObjectMeta};
use super::{Typed, object};
use crate::model::{Condition, Namespace};

object! {
    /// A Namespace as the API has it.
    pub struct NamespaceObject {
        metadata: ObjectMeta,
        status: NamespaceStatus,
    }
}

object! {
    pub struct NamespaceStatus {
        phase: String,
        conditions: Vec<ConditionObject>,
    }
}

impl From<NamespaceObject> for Namespace {
    fn from(object: NamespaceObject) -> Self {
        let NamespaceObject { metadata, status } = object;
        let condition = |mut object: ConditionObject| {
            (std::mem::take(&mut object.r#type), Condition::from(object))
        };
        Self {
            name: metadata.name,
            phase: status.phase,
            deleted: metadata.deletion_timestamp,
            conditions: status.conditions.into_iter().map(condition).collect(),
        }
    }
}

impl From<&Namespace> for NamespaceObject {
    fn from(model: &Namespace) -> Self {
        let conditions = model.conditions.iter();
        let metadata = ObjectMeta {
            deletion_timestamp: model.deleted.clone(),
            ..ObjectMeta::named("", &model.name)
        };
        let status = NamespaceStatus {
            phase: model.phase.clone(),
            conditions: conditions.map(|(kind, c)| ConditionObject::new(kind, c)).collect(),
        };
        Self { metadata, status }
    }
}

impl NamespaceObject {
    /// Adds the kind.
    pub fn typed(self) -> Typed<Self> {
        Typed { api_version: "v1", kind: "Namespace", object: self }
    }
}
