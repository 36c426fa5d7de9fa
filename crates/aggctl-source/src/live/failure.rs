//! Why a request brought no facts, in words for people.

use std::error::Error as StdError;
use std::io;

use rustls::{CertificateError, Error as TlsError, OtherError};

use crate::alert;
use crate::trust::CertError;
use kube_aggregation::model::Cause;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RequestFailure {
    pub(crate) cause: Cause,
    /// A lowercase phrase.
    pub(crate) why: String,
    /// What the user can do about it, where nothing at all could be read.
    pub(super) hint: Option<&'static str>,
    /// Whether the other side hung up instead of answering.
    hung_up: bool,
}

impl RequestFailure {
    pub(super) fn new(cause: Cause, why: impl Into<String>) -> Self {
        let hint = match cause {
            Cause::Unauthorized => Some("log in again, or check the user of this context"),
            Cause::Connection | Cause::Silence | Cause::OutOfTime => {
                Some("--builtin and --dump answer without a cluster")
            }
            Cause::Forbidden => {
                Some("aggctl reads apiservices, customresourcedefinitions, services and discovery")
            }
            _ => None,
        };
        Self { cause, why: why.into(), hint, hung_up: false }
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

    /// With a better hint than what its cause suggests, if there is one.
    fn with_hint(self, hint: impl Into<Option<&'static str>>) -> Self {
        Self { hint: hint.into().or(self.hint), ..self }
    }

    /// The same, said in more words.
    pub(super) fn saying(self, why: String) -> Self {
        Self { why, ..self }
    }

    /// What may be meant, where a client certificate was shown: in TLS 1.3 a server says no to it
    /// after the handshake, and often by hanging up.
    pub(super) fn suspect_certificate(self) -> Self {
        if !self.hung_up {
            return self;
        }
        let why = format!("{}: it may not accept the client certificate", self.why);
        self.saying(why).with_hint(CLIENT_CERTIFICATE)
    }
}

const CLIENT_CERTIFICATE: &str = "the certificate may have expired, or be for another cluster";

const NO_HOST: &str = "no such host";

/// A transport error without URLs, types of libraries, or numbers of the operating system; `via`
/// is the address of the proxy, if there is one.
pub(super) fn describe(error: &reqwest::Error, via: Option<&str>) -> RequestFailure {
    let proxy = via.unwrap_or_default();
    // An address where nobody is: through a proxy, that is the proxy's.
    let not_there = |why: &str| match via {
        Some(_) => {
            RequestFailure::connection(format!("its proxy {proxy} cannot be reached: {why}"))
        }
        None => RequestFailure::connection(why),
    };
    let mut deepest: &(dyn StdError + 'static) = error;
    let mut texts = vec![];
    loop {
        if let Some(failure) = known(deepest, &not_there) {
            return failure;
        }
        // The client's own words have the URL in them, and a host may have any name.
        if !deepest.is::<reqwest::Error>() {
            texts.push(deepest.to_string());
        }
        match deepest.source() {
            Some(source) => deepest = source,
            None => break,
        }
    }
    // The HTTP client has no types for what follows.
    if texts.iter().any(|text| text.contains("lookup address")) {
        return not_there(NO_HOST);
    }
    if let Some(why) = texts.iter().find_map(|text| text.strip_prefix("tunnel error: ")) {
        return RequestFailure::connection(match why {
            "proxy authorization required" => {
                format!("its proxy {proxy} wants a user name and password (407)")
            }
            "unexpected end of file" => format!("its proxy {proxy} hung up"),
            _ => format!("its proxy {proxy} does not connect to it"),
        });
    }
    if let Some(why) = texts.iter().find_map(|text| text.strip_prefix("SOCKS error: ")) {
        // Why it cannot be reached is lost on the way here.
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

/// What is known of one error in a chain of them.
fn known(
    cause: &(dyn StdError + 'static),
    not_there: &dyn Fn(&str) -> RequestFailure,
) -> Option<RequestFailure> {
    use io::ErrorKind as K;
    if let Some(error) = cause.downcast_ref::<TlsError>() {
        return Some(tls(error));
    }
    let error = cause.downcast_ref::<io::Error>()?;
    // What stands inside of an I/O error is no source of it.
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
        TlsError::InvalidCertificate(CertificateError::Other(OtherError(doubt))) => {
            match doubt.downcast_ref::<CertError>() {
                Some(doubt) => RequestFailure::connection(format!("its certificate {doubt}"))
                    .with_hint(doubt.hint()),
                None => RequestFailure::connection("its certificate is not trusted"),
            }
        }
        // Only the handshake's own signature is left, which is made with the certificate's key.
        TlsError::InvalidCertificate(_) => {
            RequestFailure::connection("it could not prove that its certificate is its own")
        }
        TlsError::InvalidMessage(_) => RequestFailure::connection("it does not speak TLS")
            .with_hint("a server without TLS is written as http://HOST:PORT"),
        TlsError::AlertReceived(alert) => ended(&format!("{alert:?}")),
        TlsError::PeerIncompatible(_) => RequestFailure::connection(
            "it offers no TLS that can be used: 1.2 or 1.3 with a cipher thought to be safe",
        ),
        TlsError::NoApplicationProtocol => RequestFailure::connection("it speaks no HTTP over TLS"),
        _ => RequestFailure::connection("TLS failed: it does not keep to the protocol"),
    }
}

/// By the name of the alert, which is all that is left of it on an HTTP/2 connection.
fn ended(alert: &str) -> RequestFailure {
    const ENDED: &str = "it ended the TLS session";
    let failure = match alert::words(alert) {
        Some(why) => RequestFailure::connection(format!("{ENDED}: {why}")),
        None => RequestFailure::hung_up(ENDED),
    };
    failure.with_hint(alert::is_about_certificate(alert).then_some(CLIENT_CERTIFICATE))
}

#[cfg(test)]
mod tests {
    use super::super::tls::{self as settings, Settings};
    use super::*;
    use crate::trust::Trusted;

    /// A host may be called anything; what it does is no proxy's fault.
    #[test]
    fn the_name_of_a_host_explains_nothing() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let answering = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            io::Write::write_all(&mut stream, b"nonsense\r\n\r\n").unwrap();
            // Until the other side has heard enough.
            let _ = io::copy(&mut stream, &mut io::sink());
        });
        let settings = settings::config(&Settings::plain(Trusted::Anybody)).unwrap();
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
        let why = describe(&error, None).why;
        assert!(!why.contains("proxy") && !why.contains(host), "{why}");
        drop((client, runtime));
        answering.join().unwrap();
    }

    #[test]
    fn alerts_are_told_in_words() {
        let check = |alert: &str, want: &str| assert_eq!(ended(alert).why, want);
        check(
            "ProtocolVersion",
            "it ended the TLS session: it wants another version than 1.2 or 1.3",
        );
        check("something", "it ended the TLS session");
        check("AccessDenied", "it ended the TLS session: access denied");
        assert_ne!(ended("AccessDenied").hint, Some(CLIENT_CERTIFICATE));
        assert_eq!(ended("UnknownCA").hint, Some(CLIENT_CERTIFICATE));
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
