//! The tail of an error message, in plain words.
//!
//! The aggregator's condition messages, its 503 bodies and the errors that clients print all end
//! in what Go's network and TLS code said. [`cause_of`] knows those tails, whatever stands before.

use crate::availability::Step;

/// What an error message says went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cause {
    /// A stable word for it, such as `unknown-authority`.
    pub code: &'static str,
    /// Which link of the walk to the extension API server it breaks.
    pub link: Step,
    /// What happened, as a phrase.
    pub what: String,
    /// Where to look first, as a sentence.
    pub advice: &'static str,
}

/// How a tail is recognised: all of these words occur, in any order.
struct Row {
    words: &'static [&'static str],
    code: &'static str,
    link: Step,
    what: &'static str,
    advice: &'static str,
}

const fn row(
    words: &'static [&'static str],
    code: &'static str,
    link: Step,
    what: &'static str,
    advice: &'static str,
) -> Row {
    Row { words, code, link, what, advice }
}

const NETWORK: &str = "Look for a network policy, a firewall or a security group between the control plane and the target port of the Pods, and for a Pod that hangs.";
const SLOW: &str = "Look for a firewall that drops packets between the control plane and the target port of the Pods, and for an extension API server that is overloaded.";
const CLIENT: &str = "The extension API server must trust the front-proxy CA and allow its client names: see the ConfigMap kube-system/extension-apiserver-authentication.";

