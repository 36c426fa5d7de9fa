//! Whether an extension server can tell that a request comes from the API server, and whose it is.

use jiff::Timestamp;

use super::link::{CheckState, DoctorCheck};
use super::tls::{judge, validity};
use aggctl_certificate::{Bundle, Certificate};
use kube_aggregation::availability::AvailabilityStep;
use kube_aggregation::model::{Cause, FrontProxy, Gap, Input, Snapshot, SnapshotPart};

/// What kube-aggregator sends, whatever anybody looks for.
const SENT: [&str; 2] = ["X-Remote-User", "X-Remote-Group"];

/// What the ConfigMap says, where somebody looked for it.
pub(super) fn link(snapshot: &Snapshot, now: Timestamp) -> Option<DoctorCheck> {
    let broken =
        |what: &str| DoctorCheck::new(AvailabilityStep::FrontProxy, CheckState::Broken, what);
    let proxy = match &snapshot.front_proxy {
        Input::Loaded(proxy) => proxy,
        Input::Unread(unread) if unread.cause == Cause::NotFound => {
            let what = "there is no ConfigMap kube-system/extension-apiserver-authentication: extension servers cannot recognise the API server";
            return Some(broken(what));
        }
        Input::Absent => return None,
        unread => {
            let gap = Gap::of(SnapshotPart::FrontProxy, unread, true)?;
            return Some(DoctorCheck::new(
                AvailabilityStep::FrontProxy,
                CheckState::Unknown,
                gap.to_string(),
            ));
        }
    };
    let Some(pem) = &proxy.client_ca else {
        let what = "the API server has no --requestheader-client-ca-file: extension servers cannot tell whose a request is";
        return Some(broken(what));
    };
    let certificates = Bundle::read(pem.as_bytes()).certificates;
    if certificates.is_empty() {
        return Some(broken("the front-proxy CA holds no certificate that can be read"));
    }
    let (state, what) = judge(&certificates, "the front-proxy CA", now.as_second());
    let link = match state {
        CheckState::Unknown => {
            DoctorCheck::new(AvailabilityStep::FrontProxy, CheckState::Ok, names(proxy))
        }
        state => DoctorCheck::new(AvailabilityStep::FrontProxy, state, what),
    };
    let link = link.with(certificates.iter().take(3).map(authority));
    Some(match unread_headers(proxy) {
        headers if headers.is_empty() => link,
        headers => {
            let text = format!(
                "kube-aggregator sends {}, which extension servers do not read",
                headers.join(" and ")
            );
            DoctorCheck { state: CheckState::Broken, what: text, ..link }
        }
    })
}

fn names(proxy: &FrontProxy) -> String {
    match proxy.allowed_names.as_slice() {
        [] => "any certificate of the front-proxy CA is believed".to_owned(),
        names => {
            format!("a certificate of the front-proxy CA for {} is believed", names.join(", "))
        }
    }
}

/// The headers that say whose a request is, and that no extension server looks for.
fn unread_headers(proxy: &FrontProxy) -> Vec<&'static str> {
    let looked_for = [&proxy.username_headers, &proxy.group_headers];
    let pairs = SENT.into_iter().zip(looked_for);
    let unread = pairs.filter(|(sent, all)| !all.iter().any(|one| one.eq_ignore_ascii_case(sent)));
    unread.map(|(sent, _)| sent).collect()
}

fn authority(certificate: &Certificate) -> String {
    format!("front-proxy CA {}, {}", certificate.subject, validity(certificate))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kube_aggregation::model::Unread;

    /// The certificate of a CA that ends on the first day of a year.
    fn authority_until(year: i32) -> Option<String> {
        let mut params = rcgen::CertificateParams::new(vec![]).unwrap();
        params.not_before = rcgen::date_time_ymd(2020, 1, 1);
        params.not_after = rcgen::date_time_ymd(year, 1, 1);
        let key = rcgen::KeyPair::generate().unwrap();
        Some(params.self_signed(&key).unwrap().pem())
    }

    fn check(front_proxy: Input<FrontProxy>, state: CheckState, what: &str) {
        let snapshot = Snapshot { front_proxy, ..Snapshot::default() };
        let found = link(&snapshot, "2026-12-20T00:00:00Z".parse().unwrap()).unwrap();
        assert_eq!((found.state, found.what.as_str()), (state, what));
    }

    #[test]
    fn each_fault_is_found() {
        let good = |client_ca: Option<String>| FrontProxy {
            client_ca,
            allowed_names: vec!["proxy".to_owned()],
            username_headers: vec!["x-remote-user".to_owned()],
            group_headers: vec!["X-Remote-Group".to_owned()],
        };
        let believed = "a certificate of the front-proxy CA for proxy is believed";
        check(Input::Loaded(good(authority_until(2036))), CheckState::Ok, believed);
        let any = FrontProxy { allowed_names: vec![], ..good(authority_until(2036)) };
        let believed = "any certificate of the front-proxy CA is believed";
        check(Input::Loaded(any), CheckState::Ok, believed);
        let soon = "the front-proxy CA expires in 12 days";
        check(Input::Loaded(good(authority_until(2027))), CheckState::Odd, soon);
        let expired = "the only certificate of the front-proxy CA has expired, 718 days ago";
        check(Input::Loaded(good(authority_until(2025))), CheckState::Broken, expired);
        let none = "the API server has no --requestheader-client-ca-file: extension servers cannot tell whose a request is";
        check(Input::Loaded(good(None)), CheckState::Broken, none);
        let junk = "the front-proxy CA holds no certificate that can be read";
        check(Input::Loaded(good(Some("junk".to_owned()))), CheckState::Broken, junk);
        let unread = FrontProxy {
            username_headers: vec!["X-User".to_owned()],
            ..good(authority_until(2036))
        };
        let headers = "kube-aggregator sends X-Remote-User, which extension servers do not read";
        check(Input::Loaded(unread), CheckState::Broken, headers);
        let missing = Unread { cause: Cause::NotFound, why: "not found (404)".to_owned() };
        let nobody = "there is no ConfigMap kube-system/extension-apiserver-authentication: extension servers cannot recognise the API server";
        check(Input::Unread(missing), CheckState::Broken, nobody);
    }
}
