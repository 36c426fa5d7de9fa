//! Evidence about the front proxy: whether an extension server can recognize the API server and
//! identify the user of a request.

use jiff::Timestamp;

use super::check::CheckState;
use super::evidence::Observation;
use super::fact::{CaSource, Fact};
use super::tls::{MAX_LISTED, validity_problem};
use aggctl_certificate::Bundle;
use kube_aggregation::model::{Cause, FrontProxy, Gap, Input, Snapshot, SnapshotPart};

/// The headers that kube-aggregator sends, regardless of the ConfigMap.
const SENT: [&str; 2] = ["X-Remote-User", "X-Remote-Group"];

/// Checks the ConfigMap; `None` if it was not requested.
pub(super) fn observe(snapshot: &Snapshot, now: Timestamp) -> Option<Observation<'_>> {
    let broken = |fact| Some(Observation::new(CheckState::Broken, fact));
    let proxy = match &snapshot.front_proxy {
        Input::Loaded(proxy) => proxy,
        Input::Unread(unread) if unread.cause == Cause::NotFound => {
            return broken(Fact::NoFrontProxyConfig);
        }
        Input::Absent => return None,
        unread => {
            let gap = Gap::of(SnapshotPart::FrontProxy, unread, true)?;
            return Some(Observation::new(CheckState::Unknown, Fact::NotInSource(gap)));
        }
    };
    let Some(pem) = &proxy.client_ca else { return broken(Fact::NoFrontProxyCa) };
    let certificates = Bundle::read(pem.as_bytes()).certificates;
    if certificates.is_empty() {
        return broken(Fact::FrontProxyCaUnreadable);
    }
    let headers = unread_headers(proxy);
    let (state, fact) = if headers.is_empty() {
        validity_problem(&certificates, CaSource::FrontProxy, now.as_second())
            .unwrap_or((CheckState::Ok, Fact::FrontProxyAllows(&proxy.allowed_names)))
    } else {
        (CheckState::Broken, Fact::HeadersNotRead(headers))
    };
    let certificates = certificates.into_iter().take(MAX_LISTED);
    let certificates = certificates.map(|one| Fact::FrontProxyCertificate(Box::new(one)));
    Some(Observation::new(state, fact).with(certificates))
}

/// Returns the identity headers that are sent but that extension servers do not read.
fn unread_headers(proxy: &FrontProxy) -> Vec<&'static str> {
    let read = [&proxy.username_headers, &proxy.group_headers];
    let pairs = SENT.into_iter().zip(read);
    let unread = pairs.filter(|(sent, all)| !all.iter().any(|one| one.eq_ignore_ascii_case(sent)));
    unread.map(|(sent, _)| sent).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kube_aggregation::model::Unread;

    /// Returns a CA certificate that expires on January 1 of a year.
    fn authority_until(year: i32) -> Option<String> {
        let mut params = rcgen::CertificateParams::new(vec![]).unwrap();
        params.not_before = rcgen::date_time_ymd(2020, 1, 1);
        params.not_after = rcgen::date_time_ymd(year, 1, 1);
        let key = rcgen::KeyPair::generate().unwrap();
        Some(params.self_signed(&key).unwrap().pem())
    }

    fn check(front_proxy: Input<FrontProxy>, state: CheckState, what: &str) {
        let snapshot = Snapshot { front_proxy, ..Snapshot::default() };
        let found = observe(&snapshot, "2026-12-20T00:00:00Z".parse().unwrap()).unwrap();
        assert_eq!((found.state, found.fact.to_string().as_str()), (state, what));
    }

    #[test]
    fn each_fault_is_found() {
        let good = |client_ca: Option<String>| FrontProxy {
            client_ca,
            allowed_names: vec!["proxy".to_owned()],
            username_headers: vec!["x-remote-user".to_owned()],
            group_headers: vec!["X-Remote-Group".to_owned()],
        };
        let believed = "a certificate signed by the front-proxy CA for proxy is trusted";
        check(Input::Loaded(good(authority_until(2036))), CheckState::Ok, believed);
        let any = FrontProxy { allowed_names: vec![], ..good(authority_until(2036)) };
        let believed = "any certificate signed by the front-proxy CA is trusted";
        check(Input::Loaded(any), CheckState::Ok, believed);
        let soon = "the front-proxy CA expires in 12 days";
        check(Input::Loaded(good(authority_until(2027))), CheckState::Odd, soon);
        let expired = "the only certificate of the front-proxy CA has expired, 718 days ago";
        check(Input::Loaded(good(authority_until(2025))), CheckState::Broken, expired);
        let none = "the API server has no --requestheader-client-ca-file, so extension API servers cannot identify callers";
        check(Input::Loaded(good(None)), CheckState::Broken, none);
        let junk = "the front-proxy CA has no readable certificate";
        check(Input::Loaded(good(Some("junk".to_owned()))), CheckState::Broken, junk);
        let unread = FrontProxy {
            username_headers: vec!["X-User".to_owned()],
            ..good(authority_until(2036))
        };
        let headers =
            "kube-aggregator sends X-Remote-User, which extension API servers do not read";
        check(Input::Loaded(unread), CheckState::Broken, headers);
        let missing = Unread { cause: Cause::NotFound, why: "not found (404)".to_owned() };
        let missing_map = "ConfigMap kube-system/extension-apiserver-authentication does not exist, so extension API servers cannot recognize the API server";
        check(Input::Unread(missing), CheckState::Broken, missing_map);
    }
}
