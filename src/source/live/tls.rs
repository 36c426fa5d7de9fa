//! TLS as kubectl does it: whom to trust, under which name, and who we are.
//!
//! Built by hand for rustls, so that nothing depends on a process-wide default: the provider is
//! named, the system's roots are read only where nobody named others, and the verifier can check
//! another name than the one dialled, or look away.

use std::cell::Cell;
use std::sync::Arc;

use rustls::client::{ResolvesClientCert, Resumption};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::sign::CertifiedKey;
use rustls::{ClientConfig, SignatureScheme};

use super::secret::Secret;
use crate::certificate::Certificate;
use crate::source::trust::{Doubt, Judge, Roots, Verifier, provider};

/// Whose certificates are believed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Trust {
    /// What these PEM certificates have signed.
    Pem(Vec<u8>),
    /// What the system trusts.
    System,
    /// Everybody.
    Anybody,
}

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
    pub(super) trust: Trust,
    /// The name that the certificate must have, where that is not the name dialled.
    pub(super) server_name: Option<String>,
    /// Who we are, for the server alone.
    pub(super) identity: Option<Identity>,
    /// Whether a proxy on the way is spoken to in TLS too.
    pub(super) proxied: bool,
    /// The protocols to offer, most wanted first.
    pub(super) protocols: Vec<Vec<u8>>,
}

/// A configuration for rustls.
///
/// # Errors
/// Says which part cannot be used; never quotes it.
pub(super) fn config(settings: &Settings) -> Result<ClientConfig, String> {
    let judge = Client {
        roots: roots(&settings.trust)?,
        name: settings.server_name.as_deref().map(server_name).transpose()?,
        proxied: settings.proxied,
    };
    let builder = ClientConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()
        .map_err(|error| format!("TLS cannot be set up: {error}"))?
        .dangerous()
        .with_custom_certificate_verifier(Verifier::new(judge));
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
            let shown = Shown { key: Arc::new(key), proxied: settings.proxied };
            builder.with_client_cert_resolver(Arc::new(shown))
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
fn roots(trust: &Trust) -> Result<Option<Roots>, String> {
    let now = jiff::Timestamp::now().as_second();
    match trust {
        Trust::Anybody => Ok(None),
        Trust::Pem(pem) => {
            // Go too passes over the certificates that it cannot read.
            let all: Vec<_> = CertificateDer::pem_slice_iter(pem)
                .flatten()
                .filter(|der| Certificate::read(der).is_some())
                .collect();
            if all.is_empty() {
                return Err("the certificate authority has no PEM certificate in it".to_owned());
            }
            let roots = Roots::new(all, now);
            roots.map(Some).ok_or_else(|| {
                "no certificate of the certificate authority is valid now".to_owned()
            })
        }
        Trust::System => {
            let roots = Roots::new(rustls_native_certs::load_native_certs().certs, now);
            roots.map(Some).ok_or_else(|| {
                "the system trusts no certificate authority, and no other was named".to_owned()
            })
        }
    }
}

tokio::task_local! {
    /// How many have shown a certificate on the connection that is being made.
    static SHOWN: Cell<usize>;
}

/// Makes a connection, so that it is known whether the proxy or the server is spoken to.
pub(super) async fn connecting<T>(work: impl Future<Output = T>) -> T {
    SHOWN.scope(Cell::new(0), work).await
}

/// Shows our certificate to the server, and not to a proxy, which comes first.
#[derive(Debug)]
struct Shown {
    key: Arc<CertifiedKey>,
    proxied: bool,
}

impl ResolvesClientCert for Shown {
    fn resolve(&self, _: &[&[u8]], _: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
        let before = SHOWN.try_with(Cell::get).unwrap_or_default();
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

impl Judge for Client {
    fn judge(
        &self,
        chain: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        now: UnixTime,
    ) -> Result<(), Doubt> {
        let before = SHOWN.try_with(|shown| shown.replace(shown.get() + 1)).unwrap_or_default();
        let Some(roots) = &self.roots else { return Ok(()) };
        let is_proxy = before == 0 && self.proxied;
        let other = self.name.as_ref().filter(|_| !is_proxy);
        roots.judge(chain, other.unwrap_or(name), now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Settings {
        Settings {
            trust: Trust::Anybody,
            server_name: None,
            identity: None,
            proxied: false,
            protocols: vec![],
        }
    }

    #[test]
    fn says_which_part_is_unusable() {
        let check =
            |settings: Settings, want: &str| assert_eq!(config(&settings).unwrap_err(), want);
        assert!(config(&settings()).is_ok());
        let trust = Trust::Pem(b"no certificate".to_vec());
        check(
            Settings { trust, ..settings() },
            "the certificate authority has no PEM certificate in it",
        );
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
            config(&Settings { trust: Trust::Pem(pem.into_bytes()), ..settings() }).map(drop)
        };
        let (old, new) = (authority(2001), authority(2999));
        let want = "no certificate of the certificate authority is valid now";
        assert_eq!(try_with(old.clone()), Err(want.to_owned()));
        assert_eq!(try_with(new.clone()), Ok(()));
        assert_eq!(try_with(old + &new), Ok(()));
    }
}
