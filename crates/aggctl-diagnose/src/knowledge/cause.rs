//! Finds the cause in an error message.
//!
//! The aggregator's condition messages, its 503 bodies and the errors that clients print all end in
//! an error of Go's network and TLS code. [`cause_of`] recognizes that end, whatever precedes it.

use std::cmp::Reverse;

use super::entry::{KnowledgeEntry, candidates, find};
use super::fill::fill;
use super::pattern::PatternMatch;
use kube_aggregation::availability::AvailabilityStep;

/// The cause of a failed request to an extension API server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailureCause {
    /// The knowledge entry that explains it, such as `unknown-authority`.
    pub code: &'static str,
    /// The step at which the request fails.
    pub step: AvailabilityStep,
    /// What happened, as a phrase.
    pub what: String,
    /// Where to look first, as a sentence.
    pub advice: &'static str,
}

/// Finds the cause in an error message of a condition, a 503 body or a client.
///
/// Returns `None` if the end of the message is not recognized; nothing is guessed.
///
/// ```
/// use aggctl_diagnose::knowledge::cause_of;
/// let message = "failing or missing response from https://10.0.0.7:443/apis/a/v1: \
///     Get \"https://10.0.0.7:443/apis/a/v1\": dial tcp 10.0.0.7:443: connect: connection refused";
/// assert_eq!(cause_of(message).unwrap().code, "connection-refused");
/// ```
pub fn cause_of(message: &str) -> Option<FailureCause> {
    if let Some(tried) = redirected(message) {
        return cause(find("redirected")?, &[("tried", tried.to_owned())]);
    }
    let lower = message.to_ascii_lowercase();
    let breaking = candidates(&lower).filter(|entry| entry.breaks.is_some());
    let found = breaking.filter_map(|entry| Some((entry, entry.find(message, &lower)?)));
    let (entry, found) = found.min_by_key(|(entry, found)| (entry.weight, Reverse(found.score)))?;
    cause(entry, &found.captures)
}

/// Returns the cause of an entry, for a cause that was not found in a message.
pub fn known_cause(code: &str) -> Option<FailureCause> {
    cause(find(code)?, &[])
}

