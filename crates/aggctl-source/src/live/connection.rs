//! One API server and the settings to connect to it.

use url::Url;

use super::etag_cache::EtagCache;
use super::kubeconfig::{Cluster, User};
use super::limits::Limits;

/// One API server and the settings to connect to it. Nothing has been sent yet.
#[derive(Debug, Clone)]
pub struct Connection {
    /// The context, or else the cluster or its address.
    pub name: String,
    pub(super) server: Url,
    pub(super) cluster: Cluster,
    pub(super) user: User,
    /// Whether the options, rather than a file, provide a credential.
    pub(super) credential_given: bool,
    pub(crate) kubectl: KubectlDefaults,
    pub(crate) limits: Limits,
    pub(super) cache: EtagCache,
}

/// What kubectl takes from the kubeconfig besides the connection.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KubectlDefaults {
    /// The server as the kubeconfig writes it, because kubectl names its cache after it. Empty if it
    /// contains a password.
    pub server: String,
    /// The namespace of the context; empty if it has none.
    pub namespace: String,
}

impl Connection {
    /// Returns a connection to another server of the same control plane, whose certificate must be
    /// valid for this name. `None` if the address is not valid.
    pub(crate) fn directly(&self, name: &str, address: &str, server_name: &str) -> Option<Self> {
        let server = Url::parse(&format!("https://{address}")).ok()?;
        let mut direct = Self { name: name.to_owned(), server, ..self.clone() };
        direct.cluster.tls_server_name = Some(server_name.to_owned());
        Some(direct)
    }

    /// Returns a connection that caches documents, for repeated reads.
    #[must_use]
    pub fn caching(mut self) -> Self {
        self.cache = EtagCache::enabled();
        self
    }
}

/// Returns host and port, the only parts of a URL that may be printed.
pub(super) fn address(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.port_or_known_default() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}