/// The first row that fits counts, so the special ones come before the general ones.
const ROWS: &[Row] = &[
    row(
        &["x509: certificate signed by unknown authority"],
        "unknown-authority",
        Step::Tls,
        "the serving certificate is not signed by a CA that the API server trusts for it",
        "Put the CA that signed the serving certificate into spec.caBundle, or let whoever rotates the certificate do so.",
    ),
    row(
        &["x509: certificate specifies an incompatible key usage"],
        "key-usage",
        Step::Tls,
        "the serving certificate is not meant for servers",
        "Issue a certificate with the extended key usage \"server auth\".",
    ),
    row(
        &["x509: certificate relies on legacy Common Name field"],
        "no-names",
        Step::Tls,
        "the serving certificate has no subject alternative names, only a common name",
        "Issue a certificate with the subject alternative name that the API server asks for.",
    ),
    row(
        &["is not valid for any names, but wanted to match"],
        "no-names",
        Step::Tls,
        "the serving certificate has no subject alternative names",
        "Issue a certificate with the subject alternative name that the API server asks for.",
    ),
    row(
        &["x509: certificate has expired or is not yet valid", "is before"],
        "not-yet-valid",
        Step::Tls,
        "a certificate is not valid yet",
        "Compare the clocks of the control plane and of whoever issued the certificate.",
    ),
    row(
        &["x509: certificate has expired"],
        "expired",
        Step::Tls,
        "a certificate has expired, the serving one or one of spec.caBundle",
        "Renew the serving certificate and restart the extension API server if it does not reload it; compare the clocks.",
    ),
    row(
        &["x509: subject with cn=", "is not in the allowed list"],
        "client-name-refused",
        Step::Discovery,
        "the extension API server does not allow the API server's client certificate",
        CLIENT,
    ),
    row(
        &["remote error: tls: bad certificate"],
        "client-certificate-refused",
        Step::Tls,
        "the extension API server refused the API server's client certificate",
        CLIENT,
    ),
    row(
        &["remote error: tls: unknown certificate authority"],
        "client-certificate-refused",
        Step::Tls,
        "the extension API server does not trust the API server's client certificate",
        CLIENT,
    ),
    row(
        &["remote error: tls: certificate required"],
        "client-certificate-refused",
        Step::Tls,
        "the extension API server wants a client certificate and got none",
        CLIENT,
    ),
    row(
        &["server gave HTTP response to HTTPS client"],
        "not-tls",
        Step::Tls,
        "the server speaks plain HTTP, not TLS",
        "Point the Service's targetPort at the port that speaks TLS.",
    ),
    row(
        &["first record does not look like a TLS handshake"],
        "not-tls",
        Step::Tls,
        "what answers does not speak TLS",
        "Point the Service's targetPort at the port that speaks TLS.",
    ),
    row(
        &["unable to load root certificates"],
        "bad-bundle",
        Step::Tls,
        "spec.caBundle holds no certificate that can be read",
        "Write the PEM of the CA into spec.caBundle, encoded as base64 once.",
    ),
    row(
        &["remote error: tls:"],
        "tls",
        Step::Tls,
        "the extension API server broke off the TLS handshake",
        "Look at the log of the extension API server.",
    ),
    row(
        &["x509:"],
        "certificate",
        Step::Tls,
        "the serving certificate was not accepted",
        "Look at the certificate that is served: aggctl doctor --direct, from inside the cluster's network.",
    ),
    row(
        &["tls:"],
        "tls",
        Step::Tls,
        "the TLS handshake failed",
        "Look at the certificate that is served: aggctl doctor --direct, from inside the cluster's network.",
    ),
    row(
        &["proxyconnect tcp"],
        "proxy",
        Step::Address,
        "the API server went through an HTTP proxy of its environment, and that failed",
        "Add the Service network to NO_PROXY of kube-apiserver.",
    ),
    row(
        &["no such host"],
        "no-such-host",
        Step::Address,
        "the host name cannot be resolved by the API server",
        "The control plane's own DNS decides, which often does not know the cluster's names; check externalName.",
    ),
    row(
        &["server misbehaving"],
        "no-such-host",
        Step::Address,
        "the API server's DNS failed to resolve the host name",
        "The control plane's own DNS decides; check externalName.",
    ),
    row(
        &["connection refused"],
        "connection-refused",
        Step::Address,
        "connection refused: the host is there, but nobody listens on the port",
        "Check that the process listens on the Service's targetPort, on all addresses and not on 127.0.0.1 only.",
    ),
    row(
        &["no route to host"],
        "no-route",
        Step::Address,
        "there is no way from the API server to the address",
        "The control plane must reach the Service network and the Pod network: look at kube-proxy, routes and firewalls there.",
    ),
    row(
        &["network is unreachable"],
        "no-route",
        Step::Address,
        "there is no way from the API server to the address",
        "The control plane must reach the Service network and the Pod network: look at kube-proxy, routes and firewalls there.",
    ),
    row(
        &["connection reset by peer"],
        "connection-reset",
        Step::Address,
        "the connection was made and then broken off",
        "Look at the log of the extension API server, and for a proxy or a service mesh sidecar in between.",
    ),
    row(
        &["no endpoints available for service"],
        "no-endpoints",
        Step::Ready,
        "no endpoint of the Service is ready",
        "Look at the Pods behind the Service.",
    ),
    row(
        &["no service port", "found for service"],
        "no-port",
        Step::Port,
        "the Service has no such port",
        "Compare spec.service.port of the APIService with the Service's ports.",
    ),
    row(
        &["unsupported service type"],
        "unsupported-service-type",
        Step::Address,
        "endpoint routing (--enable-aggregator-routing) refuses a Service of this type",
        "Use a Service with a cluster IP, or a kube-apiserver without that flag.",
    ),
    row(
        &["cannot route to service with ClusterIP \"None\""],
        "headless",
        Step::Address,
        "a headless Service has no address to dial",
        "Give the Service a cluster IP.",
    ),
    row(
        &["TLS handshake timeout"],
        "timeout",
        Step::Tls,
        "the connection was made, but the TLS handshake did not end in time",
        SLOW,
    ),
    row(
        &["Client.Timeout exceeded while awaiting headers"],
        "timeout",
        Step::Discovery,
        "no answer came in time",
        SLOW,
    ),
    row(&["i/o timeout"], "timeout", Step::Address, "the address does not answer at all", NETWORK),
    row(
        &["connection timed out"],
        "timeout",
        Step::Address,
        "the address does not answer at all",
        NETWORK,
    ),
    row(
        &["context deadline exceeded"],
        "timeout",
        Step::Address,
        "no answer came within the 5 s that the API server gives",
        SLOW,
    ),
    row(
        &["timed out waiting for"],
        "timeout",
        Step::Address,
        "no answer came within the 5 s that the API server gives",
        SLOW,
    ),
    row(
        &["request canceled"],
        "timeout",
        Step::Address,
        "no answer came within the time that the API server gives",
        SLOW,
    ),
    row(
        &["http2: "],
        "http",
        Step::Discovery,
        "the HTTP/2 connection broke",
        "Look at the log of the extension API server.",
    ),
];

