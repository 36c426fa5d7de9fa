//! Describes TLS alerts: why a peer ended a TLS session.

use rustls::AlertDescription;

use AlertDescription as A;

const NOT_ACCEPTED: &str = "it does not accept the client certificate";
const NO_CIPHER: &str = "the two sides have no cipher in common";

/// Alerts about the client certificate, or the lack of one.
const ABOUT_CERTIFICATE: [(A, &str); 7] = [
    (A::CertificateRequired, "it requires a client certificate"),
    (A::BadCertificate, NOT_ACCEPTED),
    (A::UnsupportedCertificate, NOT_ACCEPTED),
    (A::CertificateUnknown, NOT_ACCEPTED),
    (A::UnknownCA, "it does not trust the CA of the client certificate"),
    (A::CertificateExpired, "the client certificate has expired"),
    (A::CertificateRevoked, "the client certificate is revoked"),
];

/// Other alerts. Alerts in neither table would not help a user.
const OTHERS: [(A, &str); 7] = [
    (A::ProtocolVersion, "it does not support TLS 1.2 or 1.3"),
    (A::HandshakeFailure, NO_CIPHER),
    (A::InsufficientSecurity, NO_CIPHER),
    (A::AccessDenied, "access denied"),
    (A::UnrecognisedName, "it does not know the requested server name"),
    (A::NoApplicationProtocol, "it does not speak HTTP"),
    (A::InternalError, "it reports an internal error"),
];

fn find(table: &[(A, &'static str)], name: &str) -> Option<&'static str> {
    table.iter().find(|(known, _)| format!("{known:?}") == name).map(|(_, why)| *why)
}

/// Describes the alert that rustls calls `name`.
pub(crate) fn words(name: &str) -> Option<&'static str> {
    find(&ABOUT_CERTIFICATE, name).or_else(|| find(&OTHERS, name))
}

/// Returns whether an alert is about the client certificate, or a missing one.
pub(crate) fn is_about_certificate(name: &str) -> bool {
    find(&ABOUT_CERTIFICATE, name).is_some()
}
