//! Records the certificates that a server presents, and checks whether kube-apiserver would trust
//! them.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use rustls::ClientConfig;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};

use crate::trust::{self, CertError, ChainVerifier, PresentedChain, Roots, Trusted};
use aggctl_certificate::{Bundle, Certificate};

/// Records the presented certificates and accepts any. Nothing secret is sent afterwards.
#[derive(Debug, Default)]
pub(super) struct Witness {
    chain: Mutex<Vec<CertificateDer<'static>>>,
}

impl Witness {
    /// Returns the presented certificates, the server's own first.
    pub(super) fn chain(&self) -> Vec<CertificateDer<'static>> {
        self.chain.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns a client configuration that records the server's certificates here.
    pub(super) fn config(self: &Arc<Self>) -> Result<Arc<ClientConfig>, rustls::Error> {
        let mut config = trust::client(Arc::clone(self))?.with_no_client_auth();
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Arc::new(config))
    }
}

impl ChainVerifier for Arc<Witness> {
    fn verify(&self, presented: &PresentedChain<'_>) -> Result<(), CertError> {
        let chain = presented.chain.iter().map(|c| c.clone().into_owned()).collect();
        *self.chain.lock().unwrap_or_else(PoisonError::into_inner) = chain;
        Ok(())
    }
}

/// Verifies a chain as kube-apiserver would. Returns the result and what it was verified against.
/// The result is `None` if nothing is verified.
pub(super) fn verify(
    chain: &[CertificateDer<'_>],
    trusted: &Trusted,
    server_name: &str,
    now: Timestamp,
) -> (Option<Result<(), String>>, &'static str) {
    let seconds = now.as_second();
    let roots = Roots::of(trusted, seconds);
    match trusted {
        Trusted::Unverified => (None, "nobody"),
        Trusted::Bundle(bundle) => {
            let verified = match roots {
                Some(roots) => verify_with(chain, &roots, "in spec.caBundle", server_name, now),
                None => Err("spec.caBundle has no certificate that is currently valid".to_owned()),
            };
            let verified =
                verified.map_err(|why| outdated_issuer(chain, bundle, seconds).unwrap_or(why));
            (Some(verified), "caBundle")
        }
        Trusted::System => {
            // Small container images have no CA certificates at all, which is not evidence about
            // the API server's host.
            let place = "trusted by this system, and there is no caBundle";
            let verified = roots.map(|roots| verify_with(chain, &roots, place, server_name, now));
            (verified, "the CAs of this system")
        }
    }
}

fn verify_with(
    chain: &[CertificateDer<'_>],
    roots: &Roots,
    place: &str,
    server_name: &str,
    now: Timestamp,
) -> Result<(), String> {
    let name = ServerName::try_from(server_name)
        .map_err(|_| format!("{server_name:?} is not a server name"))?;
    let now = Duration::from_secs(now.as_second().try_into().unwrap_or_default());
    let presented = PresentedChain { chain, name: &name, now: UnixTime::since_unix_epoch(now) };
    let words = |error| match error {
        CertError::Name { has, wanted } if has.is_empty() => format!(
            "the served certificate has no subject alternative name, and its common name is ignored: it must be for {wanted}"
        ),
        CertError::SelfSigned => format!("the served certificate is self-signed and not {place}"),
        CertError::Issuer(issuer) => {
            format!("the served certificate is signed by {issuer}, which is not {place}")
        }
        CertError::Signature(issuer) => format!(
            "the served certificate names {issuer} as its issuer, but the key of that CA {place} did not sign it"
        ),
        CertError::Chain(which) => which,
        CertError::NotValid { subject, why } => format!("the certificate {subject} {why}"),
        other => format!("the served certificate {other}"),
    };
    roots.verify(&presented).map_err(|error| {
        // A wrong name is found first, and would hide that the CA is wrong, too.
        let also = match error {
            CertError::Name { .. } => roots.verify_issuer(&presented).err(),
            _ => None,
        };
        match also {
            Some(also) => format!("{}; also, {}", words(error), words(also)),
            None => words(error),
        }
    })
}

/// Describes the case that the bundle contains the issuer's certificate, but an expired one.
fn outdated_issuer(chain: &[CertificateDer<'_>], bundle: &Bundle, now: i64) -> Option<String> {
    let last = Certificate::read(chain.last()?)?;
    let signer = bundle.certificates.iter().filter(|c| c.subject == last.issuer);
    let outdated: Option<Vec<String>> = signer.map(|c| c.not_valid(now)).collect();
    let why = outdated?.into_iter().next()?;
    let subject = last.issuer;
    Some(format!(
        "the certificate {subject} {why}: it is in spec.caBundle and signed the served certificate"
    ))
}
