//! The result of a direct connection to the address behind an APIService.

use std::fmt;

use aggctl_certificate::Certificate;
use kube_aggregation::model::words;

/// The result of one direct connection, made from where aggctl runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// The host and port that were dialed.
    pub address: String,
    /// The TLS server name that the certificate must be valid for.
    pub server_name: String,
    /// At which phase the connection failed, and why; `None` if it did not fail.
    pub failure: Option<ProbeFailure>,
    /// The TLS handshake, as far as it succeeded.
    pub handshake: Option<Handshake>,
    /// The HTTP status of the discovery document, requested without credentials.
    pub status: Option<u16>,
    /// Whether a 2xx response is a discovery document; `None` without a 2xx response.
    pub document: Option<Result<(), InvalidDocument>>,
}

impl Probe {
    /// Returns whether the server accepts connections and then does not answer in time.
    pub fn hangs(&self) -> bool {
        self.failure.as_ref().is_some_and(|failure| {
            failure.code == "timeout" && matches!(failure.phase, ProbePhase::Tls | ProbePhase::Http)
        })
    }
}

/// Where and why a connection failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProbeFailure {
    /// The phase that failed.
    pub phase: ProbePhase,
    /// A stable code: `no-such-host`, `refused`, `timeout`, `unreachable`, `closed`, `not-tls`,
    /// `tls`, `http`.
    pub code: &'static str,
    /// What happened, as a phrase.
    pub what: String,
}

words! {
    /// A phase of a connection, in order.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ProbePhase {
        /// The name lookup.
        Resolve = "resolve",
        /// The TCP connection.
        Connect = "connect",
        /// The TLS handshake.
        Tls = "tls",
        /// The request and its response.
        Http = "http",
    }
}

/// The served certificates, and whether a client can trust them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handshake {
    /// The certificates as served, the server's own first.
    pub chain: Vec<Certificate>,
    /// Whether a client that trusts what the API server trusts accepts the certificates; `None` if
    /// verification is disabled or there is no CA to verify against.
    pub verified: Option<Result<(), Untrusted>>,
    /// What the API server trusts, as a phrase.
    pub against: &'static str,
}

/// Why a client does not trust the served certificates, as a phrase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Untrusted(pub String);

/// Why a response is not a discovery document, as a phrase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidDocument(pub String);

impl fmt::Display for Untrusted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Untrusted {}

impl fmt::Display for InvalidDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InvalidDocument {}
