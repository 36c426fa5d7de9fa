//! Describes why a request failed.

use std::error::Error;
use std::fmt;
use std::io;
use std::sync::Arc;

use rustls::{CertificateError, Error as TlsError, InvalidMessage, OtherError};

use crate::alert;
use crate::trust::CertError;
use kube_aggregation::model::{Cause, Unread};

/// Why a request failed.
#[derive(Debug, Clone)]
pub struct RequestFailure {
    /// The kind of failure.
    pub cause: Cause,
    /// The reason, as a lowercase phrase.
    pub why: String,
    /// Advice, if it is more specific than the cause suggests.
    pub advice: Option<Advice>,
    /// Whether the server closed the connection instead of answering.
    hung_up: bool,
    source: Option<Arc<dyn Error + Send + Sync>>,
}

/// What may help after a failed request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Advice {
    /// Use the server name in its certificate.
    ServerName,
    /// Trust the CA that signed the server's certificate.
    Authority,
    /// Check the client certificate, because the server may reject it.
    ClientCertificate,
    /// Use plain HTTP, because the server does not speak TLS.
    PlainHttp,
}

impl RequestFailure {
    pub(super) fn new(cause: Cause, why: impl Into<String>) -> Self {
        Self { cause, why: why.into(), advice: None, hung_up: false, source: None }
    }

    pub(super) fn unusable(why: impl Into<String>) -> Self {
        Self::new(Cause::Unusable, why)
    }

    pub(super) fn too_large(why: impl Into<String>) -> Self {
        Self::new(Cause::TooLarge, why)
    }

    fn connection(why: impl Into<String>) -> Self {
        Self::new(Cause::Connection, why)
    }

    fn hung_up(why: impl Into<String>) -> Self {
        Self { hung_up: true, ..Self::connection(why) }
    }

    fn with_advice(self, advice: impl Into<Option<Advice>>) -> Self {
        Self { advice: advice.into().or(self.advice), ..self }
    }

    fn with_source(self, source: impl Error + Send + Sync + 'static) -> Self {
        Self { source: Some(Arc::new(source)), ..self }
    }

    /// Returns the same failure with another phrase.
    pub(super) fn saying(self, why: String) -> Self {
        Self { why, ..self }
    }

    /// Returns the same failure without secrets. Drops its sources if one quotes a secret.
    pub(super) fn scrubbed(mut self, scrub: impl Fn(&str) -> String) -> Self {
        self.why = scrub(&self.why);
        let mut source = self.source();
        while let Some(error) = source {
            let text = error.to_string();
            if scrub(&text) != text {
                self.source = None;
                break;
            }
            source = error.source();
        }
        self
    }

    /// Blames the client certificate if the server closed the connection. With TLS 1.3, a server
    /// rejects the certificate after the handshake, often without an alert.
    pub(super) fn suspect_certificate(self) -> Self {
        if !self.hung_up {
            return self;
        }
        let why = format!("{}: it may not accept the client certificate", self.why);
        self.saying(why).with_advice(Advice::ClientCertificate)
    }

    pub(crate) fn unread(&self) -> Unread {
        Unread { cause: self.cause, why: self.why.clone() }
    }
}

impl fmt::Display for RequestFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl Error for RequestFailure {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as &(dyn Error + 'static))
    }
}

const NO_HOST: &str = "no such host";

/// Describes a transport error without URLs, library types or error numbers. `via` is the address
/// of the proxy, if any.
pub(super) fn describe(error: reqwest::Error, via: Option<&str>) -> RequestFailure {
    // The URL may contain secrets.
    let error = error.without_url();
    described(&error, via).with_source(error)
}

