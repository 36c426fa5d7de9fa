//! Services and their endpoints.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::lenient::{is_default, lenient};

/// A Service, reduced to what the aggregator reads.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the API")]
pub struct Service {
    pub namespace: String,
    pub name: String,
    /// Its type, such as ClusterIP.
    pub kind: ServiceType,
    /// `spec.clusterIP`. For a headless Service this is the string `None`.
    pub cluster_ip: Option<String>,
    pub external_name: Option<String>,
    pub ports: Vec<ServicePort>,
    /// `spec.selector`: the labels of its Pods.
    pub selector: BTreeMap<String, String>,
}

impl Service {
    /// Returns whether it is headless: `clusterIP: None`.
    pub(crate) fn is_headless(&self) -> bool {
        self.cluster_ip.as_deref() == Some("None")
    }
}

/// `spec.type` of a Service.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the API")]
pub enum ServiceType {
    /// The default type.
    #[default]
    ClusterIp,
    NodePort,
    LoadBalancer,
    ExternalName,
    /// Anything else, as written.
    Other(String),
}

impl ServiceType {
    /// Returns the API's spelling.
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
    /// Its name; empty for a single unnamed port.
    pub name: String,
    /// The port number that clients use.
    pub port: i32,
    /// `targetPort`; `None` if it equals `port`.
    pub target_port: Option<TargetPort>,
}

/// The port that the Pods of a Service listen on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TargetPort {
    /// A port number.
    Number(i32),
    /// The name of a container port. Its number may differ between Pods.
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

/// An EndpointSlice, or a subset of an Endpoints object: addresses with common ports.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the API")]
pub struct EndpointSlice {
    pub namespace: String,
    pub name: String,
    /// The Service it belongs to, from the label `kubernetes.io/service-name`. An Endpoints object
    /// has the name of its Service.
    pub service: Option<String>,
    pub ports: Vec<EndpointPort>,
    /// Its endpoints, ready or not.
    pub endpoints: Vec<Endpoint>,
}

impl EndpointSlice {
    /// Returns the number of ready endpoints.
    pub fn ready(&self) -> usize {
        self.endpoints.iter().filter(|e| e.ready).count()
    }
}

/// One port of an EndpointSlice.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EndpointPort {
    /// Its name; empty if unnamed.
    #[serde(deserialize_with = "lenient")]
    pub name: String,
    /// The number that the Pods listen on; `None` means all ports.
    #[serde(skip_serializing_if = "is_default")]
    pub port: Option<i32>,
}

/// One endpoint of an EndpointSlice.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Endpoint {
    /// Its addresses, which are interchangeable.
    pub addresses: Vec<String>,
    /// Whether it receives traffic. Defaults to ready if an EndpointSlice does not set it.
    pub ready: bool,
    /// Whether it is being shut down.
    pub terminating: bool,
    /// The target object, usually a Pod.
    pub target: Option<TargetRef>,
}

/// The target object of an endpoint.
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