fn cause(
    entry: &'static KnowledgeEntry,
    captures: &[(&'static str, String)],
) -> Option<FailureCause> {
    let value = |name: &str| captures.iter().find(|(n, _)| *n == name).map(|(_, v)| v.clone());
    Some(FailureCause {
        code: entry.id,
        step: entry.breaks?,
        what: fill(entry.says, value)?,
        advice: &entry.advice,
    })
}

impl KnowledgeEntry {
    /// Returns the best match of the entry's patterns in a statement. `lower` is the statement in
    /// lower case.
    pub(crate) fn find(&self, statement: &str, lower: &str) -> Option<PatternMatch> {
        let found = self.patterns.iter().filter_map(|pattern| pattern.find(statement, lower));
        found.max_by_key(|found| found.score)
    }
}

/// Returns the URL that the server was redirected to: `response from URL: Get "OTHER": …`. Up to
/// 1.25.0 the check followed redirects, so the failure is not between the API server and the
/// Service.
fn redirected(message: &str) -> Option<&str> {
    let (_, tail) = message.split_once("response from ")?;
    let (asked, tail) = tail.split_once(": Get \"")?;
    let (tried, _) = tail.split_once('"')?;
    (tried != asked && !asked.contains(' ')).then_some(tried)
}

#[cfg(test)]
mod tests {
    use super::*;
    use AvailabilityStep::{Address, Discovery, Port, Ready, Tls};

    #[test]
    fn a_redirect_is_not_a_failure_of_the_service() {
        let url = "https://10.0.0.7:443/apis/a.example/v1";
        let message = format!(
            "failing or missing response from {url}: Get \"https://10.0.0.9/login\": dial tcp 10.0.0.9:443: connect: connection refused"
        );
        let cause = cause_of(&message).unwrap();
        assert_eq!((cause.code, cause.step), ("redirected", Discovery));
        assert!(cause.what.ends_with("redirects discovery to https://10.0.0.9/login"));
    }

    /// Checks an error after each prefix that programs put before it.
    fn check(tail: &str, code: &str, step: AvailabilityStep, what: &str) {
        let url = "https://10.0.0.7:443/apis/a.example/v1";
        for message in [
            format!("failing or missing response from {url}: Get \"{url}\": {tail}"),
            format!("no response from {url}: Get {url}: {tail}"),
            format!("error trying to reach service: {tail}"),
            tail.to_owned(),
        ] {
            let cause = cause_of(&message).unwrap_or_else(|| panic!("no cause: {message}"));
            assert_eq!((cause.code, cause.step), (code, step), "{message}");
            assert!(cause.what.contains(what), "{}: {message}", cause.what);
        }
    }

    #[test]
    fn tails_about_certificates() {
        let unknown = "x509: certificate signed by unknown authority";
        check(unknown, "unknown-authority", Tls, "not signed by");
        check(
            &format!("tls: failed to verify certificate: {unknown} (possibly because of \"x\")"),
            "unknown-authority",
            Tls,
            "not signed by",
        );
        check(
            "tls: failed to verify certificate: x509: certificate is valid for a.b.svc, localhost, not web.shop.svc",
            "wrong-name",
            Tls,
            "is for a.b.svc, localhost, not for web.shop.svc",
        );
        let time = "x509: certificate has expired or is not yet valid: current time 2026-01-02T00:00:00Z is";
        check(&format!("{time} after 2025-01-01T00:00:00Z"), "expired", Tls, "expired");
        check(&format!("{time} before 2027-01-01T00:00:00Z"), "not-yet-valid", Tls, "valid yet");
        check(
            "x509: certificate relies on legacy Common Name field, use SANs instead",
            "no-names",
            Tls,
            "subject alternative",
        );
        check(
            "x509: subject with cn=front is not in the allowed list: [a]",
            "client-not-allowed",
            Discovery,
            "client certificate",
        );
        for alert in ["bad certificate", "unknown certificate authority", "certificate required"] {
            let tail = format!("remote error: tls: {alert}");
            check(&tail, "client-certificate-refused", Tls, "client certificate");
        }
        check("remote error: tls: handshake failure", "handshake-broken-off", Tls, "handshake");
        check("http: server gave HTTP response to HTTPS client", "not-tls", Tls, "TLS");
        check("unable to load root certificates", "ca-bundle", Tls, "spec.caBundle");
    }

    #[test]
    fn tails_about_the_network() {
        let refused = "dial tcp 10.0.0.7:443: connect: connection refused";
        check(refused, "connection-refused", Address, "nothing listens");
        check("dial tcp 10.0.0.7:443: i/o timeout", "timeout", Address, "does not answer");
        check("context deadline exceeded", "timeout", Address, "in time");
        check("net/http: TLS handshake timeout", "tls-handshake-timeout", Tls, "handshake");
        check(
            "dial tcp: lookup nowhere.example on 10.96.0.10:53: no such host",
            "no-such-host",
            Address,
            "host name",
        );
        check("dial tcp 10.0.0.7:443: connect: no route to host", "no-route", Address, "no route");
        let reset = "read tcp 10.0.0.1:1->10.0.0.7:443: read: connection reset by peer";
        check(reset, "connection-reset", Address, "then reset");
        let pipe = "write tcp 10.0.0.1:1->10.0.0.7:443: write: broken pipe";
        check(pipe, "connection-reset", Address, "then reset");
        check("proxyconnect tcp: dial tcp 10.9.9.9:3128: i/o timeout", "proxy", Address, "proxy");
        check("EOF", "connection-closed", Discovery, "closed");
    }

    #[test]
    fn a_client_timeout_proves_no_connection() {
        let awaiting = "(Client.Timeout exceeded while awaiting headers)";
        for head in [
            "net/http: request canceled while waiting for connection",
            "context deadline exceeded",
            "net/http: request canceled",
        ] {
            check(&format!("{head} {awaiting}"), "timeout", Address, "");
        }
    }

    #[test]
    fn a_failing_dns_server_is_not_the_extension_server() {
        let lookup = "dial tcp: lookup web.shop.svc on 10.0.0.2:53";
        for tail in [
            "read udp 10.0.0.1:1->10.0.0.2:53: read: connection refused",
            "read udp 10.0.0.1:1->10.0.0.2:53: i/o timeout",
            "server misbehaving",
            "dial udp 10.0.0.2:53: connect: network is unreachable",
        ] {
            check(&format!("{lookup}: {tail}"), "dns", Address, "DNS");
        }
    }

    #[test]
    fn tails_about_tunnels_of_platforms() {
        check("No agent available", "no-agent", Address, "agent");
        check("Address is not allowed", "address-not-allowed", Address, "refuses");
        check(
            "proxy error from 127.0.0.1:6443 while dialing 10.42.0.3:10250, code 502: 502 Bad Gateway",
            "node-tunnel",
            Address,
            "10.42.0.3:10250",
        );
    }

    #[test]
    fn tails_about_services_and_statuses() {
        check("no endpoints available for service \"web\"", "no-endpoints", Ready, "ready");
        check("no service port 443 found for service \"web\"", "no-service-port", Port, "443");
        let kind = "unsupported service type \"ExternalName\"";
        check(kind, "unsupported-service-type", Address, "does not support");
        for (status, code) in [
            ("401", "discovery-unauthorized"),
            ("403", "discovery-forbidden"),
            ("404", "discovery-not-found"),
            ("429", "discovery-overloaded"),
            ("500", "discovery-server-error"),
            ("503", "discovery-server-error"),
            ("418", "discovery-status"),
        ] {
            let tail = format!("bad status from https://10.0.0.7:443/apis/a.example/v1: {status}");
            check(&tail, code, Discovery, "status");
        }
    }

    #[test]
    fn an_unknown_message_has_no_cause() {
        for message in [
            "",
            "all checks passed",
            "service/a in \"b\" is not present",
            "bad status from",
            "x EOFx",
        ] {
            assert_eq!(cause_of(message), None, "{message}");
        }
    }
}
