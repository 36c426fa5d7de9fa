//! Codec of CustomResourceDefinitions, group `apiextensions.k8s.io`.

use serde::{Deserialize, Serialize};

use super::metadata::{ConditionObject, OwnedMeta, Spec, present};
use super::{Present, Typed, codec, object};
use crate::lenient::is_default;
use crate::model::{Condition, Crd, CrdNames, CrdVersion, Field};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct CrdObject {
    #[serde(default, deserialize_with = "crate::lenient::lenient")]
    pub(crate) metadata: OwnedMeta,
    pub(crate) spec: CrdSpec,
    #[serde(
        default,
        deserialize_with = "crate::lenient::lenient",
        skip_serializing_if = "is_default"
    )]
    pub(crate) status: CrdStatus,
}

object! {
    struct CrdSpec {
        group: String,
        scope: String,
        names: CrdNamesObject,
        versions: Vec<CrdVersionObject>,
    }
}

object! {
    struct CrdNamesObject {
        plural: String,
        kind: String,
        @stated {
            singular: String,
            list_kind: String,
            short_names: Vec<String>,
            categories: Vec<String>,
        }
    }
}

object! {
    struct CrdVersionObject {
        name: String,
        served: Option<bool>,
        storage: Option<bool>,
        subresources: CrdSubresources,
    }
}

object! {
    struct CrdSubresources {
        status: Option<Present>,
        scale: Option<Present>,
    }
}

object! {
    struct CrdStatus {
        accepted_names: CrdNamesObject,
        stored_versions: Vec<String>,
        conditions: Vec<ConditionObject>,
    }
}

impl Spec for CrdSpec {
    fn stated(&self) -> Vec<Field> {
        present([
            (Field::Singular, self.names.singular.is_some()),
            (Field::ListKind, self.names.list_kind.is_some()),
            (Field::ShortNames, self.names.short_names.is_some()),
            (Field::Categories, self.names.categories.is_some()),
        ])
    }
}

impl From<CrdNamesObject> for CrdNames {
    fn from(object: CrdNamesObject) -> Self {
        Self {
            plural: object.plural,
            singular: object.singular.flatten().unwrap_or_default(),
            kind: object.kind,
            list_kind: object.list_kind.flatten().unwrap_or_default(),
            short_names: object.short_names.flatten().unwrap_or_default(),
            categories: object.categories.flatten().unwrap_or_default(),
        }
    }
}

impl From<CrdNames> for CrdNamesObject {
    fn from(model: CrdNames) -> Self {
        fn some<T: Default + PartialEq>(value: T) -> Option<Option<T>> {
            (!is_default(&value)).then_some(Some(value))
        }
        Self {
            plural: model.plural,
            kind: model.kind,
            singular: some(model.singular),
            list_kind: some(model.list_kind),
            short_names: some(model.short_names),
            categories: some(model.categories),
        }
    }
}

impl From<CrdVersionObject> for CrdVersion {
    fn from(object: CrdVersionObject) -> Self {
        Self {
            name: object.name,
            served: object.served.unwrap_or_default(),
            status_subresource: object.subresources.status.is_some(),
            scale_subresource: object.subresources.scale.is_some(),
        }
    }
}

codec!(encode Crd as CrdObject);

impl From<CrdObject> for Crd {
    fn from(CrdObject { mut metadata, spec, status }: CrdObject) -> Self {
        let merge = metadata.take_merge(&spec);
        let holds = |kind: &str| status.conditions.iter().any(|c| c.is(kind, "True"));
        let refused = status.conditions.iter().find(|c| c.is("NamesAccepted", "False"));
        let accepted = CrdNames::from(status.accepted_names);
        let mut requested = CrdNames::from(spec.names);
        if requested.singular.is_empty() {
            requested.singular = requested.kind.to_lowercase();
        }
        if requested.list_kind.is_empty() {
            requested.list_kind = format!("{}List", requested.kind);
        }
        let names = if accepted.plural.is_empty() { requested.clone() } else { accepted.clone() };
        Self {
            name: metadata.name,
            group: spec.group,
            namespaced: spec.scope == "Namespaced",
            plural: names.plural,
            singular: names.singular,
            kind: names.kind,
            short_names: names.short_names,
            categories: names.categories,
            versions: spec.versions.into_iter().map(CrdVersion::from).collect(),
            established: holds("Established"),
            names_accepted: holds("NamesAccepted"),
            refusal: refused.map(|condition| condition.message.clone()),
            terminating: holds("Terminating"),
            requested,
            accepted,
            stored_versions: status.stored_versions,
            merge,
        }
    }
}

impl From<Crd> for Typed<CrdObject> {
    /// Encodes it as the API server shows it, but without schemas, which the model does not keep.
    fn from(model: Crd) -> Self {
        let stored = &model.stored_versions;
        let version = |version: CrdVersion| CrdVersionObject {
            served: Some(version.served),
            storage: Some(stored.last() == Some(&version.name)),
            subresources: CrdSubresources {
                status: version.status_subresource.then_some(Present {}),
                scale: version.scale_subresource.then_some(Present {}),
            },
            name: version.name,
        };
        let spec = CrdSpec {
            group: model.group,
            scope: if model.namespaced { "Namespaced" } else { "Cluster" }.to_owned(),
            names: model.requested.into(),
            versions: model.versions.into_iter().map(version).collect(),
        };
        let condition = |kind: &str, is: bool, message: Option<String>| {
            let status = if is { "True" } else { "False" }.to_owned();
            let message = message.unwrap_or_default();
            ConditionObject::new(kind, Condition { status, message, ..Condition::default() })
        };
        let mut conditions = vec![];
        if model.names_accepted || model.refusal.is_some() {
            conditions.push(condition("NamesAccepted", model.names_accepted, model.refusal));
        }
        conditions.push(condition("Established", model.established, None));
        if model.terminating {
            conditions.push(condition("Terminating", true, None));
        }
        let (accepted_names, stored_versions) = (model.accepted.into(), model.stored_versions);
        let object = CrdObject {
            metadata: OwnedMeta::new(model.name, model.merge),
            spec,
            status: CrdStatus { accepted_names, stored_versions, conditions },
        };
        Self { api_version: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", object }
    }
}
