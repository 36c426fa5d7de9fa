//! The self-signed certificate of one run.

use std::net::IpAddr;
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

/// A certificate with its key.
#[derive(Debug, Clone)]
pub struct Certificate {
    /// The certificate that clients trust, as PEM.
    pub pem: String,
    pub(super) config: Arc<ServerConfig>,
}

impl Certificate {
    /// Returns a certificate for an address and for `localhost`.
    ///
    /// # Errors
    /// If no key can be generated.
    pub fn new(address: IpAddr) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let names = ["localhost", "127.0.0.1", "::1"].map(str::to_owned);
        let mut names = names.to_vec();
        names.push(address.to_string());
        names.dedup();
        let made = rcgen::generate_simple_self_signed(names)?;
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(made.signing_key.serialize_der()));
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(vec![made.cert.der().clone()], key)?;
        Ok(Self { pem: made.cert.pem(), config: Arc::new(config) })
    }
}
