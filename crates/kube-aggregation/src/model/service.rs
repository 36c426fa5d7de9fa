use std::collections::BTreeMap;

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
    /// `targetPort`, a number or the name of a container port. `None` if it equals `port`.
    pub target_port: Option<String>,
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
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EndpointPort {
    /// Its name; empty if unnamed.
    pub name: String,
    /// The number that the Pods listen on; `None` means all ports.
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
    /// The target object, such as `Pod web-0`.
    pub target: Option<String>,
}
