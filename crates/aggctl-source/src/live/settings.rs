//! Errors of a cluster's TLS and proxy settings.

use std::error::Error;
use std::fmt;

use super::failure::RequestFailure;

/// An unusable setting. `Display` never quotes its value, which may be secret.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum SettingsError {
    /// A proxy's URL is invalid; where it is set.
    Proxy(&'static str),
    /// The HTTP client cannot reach an IPv6 address through a proxy.
    Ipv6ThroughProxy,
    /// The TLS server name is not a valid certificate name.
    ServerName(String),
    /// The client certificate is not PEM.
    CertificateNotPem,
    /// The client key is not PEM, or is encrypted.
    KeyNotPem,
    /// The client key belongs to another certificate.
    KeyMismatch,
    /// The client certificate or key is malformed.
    UnusableCertificate(rustls::Error),
    /// The certificate authority contains no certificate.
    EmptyAuthority,
    /// No certificate of the certificate authority is valid now.
    ExpiredAuthority,
    /// No certificate authority is set, and the system has none.
    NoSystemAuthority,
    /// TLS cannot be set up.
    Tls(rustls::Error),
    /// The HTTP client cannot be set up.
    Http(RequestFailure),
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Proxy(setting) => return write!(f, "{setting} is not a valid proxy URL"),
            Self::Ipv6ThroughProxy => {
                "a server with an IPv6 address cannot be reached through a proxy"
            }
            Self::ServerName(name) => {
                return write!(f, "{name:?} is not a valid server name");
            }
            Self::CertificateNotPem => "the client certificate is not valid PEM",
            Self::KeyNotPem => "the client key is not an unencrypted private key in PEM",
            Self::KeyMismatch => "the client key does not match the client certificate",
            Self::UnusableCertificate(_) => "the client certificate and key cannot be used",
            Self::EmptyAuthority => "the certificate authority contains no PEM certificate",
            Self::ExpiredAuthority => {
                "no certificate of the certificate authority is currently valid"
            }
            Self::NoSystemAuthority => {
                "the system trusts no certificate authority, and none was given"
            }
            Self::Tls(error) => return write!(f, "cannot set up TLS: {error}"),
            Self::Http(failure) => return failure.fmt(f),
        })
    }
}

impl Error for SettingsError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::UnusableCertificate(error) | Self::Tls(error) => Some(error),
            Self::Http(failure) => failure.source(),
            _ => None,
        }
    }
}
