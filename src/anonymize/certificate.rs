//! Replaces certificates by others that are valid for the same time, with other names and keys.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::time::Duration;

use ::base64::Engine;
use ::base64::engine::general_purpose::STANDARD;
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, KeyPair, SanType, date_time_ymd};

use super::collect::Collector;
use aggctl_certificate::{Bundle, Certificate};
use kube_aggregation::ca_bundle::base64;

/// Certificates by their original.
#[derive(Debug)]
pub(super) struct Certificates {
    /// The texts that certificates were found in.
    texts: BTreeSet<String>,
    /// The new common name of each subject and issuer.
    subjects: BTreeMap<String, String>,
}

impl Certificates {
    pub(super) fn new(collector: &Collector) -> Self {
        let texts = collector.certificates.clone();
        let mut subjects = BTreeMap::new();
        for one in texts.iter().flat_map(|text| Bundle::read(&decoded(text)).certificates) {
            for name in [one.subject, one.issuer] {
                let next = format!("certificate-{:04}", subjects.len() + 1);
                subjects.entry(name).or_insert(next);
            }
        }
        Self { texts, subjects }
    }

    /// Returns the replacement of each subject, as certificates show it.
    pub(super) fn subjects(&self) -> Vec<(String, String)> {
        let subjects = self.subjects.iter();
        subjects.map(|(old, new)| (old.clone(), format!("CN={new}"))).collect()
    }

    /// Replaces the certificates in a text, which may be base64 of it; `None` without certificates.
    pub(super) fn replaced(&self, text: &str, names: impl Fn(&str) -> String) -> Option<String> {
        if !self.texts.contains(text) {
            return None;
        }
        let Some(bytes) = base64::decode(text).ok() else {
            return text.contains("-----BEGIN").then(|| self.pem(text.as_bytes(), &names));
        };
        // What is encoded twice is a mistake that answers report.
        let new = match Bundle::read(&bytes).encoded_twice {
            true => STANDARD.encode(self.pem(&decoded(&String::from_utf8_lossy(&bytes)), &names)),
            false => self.pem(&bytes, &names),
        };
        Some(STANDARD.encode(new))
    }

    /// Returns PEM with the same kinds of blocks.
    fn pem(&self, bytes: &[u8], names: &impl Fn(&str) -> String) -> String {
        let bundle = Bundle::read(bytes);
        if bundle.blocks.is_empty() {
            // An empty bundle would be a missing one, not an unreadable one.
            return if bytes.is_empty() { String::new() } else { "not PEM".to_owned() };
        }
        if bundle.certificates.is_empty() {
            let block =
                |label: &String| format!("-----BEGIN {label}-----\nAAAA\n-----END {label}-----\n");
            return bundle.blocks.iter().map(block).collect();
        }
        bundle.certificates.iter().filter_map(|one| self.made(one, names)).collect()
    }

    /// Removes the certificates from a manifest in YAML.
    pub(super) fn without(text: &str) -> String {
        let line = |line: &str| match line.split_once("caBundle: ") {
            Some((indent, _)) => format!("{indent}caBundle: (anonymized)\n"),
            None => format!("{line}\n"),
        };
        text.lines().map(line).collect()
    }

    /// Returns a certificate in PEM that is valid for the same time and purpose.
    fn made(&self, old: &Certificate, names: &impl Fn(&str) -> String) -> Option<String> {
        let mut params = CertificateParams::default();
        params.distinguished_name.remove(DnType::CommonName);
        params
            .distinguished_name
            .push(DnType::CommonName, self.subjects.get(&old.subject)?.as_str());
        let since_1970 = |seconds: i64| seconds.try_into().map(Duration::from_secs).ok();
        params.not_before = date_time_ymd(1970, 1, 1) + since_1970(old.not_before)?;
        params.not_after = date_time_ymd(1970, 1, 1) + since_1970(old.not_after)?;
        params.is_ca = match old.ca {
            true => IsCa::Ca(BasicConstraints::Unconstrained),
            false => IsCa::ExplicitNoCa,
        };
        for name in &old.names {
            let name = names(name);
            params.subject_alt_names.push(match name.parse::<IpAddr>() {
                Ok(address) => SanType::IpAddress(address),
                Err(_) => SanType::DnsName(name.try_into().ok()?),
            });
        }
        Some(params.self_signed(&KeyPair::generate().ok()?).ok()?.pem())
    }
}

/// Decodes base64 of PEM; any other text stays.
fn decoded(text: &str) -> Vec<u8> {
    base64::decode(text).unwrap_or_else(|_| text.as_bytes().to_vec())
}
