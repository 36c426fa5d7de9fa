//! Why the other side ends a TLS session, in words.

use rustls::AlertDescription;

/// The alerts that are not here say nothing to anybody.
const ALERTS: [(AlertDescription, &str); 14] = {
    use AlertDescription as A;
    const NOT_ACCEPTED: &str = "it does not accept the client certificate";
    const NO_CIPHER: &str = "no cipher is common to both";
    [
        (A::ProtocolVersion, "it wants another version than 1.2 or 1.3"),
        (A::HandshakeFailure, NO_CIPHER),
        (A::InsufficientSecurity, NO_CIPHER),
        (A::CertificateRequired, "it wants a client certificate"),
        (A::BadCertificate, NOT_ACCEPTED),
        (A::UnsupportedCertificate, NOT_ACCEPTED),
        (A::CertificateUnknown, NOT_ACCEPTED),
        (A::UnknownCA, "it does not know who signed the client certificate"),
        (A::CertificateExpired, "the client certificate has expired"),
        (A::CertificateRevoked, "the client certificate is revoked"),
        (A::AccessDenied, "access denied"),
        (A::UnrecognisedName, "it does not know the name that it was called by"),
        (A::NoApplicationProtocol, "it speaks no HTTP"),
        (A::InternalError, "it has an error of its own"),
    ]
};

/// What an alert means, by the name that rustls has for it.
pub(super) fn words(name: &str) -> Option<&'static str> {
    ALERTS.iter().find(|(known, _)| format!("{known:?}") == name).map(|(_, why)| *why)
}

/// Whether an alert is about the certificate that we showed, or did not show.
pub(super) fn is_about_certificate(name: &str) -> bool {
    use AlertDescription as A;
    let all = [
        A::CertificateRequired,
        A::BadCertificate,
        A::UnsupportedCertificate,
        A::CertificateUnknown,
        A::UnknownCA,
        A::CertificateExpired,
        A::CertificateRevoked,
    ];
    all.iter().any(|known| format!("{known:?}") == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_alert_of_the_table_is_found() {
        for (alert, why) in ALERTS {
            assert_eq!(words(&format!("{alert:?}")), Some(why));
        }
        assert_eq!(words("CloseNotify"), None);
    }
}
