//! Parses the certificates of a caBundle, and those that a server presents.
//!
//! This crate parses and formats. It does not decide whether a certificate is trusted. Times are in
//! seconds since 1970, as in certificates.

use std::fmt;
use std::net::IpAddr;

use kube_aggregation::ca_bundle::{base64, pem_blocks};
use x509_parser::extensions::GeneralName;
use x509_parser::prelude::{FromDer, X509Certificate, X509Version};

/// A decoded caBundle.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bundle {
    /// The certificates that could be parsed.
    pub certificates: Vec<Certificate>,
    /// The labels of all PEM blocks, in order.
    pub blocks: Vec<String>,
    /// Whether the PEM was base64-encoded twice.
    pub encoded_twice: bool,
}

/// The fields of a certificate that decide whether a client trusts it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// The distinguished name of its owner.
    pub subject: String,
    /// The distinguished name of its signer.
    pub issuer: String,
    /// The DNS names and IP addresses that it is valid for. Old certificates may have none.
    pub names: Vec<String>,
    /// The first second in which it is valid.
    pub not_before: i64,
    /// The last second in which it is valid.
    pub not_after: i64,
    /// Whether it belongs to a certificate authority.
    pub ca: bool,
    /// The certificate in DER.
    pub der: Vec<u8>,
}

/// A `caBundle` field that is not base64.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotBase64(String);

/// Names the invalid character.
impl fmt::Display for NotBase64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotBase64 {}

impl Bundle {
    /// Decodes the base64 of a `caBundle` field.
    ///
    /// # Errors
    /// If it is not base64.
    pub fn from_field(text: &str) -> Result<Self, NotBase64> {
        base64::decode(text)
            .map(|bytes| Self::read(&bytes))
            .map_err(|why| NotBase64(why.to_string()))
    }

    /// Parses PEM as Go's certificate pool does: it skips blocks that are not certificates or that
    /// cannot be parsed.
    pub fn read(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let mut bundle = Self::default();
        for (label, body) in pem_blocks(&text) {
            if label == "CERTIFICATE"
                && let Some(certificate) = body.and_then(|der| Certificate::read(&der))
            {
                bundle.certificates.push(certificate);
            }
            bundle.blocks.push(label);
        }
        // Most bundles contain a single block, and every APIService may have a bundle.
        bundle.certificates.shrink_to_fit();
        bundle.blocks.shrink_to_fit();
        if bundle.blocks.is_empty() {
            let again = base64::decode(text.trim());
            bundle.encoded_twice = again.is_ok_and(|b| b.starts_with(b"-----BEGIN "));
        }
        bundle
    }
}

impl Certificate {
    /// Parses a certificate in DER. Like Go, refuses one that has an extension twice.
    pub fn read(der: &[u8]) -> Option<Self> {
        let (_, certificate) = X509Certificate::from_der(der).ok()?;
        certificate.extensions_map().ok()?;
        let names = certificate.subject_alternative_name().ok().flatten();
        let names =
            names.map(|extension| extension.value.general_names.iter().filter_map(name).collect());
        Some(Self {
            subject: certificate.subject().to_string(),
            issuer: certificate.issuer().to_string(),
            names: names.unwrap_or_default(),
            not_before: certificate.validity().not_before.timestamp(),
            not_after: certificate.validity().not_after.timestamp(),
            ca: certificate.is_ca(),
            der: der.to_vec(),
        })
    }

    /// Returns why it is not valid at `now`, as a phrase that follows its name.
    pub fn not_valid(&self, now: i64) -> Option<String> {
        if self.not_after < now {
            Some(format!("has expired on {}", date(self.not_after)))
        } else if now < self.not_before {
            Some(format!("is not valid before {}", date(self.not_before)))
        } else {
            None
        }
    }

    /// Returns whether Go lets this certificate sign others. Only a version 3 certificate can state
    /// whether it belongs to a CA; Go lets older ones sign.
    pub fn may_sign(&self) -> bool {
        let Ok((_, certificate)) = X509Certificate::from_der(&self.der) else { return false };
        let usage = certificate.key_usage().ok().flatten();
        (self.ca || certificate.version() != X509Version::V3)
            && usage.is_none_or(|usage| usage.value.key_cert_sign())
    }

    /// Returns whether a server may use this certificate: its extended key usage allows that, or is
    /// absent.
    pub fn is_for_servers(&self) -> bool {
        let Ok((_, certificate)) = X509Certificate::from_der(&self.der) else { return false };
        let usage = certificate.extended_key_usage().ok().flatten();
        usage.is_none_or(|usage| usage.value.any || usage.value.server_auth)
    }

    /// Returns whether subject and issuer are the same.
    pub fn is_self_issued(&self) -> bool {
        self.subject == self.issuer
    }
}

/// Returns the DNS name or IP address; servers have no other kind of name.
fn name(name: &GeneralName<'_>) -> Option<String> {
    match name {
        GeneralName::DNSName(name) => Some((*name).to_owned()),
        GeneralName::IPAddress(bytes) => {
            let short = <[u8; 4]>::try_from(*bytes).map(IpAddr::from);
            let address = short.or_else(|_| <[u8; 16]>::try_from(*bytes).map(IpAddr::from));
            address.ok().map(|address| address.to_string())
        }
        _ => None,
    }
}

/// Formats seconds since 1970 as a date.
pub fn date(seconds: i64) -> String {
    jiff::Timestamp::from_second(seconds)
        .map_or_else(|_| "a far time".to_owned(), |time| time.strftime("%Y-%m-%d").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::base64::Engine;
    use ::base64::prelude::BASE64_STANDARD;

    #[test]
    fn dates_have_no_time() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(i64::MAX), "a far time");
    }

    #[test]
    fn invalid_bundles_are_distinguished() {
        assert!(Bundle::from_field("not base64!").is_err());
        assert_eq!(Bundle::from_field("aGVsbG8=").unwrap(), Bundle::default());
        let twice = BASE64_STANDARD.encode("-----BEGIN CERTIFICATE-----\n");
        assert!(Bundle::read(twice.as_bytes()).encoded_twice);
    }

    #[test]
    fn fields_of_a_certificate() {
        let mut params =
            rcgen::CertificateParams::new(vec!["web.shop.svc".to_owned(), "10.0.0.7".to_owned()])
                .unwrap();
        params.distinguished_name.push(rcgen::DnType::CommonName, "web");
        params.not_after = rcgen::date_time_ymd(2031, 2, 3);
        let key = rcgen::KeyPair::generate().unwrap();
        let pem = params.self_signed(&key).unwrap().pem();
        let bundle = Bundle::from_field(&BASE64_STANDARD.encode(format!("noise\n{pem}"))).unwrap();
        let [certificate] = bundle.certificates.as_slice() else { panic!("{bundle:?}") };
        assert_eq!(certificate.names, ["web.shop.svc", "10.0.0.7"]);
        assert!(certificate.subject.contains("CN=web"), "{}", certificate.subject);
        assert!(certificate.is_self_issued() && !certificate.ca);
        assert_eq!(certificate.not_after, 1_927_843_200);
    }
}
