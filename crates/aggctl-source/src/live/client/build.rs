//! A client from what a connection says: whom to trust, who we are, and through which proxy.

use super::*;
use crate::trust::Trusted;

impl Client {
    pub(super) fn with(
        connection: &Connection,
        mut credentials: Credentials,
        deadline: Instant,
    ) -> Result<Self, Error> {
        let trouble =
            |why: String| Error::source(format!("cannot use cluster {}: {why}", connection.name));
        let proxy =
            proxy::choose(&connection.server, connection.cluster.proxy_url.as_ref(), |name| {
                std::env::var(name).ok()
            })
            .map_err(trouble)?;
        credentials.secrets.extend(proxy.iter().flat_map(proxy::secrets));
        let mut base = connection.server.clone();
        // The HTTP client takes the brackets of such an address for a part of the server's name.
        if proxy.is_some() && base.scheme() == "https" && matches!(base.host(), Some(Host::Ipv6(_)))
        {
            let why = "a server with an IPv6 address cannot be reached through a proxy";
            return Err(
                trouble(why.to_owned()).with_hint("give it a name, or put it into NO_PROXY")
            );
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
        // A Host header of one's own goes only with HTTP/1.1: HTTP/2 takes it from the URL.
        let protocols: &[&[u8]] =
            if sni_override.is_some() { &[b"http/1.1"] } else { &[b"h2", b"http/1.1"] };
        let proxied = proxy.as_ref().is_some_and(|proxy| proxy.scheme() == "https");
        // Without TLS on the way there is nobody to verify, but the client wants its settings.
        let trusted = if proxied || base.scheme() == "https" {
            credentials::trusted(&connection.cluster, connection.limits.whole)?
        } else {
            Trusted::Anybody
        };
        let memory = connection.memory.clone();
        memory.belong_to(Asker {
            server: connection.server.clone(),
            headers: credentials.headers.clone(),
            certificates: credentials.identity.as_ref().map(|own| own.certificates.clone()),
        });
        let settings = tls::Settings {
            trusted,
            server_name,
            identity: credentials.identity.clone(),
            proxied,
            protocols: protocols.iter().map(|p| p.to_vec()).collect(),
        };
        builder = builder.tls_backend_preconfigured(tls::config(&settings).map_err(trouble)?);
        let mut host = None;
        let via = proxy.as_ref().map(address);
        if let Some(sni_override) = sni_override {
            host = HeaderValue::from_str(&sni_override.authority).ok();
            builder = builder.dns_resolver(Arc::new(sni_override)).http1_only();
        }
        if let Some(proxy) = proxy {
            let proxy = reqwest::Proxy::all(proxy)
                .map_err(|_| trouble("the proxy's URL cannot be used".to_owned()))?;
            builder = builder.proxy(proxy);
        }
        let http = builder.build().map_err(|error| trouble(describe(&error, None).why))?;
        let (limits, log) = (connection.limits, RefCell::default());
        let budget = Budget::new(limits.sizes.all);
        Ok(Self { http, base, host, via, credentials, limits, deadline, log, budget, memory })
    }
}
