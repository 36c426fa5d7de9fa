//! Probes the backend of an APIService directly, from where aggctl runs.
//!
//! Opens a TCP connection, then TLS with a verifier that records the presented certificates, then
//! GETs the discovery document. Credentials are never sent, and every step has a time limit. The
//! result is a [`Probe`] for the diagnosis.

mod answer;
mod connect;
mod witness;

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use rustls::pki_types::ServerName;
use rustls::{AlertDescription, ClientConnection, InvalidMessage, StreamOwned};

use crate::alert;
pub use crate::trust::Trusted;
use aggctl_certificate::{Bundle, Certificate};
use aggctl_diagnose::probe::{
    Handshake, InvalidDocument, Probe, ProbeFailure, ProbePhase, Untrusted,
};
use answer::Answer;
use connect::{Bounded, failed};
use kube_aggregation::availability;
use kube_aggregation::model::ApiService;
use kube_aggregation::registry::Registry;
use witness::Witness;

/// The maximum number of concurrent connections.
const AT_ONCE: usize = 16;

/// One connection to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The APIService.
    pub name: String,
    /// An IP address or a host name.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The name that the certificate must contain.
    pub server_name: String,
    /// The path to GET.
    pub path: String,
    /// The certificates that the API server trusts.
    pub trusted: Trusted,
}

impl Target {
    /// Returns the target of an APIService, if its Service has an address.
    pub fn of(registry: &Registry<'_>, service: &ApiService) -> Option<Self> {
        let reference = service.service.as_ref()?;
        let found = registry.snapshot.service(&reference.namespace, &reference.name)?;
        let at = availability::resolve(reference, found).ok()?;
        let trusted = match &service.ca_bundle {
            _ if service.insecure_skip_tls_verify => Trusted::Unverified,
            Some(field) => Bundle::from_field(field).map_or(Trusted::Unverified, Trusted::Bundle),
            None => Trusted::System,
        };
        Some(Self {
            name: service.name.clone(),
            host: at.host,
            port: at.port.try_into().ok()?,
            server_name: availability::server_name(reference),
            path: service.group_version.root_path(),
            trusted,
        })
    }
}

/// Probes all targets, each within `limit`.
pub fn probe_all(targets: &[Target], limit: Duration, now: Timestamp) -> Vec<(String, Probe)> {
    let mut found = vec![];
    for some in targets.chunks(AT_ONCE) {
        std::thread::scope(|scope| {
            let start = |target| {
                let work = move || probe(target, limit, now);
                (target, std::thread::Builder::new().spawn_scoped(scope, work))
            };
            let running: Vec<(&Target, _)> = some.iter().map(start).collect();
            for (target, handle) in running {
                // A panic was already printed to standard error; the other results still count. If
                // no thread could be started, this one probes.
                let probe = handle.map_or_else(|_| Ok(probe(target, limit, now)), |one| one.join());
                found.extend(probe.map(|probe| (target.name.clone(), probe)));
            }
        });
    }
    found
}

/// Probes one target within `limit`.
pub fn probe(target: &Target, limit: Duration, now: Timestamp) -> Probe {
    let mut probe = Probe {
        address: availability::host_port(&target.host, target.port.into()),
        server_name: target.server_name.clone(),
        failure: None,
        handshake: None,
        status: None,
        document: None,
    };
    let witness = Arc::new(Witness::default());
    let stream = connect::connect(&target.host, target.port, limit);
    match stream.and_then(|stream| talk(target, stream, &witness)) {
        Ok(answer) => {
            probe.status = Some(answer.status);
            let good = (200..300).contains(&answer.status);
            probe.document = good.then(|| answer.discovery().map_err(InvalidDocument));
        }
        Err(failure) => probe.failure = Some(failure),
    }
    let chain = witness.chain();
    if !chain.is_empty() {
        let (verified, against) =
            witness::verify(&chain, &target.trusted, &target.server_name, now);
        let chain = chain.iter().filter_map(|der| Certificate::read(der)).collect();
        let verified = verified.map(|result| result.map_err(Untrusted));
        probe.handshake = Some(Handshake { chain, verified, against });
    }
    probe
}

