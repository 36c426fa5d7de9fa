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
    /// Where the connection ended early, and why.
    pub failure: Option<ProbeFailure>,
    /// The TLS handshake, as far as it got.
    pub handshake: Option<Handshake>,
    /// The HTTP status of the discovery document, requested without credentials.
    pub status: Option<u16>,
    /// Whether an answer with a status of 2xx is a discovery document.
    pub document: Option<Result<(), InvalidDocument>>,
}

/// Where a connection ended, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProbeFailure {
    /// The part of the connection that failed.
    pub phase: ProbePhase,
    /// A stable word: `no-such-host`, `refused`, `timeout`, `unreachable`, `closed`, `not-tls`,
    /// `tls`, `http`.
    pub code: &'static str,
    /// What happened, as a phrase.
    pub what: String,
}

words! {
    /// The parts of a connection, in order.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ProbePhase {
        /// The name lookup.
        Resolve = "resolve",
        /// The TCP connection.
        Connect = "connect",
        /// The TLS handshake.
        Tls = "tls",
        /// The request and its answer.
        Http = "http",
    }
}

/// The certificates that were served, and whether they can be trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handshake {
    /// The certificates as served, the server's own first.
    pub chain: Vec<Certificate>,
    /// Whether a client with the trust of the API server accepts them; `None` if verification is
    /// switched off, or there is no CA to verify against.
    pub verified: Option<Result<(), Untrusted>>,
    /// What such a client trusts, as a phrase.
    pub against: &'static str,
}

/// Why a client does not trust the served certificates, as a phrase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Untrusted(pub String);

/// Why an answer is not a discovery document, as a phrase.
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
