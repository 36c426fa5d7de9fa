//! The codec of CustomResourceDefinitions, group `apiextensions.k8s.io`.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::metadata::{ConditionObject, CrdMeta};
use super::{Typed, is_default, object};
use crate::model::{Crd, CrdNames, CrdVersion, Field, Merge};

/// A CRD as the API has it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CrdObject {
    #[serde(default, deserialize_with = "super::lenient")]
    pub metadata: CrdMeta,
    pub spec: CrdSpec,
    #[serde(default, deserialize_with = "super::lenient", skip_serializing_if = "is_default")]
    pub status: CrdStatus,
}

object! {
    pub struct CrdSpec {
        group: String,
        scope: String,
        names: CrdNamesObject,
        versions: Vec<CrdVersionObject>,
    }
}

object! {
    pub struct CrdNamesObject {
        plural: String,
        singular: String,
        kind: String,
        list_kind: String,
        short_names: Option<Vec<String>>,
        categories: Option<Vec<String>>,
    }
}

object! {
    pub struct CrdVersionObject {
        name: String,
        served: Option<bool>,
        storage: Option<bool>,
        subresources: CrdSubresources,
    }
}

object! {
    pub struct CrdSubresources {
        status: Option<Present>,
        scale: Option<Present>,
    }
}

object! {
    pub struct CrdStatus {
        accepted_names: CrdNamesObject,
        stored_versions: Vec<String>,
        conditions: Vec<ConditionObject>,
    }
}

/// An object whose content does not matter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Present {}

impl<'de> Deserialize<'de> for Present {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| Self {})
    }
}

impl CrdNamesObject {
    /// The optional fields that are there.
    fn stated(&self) -> Vec<Field> {
        let fields = [
            (Field::Singular, !self.singular.is_empty()),
            (Field::ListKind, !self.list_kind.is_empty()),
            (Field::ShortNames, self.short_names.is_some()),
            (Field::Categories, self.categories.is_some()),
        ];
        fields.into_iter().filter(|(_, is)| *is).map(|(field, _)| field).collect()
    }

    /// Names that have exactly these optional fields.
    fn stating(fields: &[Field]) -> Self {
        let has = |field| fields.contains(&field);
        let text = |field| if has(field) { "x".to_owned() } else { String::new() };
        Self {
            singular: text(Field::Singular),
            list_kind: text(Field::ListKind),
            short_names: has(Field::ShortNames).then(Vec::new),
            categories: has(Field::Categories).then(Vec::new),
            ..Self::default()
        }
    }

    /// Fills in the names that the server derives from the kind.
    fn fill_in(&mut self) {
        if self.singular.is_empty() {
            self.singular = self.kind.to_lowercase();
        }
        if self.list_kind.is_empty() {
            self.list_kind = format!("{}List", self.kind);
        }
    }
}

impl From<CrdNamesObject> for CrdNames {
    fn from(object: CrdNamesObject) -> Self {
        Self {
            plural: object.plural,
            singular: object.singular,
            kind: object.kind,
            list_kind: object.list_kind,
            short_names: object.short_names.unwrap_or_default(),
            categories: object.categories.unwrap_or_default(),
        }
    }
}

impl From<&CrdNames> for CrdNamesObject {
    fn from(model: &CrdNames) -> Self {
        let some = |names: &Vec<String>| (!names.is_empty()).then(|| names.clone());
        Self {
            plural: model.plural.clone(),
            singular: model.singular.clone(),
            kind: model.kind.clone(),
            list_kind: model.list_kind.clone(),
            short_names: some(&model.short_names),
            categories: some(&model.categories),
        }
    }
}

object! {
    /// The part of a spec that [`Merge`] is about.
    struct NamesOnly {
        names: CrdNamesObject,
    }
}