fn described(error: &reqwest::Error, via: Option<&str>) -> RequestFailure {
    let proxy = via.unwrap_or_default();
    // With a proxy, the unreachable address is the proxy's.
    let not_there = |why: &str| match via {
        Some(_) => {
            RequestFailure::connection(format!("its proxy {proxy} cannot be reached: {why}"))
        }
        None => RequestFailure::connection(why),
    };
    let mut deepest: &(dyn Error + 'static) = error;
    let mut texts = vec![];
    loop {
        if let Some(failure) = known(deepest, &not_there) {
            return failure;
        }
        // The client's own text may contain the host, and a host name may contain anything.
        if !deepest.is::<reqwest::Error>() {
            texts.push(deepest.to_string());
        }
        match deepest.source() {
            Some(source) => deepest = source,
            None => break,
        }
    }
    // The HTTP client has no error types for the following cases.
    if texts.iter().any(|text| text.contains("lookup address")) {
        return not_there(NO_HOST);
    }
    if let Some(why) = texts.iter().find_map(|text| text.strip_prefix("tunnel error: ")) {
        return RequestFailure::connection(match why {
            "proxy authorization required" => {
                format!("its proxy {proxy} requires a user name and password (407)")
            }
            "unexpected end of file" => format!("its proxy {proxy} closed the connection"),
            _ => format!("its proxy {proxy} cannot connect to it"),
        });
    }
    if let Some(why) = texts.iter().find_map(|text| text.strip_prefix("SOCKS error: ")) {
        // The client does not report why the proxy is unreachable.
        return RequestFailure::connection(match why {
            "failed to create underlying connection" => {
                format!("its proxy {proxy} cannot be reached")
            }
            _ => format!("its proxy {proxy} does not connect to it: {why}"),
        });
    }
    if let Some(alert) = texts.iter().find_map(|text| text.split_once("received fatal alert: ")) {
        return ended(alert.1);
    }
    if texts.iter().any(|text| text.starts_with("connection closed")) {
        return RequestFailure::hung_up("the connection was closed without an answer");
    }
    if error.is_decode() || error.is_body() {
        return RequestFailure::connection("the answer ends in the middle, or is not what it says");
    }
    let text = texts.pop().unwrap_or_else(|| "the request failed".to_owned());
    RequestFailure::connection(text.split(" (os error").next().unwrap_or_default().to_lowercase())
}

/// Describes one error of a chain, if its type is known.
fn known(
    cause: &(dyn Error + 'static),
    not_there: &dyn Fn(&str) -> RequestFailure,
) -> Option<RequestFailure> {
    use io::ErrorKind as K;
    if let Some(error) = cause.downcast_ref::<TlsError>() {
        return Some(tls(error));
    }
    let error = cause.downcast_ref::<io::Error>()?;
    // `source` skips the inner error of an I/O error.
    if let Some(found) = error.get_ref().and_then(|inner| known(inner, not_there)) {
        return Some(found);
    }
    Some(match error.kind() {
        K::ConnectionRefused => not_there("connection refused"),
        K::TimedOut => not_there("no answer: the connection timed out"),
        K::HostUnreachable | K::NetworkUnreachable => not_there("no route to it"),
        K::ConnectionReset | K::BrokenPipe | K::ConnectionAborted => {
            RequestFailure::hung_up("the connection was cut")
        }
        K::UnexpectedEof => RequestFailure::hung_up("the connection ended in the middle"),
        _ => return None,
    })
}

fn tls(error: &TlsError) -> RequestFailure {
    match error {
        TlsError::InvalidCertificate(CertificateError::Other(OtherError(other))) => {
            match other.downcast_ref::<CertError>() {
                Some(error) => RequestFailure::connection(format!("its certificate {error}"))
                    .with_advice(advice(error)),
                None => RequestFailure::connection("its certificate is not trusted"),
            }
        }
        // Our own verifier checks the chain, so only the handshake signature can fail here.
        TlsError::InvalidCertificate(_) => {
            RequestFailure::connection("it could not prove that its certificate is its own")
        }
        TlsError::InvalidMessage(
            InvalidMessage::CertificatePayloadTooLarge | InvalidMessage::HandshakePayloadTooLarge,
        ) => RequestFailure::connection(
            "its certificates are larger than the 64 KiB that are read in a TLS handshake",
        ),
        TlsError::InvalidMessage(_) => {
            RequestFailure::connection("it does not speak TLS").with_advice(Advice::PlainHttp)
        }
        TlsError::AlertReceived(alert) => ended(&format!("{alert:?}")),
        TlsError::PeerIncompatible(_) => RequestFailure::connection(
            "it offers no TLS that can be used: 1.2 or 1.3 with a cipher thought to be safe",
        ),
        TlsError::NoApplicationProtocol => RequestFailure::connection("it speaks no HTTP over TLS"),
        _ => RequestFailure::connection("TLS failed: it does not keep to the protocol"),
    }
}

fn advice(error: &CertError) -> Option<Advice> {
    match error {
        CertError::Name { .. } => Some(Advice::ServerName),
        CertError::SelfSigned
        | CertError::Issuer(_)
        | CertError::Signature(_)
        | CertError::Chain(_)
        | CertError::Authority
        | CertError::Other(_) => Some(Advice::Authority),
        CertError::Unreadable
        | CertError::NotValid { .. }
        | CertError::Purpose
        | CertError::Algorithm => None,
    }
}

/// Describes an alert by its name, which is all that remains of it on an HTTP/2 connection.
fn ended(alert: &str) -> RequestFailure {
    const ENDED: &str = "it ended the TLS session";
    let failure = match alert::words(alert) {
        Some(why) => RequestFailure::connection(format!("{ENDED}: {why}")),
        None => RequestFailure::hung_up(ENDED),
    };
    failure.with_advice(alert::is_about_certificate(alert).then_some(Advice::ClientCertificate))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trust::{self, ChainVerifier, PresentedChain};

    #[derive(Debug)]
    struct AcceptAll;

    impl ChainVerifier for AcceptAll {
        fn verify(&self, _: &PresentedChain<'_>) -> Result<(), CertError> {
            Ok(())
        }
    }

    /// A host name must not be mistaken for an error message.
    #[test]
    fn host_names_are_not_mistaken_for_errors() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let answering = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            io::Write::write_all(&mut stream, b"nonsense\r\n\r\n").unwrap();
            let _ = io::copy(&mut stream, &mut io::sink());
        });
        let settings = trust::client(AcceptAll).unwrap().with_no_client_auth();
        let host = "tunnel-error.socks.proxy.example";
        let client = reqwest::Client::builder()
            .no_proxy()
            .tls_backend_preconfigured(settings)
            .resolve(host, address)
            .build()
            .unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let url = format!("http://{host}:{}/", address.port());
        let error = runtime.block_on(client.get(url).send()).unwrap_err();
        let why = describe(error, None).why;
        assert!(!why.contains("proxy") && !why.contains(host), "{why}");
        drop((client, runtime));
        answering.join().unwrap();
    }

    /// A GOAWAY frame has a text, which the HTTP client quotes in a cause.
    #[test]
    fn a_cause_that_quotes_a_secret_is_dropped() {
        let caused = |text: &'static str| {
            let cause = io::Error::other(io::Error::other(text));
            let failure = RequestFailure::connection(text).with_source(cause);
            failure.scrubbed(|text| text.replace("hunter2", "[secret]"))
        };
        let clean = caused("go away");
        assert!(clean.source().is_some() && clean.why == "go away");
        let scrubbed = caused("go away, hunter2");
        assert_eq!(scrubbed.why, "go away, [secret]");
        assert!(scrubbed.source().is_none());
    }

    #[test]
    fn alerts_are_described() {
        let check = |alert: &str, want: &str| assert_eq!(ended(alert).why, want);
        check(
            "ProtocolVersion",
            "it ended the TLS session: it wants another version than 1.2 or 1.3",
        );
        check("something", "it ended the TLS session");
        check("AccessDenied", "it ended the TLS session: access denied");
        assert_eq!(ended("AccessDenied").advice, None);
        assert_eq!(ended("UnknownCA").advice, Some(Advice::ClientCertificate));
    }

    #[test]
    fn too_many_certificates_are_not_taken_for_another_protocol() {
        let large = TlsError::InvalidMessage(InvalidMessage::CertificatePayloadTooLarge);
        let failure = tls(&large);
        assert!(failure.why.starts_with("its certificates are larger"), "{}", failure.why);
        assert_eq!(failure.advice, None);
    }

    #[test]
    fn no_type_of_a_library_is_shown() {
        let errors = [
            TlsError::InvalidCertificate(CertificateError::BadSignature),
            TlsError::InvalidCertificate(CertificateError::Other(OtherError(std::sync::Arc::new(
                CertError::SelfSigned,
            )))),
            TlsError::InvalidMessage(rustls::InvalidMessage::InvalidContentType),
            TlsError::PeerIncompatible(rustls::PeerIncompatible::ServerDoesNotSupportTls12Or13),
            TlsError::PeerMisbehaved(rustls::PeerMisbehaved::IllegalMiddleboxChangeCipherSpec),
            TlsError::General("x".to_owned()),
        ];
        for error in errors {
            let words = tls(&error).why;
            let plain = |c: char| c.is_ascii_lowercase() || " ,:.-'123TLSHP".contains(c);
            assert!(words.chars().all(plain), "{words}");
        }
    }
}
