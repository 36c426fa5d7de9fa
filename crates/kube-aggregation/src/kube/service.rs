//! The codec of Services.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::metadata::ObjectMeta;
use super::{Typed, object};
use crate::model::{Service, ServicePort, ServiceType, TargetPort};

object! {
    /// A Service as the API has it.
    pub struct ServiceObject {
        metadata: ObjectMeta,
        spec: ServiceSpec,
    }
}

object! {
    pub struct ServiceSpec {
        r#type: String,
        #[serde(rename = "clusterIP")]
        cluster_ip: Option<String>,
        external_name: Option<String>,
        selector: BTreeMap<String, String>,
        ports: Vec<ServicePortObject>,
    }
}

object! {
    pub struct ServicePortObject {
        name: String,
        port: Option<i32>,
        target_port: Option<TargetPort>,
    }
}

impl Serialize for TargetPort {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => serializer.serialize_i32(*number),
            Self::Name(name) => serializer.serialize_str(name),
        }
    }
}

impl<'de> Deserialize<'de> for TargetPort {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl Visitor<'_> for Read {
            type Value = TargetPort;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a port's number or name")
            }

            fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<TargetPort, E> {
                let found = serde::de::Unexpected::Signed(number);
                let number =
                    i32::try_from(number).map_err(|_| E::invalid_value(found, &"a port"))?;
                Ok(TargetPort::Number(number))
            }

            fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<TargetPort, E> {
                self.visit_i64(i64::try_from(number).unwrap_or(i64::MAX))
            }

            fn visit_str<E>(self, name: &str) -> Result<TargetPort, E> {
                Ok(TargetPort::Name(name.to_owned()))
            }
        }
        deserializer.deserialize_any(Read)
    }
}

impl From<ServiceObject> for Service {
    fn from(object: ServiceObject) -> Self {
        let ServiceObject { metadata, spec } = object;
        let kind = match spec.r#type.as_str() {
            "" | "ClusterIP" => ServiceType::ClusterIp,
            "NodePort" => ServiceType::NodePort,
            "LoadBalancer" => ServiceType::LoadBalancer,
            "ExternalName" => ServiceType::ExternalName,
            _ => ServiceType::Other(spec.r#type),
        };
        let port = |port: ServicePortObject| ServicePort {
            name: port.name,
            port: port.port.unwrap_or_default(),
            target_port: port.target_port,
        };
        Self {
            namespace: metadata.namespace,
            name: metadata.name,
            kind,
            cluster_ip: spec.cluster_ip,
            external_name: spec.external_name,
            ports: spec.ports.into_iter().map(port).collect(),
            selector: spec.selector,
        }
    }
}

impl From<&Service> for ServiceObject {
    fn from(model: &Service) -> Self {
        let port = |port: &ServicePort| ServicePortObject {
            name: port.name.clone(),
            port: Some(port.port),
            target_port: port.target_port.clone(),
        };
        let spec = ServiceSpec {
            r#type: model.kind.as_str().to_owned(),
            cluster_ip: model.cluster_ip.clone(),
            external_name: model.external_name.clone(),
            selector: model.selector.clone(),
            ports: model.ports.iter().map(port).collect(),
        };
        Self { metadata: ObjectMeta::named(&model.namespace, &model.name), spec }
    }
}

impl ServiceObject {
    /// Adds the kind.
    pub fn typed(self) -> Typed<Self> {
        Typed { api_version: "v1", kind: "Service", object: self }
    }
}
