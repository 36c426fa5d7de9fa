//! Why a request brought no facts, in words for people.

use std::error::Error as StdError;
use std::io;

use rustls::{AlertDescription, CertificateError, Error as TlsError, OtherError};

use crate::source::alert;
use crate::source::trust::Doubt;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) kind: Kind,
    /// A lowercase phrase.
    pub(super) why: String,
}

/// What a failure means for what is asked next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// No answer at all: nobody there, no trust, no time.
    Unreachable,
    /// 401: the server does not know us.
    Unauthorized,
    /// 403: it knows us, and says no.
    Forbidden,
    /// 404: the server has no such thing.
    Missing,
    /// 410: a list that is too old to be continued.
    Gone,
    /// An answer that cannot be used.
    Unusable,
}

impl Failure {
    pub(super) fn new(kind: Kind, why: impl Into<String>) -> Self {
        Self { kind, why: why.into() }
    }

    pub(super) fn unusable(why: impl Into<String>) -> Self {
        Self::new(Kind::Unusable, why)
    }

    /// What may be meant, where a client certificate was shown: in TLS 1.3 a server says no to it
    /// after the handshake, and often by hanging up.
    pub(super) fn suspect_certificate(&mut self) {
        let hung_up = [CLOSED, CUT, MIDDLE, ENDED].contains(&self.why.as_str());
        if hung_up {
            self.why.push_str(": it may not accept the client certificate");
        }
    }

    /// What the user can do about it, where nothing at all could be read.
    pub(super) fn hint(&self) -> Option<&'static str> {
        match self.kind {
            Kind::Unauthorized => Some("log in again, or check the user of this context"),
            Kind::Unreachable if self.why.contains("not trusted") => {
                Some("name its authority with --certificate-authority")
            }
            Kind::Unreachable if self.why.contains(", not for ") => {
                Some("--tls-server-name names what the certificate is for")
            }
            Kind::Unreachable if self.why.contains("client certificate") => {
                Some("the certificate may have expired, or be for another cluster")
            }
            Kind::Unreachable if self.why == NO_TLS => {
                Some("a server without TLS is written as http://HOST:PORT")
            }
            Kind::Unreachable => Some("--builtin and --dump answer without a cluster"),
            Kind::Forbidden => {
                Some("aggctl reads apiservices, customresourcedefinitions, services and discovery")
            }
            Kind::Missing | Kind::Gone | Kind::Unusable => None,
        }
    }
}

/// What is said of a server that hangs up.
const CLOSED: &str = "the connection was closed without an answer";

const CUT: &str = "the connection was cut";
const MIDDLE: &str = "the connection ended in the middle";

/// What is said of a server that says no in TLS.
const ENDED: &str = "it ended the TLS session";

/// What is said of a server that answers something else than TLS.
const NO_TLS: &str = "it does not speak TLS";

