//! Connects to one host while TLS names another (`tls-server-name` of a kubeconfig).

use std::net::ToSocketAddrs;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

/// The server to connect to when the URL contains the TLS server name.
#[derive(Debug, Clone)]
pub(super) struct DialedServer {
    host: String,
    port: u16,
    /// The value of the `Host` header.
    pub(super) authority: String,
}

/// Puts the TLS server name into the URL, because the client takes the SNI from it. With a proxy,
/// the URL stays unchanged, because the proxy would connect to the wrong server. The verifier still
/// checks the name.
pub(super) fn rename(base: &mut Url, name: Option<&str>, proxied: bool) -> Option<DialedServer> {
    let name = name.filter(|name| !proxied && matches!(Host::parse(name), Ok(Host::Domain(_))))?;
    let host = base.host_str()?.trim_matches(['[', ']']).to_owned();
    let dialed = DialedServer {
        host,
        port: base.port_or_known_default()?,
        authority: base[url::Position::BeforeHost..url::Position::AfterPort].to_owned(),
    };
    base.set_host(Some(name)).ok()?;
    Some(dialed)
}

impl Resolve for DialedServer {
    fn resolve(&self, _: Name) -> Resolving {
        let target = (self.host.clone(), self.port);
        Box::pin(async move {
            let found = tokio::task::spawn_blocking(move || target.to_socket_addrs()).await??;
            let addresses: Addrs = Box::new(found);
            Ok(addresses)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_for_tls_replaces_the_host() {
        let mut url = Url::parse("https://10.0.0.1:6443/k8s").unwrap();
        let dialed = rename(&mut url, Some("kubernetes.example"), false).unwrap();
        assert_eq!(url.as_str(), "https://kubernetes.example:6443/k8s");
        assert_eq!((dialed.host.as_str(), dialed.port), ("10.0.0.1", 6443));
        assert_eq!(dialed.authority, "10.0.0.1:6443");
        for (name, proxied) in
            [(Some("kubernetes.example"), true), (Some("10.0.0.2"), false), (None, false)]
        {
            let mut url = Url::parse("https://a").unwrap();
            assert!(rename(&mut url, name, proxied).is_none());
            assert_eq!(url.as_str(), "https://a/");
        }
    }
}
