//! Decides whether to trust a server's certificate as Go does, and so as kubectl and the API server
//! do.
//!
//! This is hand-written because webpki, which does the cryptography, differs from Go where it
//! matters to Kubernetes:
//! - A certificate that is itself among the roots is trusted, whether it is a CA's or not. Clusters
//!   and caBundles often hold a server's own self-signed certificate.
//! - A root must be valid now.
//! - A root that is not a CA's, or not for servers, signs nothing.
//!
//! Errors also name the certificate and the reason, which webpki does not. Two differences remain:
//! webpki is stricter about RSA keys below 2048 bits and about a CA's certificate signed by another
//! CA, and it ignores the path length of a root.

mod error;
mod roots;
mod verifier;

pub(crate) use error::CertError;
pub(crate) use roots::Roots;
pub use roots::Trusted;
pub(crate) use verifier::{ChainVerifier, PresentedChain, client, provider};
