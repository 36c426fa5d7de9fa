//! Errors of certificate verification.

use std::fmt;
use std::net::IpAddr;

/// The maximum number of names that a message lists.
const MAX_NAMES: usize = 5;

/// Why a certificate is not trusted. Displayed as the end of a sentence about the certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CertError {
    /// It cannot be parsed.
    Unreadable,
    /// It has expired, or is not valid yet.
    NotValid { subject: String, why: String },
    /// It is not valid for the wanted name; the names that it has.
    Name { has: Vec<String>, wanted: String },
    /// It is self-signed and not among the roots.
    SelfSigned,
    /// It was signed by this CA, which is not among the roots.
    Issuer(String),
    /// A CA with this name is among the roots, but its key did not sign the certificate.
    Signature(String),
    /// Another certificate of its chain is invalid; which one and why.
    Chain(String),
    /// Its extended key usage excludes servers.
    Purpose,
    /// It is a CA certificate, signed by another CA.
    Authority,
    /// Its signature algorithm is not supported.
    Algorithm,
    /// Any other reason.
    Other(&'static str),
}

impl CertError {
    /// Lists the names that a certificate is valid for.
    fn names(has: &[String]) -> String {
        match has {
            [] => "no name at all".to_owned(),
            some if some.len() <= MAX_NAMES => some.join(", "),
            many => {
                let some: Vec<&str> = many.iter().take(MAX_NAMES).map(String::as_str).collect();
                format!("{} and {} more", some.join(", "), many.len() - MAX_NAMES)
            }
        }
    }
}

/// Returns whether the wanted address is among the DNS names, where clients do not look for
/// addresses.
fn is_listed_address(has: &[String], wanted: &str) -> bool {
    let address = |text: &str| text.parse::<IpAddr>().ok();
    let wanted = address(wanted);
    wanted.is_some() && has.iter().any(|name| address(name) == wanted)
}

impl fmt::Display for CertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable => f.write_str("cannot be read"),
            Self::NotValid { why, .. } => f.write_str(why),
            Self::Name { has, wanted } if is_listed_address(has, wanted) => {
                write!(f, "has {wanted} as a DNS name, but not as an IP address")
            }
            Self::Name { has, wanted } => {
                write!(f, "is for {}, not for {wanted}", Self::names(has))
            }
            Self::SelfSigned => f.write_str("is not trusted: it is self-signed"),
            Self::Issuer(issuer) => {
                write!(f, "is not trusted: it is signed by an unknown authority ({issuer})")
            }
            Self::Signature(issuer) => write!(
                f,
                "is not trusted: the CA known as {issuer} did not sign it, or its key is too short"
            ),
            Self::Chain(which) => write!(f, "is not trusted: {which}"),
            Self::Purpose => f.write_str("is not a server certificate"),
            Self::Authority => {
                f.write_str("is not trusted: it is a CA certificate signed by another CA")
            }
            Self::Algorithm => f.write_str("has an unsupported signature algorithm"),
            Self::Other(why) => write!(f, "is not trusted: {why}"),
        }
    }
}

impl std::error::Error for CertError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_among_the_dns_names_is_explained() {
        let words = |has: &[&str], wanted: &str| {
            let has = has.iter().map(|name| (*name).to_owned()).collect();
            CertError::Name { has, wanted: wanted.to_owned() }.to_string()
        };
        assert_eq!(
            words(&["a", "127.0.0.1"], "127.0.0.1"),
            "has 127.0.0.1 as a DNS name, but not as an IP address"
        );
        assert_eq!(words(&["0:0::1"], "::1"), "has ::1 as a DNS name, but not as an IP address");
        assert_eq!(words(&["a"], "127.0.0.1"), "is for a, not for 127.0.0.1");
        assert_eq!(words(&["a"], "b"), "is for a, not for b");
    }
}
