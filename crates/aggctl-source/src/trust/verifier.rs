//! Connects our certificate verification to rustls.

use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

use rustls::client::WantsClientCert;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, aws_lc_rs, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::time_provider::TimeProvider;
use rustls::{
    CertificateError, ClientConfig, ConfigBuilder, DigitallySignedStruct, Error as TlsError,
    OtherError, SignatureScheme,
};

use super::error::CertError;

/// Decides from the presented certificates whether to trust a server.
pub(crate) trait ChainVerifier: fmt::Debug + Send + Sync {
    fn verify(&self, presented: &PresentedChain<'_>) -> Result<(), CertError>;
}

/// The certificates that a server presents, and the name it must prove.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PresentedChain<'a> {
    /// The chain, starting with the server's own certificate.
    pub(crate) chain: &'a [CertificateDer<'a>],
    pub(crate) name: &'a ServerName<'a>,
    pub(crate) now: UnixTime,
}

/// Adapts a [`ChainVerifier`] to rustls. Always verifies that the server has the key of its
/// certificate.
#[derive(Debug)]
struct RustlsVerifier<V> {
    inner: V,
    provider: Arc<CryptoProvider>,
}

/// Returns the cryptography provider of all TLS connections.
pub(crate) fn provider() -> Arc<CryptoProvider> {
    Arc::new(aws_lc_rs::default_provider())
}

/// The clock of the machine. That of rustls panics before 1970.
#[derive(Debug)]
struct Clock;

impl TimeProvider for Clock {
    fn current_time(&self) -> Option<UnixTime> {
        since_1970(SystemTime::now())
    }
}

fn since_1970(time: SystemTime) -> Option<UnixTime> {
    time.duration_since(SystemTime::UNIX_EPOCH).ok().map(UnixTime::since_unix_epoch)
}

/// Starts the configuration of a client that trusts what `verifier` accepts.
pub(crate) fn client(
    verifier: impl ChainVerifier + 'static,
) -> Result<ConfigBuilder<ClientConfig, WantsClientCert>, TlsError> {
    let builder = ClientConfig::builder_with_details(provider(), Arc::new(Clock));
    let builder = builder.with_safe_default_protocol_versions()?;
    let verifier = RustlsVerifier { inner: verifier, provider: provider() };
    Ok(builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier)))
}

impl<V: ChainVerifier> ServerCertVerifier for RustlsVerifier<V> {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        _: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, TlsError> {
        let chain: Vec<_> = std::iter::once(end_entity).chain(intermediates).cloned().collect();
        match self.inner.verify(&PresentedChain { chain: &chain, name: server_name, now }) {
            Ok(()) => Ok(ServerCertVerified::assertion()),
            Err(error) => Err(CertificateError::Other(OtherError(Arc::new(error))).into()),
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_clock_before_1970_has_no_time() {
        let second = Duration::from_secs(1);
        let time = since_1970(SystemTime::UNIX_EPOCH + second).unwrap();
        assert_eq!(time.as_secs(), 1);
        assert!(since_1970(SystemTime::UNIX_EPOCH - second).is_none());
    }
}
