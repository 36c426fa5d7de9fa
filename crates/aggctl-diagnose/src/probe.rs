//! What a direct connection to the address behind an APIService found.

use aggctl_certificate::Certificate;
use kube_aggregation::model::words;

/// The result of one direct connection, made from where aggctl runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// What was dialled, host and port.
    pub address: String,
    /// The TLS server name that was asked for.
    pub server_name: String,
    /// Where it ended early, and why.
    pub failure: Option<ProbeFailure>,
    /// What was seen of the TLS handshake.
    pub handshake: Option<Handshake>,
    /// The HTTP status that the discovery document came back with, without credentials.
    pub status: Option<u16>,
    /// Whether a discovery document came with a status of 2xx; what came instead.
    pub document: Option<Result<(), String>>,
}

/// Where a connection ended, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProbeFailure {
    /// What was going on.
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
        /// Finding the address of a name.
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
    /// Whether a client that trusts whom the API server trusts accepts them; why not. `None` where
    /// there is nobody to trust, or verification is switched off.
    pub verified: Option<Result<(), String>>,
    /// Whom such a client trusts, in a phrase.
    pub against: &'static str,
}
