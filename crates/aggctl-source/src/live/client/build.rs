//! Builds a client from a connection: credentials, TLS and proxy.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Instant;

use reqwest::header::HeaderValue;
use url::Host;

use super::http::Client;
use crate::live::budget::Budget;
use crate::live::connection::{Connection, address};
use crate::live::credentials::{self, Credentials};
use crate::live::error::ClusterError;
use crate::live::etag_cache::CacheOwner;
use crate::live::failure::describe;
use crate::live::limits::Limits;
use crate::live::settings::SettingsError;
use crate::live::shared_connection::SharedConnection;
use crate::live::{exec, proxy, sni_override, tls};
use crate::trust::Trusted;

impl Client {
    /// Creates a client. This sends nothing, but an exec plugin may.
    pub(in crate::live) async fn new(connection: &Connection) -> Result<Self, ClusterError> {
        let Limits { whole, .. } = connection.limits;
        let started = Instant::now();
        let credentials = credentials::collect(connection, whole).await?;
        // The time that a user needs to log in does not count.
        let deadline = started + whole + credentials.attended;
        Self::with(connection, credentials, deadline)
    }

    /// Runs the exec plugin again, and returns a client with the new credential if it differs.
    pub(in crate::live) async fn renewed(
        &self,
        connection: &Connection,
    ) -> Result<Option<Self>, ClusterError> {
        let before = &self.credentials;
        let Some((exec, said)) = &before.plugin else { return Ok(None) };
        exec::forget(exec, said);
        let mut credentials = credentials::collect(connection, self.left()).await?;
        if credentials.headers == before.headers && credentials.identity == before.identity {
            return Ok(None);
        }
        // The server may still repeat the old one.
        credentials.secrets.extend(before.secrets.iter().cloned());
        let deadline = self.deadline + credentials.attended;
        let client = Self::with(connection, credentials, deadline)?;
        client.log.replace(self.take_log());
        Ok(Some(client))
    }

    fn with(
        connection: &Connection,
        mut credentials: Credentials,
        deadline: Instant,
    ) -> Result<Self, ClusterError> {
        let unusable =
            |why: SettingsError| ClusterError::Settings { cluster: connection.name.clone(), why };
        let proxy =
            proxy::choose(&connection.server, connection.cluster.proxy_url.as_ref(), |name| {
                std::env::var(name).ok()
            })
            .map_err(unusable)?;
        credentials.secrets.extend(proxy.iter().flat_map(proxy::secrets));
        let mut base = connection.server.clone();
        // The HTTP client would treat the brackets of such an address as part of the server's name.
        if proxy.is_some() && base.scheme() == "https" && matches!(base.host(), Some(Host::Ipv6(_)))
        {
            return Err(unusable(SettingsError::Ipv6ThroughProxy));
        }
        let server_name =
            connection.cluster.tls_server_name.clone().filter(|name| !name.is_empty());
        let sni_override = sni_override::rename(&mut base, server_name.as_deref(), proxy.is_some());
        let mut builder = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            .user_agent(concat!("aggctl/", env!("CARGO_PKG_VERSION")))
            .retry(reqwest::retry::never())
            .gzip(!connection.cluster.disable_compression)
            .connector_layer(SharedConnection::new());
        // A different Host header requires HTTP/1.1; HTTP/2 takes it from the URL.
        let protocols: &[&[u8]] =
            if sni_override.is_some() { &[b"http/1.1"] } else { &[b"h2", b"http/1.1"] };
        let proxied = proxy.as_ref().is_some_and(|proxy| proxy.scheme() == "https");
        // Without TLS there is nothing to verify, but the client still needs TLS settings.
        let trusted = if proxied || base.scheme() == "https" {
            credentials::trusted(&connection.cluster, connection.limits.whole)?
        } else {
            Trusted::Unverified
        };
        let cache = connection.cache.clone();
        cache.belong_to(CacheOwner {
            server: connection.server.clone(),
            headers: credentials.headers.clone(),
            certificates: credentials.identity.as_ref().map(|own| own.certificates.clone()),
        });
        let settings = tls::TlsSettings {
            trusted,
            server_name,
            identity: credentials.identity.clone(),
            proxied,
            protocols: protocols.iter().map(|p| p.to_vec()).collect(),
        };
        builder = builder.tls_backend_preconfigured(tls::config(&settings).map_err(unusable)?);
        let mut host = None;
        let via = proxy.as_ref().map(address);
        if let Some(sni_override) = sni_override {
            host = HeaderValue::from_str(&sni_override.authority).ok();
            builder = builder.dns_resolver(Arc::new(sni_override)).http1_only();
        }
        if let Some(proxy) = proxy {
            let proxy = reqwest::Proxy::all(proxy)
                .map_err(|_| unusable(SettingsError::Proxy("the proxy's address")))?;
            builder = builder.proxy(proxy);
        }
        let http = builder
            .build()
            .map_err(|error| unusable(SettingsError::Http(describe(error, None))))?;
        let (limits, log) = (connection.limits, RefCell::default());
        let budget = Budget::new("answers", limits.sizes.all);
        let discovery = Budget::new("discovery documents", limits.sizes.discovery);
        Ok(Self {
            http,
            base,
            host,
            via,
            credentials,
            limits,
            deadline,
            log,
            budget,
            discovery,
            cache,
        })
    }
}
