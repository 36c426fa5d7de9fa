//! Codec of Services.

use std::collections::BTreeMap;

use super::metadata::ObjectMeta;
use super::{Tolerant, Typed, codec, object};
use crate::model::{Service, ServicePort, ServiceType, TargetPort};

object! {
    struct ServiceObject {
        metadata: ObjectMeta,
        spec: ServiceSpec,
    }
}

object! {
    struct ServiceSpec {
        r#type: String,
        #[serde(rename = "clusterIP")]
        cluster_ip: Option<String>,
        external_name: Option<String>,
        selector: BTreeMap<String, String>,
        ports: Vec<ServicePortObject>,
    }
}

object! {
    struct ServicePortObject {
        name: String,
        port: Option<i32>,
        target_port: Tolerant<Option<TargetPort>>,
    }
}

codec!(encode Service as ServiceObject);

impl From<ServiceObject> for Service {
    fn from(ServiceObject { metadata, spec }: ServiceObject) -> Self {
        let port = |port: ServicePortObject| ServicePort {
            name: port.name,
            port: port.port.unwrap_or_default(),
            target_port: port.target_port.0,
        };
        Self {
            namespace: metadata.namespace,
            name: metadata.name,
            kind: match spec.r#type.as_str() {
                "" | "ClusterIP" => ServiceType::ClusterIp,
                "NodePort" => ServiceType::NodePort,
                "LoadBalancer" => ServiceType::LoadBalancer,
                "ExternalName" => ServiceType::ExternalName,
                _ => ServiceType::Other(spec.r#type),
            },
            cluster_ip: spec.cluster_ip,
            external_name: spec.external_name,
            ports: spec.ports.into_iter().map(port).collect(),
            selector: spec.selector,
        }
    }
}

impl From<Service> for Typed<ServiceObject> {
    fn from(model: Service) -> Self {
        let port = |port: ServicePort| ServicePortObject {
            name: port.name,
            port: Some(port.port),
            target_port: Tolerant(port.target_port),
        };
        let spec = ServiceSpec {
            r#type: model.kind.as_str().to_owned(),
            cluster_ip: model.cluster_ip,
            external_name: model.external_name,
            selector: model.selector,
            ports: model.ports.into_iter().map(port).collect(),
        };
        let metadata = ObjectMeta::new(model.namespace, model.name);
        Self { api_version: "v1", kind: "Service", object: ServiceObject { metadata, spec } }
    }
}
