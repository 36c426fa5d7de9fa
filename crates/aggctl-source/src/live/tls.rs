//! Configures TLS as kubectl does: trusted certificates, server name and client certificate.
//!
//! The rustls configuration does not depend on process-wide defaults. The system's roots are read
//! only if no others are configured, and the server name may differ from the host.

use std::cell::Cell;
use std::sync::Arc;

use rustls::client::{ResolvesClientCert, Resumption};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::sign::CertifiedKey;
use rustls::{ClientConfig, SignatureScheme};

use super::secret::Secret;
use super::settings::SettingsError;
use crate::trust::{self, CertError, ChainVerifier, PresentedChain, Roots, Trusted, provider};

/// A client certificate and its key, both PEM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Identity {
    /// The certificate, followed by intermediate certificates.
    pub(super) certificates: Vec<u8>,
    pub(super) key: Secret,
}

/// The settings of TLS connections to one cluster.
#[derive(Debug, Clone)]
pub(super) struct TlsSettings {
    pub(super) trusted: Trusted,
    /// The name that the certificate must contain, if it is not the host.
    pub(super) server_name: Option<String>,
    /// The client certificate. It must not be presented to a proxy.
    pub(super) identity: Option<Identity>,
    /// Whether the connection to the proxy also uses TLS.
    pub(super) proxied: bool,
    /// The protocols to offer, preferred first.
    pub(super) protocols: Vec<Vec<u8>>,
}

#[cfg(test)]
impl TlsSettings {
    pub(super) fn plain(trusted: Trusted) -> Self {
        let (server_name, identity, proxied, protocols) = (None, None, false, vec![]);
        Self { trusted, server_name, identity, proxied, protocols }
    }
}

/// Returns the configuration for rustls.
///
/// # Errors
/// If a setting cannot be used.
pub(super) fn config(settings: &TlsSettings) -> Result<ClientConfig, SettingsError> {
    let verifier = ServerVerifier {
        roots: roots(&settings.trusted)?,
        name: settings.server_name.as_deref().map(server_name).transpose()?,
        proxied: settings.proxied,
    };
    let builder = trust::client(verifier).map_err(SettingsError::Tls)?;
    let mut config = match &settings.identity {
        None => builder.with_no_client_auth(),
        Some(identity) => {
            let (chain, key) = read_identity(identity)?;
            let key =
                CertifiedKey::from_der(chain, key, &provider()).map_err(|error| match error {
                    rustls::Error::InconsistentKeys(_) => SettingsError::KeyMismatch,
                    error => SettingsError::UnusableCertificate(error),
                })?;
            let own = ClientCertificate { key: Arc::new(key), proxied: settings.proxied };
            builder.with_client_cert_resolver(Arc::new(own))
        }
    };
    if settings.proxied {
        // A resumed session presents no certificate, so proxy and server could not be
        // distinguished.
        config.resumption = Resumption::disabled();
    }
    config.alpn_protocols.clone_from(&settings.protocols);
    Ok(config)
}

fn server_name(name: &str) -> Result<ServerName<'static>, SettingsError> {
    ServerName::try_from(name.to_owned()).map_err(|_| SettingsError::ServerName(name.to_owned()))
}

fn read_identity(
    identity: &Identity,
) -> Result<(Vec<CertificateDer<'static>>, PrivateKeyDer<'static>), SettingsError> {
    let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&identity.certificates).collect();
    let chain =
        chain.ok().filter(|chain| !chain.is_empty()).ok_or(SettingsError::CertificateNotPem)?;
    let key = PrivateKeyDer::from_pem_slice(identity.key.expose().as_bytes())
        .map_err(|_| SettingsError::KeyNotPem)?;
    Ok((chain, key))
}

/// Returns the trusted roots; `None` if nothing is verified.
fn roots(trusted: &Trusted) -> Result<Option<Roots>, SettingsError> {
    let none = match trusted {
        Trusted::Unverified => return Ok(None),
        Trusted::Bundle(bundle) if bundle.certificates.is_empty() => SettingsError::EmptyAuthority,
        Trusted::Bundle(_) => SettingsError::ExpiredAuthority,
        Trusted::System => SettingsError::NoSystemAuthority,
    };
    let roots = Roots::of(trusted, crate::clock::now().as_second());
    roots.map(Some).ok_or(none)
}

tokio::task_local! {
    /// The number of peers that presented a certificate on the current connection: first a proxy,
    /// if it uses TLS, then the server.
    static HANDSHAKES: Cell<usize>;
}