impl From<CrdObject> for Crd {
    fn from(object: CrdObject) -> Self {
        let CrdObject { metadata, mut spec, status } = object;
        let holds = |kind: &str| status.conditions.iter().any(|c| c.is(kind, "True"));
        let refused = status.conditions.iter().find(|c| c.is("NamesAccepted", "False"));
        let applied = metadata.annotations.last_applied::<NamesOnly>();
        let merge = Merge {
            stated: spec.names.stated(),
            last_applied: applied.map(|(spec, labels)| (spec.names.stated(), labels)),
            finalizers: metadata.finalizers,
        };
        spec.names.fill_in();
        let requested = CrdNames::from(spec.names);
        let (established, names_accepted) = (holds("Established"), holds("NamesAccepted"));
        let (terminating, refusal) = (holds("Terminating"), refused.map(|c| c.message.clone()));
        let accepted = CrdNames::from(status.accepted_names);
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
            established,
            names_accepted,
            refusal,
            terminating,
            requested,
            accepted,
            stored_versions: status.stored_versions,
            merge,
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

impl From<&Crd> for CrdObject {
    fn from(model: &Crd) -> Self {
        let Merge { stated, last_applied, finalizers } = &model.merge;
        let mut metadata = CrdMeta {
            name: model.name.clone(),
            finalizers: finalizers.clone(),
            ..CrdMeta::default()
        };
        if let Some((fields, labels)) = last_applied {
            let names = CrdNamesObject::stating(fields);
            metadata.annotations.set_last_applied(NamesOnly { names }, labels);
        }
        let version = |version: &CrdVersion| CrdVersionObject {
            name: version.name.clone(),
            served: Some(version.served),
            storage: Some(model.stored_versions.last() == Some(&version.name)),
            subresources: CrdSubresources {
                status: version.status_subresource.then_some(Present {}),
                scale: version.scale_subresource.then_some(Present {}),
            },
        };
        let scope = if model.namespaced { "Namespaced" } else { "Cluster" };
        let spec = CrdSpec {
            group: model.group.clone(),
            scope: scope.to_owned(),
            names: requested_names(&model.requested, stated),
            versions: model.versions.iter().map(version).collect(),
        };
        let condition = |kind: &str, is: bool, message: &str| ConditionObject {
            r#type: kind.to_owned(),
            status: if is { "True" } else { "False" }.to_owned(),
            message: message.to_owned(),
            ..ConditionObject::default()
        };
        let mut conditions = vec![];
        if model.names_accepted || model.refusal.is_some() {
            let message = model.refusal.as_deref().unwrap_or_default();
            conditions.push(condition("NamesAccepted", model.names_accepted, message));
        }
        if model.established || !conditions.is_empty() {
            conditions.push(condition("Established", model.established, ""));
        }
        if model.terminating {
            conditions.push(condition("Terminating", true, ""));
        }
        let status = CrdStatus {
            accepted_names: (&model.accepted).into(),
            stored_versions: model.stored_versions.clone(),
            conditions,
        };
        Self { metadata, spec, status }
    }
}

/// What a CRD asks for, without the names that the server would fill in.
fn requested_names(model: &CrdNames, stated: &[Field]) -> CrdNamesObject {
    let has = |field| stated.contains(&field);
    let mut filled_in = CrdNamesObject { kind: model.kind.clone(), ..Default::default() };
    filled_in.fill_in();
    let mut names = CrdNamesObject::from(model);
    if !has(Field::Singular) && names.singular == filled_in.singular {
        names.singular.clear();
    }
    if !has(Field::ListKind) && names.list_kind == filled_in.list_kind {
        names.list_kind.clear();
    }
    if has(Field::ShortNames) {
        names.short_names.get_or_insert_default();
    }
    if has(Field::Categories) {
        names.categories.get_or_insert_default();
    }
    names
}

impl CrdObject {
    /// Turns it into what the API server shows, without schemas, which the model does not keep.
    pub fn as_served(mut self) -> Typed<Self> {
        self.spec.names.fill_in();
        self.metadata.annotations.last_applied = None;
        Typed {
            api_version: "apiextensions.k8s.io/v1",
            kind: "CustomResourceDefinition",
            object: self,
        }
    }
}
