//! Services, and the endpoints behind them.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::lenient::{is_default, lenient};

/// A Service, reduced to what the aggregator looks at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the API")]
pub struct Service {
    pub namespace: String,
    pub name: String,
    /// How it is exposed.
    pub kind: ServiceType,
    /// `spec.clusterIP`; `None` is the string that a headless Service has there.
    pub cluster_ip: Option<String>,
    pub external_name: Option<String>,
    pub ports: Vec<ServicePort>,
    /// `spec.selector`: the labels of the Pods behind it.
    pub selector: BTreeMap<String, String>,
}

impl Service {
    /// Whether it has no address of its own: `clusterIP: None`.
    pub(crate) fn is_headless(&self) -> bool {
        self.cluster_ip.as_deref() == Some("None")
    }
}

/// `spec.type` of a Service.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the API")]
pub enum ServiceType {
    /// What a Service has that does not say.
    #[default]
    ClusterIp,
    NodePort,
    LoadBalancer,
    ExternalName,
    /// Anything else, as written.
    Other(String),
}

impl ServiceType {
    /// As the API spells it.
    pub fn as_str(&self) -> &str {
        match self {
            Self::ClusterIp => "ClusterIP",
            Self::NodePort => "NodePort",
            Self::LoadBalancer => "LoadBalancer",
            Self::ExternalName => "ExternalName",
            Self::Other(kind) => kind,
        }
    }
}

/// One port of a Service.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServicePort {
    /// Its name, empty for a lone unnamed port.
    pub name: String,
    /// The number that clients use.
    pub port: i32,
    /// `targetPort`; `None` if it is the same number as the port.
    pub target_port: Option<TargetPort>,
}

/// The port that the Pods behind a Service listen on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TargetPort {
    /// The number itself.
    Number(i32),
    /// The name of a container's port, which each Pod may give another number.
    Name(String),
}

impl fmt::Display for TargetPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Name(name) => f.write_str(name),
        }
    }
}

/// An EndpointSlice, or a subset of an Endpoints object: addresses that share their ports.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the API")]
pub struct EndpointSlice {
    pub namespace: String,
    pub name: String,
    /// The Service it belongs to, from the label `kubernetes.io/service-name`; the name of an
    /// Endpoints object is that of its Service.
    pub service: Option<String>,
    pub ports: Vec<EndpointPort>,
    /// Its endpoints, ready or not.
    pub endpoints: Vec<Endpoint>,
}

impl EndpointSlice {
    /// How many of its endpoints are ready.
    pub fn ready(&self) -> usize {
        self.endpoints.iter().filter(|e| e.ready).count()
    }
}

/// One port of an EndpointSlice.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EndpointPort {
    /// Its name, empty for an unnamed one.
    #[serde(deserialize_with = "lenient")]
    pub name: String,
    /// The number that the Pods listen on; `None` stands for all of them.
    #[serde(skip_serializing_if = "is_default")]
    pub port: Option<i32>,
}

/// One endpoint of an EndpointSlice.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Endpoint {
    /// Its addresses, which all lead to the same place.
    pub addresses: Vec<String>,
    /// Whether it takes traffic; what an EndpointSlice leaves open counts as ready.
    pub ready: bool,
    /// Whether it is being shut down.
    pub terminating: bool,
    /// What is behind it, usually a Pod.
    pub target: Option<TargetRef>,
}

/// The object behind an endpoint.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "the names are those of the API")]
pub struct TargetRef {
    #[serde(deserialize_with = "lenient", skip_serializing_if = "is_default")]
    pub kind: String,
    #[serde(deserialize_with = "lenient", skip_serializing_if = "is_default")]
    pub name: String,
}

impl fmt::Display for TargetRef {
    /// Writes kind and name, such as `Pod web-0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind, self.name)
    }
}
