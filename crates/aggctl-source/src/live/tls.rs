//! TLS as kubectl does it: whom to trust, under which name, and who we are.
//!
//! Built by hand for rustls, so that nothing depends on a process-wide default: the provider is
//! named, the system's roots are read only where nobody named others, and the verifier can check
//! another name than the one dialled, or look away.

use std::cell::Cell;
use std::sync::Arc;

use rustls::client::{ResolvesClientCert, Resumption};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::sign::CertifiedKey;
use rustls::{ClientConfig, SignatureScheme};

use super::secret::Secret;
use crate::trust::{self, CertError, ChainVerifier, PresentedChain, Roots, Trusted, provider};

/// A client certificate and its key, both PEM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Identity {
    /// The certificate, and what leads from it to a root.
    pub(super) certificates: Vec<u8>,
    /// The key.
    pub(super) key: Secret,
}

/// What a TLS connection should look like.
#[derive(Debug, Clone)]
pub(super) struct Settings {
    /// Whose certificates are believed.
    pub(super) trusted: Trusted,
    /// The name that the certificate must have, where that is not the name dialled.
    pub(super) server_name: Option<String>,
    /// Who we are, for the server alone.
    pub(super) identity: Option<Identity>,
    /// Whether a proxy on the way is spoken to in TLS too.
    pub(super) proxied: bool,
    /// The protocols to offer, most wanted first.
    pub(super) protocols: Vec<Vec<u8>>,
}

#[cfg(test)]
impl Settings {
    pub(super) fn plain(trusted: Trusted) -> Self {
        let (server_name, identity, proxied, protocols) = (None, None, false, vec![]);
        Self { trusted, server_name, identity, proxied, protocols }
    }
}

/// A configuration for rustls.
///
/// # Errors
/// Says which part cannot be used; never quotes it.
pub(super) fn config(settings: &Settings) -> Result<ClientConfig, String> {
    let judge = Client {
        roots: roots(&settings.trusted)?,
        name: settings.server_name.as_deref().map(server_name).transpose()?,
        proxied: settings.proxied,
    };
    let builder = trust::client(judge)?;
    let mut config = match &settings.identity {
        None => builder.with_no_client_auth(),
        Some(identity) => {
            let (chain, key) = read_identity(identity)?;
            let key = CertifiedKey::from_der(chain, key, &provider()).map_err(|error| {
                match error {
                    rustls::Error::InconsistentKeys(_) => {
                        "the client key is not that of the client certificate"
                    }
                    _ => "the client certificate and key cannot be used",
                }
                .to_owned()
            })?;
            let own = OwnCertificate { key: Arc::new(key), proxied: settings.proxied };
            builder.with_client_cert_resolver(Arc::new(own))
        }
    };
    if settings.proxied {
        // Who is met again shows no certificate, and could not be told from a server.
        config.resumption = Resumption::disabled();
    }
    config.alpn_protocols.clone_from(&settings.protocols);
    Ok(config)
}

fn server_name(name: &str) -> Result<ServerName<'static>, String> {
    ServerName::try_from(name.to_owned())
        .map_err(|_| format!("{name:?} is not a name that a certificate could have"))
}

fn read_identity(
    identity: &Identity,
) -> Result<(Vec<CertificateDer<'static>>, PrivateKeyDer<'static>), String> {
    let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&identity.certificates).collect();
    let chain =
        chain.ok().filter(|chain| !chain.is_empty()).ok_or("the client certificate is no PEM")?;
    let key = PrivateKeyDer::from_pem_slice(identity.key.expose().as_bytes())
        .map_err(|_| "the client key is no PEM of an unencrypted private key")?;
    Ok((chain, key))
}

/// `None` where everybody is believed.
fn roots(trusted: &Trusted) -> Result<Option<Roots>, String> {
    let none = match trusted {
        Trusted::Anybody => return Ok(None),
        Trusted::Bundle(bundle) if bundle.certificates.is_empty() => {
            "the certificate authority has no PEM certificate in it"
        }
        Trusted::Bundle(_) => "no certificate of the certificate authority is valid now",
        Trusted::System => "the system trusts no certificate authority, and no other was named",
    };
    let roots = Roots::of(trusted, jiff::Timestamp::now().as_second());
    roots.map(Some).ok_or_else(|| none.to_owned())
}

