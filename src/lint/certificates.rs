//! What is inside of a caBundle.

use x509_parser::prelude::{FromDer, X509Certificate};

/// A decoded caBundle.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bundle {
    /// The certificates that could be read.
    pub certificates: Vec<Certificate>,
    /// The labels of all PEM blocks, in order.
    pub blocks: Vec<String>,
    /// Whether the bytes are base64 once more: the PEM was encoded twice.
    pub encoded_twice: bool,
}

/// What matters about a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// Whose it is.
    pub subject: String,
    /// When it starts to be valid, in seconds since 1970.
    pub not_before: i64,
    /// When it ends to be valid, in seconds since 1970.
    pub not_after: i64,
    /// Whether it may sign others.
    pub ca: bool,
}

impl Bundle {
    /// Reads a bundle as Go's certificate pool does: blocks that are no
    /// certificates, or that cannot be parsed, are passed over.
    pub fn read(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let mut bundle = Self::default();
        for (label, body) in pem_blocks(&text) {
            if label == "CERTIFICATE"
                && let Some(der) = body
                && let Ok((_, certificate)) = X509Certificate::from_der(&der)
            {
                bundle.certificates.push(Certificate::from(&certificate));
            }
            bundle.blocks.push(label);
        }
        if bundle.blocks.is_empty() {
            let again = super::base64::decode(text.trim());
            bundle.encoded_twice = again.is_ok_and(|b| b.starts_with(b"-----BEGIN "));
        }
        bundle
    }
}

impl From<&X509Certificate<'_>> for Certificate {
    fn from(certificate: &X509Certificate<'_>) -> Self {
        Self {
            subject: certificate.subject().to_string(),
            not_before: certificate.validity().not_before.timestamp(),
            not_after: certificate.validity().not_after.timestamp(),
            ca: certificate.is_ca(),
        }
    }
}

/// The blocks of a PEM text: label, and the bytes where they can be decoded.
fn pem_blocks(text: &str) -> Vec<(String, Option<Vec<u8>>)> {
    const BEGIN: &str = "-----BEGIN ";
    let mut blocks = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(BEGIN) {
        rest = &rest[start + BEGIN.len()..];
        let Some((label, after)) = rest.split_once("-----") else { break };
        let end = format!("-----END {label}-----");
        let Some((body, after)) = after.split_once(end.as_str()) else { continue };
        if label.contains('\n') {
            continue;
        }
        let packed: Vec<u8> = body.bytes().filter(|b| !b.is_ascii_whitespace()).collect();
        blocks.push((label.to_owned(), super::base64::decode(&packed).ok()));
        rest = after;
    }
    blocks
}

/// A time as a date, for messages.
pub(super) fn date(seconds: i64) -> String {
    // Counted from a first of March, years end with the leap day.
    let days = seconds.div_euclid(86_400) + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", year_of_era + era * 400 + next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_found_between_other_text() {
        let text = "note\n-----BEGIN A-----\naGVs\nbG8=\n-----END A-----\n-----BEGIN B-----\n!\n-----END B-----\n-----BEGIN C-----\n";
        let blocks = pem_blocks(text);
        assert_eq!(blocks, [("A".to_owned(), Some(b"hello".to_vec())), ("B".to_owned(), None)]);
    }

    #[test]
    fn dates_are_plain() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(1_794_787_200), "2026-11-16");
        assert_eq!(date(951_782_400), "2000-02-29");
        assert_eq!(date(-1), "1969-12-31");
        let _ = (date(i64::MAX), date(i64::MIN));
    }
}
