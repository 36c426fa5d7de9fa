//! Why a request brought no facts, in words for people.

use std::error::Error as StdError;
use std::io;

use rustls::{CertificateError, Error as TlsError};

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

    /// What the user can do about it, where nothing at all could be read.
    pub(super) fn hint(&self) -> Option<&'static str> {
        match self.kind {
            Kind::Unauthorized => Some("log in again, or check the user of this context"),
            Kind::Unreachable if self.why.contains("not trusted") => {
                Some("name its authority with --certificate-authority")
            }
            Kind::Unreachable if self.why.contains("is not for") => {
                Some("--tls-server-name names what the certificate is for")
            }
            Kind::Unreachable if self.why.contains("client certificate") => {
                Some("the certificate may have expired, or be for another cluster")
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
pub(super) const CLOSED: &str = "the connection was closed without an answer";

/// What is said of a server that says no in TLS.
pub(super) const ENDED: &str = "it ended the TLS session";

/// A transport error without URLs, types of libraries, or numbers of the operating system.
pub(super) fn describe(error: &reqwest::Error) -> Failure {
    let mut deepest: &(dyn StdError + 'static) = error;
    let mut texts = vec![];
    loop {
        if let Some(found) = known(deepest) {
            return Failure::new(Kind::Unreachable, found);
        }
        texts.push(deepest.to_string());
        match deepest.source() {
            Some(source) => deepest = source,
            None => break,
        }
    }
    if texts.iter().any(|text| text.contains("lookup address")) {
        return Failure::new(Kind::Unreachable, "no such host");
    }
    if texts
        .iter()
        .any(|text| text.contains("tunnel") || text.contains("socks") || text.contains("proxy"))
    {
        return Failure::new(Kind::Unreachable, "the proxy could not connect to it");
    }
    if let Some(alert) = texts.iter().find_map(|text| text.split_once("received fatal alert: ")) {
        return Failure::new(Kind::Unreachable, format!("{ENDED} ({})", alert.1));
    }
    if texts.iter().any(|text| text.starts_with("connection closed")) {
        return Failure::new(Kind::Unreachable, CLOSED);
    }
    if error.is_decode() || error.is_body() {
        return Failure::unusable("the answer ends in the middle, or is not what it says");
    }
    let text = texts.pop().unwrap_or_default();
    Failure::new(
        Kind::Unreachable,
        text.split(" (os error").next().unwrap_or_default().to_lowercase(),
    )
}

fn known(cause: &(dyn StdError + 'static)) -> Option<String> {
    if let Some(error) = cause.downcast_ref::<TlsError>() {
        return Some(tls(error));
    }
    let error = cause.downcast_ref::<io::Error>()?;
    // What stands inside of an I/O error is no source of it.
    if let Some(inner) = error.get_ref()
        && let Some(found) = known(inner)
    {
        return Some(found);
    }
    let text = match error.kind() {
        io::ErrorKind::ConnectionRefused => "connection refused",
        io::ErrorKind::ConnectionReset
        | io::ErrorKind::BrokenPipe
        | io::ErrorKind::ConnectionAborted => "the connection was cut",
        io::ErrorKind::UnexpectedEof => "the connection ended in the middle",
        io::ErrorKind::TimedOut => "no answer: the connection timed out",
        io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable => "no route to it",
        _ => return None,
    };
    Some(text.to_owned())
}

fn tls(error: &TlsError) -> String {
    match error {
        TlsError::InvalidCertificate(error) => match error {
            CertificateError::UnknownIssuer => {
                "its certificate is not trusted: it is signed by an unknown authority".to_owned()
            }
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
                "its certificate has expired".to_owned()
            }
            CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
                "its certificate is not valid yet".to_owned()
            }
            CertificateError::NotValidForNameContext { expected, .. } => {
                format!("its certificate is not for {}", expected.to_str())
            }
            CertificateError::NotValidForName => "its certificate is not for that name".to_owned(),
            other => format!("its certificate is not trusted: {other}").to_lowercase(),
        },
        TlsError::InvalidMessage(_) => "it does not speak TLS".to_owned(),
        TlsError::AlertReceived(alert) => format!("{ENDED} ({alert:?})"),
        other => format!("TLS failed: {other}"),
    }
}
