//! Verifies server certificates as Go does, and therefore as kubectl and kube-apiserver do.
//!
//! This is custom code because webpki, which does the cryptography, differs from Go in ways that
//! matter to Kubernetes:
//! - A certificate that is itself among the roots is trusted, whether or not it is a CA. Clusters
//!   and caBundles often contain a server's own self-signed certificate.
//! - A root must be valid now.
//! - A root that is not a CA, or not for servers, signs nothing.
//!
//! Errors also name the certificate and the reason, which webpki does not. Two differences remain:
//! webpki is stricter about RSA keys below 2048 bits and about a CA certificate signed by another
//! CA, and it ignores the path length of a root.

mod error;
mod roots;
mod verifier;

pub(crate) use error::CertError;
pub(crate) use roots::Roots;
pub use roots::Trusted;
pub(crate) use verifier::{ChainVerifier, PresentedChain, client, provider};
