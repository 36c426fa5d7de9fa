//! What a server shows, and whether the API server would believe it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use rustls::ClientConfig;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};

use crate::certificate::Bundle;
use crate::source::trust::{Doubt, Judge, Roots, Verifier, provider};

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
        let mut config = ClientConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .map_err(|error| format!("TLS cannot be set up: {error}"))?
            .dangerous()
            .with_custom_certificate_verifier(Verifier::new(Arc::clone(self)))
            .with_no_client_auth();
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Arc::new(config))
    }
}

impl Judge for Arc<Witness> {
    fn judge(
        &self,
        chain: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: UnixTime,
    ) -> Result<(), Doubt> {
        let shown = chain.iter().map(|c| c.clone().into_owned()).collect();
        *self.chain.lock().unwrap_or_else(PoisonError::into_inner) = shown;
        Ok(())
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
    let name = ServerName::try_from(server_name)
        .map_err(|_| format!("{server_name:?} is no name for a server"))?;
    let seconds = now.as_second();
    let all = bundle.certificates.iter().map(|c| CertificateDer::from(c.der.clone()));
    let roots =
        Roots::new(all, seconds).ok_or("spec.caBundle holds no certificate that is valid now")?;
    let time = Duration::from_secs(seconds.try_into().unwrap_or_default());
    roots.judge(chain, &name, UnixTime::since_unix_epoch(time)).map_err(|doubt| match doubt {
        Doubt::SelfSigned => {
            "the certificate served is self-signed, and not in spec.caBundle".to_owned()
        }
        Doubt::Issuer(issuer) => format!(
            "the certificate served is signed by {issuer}, which is not in spec.caBundle"
        ),
        Doubt::Signature(issuer) => format!(
            "the certificate served is signed by {issuer}, but not with the key of the one of that name in spec.caBundle"
        ),
        Doubt::Chain => {
            "a certificate between the served one and spec.caBundle is not valid now".to_owned()
        }
        other => format!("the certificate served {other}"),
    })
}
