//! The address that is really dialled.

use crate::model::{Service, ServiceReference, ServiceType};

/// Where the API server connects to for an APIService.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialled {
    /// An address or a host name.
    pub host: String,
    /// The port.
    pub port: i32,
    /// Where the host comes from.
    pub from: &'static str,
}

impl std::fmt::Display for Dialled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&host_port(&self.host, self.port))
    }
}

/// Host and port as a URL has them: an IPv6 address stands in brackets.
pub fn host_port(host: &str, port: i32) -> String {
    if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") }
}

/// Resolves a Service as the aggregator does without `--enable-aggregator-routing`.
///
/// # Errors
/// Where the aggregator itself cannot: why.
pub fn dialled(reference: &ServiceReference, service: &Service) -> Result<Dialled, String> {
    let port = reference.port;
    let at = |host: &Option<String>, from| match host.as_deref().filter(|h| !h.is_empty()) {
        Some(host) => Ok(Dialled { host: host.to_owned(), port, from }),
        None => Err(format!("the Service has no {from}")),
    };
    match &service.kind {
        ServiceType::ExternalName => at(&service.external_name, "externalName"),
        ServiceType::Other(kind) => Err(format!("a Service of type {kind:?} is not supported")),
        ServiceType::ClusterIp | ServiceType::NodePort | ServiceType::LoadBalancer => {
            if service.cluster_ip.as_deref() == Some("None") {
                return Err(
                    "the Service is headless (clusterIP None), which the API server cannot dial"
                        .to_owned(),
                );
            }
            if !service.ports.iter().any(|p| p.port == port) {
                return Err(format!("the Service has no port {port}"));
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
            let port = |p: &i32| ServicePort { name: String::new(), port: *p, target_port: None };
            let service = Service {
                namespace: "shop".into(),
                name: "web".into(),
                kind,
                cluster_ip: text(cluster_ip),
                external_name: text(external),
                ports: ports.iter().map(port).collect(),
                selector: Default::default(),
            };
            let got = dialled(&reference, &service).map(|d| d.to_string());
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