/// A transport error without URLs, types of libraries, or numbers of the operating system; `via`
/// is the address of the proxy, if there is one.
pub(super) fn describe(error: &reqwest::Error, via: Option<&str>) -> Failure {
    let unreachable = |why: String| Failure::new(Kind::Unreachable, why);
    let mut deepest: &(dyn StdError + 'static) = error;
    let mut texts = vec![];
    loop {
        if let Some(found) = known(deepest) {
            return unreachable(match via {
                Some(proxy) if NOT_THERE.contains(&found.as_str()) => {
                    format!("its proxy {proxy} cannot be reached: {found}")
                }
                _ => found,
            });
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
    if texts.iter().any(|text| text.contains("lookup address")) {
        return unreachable(match via {
            Some(proxy) => format!("its proxy {proxy} cannot be reached: {NO_HOST}"),
            None => NO_HOST.to_owned(),
        });
    }
    let proxy = via.unwrap_or_default();
    if let Some(why) = texts.iter().find_map(|text| text.strip_prefix("tunnel error: ")) {
        return unreachable(match why {
            "proxy authorization required" => {
                format!("its proxy {proxy} wants a user name and password (407)")
            }
            "unexpected end of file" => format!("its proxy {proxy} hung up"),
            _ => format!("its proxy {proxy} does not connect to it"),
        });
    }
    if let Some(why) = texts.iter().find_map(|text| text.strip_prefix("SOCKS error: ")) {
        // Why it cannot be reached is lost on the way here.
        return unreachable(match why {
            "failed to create underlying connection" => {
                format!("its proxy {proxy} cannot be reached")
            }
            _ => format!("its proxy {proxy} does not connect to it: {why}"),
        });
    }
    if let Some(alert) = texts.iter().find_map(|text| text.split_once("received fatal alert: ")) {
        return unreachable(ended_as(alert.1));
    }
    if texts.iter().any(|text| text.starts_with("connection closed")) {
        return unreachable(CLOSED.to_owned());
    }
    if error.is_decode() || error.is_body() {
        return Failure::unusable("the answer ends in the middle, or is not what it says");
    }
    let text = texts.pop().unwrap_or_else(|| "the request failed".to_owned());
    unreachable(text.split(" (os error").next().unwrap_or_default().to_lowercase())
}

const NO_HOST: &str = "no such host";
const REFUSED: &str = "connection refused";
const TIMED_OUT: &str = "no answer: the connection timed out";
const NO_ROUTE: &str = "no route to it";

/// What is said of an address where nobody is; through a proxy, that is the proxy's.
const NOT_THERE: [&str; 3] = [REFUSED, TIMED_OUT, NO_ROUTE];

fn known(cause: &(dyn StdError + 'static)) -> Option<String> {
    if let Some(error) = cause.downcast_ref::<TlsError>() {
        return Some(tls_words(error));
    }
    let error = cause.downcast_ref::<io::Error>()?;
    // What stands inside of an I/O error is no source of it.
    if let Some(inner) = error.get_ref()
        && let Some(found) = known(inner)
    {
        return Some(found);
    }
    let text = match error.kind() {
        io::ErrorKind::ConnectionRefused => REFUSED,
        io::ErrorKind::ConnectionReset
        | io::ErrorKind::BrokenPipe
        | io::ErrorKind::ConnectionAborted => CUT,
        io::ErrorKind::UnexpectedEof => MIDDLE,
        io::ErrorKind::TimedOut => TIMED_OUT,
        io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable => NO_ROUTE,
        _ => return None,
    };
    Some(text.to_owned())
}

fn tls_words(error: &TlsError) -> String {
    match error {
        TlsError::InvalidCertificate(CertificateError::Other(OtherError(doubt))) => {
            match doubt.downcast_ref::<Doubt>() {
                Some(doubt) => format!("its certificate {doubt}"),
                None => "its certificate is not trusted".to_owned(),
            }
        }
        // Only the handshake's own signature is left, which is made with the certificate's key.
        TlsError::InvalidCertificate(_) => {
            "it could not prove that its certificate is its own".to_owned()
        }
        TlsError::InvalidMessage(_) => NO_TLS.to_owned(),
        TlsError::AlertReceived(alert) => ended(*alert),
        TlsError::PeerIncompatible(_) => {
            "it offers no TLS that can be used: 1.2 or 1.3 with a cipher thought to be safe"
                .to_owned()
        }
        TlsError::NoApplicationProtocol => "it speaks no HTTP over TLS".to_owned(),
        _ => "TLS failed: it does not keep to the protocol".to_owned(),
    }
}

fn ended(alert: AlertDescription) -> String {
    ended_as(&format!("{alert:?}"))
}

/// By the name of the alert, which is all that is left of it on an HTTP/2 connection.
fn ended_as(alert: &str) -> String {
    match alert::words(alert) {
        Some(why) => format!("{ENDED}: {why}"),
        None => ENDED.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tls;
    use super::*;

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
        let settings = tls::Settings {
            trust: tls::Trust::Anybody,
            server_name: None,
            identity: None,
            proxied: false,
            protocols: vec![],
        };
        let host = "tunnel-error.socks.proxy.example";
        let client = reqwest::Client::builder()
            .no_proxy()
            .tls_backend_preconfigured(tls::config(&settings).unwrap())
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
        assert_eq!(
            ended_as("ProtocolVersion"),
            "it ended the TLS session: it wants another version than 1.2 or 1.3"
        );
        assert_eq!(ended_as("something"), ENDED);
        assert_eq!(ended(AlertDescription::AccessDenied), format!("{ENDED}: access denied"));
    }

    #[test]
    fn no_type_of_a_library_is_shown() {
        let errors = [
            TlsError::InvalidCertificate(CertificateError::BadSignature),
            TlsError::InvalidCertificate(CertificateError::Other(OtherError(std::sync::Arc::new(
                Doubt::SelfSigned,
            )))),
            TlsError::InvalidMessage(rustls::InvalidMessage::InvalidContentType),
            TlsError::PeerIncompatible(rustls::PeerIncompatible::ServerDoesNotSupportTls12Or13),
            TlsError::PeerMisbehaved(rustls::PeerMisbehaved::IllegalMiddleboxChangeCipherSpec),
            TlsError::General("x".to_owned()),
        ];
        for error in errors {
            let words = tls_words(&error);
            let plain = |c: char| c.is_ascii_lowercase() || " ,:.-'123TLSHP".contains(c);
            assert!(words.chars().all(plain), "{words}");
        }
    }
}
