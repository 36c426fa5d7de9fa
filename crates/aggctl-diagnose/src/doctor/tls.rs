//! Whether the certificate behind an APIService can be trusted.

use jiff::Timestamp;

use super::age::span;
use super::link::{CheckState, DoctorCheck};
use crate::probe::{Probe, ProbePhase};
use aggctl_certificate::{Bundle, Certificate, date};
use kube_aggregation::availability::{AvailabilityStep, server_name};
use kube_aggregation::model::{ApiService, ServiceReference};

/// A CA that ends within this time is worth a word.
const SOON: i64 = 30 * 86_400;

/// What the APIService alone says about TLS.
pub(super) fn link(
    api_service: &ApiService,
    reference: &ServiceReference,
    now: Timestamp,
) -> DoctorCheck {
    let needed = format!("the certificate must be for {}", server_name(reference));
    if api_service.insecure_skip_tls_verify {
        return DoctorCheck::new(
            AvailabilityStep::Tls,
            CheckState::Ok,
            "not verified (insecureSkipTLSVerify): anyone on the way could answer",
        );
    }
    let Some(field) = &api_service.ca_bundle else {
        return DoctorCheck::new(
            AvailabilityStep::Tls,
            CheckState::Unknown,
            "no caBundle: a CA that the API server's system trusts must have signed",
        )
        .with([needed]);
    };
    let bundle = match Bundle::from_field(field) {
        Ok(bundle) => bundle,
        Err(why) => {
            return DoctorCheck::new(
                AvailabilityStep::Tls,
                CheckState::Broken,
                "spec.caBundle is not base64",
            )
            .with([why.to_string()]);
        }
    };
    if bundle.certificates.is_empty() {
        let what = "spec.caBundle holds no certificate that can be read";
        let why = match bundle.blocks.as_slice() {
            [] if bundle.encoded_twice => "it is PEM that was encoded as base64 twice".to_owned(),
            [] => "it is not PEM".to_owned(),
            blocks => format!("it has PEM blocks of {}", blocks.join(", ")),
        };
        return DoctorCheck::new(AvailabilityStep::Tls, CheckState::Broken, what).with([why]);
    }
    let (state, what) = judge(&bundle.certificates, "spec.caBundle", now.as_second());
    DoctorCheck::new(AvailabilityStep::Tls, state, what)
        .with(bundle.certificates.iter().take(3).map(authority))
        .with([needed])
}

/// How the certificates of a bundle look at a time; unknown is what it says of what is served.
pub(super) fn judge(certificates: &[Certificate], of: &str, now: i64) -> (CheckState, String) {
    let valid = |c: &&Certificate| c.not_before <= now && now <= c.not_after;
    let all = certificates.len();
    let good: Vec<&Certificate> = certificates.iter().filter(valid).collect();
    let plural = if all == 1 { "the only certificate" } else { "every certificate" };
    let Some(last) = good.iter().map(|c| c.not_after).max() else {
        if certificates.iter().all(|c| now < c.not_before) {
            return (CheckState::Broken, format!("{plural} of {of} is not valid yet"));
        }
        let end = certificates.iter().map(|c| c.not_after).max().unwrap_or_default();
        return (
            CheckState::Broken,
            format!("{plural} of {of} has expired, {} ago", span(now - end)),
        );
    };
    if last - now < SOON {
        return (CheckState::Odd, format!("{of} expires in {}", span(last - now)));
    }
    let count = if all == 1 { "1 CA".to_owned() } else { format!("{all} CAs") };
    let stale = all - good.len();
    let note = if stale > 0 { format!(", {stale} of them not valid now") } else { String::new() };
    (
        CheckState::Unknown,
        format!("caBundle trusts {count}{note}; what is served is not in the source"),
    )
}

fn authority(certificate: &Certificate) -> String {
    let signer = if certificate.is_self_issued() {
        String::new()
    } else {
        format!(", signed by {}", certificate.issuer)
    };
    let role = if certificate.ca { "CA" } else { "certificate (no CA)" };
    format!("{role} {}{signer}, {}", certificate.subject, validity(certificate))
}

/// From when to when a certificate counts.
pub(super) fn validity(certificate: &Certificate) -> String {
    format!("valid {} to {}", date(certificate.not_before), date(certificate.not_after))
}

/// Lets a direct connection speak.
pub(super) fn apply(link: &mut DoctorCheck, probe: &Probe, now: Timestamp) {
    if let Some(failure) = probe.failure.as_ref().filter(|f| f.phase == ProbePhase::Tls) {
        link.evidence.push(format!("from here: {}", failure.what));
        if matches!(link.state, CheckState::Unknown | CheckState::Ok | CheckState::Odd) {
            link.state = CheckState::Broken;
            link.what.clone_from(&failure.what);
        }
    }
    let Some(handshake) = &probe.handshake else { return };
    for (index, certificate) in handshake.chain.iter().enumerate() {
        let what = if index == 0 { "served" } else { "with it" };
        let names = match certificate.names.as_slice() {
            _ if index > 0 => String::new(),
            [] => " for no names".to_owned(),
            names => format!(" for {}", names.join(", ")),
        };
        let Certificate { subject, issuer, .. } = certificate;
        let validity = validity(certificate);
        link.evidence.push(format!("{what}: {subject}{names}, signed by {issuer}, {validity}"));
    }
    match &handshake.verified {
        Some(Ok(())) => {
            link.evidence.push(format!(
                "from here: verified against {} for {}",
                handshake.against, probe.server_name
            ));
            if link.state == CheckState::Unknown {
                link.state = CheckState::Ok;
                link.what = format!(
                    "the certificate served is trusted by {}, and has the right name",
                    handshake.against
                );
            }
        }
        Some(Err(why)) => {
            link.state = CheckState::Broken;
            link.what.clone_from(why);
        }
        None => {}
    }
    let now = now.as_second();
    let ends = |c: &&Certificate| (0..SOON).contains(&(c.not_after - now));
    let soonest = handshake.chain.iter().filter(ends).min_by_key(|c| c.not_after);
    if let Some(certificate) = soonest.filter(|_| link.state == CheckState::Ok) {
        link.state = CheckState::Odd;
        link.what = format!(
            "the certificate {} that is served expires in {}",
            certificate.subject,
            span(certificate.not_after - now)
        );
    }
}
