//! Codec of APIServices, group `apiregistration.k8s.io`.

use serde::{Deserialize, Serialize};

use super::metadata::{ConditionObject, OwnedMeta, Spec, present, set};
use super::{Typed, codec, object};
use crate::model::{
    ApiService, Automanaged, Condition, Field, GroupVersion, OwnershipMetadata, ServiceReference,
};

/// The port that the server sets if an APIService does not.
const DEFAULT_PORT: i32 = 443;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ApiServiceObject {
    #[serde(default, deserialize_with = "crate::lenient::lenient")]
    pub(crate) metadata: OwnedMeta,
    pub(crate) spec: ApiServiceSpec,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<ApiServiceStatus>,
}

object! {
    struct ApiServiceSpec {
        group: String,
        version: String,
        @stated {
            group_priority_minimum: i32,
            version_priority: i32,
            service: ServiceReferenceObject,
            ca_bundle: String,
            #[serde(rename = "insecureSkipTLSVerify")]
            insecure_skip_tls_verify: bool,
        }
    }
}

object! {
    struct ServiceReferenceObject {
        namespace: String,
        name: String,
        @stated {
            port: i32,
        }
    }
}

object! {
    struct ApiServiceStatus {
        conditions: Vec<ConditionObject>,
    }
}

impl ApiServiceObject {
    /// Returns whether it sets none of the required fields, because it is a patch for another one.
    pub(crate) fn is_patch(&self) -> bool {
        let ApiServiceSpec { group, version, group_priority_minimum, version_priority, .. } =
            &self.spec;
        group.is_empty()
            && version.is_empty()
            && group_priority_minimum.is_none()
            && version_priority.is_none()
    }
}

impl Spec for ApiServiceSpec {
    fn stated(&self) -> Vec<Field> {
        present([
            (Field::Service, self.service.is_some()),
            (Field::Port, self.service.iter().flatten().any(|s| s.port.is_some())),
            (Field::CaBundle, self.ca_bundle.is_some()),
            (Field::InsecureSkipTlsVerify, self.insecure_skip_tls_verify.is_some()),
            (Field::GroupPriority, self.group_priority_minimum.is_some()),
            (Field::VersionPriority, self.version_priority.is_some()),
        ])
    }
}

codec!(encode ApiService as ApiServiceObject);

impl From<ApiServiceObject> for ApiService {
    fn from(ApiServiceObject { mut metadata, spec, status }: ApiServiceObject) -> Self {
        let merge = metadata.take_merge(&spec);
        let labels = set(metadata.labels);
        let mut conditions = status.unwrap_or_default().conditions.into_iter();
        Self {
            name: metadata.name,
            group_version: GroupVersion::new(spec.group, spec.version),
            service: spec.service.flatten().map(|service| ServiceReference {
                namespace: service.namespace,
                name: service.name,
                port: service.port.flatten().unwrap_or(DEFAULT_PORT),
            }),
            group_priority: spec.group_priority_minimum.flatten().unwrap_or_default(),
            version_priority: spec.version_priority.flatten().unwrap_or_default(),
            ca_bundle: spec.ca_bundle.flatten().filter(|text| !text.is_empty()),
            insecure_skip_tls_verify: spec.insecure_skip_tls_verify.flatten().unwrap_or_default(),
            automanaged: Automanaged::of(&labels),
            available: conditions.find(|c| c.r#type == "Available").map(Condition::from),
            created: metadata.creation_timestamp,
            provenance: OwnershipMetadata {
                labels,
                annotations: metadata.annotations.0,
                managers: metadata.managed_fields.0.into_iter().map(Into::into).collect(),
                merge,
            }
            .into(),
            inferred: false,
        }
    }
}

impl From<ApiService> for Typed<ApiServiceObject> {
    /// Encodes it as the API server shows it, without managed fields.
    fn from(model: ApiService) -> Self {
        let OwnershipMetadata { mut labels, annotations, merge, .. } = (*model.provenance).clone();
        if let Some(controller) = model.automanaged {
            // The baseline and inferred APIServices have no labels of their own.
            labels.insert(Automanaged::LABEL.to_owned(), controller.value().to_owned());
        }
        let mut metadata = OwnedMeta::new(model.name, merge);
        metadata.creation_timestamp = model.created;
        metadata.labels = labels.into_iter().map(|(key, value)| (key, Some(value))).collect();
        metadata.annotations.0 = annotations;
        let service = |service: ServiceReference| ServiceReferenceObject {
            namespace: service.namespace,
            name: service.name,
            port: Some(Some(service.port)),
        };
        let spec = ApiServiceSpec {
            group: model.group_version.group,
            version: model.group_version.version,
            group_priority_minimum: Some(Some(model.group_priority)),
            version_priority: Some(Some(model.version_priority)),
            service: model.service.map(|one| Some(service(one))),
            ca_bundle: model.ca_bundle.map(Some),
            insecure_skip_tls_verify: model.insecure_skip_tls_verify.then_some(Some(true)),
        };
        let status = model.available.map(|condition| ApiServiceStatus {
            conditions: vec![ConditionObject::new("Available", condition)],
        });
        let object = ApiServiceObject { metadata, spec, status };
        Self { api_version: "apiregistration.k8s.io/v1", kind: "APIService", object }
    }
}
