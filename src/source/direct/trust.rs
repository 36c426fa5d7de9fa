//! What a server shows, and whether the API server would believe it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, aws_lc_rs, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme,
};

use crate::certificate::{Bundle, Certificate, date};

/// Keeps the certificates that it is shown, and believes anything: nothing secret follows.
#[derive(Debug, Default)]
pub(super) struct Witness {
    chain: Mutex<Vec<CertificateDer<'static>>>,
}

impl Witness {
    /// What was shown, the server's own certificate first.
    pub(super) fn chain(&self) -> Vec<CertificateDer<'static>> {
        self.chain.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// A client that shows its server's certificates to this witness.
    pub(super) fn config(self: &Arc<Self>) -> Result<Arc<ClientConfig>, String> {
        let verifier = Shown { witness: Arc::clone(self), provider: provider() };
        let mut config = ClientConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .map_err(|error| format!("TLS cannot be set up: {error}"))?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_no_client_auth();
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Arc::new(config))
    }
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(aws_lc_rs::default_provider())
}

#[derive(Debug)]
struct Shown {
    witness: Arc<Witness>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Shown {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let all = std::iter::once(end_entity).chain(intermediates).map(|c| c.clone().into_owned());
        *self.witness.chain.lock().unwrap_or_else(PoisonError::into_inner) = all.collect();
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(
            message,
            certificate,
            signature,
            &self.provider.signature_verification_algorithms,
        )
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(
            message,
            certificate,
            signature,
            &self.provider.signature_verification_algorithms,
        )
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

/// Whether a client that trusts only the bundle believes a chain, as Go's would.
///
/// # Errors
/// Why it does not, as a phrase.
pub(super) fn verify(
    chain: &[CertificateDer<'_>],
    bundle: &Bundle,
    server_name: &str,
    now: Timestamp,
) -> Result<(), String> {
    let Some((own, others)) = chain.split_first() else {
        return Err("no certificate was served".to_owned());
    };
    let Some(shown) = Certificate::read(own) else {
        return Err("the certificate served cannot be read".to_owned());
    };
    let seconds = now.as_second();
    if seconds > shown.not_after {
        return Err(format!("the certificate served has expired on {}", date(shown.not_after)));
    }
    if seconds < shown.not_before {
        return Err(format!(
            "the certificate served is not valid before {}",
            date(shown.not_before)
        ));
    }
    let name = ServerName::try_from(server_name)
        .map_err(|_| format!("{server_name:?} is no name for a server"))?;
    // Go believes a certificate that is itself in the pool, whether or not it is a CA's.
    let pinned = bundle.certificates.iter().any(|c| c.der.as_slice() == own.as_ref());
    let mut roots = RootCertStore::empty();
    let valid = |c: &&Certificate| c.not_before <= seconds && seconds <= c.not_after;
    let (added, _) = roots.add_parsable_certificates(
        bundle.certificates.iter().filter(valid).map(|c| CertificateDer::from(c.der.clone())),
    );
    if added == 0 {
        return Err("spec.caBundle holds no certificate that is valid now".to_owned());
    }
    let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider())
        .build()
        .map_err(|error| format!("spec.caBundle cannot be used: {error}"))?;
    let time =
        UnixTime::since_unix_epoch(Duration::from_secs(seconds.try_into().unwrap_or_default()));
    match verifier.verify_server_cert(own, others, &name, &[], time) {
        Ok(_) => Ok(()),
        Err(rustls::Error::InvalidCertificate(error)) => judge(&error, &shown, server_name, pinned),
        Err(other) => Err(format!("the certificate served was not accepted: {other}")),
    }
}

fn judge(
    error: &CertificateError,
    shown: &Certificate,
    server_name: &str,
    pinned: bool,
) -> Result<(), String> {
    let names =
        if shown.names.is_empty() { "no name at all".to_owned() } else { shown.names.join(", ") };
    let wrong_name = format!("the certificate served is for {names}, not for {server_name}");
    match error {
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            Err(wrong_name)
        }
        _ if pinned => {
            if shown.names.iter().any(|name| name.eq_ignore_ascii_case(server_name)) {
                Ok(())
            } else {
                Err(wrong_name)
            }
        }
        CertificateError::UnknownIssuer | CertificateError::BadSignature => Err(format!(
            "the certificate served is signed by {}, which is not in spec.caBundle",
            shown.issuer
        )),
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            Err("a certificate between the served one and spec.caBundle has expired".to_owned())
        }
        CertificateError::InvalidPurpose | CertificateError::InvalidPurposeContext { .. } => {
            Err("the certificate served is not meant for servers".to_owned())
        }
        other => Err(format!("the certificate served was not accepted: {other}")),
    }
}
