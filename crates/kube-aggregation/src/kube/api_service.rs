//! The codec of APIServices, group `apiregistration.k8s.io`.

use serde::{Deserialize, Serialize};

use super::metadata::{ConditionObject, ManagedFields, OwnedMeta};
use super::{Typed, object};
use crate::model::{
    ApiService, Automanaged, Condition, Field, FieldManager, GroupVersion, Merge,
    OwnershipMetadata, ServiceReference,
};

/// The port that the server fills in if an APIService names none.
const DEFAULT_PORT: i32 = 443;

/// An APIService as the API has it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ApiServiceObject {
    #[serde(default, deserialize_with = "super::lenient")]
    pub metadata: OwnedMeta,
    pub spec: ApiServiceSpec,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<ApiServiceStatus>,
}

object! {
    pub struct ApiServiceSpec {
        group: Option<String>,
        version: Option<String>,
        group_priority_minimum: Option<i32>,
        version_priority: Option<i32>,
        service: Option<ServiceReferenceObject>,
        ca_bundle: Option<String>,
        #[serde(rename = "insecureSkipTLSVerify")]
        insecure_skip_tls_verify: Option<bool>,
    }
}

object! {
    pub struct ServiceReferenceObject {
        namespace: String,
        name: String,
        port: Option<i32>,
    }
}

object! {
    pub struct ApiServiceStatus {
        conditions: Vec<ConditionObject>,
    }
}

impl ApiServiceSpec {
    /// The optional fields that are there.
    fn stated(&self) -> Vec<Field> {
        let port = self.service.as_ref().is_some_and(|service| service.port.is_some());
        let fields = [
            (Field::Service, self.service.is_some()),
            (Field::Port, port),
            (Field::CaBundle, self.ca_bundle.is_some()),
            (Field::InsecureSkipTlsVerify, self.insecure_skip_tls_verify.is_some()),
            (Field::GroupPriority, self.group_priority_minimum.is_some()),
            (Field::VersionPriority, self.version_priority.is_some()),
        ];
        fields.into_iter().filter(|(_, is)| *is).map(|(field, _)| field).collect()
    }

    /// A spec that has exactly these optional fields, with default values.
    fn stating(fields: &[Field]) -> Self {
        fn default<T: Default>(is: bool) -> Option<T> {
            is.then(T::default)
        }
        let has = |field| fields.contains(&field);
        let port = default(has(Field::Port));
        Self {
            service: has(Field::Service)
                .then(|| ServiceReferenceObject { port, ..Default::default() }),
            ca_bundle: default(has(Field::CaBundle)),
            insecure_skip_tls_verify: default(has(Field::InsecureSkipTlsVerify)),
            group_priority_minimum: default(has(Field::GroupPriority)),
            version_priority: default(has(Field::VersionPriority)),
            ..Self::default()
        }
    }
}

impl From<ApiServiceObject> for ApiService {
    fn from(object: ApiServiceObject) -> Self {
        let ApiServiceObject { metadata, spec, status } = object;
        let applied = metadata.annotations.last_applied::<ApiServiceSpec>();
        let merge = Merge {
            stated: spec.stated(),
            last_applied: applied.map(|(spec, labels)| (spec.stated(), labels)),
            finalizers: metadata.finalizers,
        };
        let mut conditions = status.unwrap_or_default().conditions.into_iter();
        let service = |service: ServiceReferenceObject| ServiceReference {
            namespace: service.namespace,
            name: service.name,
            port: service.port.unwrap_or(DEFAULT_PORT),
        };
        Self {
            name: metadata.name,
            group_version: GroupVersion::new(
                spec.group.unwrap_or_default(),
                spec.version.unwrap_or_default(),
            ),
            service: spec.service.map(service),
            group_priority: spec.group_priority_minimum.unwrap_or_default(),
            version_priority: spec.version_priority.unwrap_or_default(),
            ca_bundle: spec.ca_bundle.filter(|text| !text.is_empty()),
            insecure_skip_tls_verify: spec.insecure_skip_tls_verify.unwrap_or_default(),
            automanaged: Automanaged::of(&metadata.labels),
            available: conditions.find(|c| c.r#type == "Available").map(Condition::from),
            created: metadata.creation_timestamp,
            provenance: OwnershipMetadata {
                labels: metadata.labels,
                annotations: metadata.annotations.others,
                managers: metadata.managed_fields.into_iter().map(FieldManager::from).collect(),
                deleted: metadata.deletion_timestamp,
                merge,
            }
            .into(),
            inferred: false,
        }
    }
}

impl From<&ApiService> for ApiServiceObject {
    fn from(model: &ApiService) -> Self {
        let OwnershipMetadata { labels, annotations, managers, deleted, merge } =
            &*model.provenance;
        let stated = |field, is_set: bool| is_set || merge.stated.contains(&field);
        let mut metadata = OwnedMeta {
            name: model.name.clone(),
            creation_timestamp: model.created.clone(),
            deletion_timestamp: deleted.clone(),
            labels: labels.clone(),
            finalizers: merge.finalizers.clone(),
            managed_fields: managers.iter().map(ManagedFields::from).collect(),
            ..OwnedMeta::default()
        };
        metadata.annotations.others.clone_from(annotations);
        if let Some((fields, labels)) = &merge.last_applied {
            metadata.annotations.set_last_applied(ApiServiceSpec::stating(fields), labels);
        }
        let (group, version) = (model.group_priority, model.version_priority);
        let insecure = model.insecure_skip_tls_verify;
        let service = |service: &ServiceReference| ServiceReferenceObject {
            namespace: service.namespace.clone(),
            name: service.name.clone(),
            port: stated(Field::Port, service.port != DEFAULT_PORT).then_some(service.port),
        };
        let spec = ApiServiceSpec {
            group: Some(model.group_version.group.clone()),
            version: Some(model.group_version.version.clone()),
            group_priority_minimum: stated(Field::GroupPriority, group != 0).then_some(group),
            version_priority: stated(Field::VersionPriority, version != 0).then_some(version),
            service: model.service.as_ref().map(service),
            ca_bundle: (model.ca_bundle.clone())
                .or_else(|| stated(Field::CaBundle, false).then(String::new)),
            insecure_skip_tls_verify: stated(Field::InsecureSkipTlsVerify, insecure)
                .then_some(insecure),
        };
        let conditions = model.available.iter();
        let conditions: Vec<_> = conditions.map(|c| ConditionObject::new("Available", c)).collect();
        let status = (!conditions.is_empty()).then_some(ApiServiceStatus { conditions });
        Self { metadata, spec, status }
    }
}

impl ApiServiceObject {
    /// Turns it into what the API server shows: defaults filled in, empty fields left out, and
    /// without the traces of writers that are only known in part.
    pub fn as_served(mut self) -> Typed<Self> {
        let spec = &mut self.spec;
        if let Some(service) = &mut spec.service {
            service.port.get_or_insert(DEFAULT_PORT);
        }
        spec.group_priority_minimum.get_or_insert(0);
        spec.version_priority.get_or_insert(0);
        spec.ca_bundle.take_if(|bundle| bundle.is_empty());
        spec.insecure_skip_tls_verify.take_if(|insecure| !*insecure);
        self.metadata.annotations.last_applied = None;
        self.metadata.managed_fields.clear();
        Typed { api_version: "apiregistration.k8s.io/v1", kind: "APIService", object: self }
    }
}
