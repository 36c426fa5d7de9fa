//! Evidence about TLS: whether the certificate behind an APIService can be trusted.

use jiff::Timestamp;

use super::check::CheckState;
use super::evidence::{DirectTls, Observation};
use super::fact::{CaSource, Fact};
use crate::probe::{Probe, ProbePhase};
use aggctl_certificate::{Bundle, Certificate};
use kube_aggregation::model::{ApiService, ServiceReference};

/// A CA that expires within this time is reported.
const SOON_SECONDS: i64 = 30 * 86_400;

/// How many certificates of a bundle are listed.
pub(super) const MAX_LISTED: usize = 3;

/// What the APIService alone shows about TLS.
pub(super) fn observe<'r>(
    api_service: &ApiService,
    reference: &'r ServiceReference,
    now: Timestamp,
) -> Observation<'r> {
    let needed = [Fact::CertificateMustBeFor(reference)];
    if api_service.insecure_skip_tls_verify {
        return Observation::new(CheckState::Ok, Fact::TlsNotVerified);
    }
    let Some(field) = &api_service.ca_bundle else {
        return Observation::new(CheckState::Unknown, Fact::SystemTrust).with(needed);
    };
    let bundle = match Bundle::from_field(field) {
        Ok(bundle) => bundle,
        Err(why) => {
            return Observation::new(CheckState::Broken, Fact::BundleNotBase64)
                .with([Fact::DecodingError(why.to_string())]);
        }
    };
    if bundle.certificates.is_empty() {
        let why = match bundle.blocks.as_slice() {
            [] if bundle.encoded_twice => Fact::BundleEncodedTwice,
            [] => Fact::BundleNotPem,
            _ => Fact::BundleBlocks(bundle.blocks),
        };
        return Observation::new(CheckState::Broken, Fact::BundleWithoutCertificate).with([why]);
    }
    let (all, now) = (bundle.certificates.len(), now.as_second());
    let (state, fact) = validity_problem(&bundle.certificates, CaSource::Bundle, now)
        .unwrap_or_else(|| {
            let invalid_now = bundle.certificates.iter().filter(|c| !is_valid(c, now)).count();
            // Which certificate is served is not in the source.
            (CheckState::Unknown, Fact::BundleTrusts { all, invalid_now })
        });
    let certificates = bundle.certificates.into_iter().take(MAX_LISTED);
    Observation::new(state, fact)
        .with(certificates.map(|certificate| Fact::BundleCertificate(Box::new(certificate))))
        .with(needed)
}

fn is_valid(certificate: &Certificate, now: i64) -> bool {
    certificate.not_before <= now && now <= certificate.not_after
}

/// Reports CA certificates that are not valid, or not for much longer.
pub(super) fn validity_problem(
    certificates: &[Certificate],
    source: CaSource,
    now: i64,
) -> Option<(CheckState, Fact<'static>)> {
    let count = certificates.len();
    let valid = certificates.iter().filter(|certificate| is_valid(certificate, now));
    match valid.map(|certificate| certificate.not_after).max() {
        Some(end) if end - now < SOON_SECONDS => {
            Some((CheckState::Odd, Fact::CaExpiresIn(source, end - now)))
        }
        Some(_) => None,
        None if certificates.iter().all(|c| now < c.not_before) => {
            Some((CheckState::Broken, Fact::CaNotValidYet(source, count)))
        }
        None => {
            let end = certificates.iter().map(|c| c.not_after).max().unwrap_or_default();
            let fact = Fact::CaExpired { source, count, seconds_ago: now - end };
            Some((CheckState::Broken, fact))
        }
    }
}

/// What a direct connection shows about TLS.
pub(super) fn observe_direct(probe: &Probe, now: Timestamp) -> DirectTls<'_> {
    let left = |certificate: &Certificate| certificate.not_after - now.as_second();
    let handshake = probe.handshake.as_ref();
    let chain = handshake.map(|handshake| handshake.chain.as_slice()).unwrap_or_default();
    let ending = chain.iter().filter(|one| (0..SOON_SECONDS).contains(&left(one)));
    DirectTls {
        failure: probe.failure.as_ref().filter(|failure| failure.phase == ProbePhase::Tls),
        handshake,
        server_name: &probe.server_name,
        expires_soon: ending.min_by_key(|one| one.not_after).map(|one| (one, left(one))),
    }
}