/// Every tail that is known, for tests.
#[cfg(test)]
pub(crate) fn tails() -> impl Iterator<Item = (String, &'static str)> {
    ROWS.iter().map(|row| (row.words.join(" "), row.code))
}

/// Reads the cause off an error message: a condition's, a 503 body's or a client's.
///
/// `None` where the message has no tail that is known; nothing is guessed.
///
/// ```
/// use aggctl::knowledge::cause_of;
/// let message = "failing or missing response from https://10.0.0.7:443/apis/a/v1: \
///     Get \"https://10.0.0.7:443/apis/a/v1\": dial tcp 10.0.0.7:443: connect: connection refused";
/// assert_eq!(cause_of(message).unwrap().code, "connection-refused");
/// ```
pub fn cause_of(message: &str) -> Option<Cause> {
    if let Some(cause) = redirected(message).or_else(|| wrong_name(message)) {
        return Some(cause);
    }
    if let Some(row) = ROWS.iter().find(|row| row.words.iter().all(|word| message.contains(word))) {
        return Some(Cause {
            code: row.code,
            link: row.link,
            what: row.what.to_owned(),
            advice: row.advice,
        });
    }
    if let Some(cause) = bad_status(message) {
        return Some(cause);
    }
    let end = message.trim_end();
    (end == "EOF" || end.ends_with(": EOF") || end.ends_with("unexpected EOF")).then(|| Cause {
        code: "connection-closed",
        link: Step::Discovery,
        what: "the connection was closed before an answer came".to_owned(),
        advice: "Look at the log of the extension API server, and for a proxy or a service mesh sidecar in between.",
    })
}

/// `response from URL: Get "OTHER": …`: up to 1.25.0 the check followed redirects, and what failed
/// is then no part of the way to the Service.
fn redirected(message: &str) -> Option<Cause> {
    let (_, tail) = message.split_once("response from ")?;
    let (asked, tail) = tail.split_once(": Get \"")?;
    let (tried, _) = tail.split_once('"')?;
    (tried != asked).then(|| Cause {
        code: "redirected",
        link: Step::Discovery,
        what: format!("the extension API server redirects discovery to {tried}"),
        advice: "Discovery must answer by itself, at its own address.",
    })
}

/// `x509: certificate is valid for A, B, not C`
fn wrong_name(message: &str) -> Option<Cause> {
    let (_, tail) = message.split_once("x509: certificate is valid for ")?;
    let (valid, asked) = tail.rsplit_once(", not ")?;
    let asked = asked.split([' ', '"', '\'', ')', ']', ',']).next().unwrap_or(asked);
    Some(Cause {
        code: "wrong-name",
        link: Step::Tls,
        what: format!("the serving certificate is for {valid}, not for {asked}"),
        advice: "Issue a serving certificate whose subject alternative names have the name that the API server asks for.",
    })
}