/// Runs `work`, which opens a connection, and counts its handshakes.
pub(super) async fn connecting<T>(work: impl Future<Output = T>) -> T {
    HANDSHAKES.scope(Cell::new(0), work).await
}

/// Presents the client certificate to the server, but not to a proxy.
#[derive(Debug)]
struct ClientCertificate {
    key: Arc<CertifiedKey>,
    proxied: bool,
}

impl ResolvesClientCert for ClientCertificate {
    fn resolve(&self, _: &[&[u8]], _: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
        let before = HANDSHAKES.try_with(Cell::get).unwrap_or_default();
        (!self.proxied || before > 0).then(|| Arc::clone(&self.key))
    }

    fn has_certs(&self) -> bool {
        true
    }
}

/// Verifies proxy and server against the roots, the server with its configured name.
#[derive(Debug)]
struct ServerVerifier {
    roots: Option<Roots>,
    /// The name that the server's certificate must contain, if it is not the host.
    name: Option<ServerName<'static>>,
    /// Whether the first handshake is with a proxy, which has its own name.
    proxied: bool,
}

impl ChainVerifier for ServerVerifier {
    fn verify(&self, presented: &PresentedChain<'_>) -> Result<(), CertError> {
        let before =
            HANDSHAKES.try_with(|count| count.replace(count.get() + 1)).unwrap_or_default();
        let Some(roots) = &self.roots else { return Ok(()) };
        let is_proxy = before == 0 && self.proxied;
        let name = self.name.as_ref().filter(|_| !is_proxy).unwrap_or(presented.name);
        roots.verify(&PresentedChain { name, ..*presented })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aggctl_certificate::Bundle;

    fn settings() -> TlsSettings {
        TlsSettings::plain(Trusted::Unverified)
    }

    #[test]
    fn says_which_part_is_unusable() {
        let check = |settings: TlsSettings, want: &str| {
            assert_eq!(config(&settings).unwrap_err().to_string(), want);
        };
        assert!(config(&settings()).is_ok());
        let trusted = Trusted::Bundle(Bundle::read(b"no certificate"));
        let want = "the certificate authority contains no PEM certificate";
        check(TlsSettings { trusted, ..settings() }, want);
        let server_name = Some("not a name".to_owned());
        check(
            TlsSettings { server_name, ..settings() },
            "\"not a name\" is not a valid server name",
        );
        let identity = |certificates: &[u8]| {
            Some(Identity { certificates: certificates.to_vec(), key: "hunter2".into() })
        };
        check(
            TlsSettings { identity: identity(b""), ..settings() },
            "the client certificate is not valid PEM",
        );
        let pem = b"-----BEGIN CERTIFICATE-----\nQQ==\n-----END CERTIFICATE-----\n";
        let want = "the client key is not an unencrypted private key in PEM";
        check(TlsSettings { identity: identity(pem), ..settings() }, want);
    }

    #[test]
    fn a_key_must_be_that_of_its_certificate() {
        let params = rcgen::CertificateParams::new(vec!["me".to_owned()]).unwrap();
        let (own, other) =
            (rcgen::KeyPair::generate().unwrap(), rcgen::KeyPair::generate().unwrap());
        let certificates = params.self_signed(&own).unwrap().pem().into_bytes();
        let with = |key: &rcgen::KeyPair| {
            let key = Secret::from(key.serialize_pem());
            let identity = Some(Identity { certificates: certificates.clone(), key });
            config(&TlsSettings { identity, ..settings() }).map(drop)
        };
        assert!(with(&own).is_ok());
        assert!(matches!(with(&other), Err(SettingsError::KeyMismatch)));
    }

    #[test]
    fn an_expired_authority_is_not_trusted() {
        let authority = |until: i32| {
            let key = rcgen::KeyPair::generate().unwrap();
            let mut params = rcgen::CertificateParams::default();
            params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
            params.not_after = rcgen::date_time_ymd(until, 1, 1);
            params.self_signed(&key).unwrap().pem()
        };
        let try_with = |pem: String| {
            config(&TlsSettings::plain(Trusted::Bundle(Bundle::read(pem.as_bytes())))).map(drop)
        };
        let (old, new) = (authority(2001), authority(2999));
        assert!(matches!(try_with(old.clone()), Err(SettingsError::ExpiredAuthority)));
        assert!(try_with(new.clone()).is_ok());
        assert!(try_with(old + &new).is_ok());
    }
}