tokio::task_local! {
    /// How many have shown a certificate on the connection that is being made: a proxy, a server.
    static HANDSHAKES: Cell<usize>;
}

/// Makes a connection, so that it is known whether the proxy or the server is spoken to.
pub(super) async fn connecting<T>(work: impl Future<Output = T>) -> T {
    HANDSHAKES.scope(Cell::new(0), work).await
}

/// Shows our certificate to the server, and not to a proxy, which comes first.
#[derive(Debug)]
struct OwnCertificate {
    key: Arc<CertifiedKey>,
    proxied: bool,
}

impl ResolvesClientCert for OwnCertificate {
    fn resolve(&self, _: &[&[u8]], _: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
        let before = HANDSHAKES.try_with(Cell::get).unwrap_or_default();
        (!self.proxied || before > 0).then(|| Arc::clone(&self.key))
    }

    fn has_certs(&self) -> bool {
        true
    }
}

/// Believes what its roots vouch for, under the name that counts.
#[derive(Debug)]
struct Client {
    roots: Option<Roots>,
    /// The name that the server's certificate must have, if that is not the one dialled.
    name: Option<ServerName<'static>>,
    /// Whether a proxy, which has a name of its own, comes first.
    proxied: bool,
}

impl ChainVerifier for Client {
    fn judge(&self, shown: &PresentedChain<'_>) -> Result<(), CertError> {
        let before =
            HANDSHAKES.try_with(|count| count.replace(count.get() + 1)).unwrap_or_default();
        let Some(roots) = &self.roots else { return Ok(()) };
        let is_proxy = before == 0 && self.proxied;
        let name = self.name.as_ref().filter(|_| !is_proxy).unwrap_or(shown.name);
        roots.judge(&PresentedChain { name, ..*shown })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aggctl_certificate::Bundle;

    fn settings() -> Settings {
        Settings::plain(Trusted::Anybody)
    }

    #[test]
    fn says_which_part_is_unusable() {
        let check =
            |settings: Settings, want: &str| assert_eq!(config(&settings).unwrap_err(), want);
        assert!(config(&settings()).is_ok());
        let trusted = Trusted::Bundle(Bundle::read(b"no certificate"));
        let want = "the certificate authority has no PEM certificate in it";
        check(Settings { trusted, ..settings() }, want);
        let server_name = Some("not a name".to_owned());
        check(
            Settings { server_name, ..settings() },
            "\"not a name\" is not a name that a certificate could have",
        );
        let identity = |certificates: &[u8]| {
            Some(Identity { certificates: certificates.to_vec(), key: "hunter2".into() })
        };
        check(
            Settings { identity: identity(b""), ..settings() },
            "the client certificate is no PEM",
        );
        let pem = b"-----BEGIN CERTIFICATE-----\nQQ==\n-----END CERTIFICATE-----\n";
        let want = "the client key is no PEM of an unencrypted private key";
        check(Settings { identity: identity(pem), ..settings() }, want);
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
            config(&Settings { identity, ..settings() }).map(drop)
        };
        assert_eq!(with(&own), Ok(()));
        let want = "the client key is not that of the client certificate";
        assert_eq!(with(&other), Err(want.to_owned()));
    }

    #[test]
    fn an_authority_that_has_expired_is_not_believed() {
        let authority = |until: i32| {
            let key = rcgen::KeyPair::generate().unwrap();
            let mut params = rcgen::CertificateParams::default();
            params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
            params.not_after = rcgen::date_time_ymd(until, 1, 1);
            params.self_signed(&key).unwrap().pem()
        };
        let try_with = |pem: String| {
            config(&Settings::plain(Trusted::Bundle(Bundle::read(pem.as_bytes())))).map(drop)
        };
        let (old, new) = (authority(2001), authority(2999));
        let want = "no certificate of the certificate authority is valid now";
        assert_eq!(try_with(old.clone()), Err(want.to_owned()));
        assert_eq!(try_with(new.clone()), Ok(()));
        assert_eq!(try_with(old + &new), Ok(()));
    }
}
