/// A Service, reduced to what the aggregator looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Service {
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// How it is exposed.
    pub kind: ServiceType,
    /// `spec.clusterIP`; `None` is the string that a headless Service has there.
    pub cluster_ip: Option<String>,
    /// `spec.externalName`
    pub external_name: Option<String>,
    /// Its ports.
    pub ports: Vec<ServicePort>,
}

/// `spec.type` of a Service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServiceType {
    /// Also the default.
    ClusterIp,
    /// `NodePort`
    NodePort,
    /// `LoadBalancer`
    LoadBalancer,
    /// `ExternalName`
    ExternalName,
    /// Anything else, as written.
    Other(String),
}

/// One port of a Service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServicePort {
    /// Its name, empty for a lone unnamed port.
    pub name: String,
    /// The number that clients use.
    pub port: i32,
}

/// An EndpointSlice, reduced to what the aggregator looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointSlice {
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// The Service it belongs to, from the label `kubernetes.io/service-name`.
    pub service: Option<String>,
    /// The names of its ports; an unnamed port is the empty string.
    pub port_names: Vec<String>,
    /// How many of its endpoints are ready (absent counts as ready).
    pub ready: usize,
    /// How many of its endpoints are not.
    pub unready: usize,
}
