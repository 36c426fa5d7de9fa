//! Resolves the Service of an APIService to the address that kube-apiserver dials.

use std::fmt;

use crate::model::{Service, ServiceReference, ServiceType};

/// Where the API server connects to for an APIService.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// An IP address or a host name.
    pub host: String,
    /// The port.
    pub port: i32,
    /// The field of the Service that provides the host.
    pub from: &'static str,
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&host_port(&self.host, self.port))
    }
}

/// Formats host and port as in a URL, with brackets around an IPv6 address.
pub fn host_port(host: &str, port: i32) -> String {
    if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") }
}

/// Why the aggregator cannot resolve a Service to an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unresolved {
    /// `clusterIP: None`. It would resolve with `--enable-aggregator-routing`.
    Headless,
    /// The Service does not have this port.
    NoPort(i32),
    /// This field of the Service is empty.
    NoAddress(&'static str),
    /// The Service has an unknown type.
    UnsupportedType(String),
}

impl fmt::Display for Unresolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Headless => f.write_str(
                "the Service is headless (clusterIP None), which the API server cannot dial",
            ),
            Self::NoPort(port) => write!(f, "the Service has no port {port}"),
            Self::NoAddress(field) => write!(f, "the Service has no {field}"),
            Self::UnsupportedType(kind) => {
                write!(f, "a Service of type {kind:?} is not supported")
            }
        }
    }
}

/// Resolves a Service as the aggregator does without `--enable-aggregator-routing`.
///
/// # Errors
/// If the aggregator cannot resolve the Service either.
pub fn resolve(reference: &ServiceReference, service: &Service) -> Result<Address, Unresolved> {
    let port = reference.port;
    let at = |host: &Option<String>, from| match host.as_deref().filter(|h| !h.is_empty()) {
        Some(host) => Ok(Address { host: host.to_owned(), port, from }),
        None => Err(Unresolved::NoAddress(from)),
    };
    match &service.kind {
        ServiceType::ExternalName => at(&service.external_name, "externalName"),
        ServiceType::Other(kind) => Err(Unresolved::UnsupportedType(kind.clone())),
        ServiceType::ClusterIp if service.is_headless() => Err(Unresolved::Headless),
        ServiceType::ClusterIp | ServiceType::NodePort | ServiceType::LoadBalancer => {
            if !service.ports.iter().any(|p| p.port == port) {
                return Err(Unresolved::NoPort(port));
            }
            at(&service.cluster_ip, "clusterIP")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ServicePort;

    #[test]
    fn resolves_as_the_aggregator_does() {
        let reference =
            ServiceReference { namespace: "shop".into(), name: "web".into(), port: 443 };
        let check = |kind: ServiceType,
                     cluster_ip: &str,
                     external: &str,
                     ports: &[i32],
                     want: Result<&str, &str>| {
            let text = |s: &str| (!s.is_empty()).then(|| s.to_owned());
            let port = |port: &i32| ServicePort { port: *port, ..ServicePort::default() };
            let service = Service {
                kind,
                cluster_ip: text(cluster_ip),
                external_name: text(external),
                ports: ports.iter().map(port).collect(),
                ..Service::default()
            };
            let got = resolve(&reference, &service);
            let got = got.map(|at| at.to_string()).map_err(|why| why.to_string());
            assert_eq!(got.as_deref().map_err(String::as_str), want);
        };
        use ServiceType::{ClusterIp, ExternalName, LoadBalancer, NodePort, Other};
        check(ClusterIp, "10.0.0.7", "", &[443], Ok("10.0.0.7:443"));
        check(ClusterIp, "fd00::7", "", &[443], Ok("[fd00::7]:443"));
        check(NodePort, "10.0.0.7", "", &[443], Ok("10.0.0.7:443"));
        check(LoadBalancer, "10.0.0.7", "", &[80, 443], Ok("10.0.0.7:443"));
        check(ExternalName, "", "api.example", &[], Ok("api.example:443"));
        check(ExternalName, "", "", &[], Err("the Service has no externalName"));
        check(ClusterIp, "", "", &[443], Err("the Service has no clusterIP"));
        check(LoadBalancer, "10.0.0.7", "", &[80], Err("the Service has no port 443"));
        check(
            Other("Weird".into()),
            "10.0.0.7",
            "",
            &[443],
            Err("a Service of type \"Weird\" is not supported"),
        );
        check(
            ClusterIp,
            "None",
            "",
            &[443],
            Err("the Service is headless (clusterIP None), which the API server cannot dial"),
        );
    }
}