/// Performs the TLS handshake and one request.
fn talk(target: &Target, stream: Bounded, witness: &Arc<Witness>) -> Result<Answer, ProbeFailure> {
    let no_tls = |why: String| failed(ProbePhase::Tls, "tls", why);
    let config = witness.config().map_err(|error| no_tls(format!("cannot set up TLS: {error}")))?;
    let name = ServerName::try_from(target.server_name.clone())
        .map_err(|_| no_tls(format!("{:?} is not a server name", target.server_name)))?;
    let connection =
        ClientConnection::new(config, name).map_err(|error| no_tls(error.to_string()))?;
    let mut stream = StreamOwned::new(connection, stream);
    while stream.conn.is_handshaking() {
        if let Err(error) = stream.conn.complete_io(&mut stream.sock) {
            return Err(explain(&error, ProbePhase::Tls, !witness.chain().is_empty()));
        }
    }
    if target.path.bytes().any(|b| !b.is_ascii_graphic()) {
        // The path is data from the cluster, and must not smuggle in another request.
        return Err(failed(ProbePhase::Http, "http", format!("{:?} is not a path", target.path)));
    }
    let request = format!(
        "GET {} HTTP/1.1\r\nHost: {}\r\nUser-Agent: aggctl\r\nAccept: application/json\r\nConnection: close\r\n\r\n",
        target.path, target.server_name
    );
    let http = |error: std::io::Error| explain(&error, ProbePhase::Http, true);
    stream.write_all(request.as_bytes()).map_err(http)?;
    stream.flush().map_err(http)?;
    let answer = Answer::read(&mut stream).map_err(http)?;
    answer.ok_or_else(|| failed(ProbePhase::Http, "http", "the response is not HTTP"))
}

/// Describes an error during TLS or HTTP. `shown`: whether a certificate was presented.
fn explain(error: &std::io::Error, phase: ProbePhase, shown: bool) -> ProbeFailure {
    use std::io::ErrorKind as K;
    let (late, cut) = match phase {
        ProbePhase::Tls => ("the TLS handshake timed out", "during the TLS handshake"),
        _ => ("no response in time", "before a response"),
    };
    if let Some(tls) = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
        return match tls {
            rustls::Error::AlertReceived(alert) if shown && wants_certificate(*alert) => failed(
                ProbePhase::Http,
                "wants-certificate",
                "the server requires a client certificate, which aggctl does not have",
            ),
            rustls::Error::AlertReceived(alert) => {
                let why = alert::words(&format!("{alert:?}"));
                let why = why.map(|why| format!(": {why}")).unwrap_or_default();
                failed(phase, "tls", format!("the server aborted the TLS handshake{why}"))
            }
            rustls::Error::InvalidMessage(InvalidMessage::InvalidContentType) if !shown => {
                failed(phase, "not-tls", "the server does not speak TLS")
            }
            rustls::Error::InvalidMessage(
                InvalidMessage::CertificatePayloadTooLarge
                | InvalidMessage::HandshakePayloadTooLarge,
            ) => {
                let why = "the server's certificates are too large for a TLS handshake";
                failed(phase, "tls", why)
            }
            rustls::Error::PeerIncompatible(_) => {
                failed(phase, "tls", "the server offers no usable TLS")
            }
            _ => failed(phase, "tls", "the TLS connection failed: protocol violation"),
        };
    }
    match error.kind() {
        K::TimedOut | K::WouldBlock => failed(phase, "timeout", late),
        K::UnexpectedEof | K::ConnectionReset | K::BrokenPipe => {
            failed(phase, "closed", format!("the connection was closed {cut}"))
        }
        kind => failed(phase, "closed", format!("the connection failed: {kind}")),
    }
}

fn wants_certificate(alert: AlertDescription) -> bool {
    use AlertDescription as A;
    matches!(
        alert,
        A::CertificateRequired
            | A::BadCertificate
            | A::HandshakeFailure
            | A::UnknownCA
            | A::AccessDenied
    )
}
