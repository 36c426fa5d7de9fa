//! A server that is called by another name in TLS than the one it is found by.

use std::net::ToSocketAddrs;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

/// The server that is really meant, where the URL has another name for TLS' sake.
#[derive(Debug, Clone)]
pub(super) struct Dialled {
    host: String,
    port: u16,
    /// What the server is called by, for `Host`.
    pub(super) authority: String,
}

/// Puts the name for TLS into the URL, which is where SNI comes from. Through a proxy that would
/// ask the proxy for the wrong server: there the verifier alone checks the name.
pub(super) fn rename(base: &mut Url, name: Option<&str>, proxied: bool) -> Option<Dialled> {
    let name = name.filter(|name| !proxied && matches!(Host::parse(name), Ok(Host::Domain(_))))?;
    let host = base.host_str()?.trim_matches(['[', ']']).to_owned();
    let dialled = Dialled {
        host,
        port: base.port_or_known_default()?,
        authority: base[url::Position::BeforeHost..url::Position::AfterPort].to_owned(),
    };
    base.set_host(Some(name)).ok()?;
    Some(dialled)
}

impl Resolve for Dialled {
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
    fn the_name_for_tls_takes_the_place_of_the_host() {
        let mut url = Url::parse("https://10.0.0.1:6443/k8s").unwrap();
        let dialled = rename(&mut url, Some("kubernetes.example"), false).unwrap();
        assert_eq!(url.as_str(), "https://kubernetes.example:6443/k8s");
        assert_eq!((dialled.host.as_str(), dialled.port), ("10.0.0.1", 6443));
        assert_eq!(dialled.authority, "10.0.0.1:6443");
        for (name, proxied) in
            [(Some("kubernetes.example"), true), (Some("10.0.0.2"), false), (None, false)]
        {
            let mut url = Url::parse("https://a").unwrap();
            assert!(rename(&mut url, name, proxied).is_none());
            assert_eq!(url.as_str(), "https://a/");
        }
    }
}
