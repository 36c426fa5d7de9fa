//! TLS as kubectl does it: whom to trust, under which name, and who we are.
//!
//! Built by hand for rustls, so that nothing depends on a process-wide default: the provider is
//! named, the system's roots are read only where nobody named others, and the verifier can check
//! another name than the one dialled, keep the chain that it was shown, or look away.

use std::sync::{Arc, Mutex};

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};

use super::secret::Secret;
use crate::certificate::Certificate;

/// Whose certificates are believed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trust {
    /// What these PEM certificates have signed.
    Pem(Vec<u8>),
    /// What the system trusts.
    System,
    /// Everybody.
    Anybody,
}

/// A client certificate and its key, both PEM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The certificate, and what leads from it to a root.
    pub certificates: Vec<u8>,
    /// The key.
    pub key: Secret,
}

/// What a TLS connection should look like.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Whose certificates are believed.
    pub trust: Trust,
    /// The name that the certificate must have, where that is not the name dialled.
    pub server_name: Option<String>,
    /// Who we are.
    pub identity: Option<Identity>,
    /// The protocols to offer, most wanted first.
    pub protocols: Vec<Vec<u8>>,
    /// Filled with the chain that the server shows, whether it is believed or not.
    pub chain: Option<Chain>,
}

/// The certificates that a server showed, its own first.
pub type Chain = Arc<Mutex<Vec<CertificateDer<'static>>>>;

/// A configuration for rustls.
///
/// # Errors
/// Says which part cannot be used; never quotes it.
pub fn config(settings: &Settings) -> Result<ClientConfig, String> {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let verifier = Verifier {
        inner: verifier(&settings.trust, &provider)?,
        name: settings.server_name.as_deref().map(server_name).transpose()?,
        chain: settings.chain.clone(),
        provider: provider.clone(),
    };
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| format!("TLS cannot be set up: {error}"))?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier));
    let mut config = match &settings.identity {
        None => builder.with_no_client_auth(),
        Some(identity) => {
            let (chain, key) = read_identity(identity)?;
            builder.with_client_auth_cert(chain, key).map_err(|error| {
                format!("the client certificate and key cannot be used: {error}")
            })?
        }
    };
    config.alpn_protocols.clone_from(&settings.protocols);
    Ok(config)
}

fn server_name(name: &str) -> Result<ServerName<'static>, String> {
    ServerName::try_from(name.to_owned())
        .map_err(|_| format!("{name:?} is no name that a certificate could have"))
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

/// Whether an authority may vouch for others today. rustls looks at the dates of what is below
/// its roots only; Go, and so kubectl, looks at theirs too.
fn is_valid(authority: &CertificateDer<'_>) -> bool {
    let now = jiff::Timestamp::now().as_second();
    Certificate::read(authority).is_some_and(|c| c.not_before <= now && now <= c.not_after)
}

/// `None` where everybody is believed.
fn verifier(
    trust: &Trust,
    provider: &Arc<CryptoProvider>,
) -> Result<Option<Arc<WebPkiServerVerifier>>, String> {
    let mut roots = RootCertStore::empty();
    match trust {
        Trust::Anybody => return Ok(None),
        Trust::Pem(pem) => {
            // Go too passes over the certificates that it cannot read.
            let all: Vec<_> = CertificateDer::pem_slice_iter(pem).flatten().collect();
            if RootCertStore::empty().add_parsable_certificates(all.iter().cloned()).0 == 0 {
                return Err("the certificate authority has no PEM certificate in it".to_owned());
            }
            roots.add_parsable_certificates(all.into_iter().filter(is_valid));
            if roots.is_empty() {
                return Err("no certificate of the certificate authority is valid now".to_owned());
            }
        }
        Trust::System => {
            let all = rustls_native_certs::load_native_certs().certs;
            roots.add_parsable_certificates(all.into_iter().filter(is_valid));
            if roots.is_empty() {
                return Err(
                    "the system trusts no certificate authority, and no other was named".to_owned()
                );
            }
        }
    }
    WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider.clone())
        .build()
        .map(Some)
        .map_err(|error| format!("the certificate authority cannot be used: {error}"))
}

#[derive(Debug)]
struct Verifier {
    inner: Option<Arc<WebPkiServerVerifier>>,
    name: Option<ServerName<'static>>,
    chain: Option<Chain>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if let Some(chain) = &self.chain
            && let Ok(mut chain) = chain.lock()
        {
            *chain = std::iter::once(end_entity)
                .chain(intermediates)
                .map(|c| c.clone().into_owned())
                .collect();
        }
        let Some(inner) = &self.inner else { return Ok(ServerCertVerified::assertion()) };
        let name = self.name.as_ref().unwrap_or(server_name);
        inner.verify_server_cert(end_entity, intermediates, name, ocsp_response, now)
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        rustls::crypto::verify_tls12_signature(message, cert, dss, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        rustls::crypto::verify_tls13_signature(message, cert, dss, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
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
            protocols: vec![],
            chain: None,
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
            "\"not a name\" is no name that a certificate could have",
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