/// `bad status from URL: 403`, and what `kubectl` makes of statuses.
fn bad_status(message: &str) -> Option<Cause> {
    let (_, tail) = message.split_once("bad status from ")?;
    let digits = |word: &&str| word.len() == 3 && word.bytes().all(|b| b.is_ascii_digit());
    let status = tail.split([' ', ':', ',', ')', '"']).rfind(digits)?;
    let advice = match status {
        "401" => CLIENT,
        "403" => {
            "The extension API server refused the API server itself: it lacks the role binding to system:auth-delegator or to extension-apiserver-authentication-reader, or forbids discovery to system:kube-aggregator."
        }
        "404" => {
            "The extension API server does not serve this group version: compare the versions of the APIService and of the server that runs."
        }
        "429" => "The extension API server turns requests away because it is overloaded.",
        _ if status.starts_with('5') => {
            "Look at the log of the extension API server: it fails by itself."
        }
        _ if status.starts_with('3') => {
            "Discovery must answer by itself: the API server does not follow a redirect elsewhere."
        }
        _ => "Look at the log of the extension API server.",
    };
    Some(Cause {
        code: "bad-status",
        link: Step::Discovery,
        what: format!("the extension API server answers discovery with status {status}"),
        advice,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redirect_is_not_the_way_to_the_service() {
        let url = "https://10.0.0.7:443/apis/a.example/v1";
        let message = format!(
            "failing or missing response from {url}: Get \"https://10.0.0.9/login\": dial tcp 10.0.0.9:443: connect: connection refused"
        );
        let cause = cause_of(&message).unwrap();
        assert_eq!((cause.code, cause.link), ("redirected", Step::Discovery));
        assert!(cause.what.ends_with("redirects discovery to https://10.0.0.9/login"));
    }

    #[test]
    fn tails_of_messages() {
        let check = |tail: &str, code: &str, link: Step, what: &str| {
            let url = "https://10.0.0.7:443/apis/a.example/v1";
            for message in [
                format!("failing or missing response from {url}: Get \"{url}\": {tail}"),
                format!("no response from {url}: Get {url}: {tail}"),
                format!("error trying to reach service: {tail}"),
                tail.to_owned(),
            ] {
                let cause = cause_of(&message).unwrap_or_else(|| panic!("{message}"));
                assert_eq!((cause.code, cause.link), (code, link), "{message}");
                assert!(cause.what.contains(what), "{message}: {}", cause.what);
            }
        };
        use Step::{Address, Discovery, Port, Ready, Tls};
        check(
            "tls: failed to verify certificate: x509: certificate signed by unknown authority",
            "unknown-authority",
            Tls,
            "not signed by",
        );
        check(
            "x509: certificate signed by unknown authority (possibly because of \"crypto/rsa: verification error\" while trying to verify candidate authority certificate \"ca\")",
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
        check(
            "x509: certificate has expired or is not yet valid: current time 2026-01-02T00:00:00Z is after 2025-01-01T00:00:00Z",
            "expired",
            Tls,
            "expired",
        );
        check(
            "x509: certificate has expired or is not yet valid: current time 2026-01-02T00:00:00Z is before 2027-01-01T00:00:00Z",
            "not-yet-valid",
            Tls,
            "not valid yet",
        );
        check(
            "x509: certificate relies on legacy Common Name field, use SANs instead",
            "no-names",
            Tls,
            "subject alternative",
        );
        check(
            "x509: subject with cn=front is not in the allowed list",
            "client-name-refused",
            Discovery,
            "client certificate",
        );
        check(
            "remote error: tls: bad certificate",
            "client-certificate-refused",
            Tls,
            "client certificate",
        );
        check("http: server gave HTTP response to HTTPS client", "not-tls", Tls, "plain HTTP");
        check(
            "dial tcp 10.0.0.7:443: connect: connection refused",
            "connection-refused",
            Address,
            "nobody listens",
        );
        check("dial tcp 10.0.0.7:443: i/o timeout", "timeout", Address, "does not answer");
        check("context deadline exceeded", "timeout", Address, "5 s");
        check(
            "context deadline exceeded (Client.Timeout exceeded while awaiting headers)",
            "timeout",
            Discovery,
            "no answer",
        );
        check("net/http: TLS handshake timeout", "timeout", Tls, "handshake");
        check(
            "dial tcp: lookup nowhere.example on 10.96.0.10:53: no such host",
            "no-such-host",
            Address,
            "resolved",
        );
        check("dial tcp 10.0.0.7:443: connect: no route to host", "no-route", Address, "no way");
        check(
            "read tcp 10.0.0.1:1->10.0.0.7:443: read: connection reset by peer",
            "connection-reset",
            Address,
            "broken off",
        );
        check("proxyconnect tcp: dial tcp 10.9.9.9:3128: i/o timeout", "proxy", Address, "proxy");
        check(
            "bad status from https://10.0.0.7:443/apis/a.example/v1: 403",
            "bad-status",
            Discovery,
            "status 403",
        );
        check("no endpoints available for service \"web\"", "no-endpoints", Ready, "ready");
        check("no service port 443 found for service \"web\"", "no-port", Port, "no such port");
        check(
            "unsupported service type \"ExternalName\"",
            "unsupported-service-type",
            Address,
            "refuses",
        );
        check("EOF", "connection-closed", Discovery, "closed");
    }

    #[test]
    fn what_is_not_known_has_no_cause() {
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

    #[test]
    fn codes_are_words_and_advice_is_a_sentence() {
        for row in ROWS {
            assert!(row.code.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{}", row.code);
            assert!(row.advice.ends_with('.'), "{}", row.advice);
            assert!(!row.what.ends_with('.'), "{}", row.what);
        }
    }
}
