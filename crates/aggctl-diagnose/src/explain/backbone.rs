//! Finds the context of a paste: which program printed it, which connection failed, which backend
//! it is about, and what the words prove or rule out.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;

use super::statement::Statement;
use super::subject::{TextSubject, of_api_service};
use crate::knowledge::{GroupKind, group_kind};
use kube_aggregation::model::words;

words! {
    /// The program that printed the message.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Speaker {
        Alert = "Prometheus, with an alert about kube-apiserver's own metrics",
        AvailabilityCheck = "kube-apiserver's availability check",
        OpenApiController = "kube-apiserver's OpenAPI controller",
        Proxy = "kube-apiserver, which proxied the request",
        Autoscaler = "the HorizontalPodAutoscaler controller; kube-apiserver's answer follows the last colon",
        ControllerManager = "kube-controller-manager, which lists all APIs; kube-apiserver's answer follows the group version",
        CertManager = "cert-manager, which calls the solver through kube-apiserver",
        Client = "a client that lists all APIs; kube-apiserver's answer follows the group version",
    }
}

words! {
    /// The connection that failed.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Direction {
        /// From kube-apiserver to the server behind an APIService.
        ToBackend = "kube-apiserver to the extension server",
        /// From a client to kube-apiserver: no APIService is involved.
        ToApiServer = "client to kube-apiserver",
    }
}

/// What a paste shows besides its message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Backbone {
    /// The program that printed it.
    pub speaker: Option<Speaker>,
    /// The connection that failed.
    pub direction: Option<Direction>,
    /// The component behind the APIServices, if the paste is about one known component.
    pub component: Option<&'static str>,
    /// The port that kube-apiserver dialed, unless it is the usual one of a Service.
    pub port: Option<u16>,
    /// What usually serves the groups, if they agree.
    pub kind: Option<GroupKind>,
    /// Whether the client that cannot reach kube-apiserver is a Pod; `None` if it is unknown.
    pub in_pod: Option<bool>,
    /// The address of a Pod or Service that could not be used.
    pub address: Option<Ipv4Addr>,
}

/// Words that only one program prints, the most telling first.
const SPEAKERS: &[(Speaker, &[&str])] = &[
    (Speaker::Alert, &["aggregatedapidown", "aggregatedapierrors", "alertname"]),
    (
        Speaker::CertManager,
        &["presenting challenge", "cleaning up challenge", "controller/challenges"],
    ),
    (
        Speaker::AvailabilityCheck,
        &[
            "available_controller",
            "failing or missing response",
            "no response from https",
            "faileddiscoverycheck",
            "missingendpoints",
            "servicenotfound",
        ],
    ),
    (Speaker::Autoscaler, &["horizontal-pod-autoscaler", "the hpa ", "metrics api: "]),
    (
        Speaker::ControllerManager,
        &[
            "resource_quota_controller",
            "garbagecollector",
            "namespacedeletiondiscoveryfailure",
            "discovery failed for some groups",
        ],
    ),
    (Speaker::OpenApiController, &["openapi aggregationcontroller", "loading openapi spec"]),
    (Speaker::Proxy, &["trying to reach"]),
    (Speaker::Client, &["complete list of server apis", "couldn't get resource list"]),
];

impl Backbone {
    /// Collects the facts from a text, in lower case, and from the names in it.
    pub(super) fn of(lower: &str, subject: &TextSubject, statements: &[Statement]) -> Self {
        let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        let to_backend =
            says(&["failing or missing response", "trying to reach", "failed with: get"]);
        let direction = if statements.iter().any(|one| is_client_connection(&one.text)) {
            Some(Direction::ToApiServer)
        } else {
            to_backend.then_some(Direction::ToBackend)
        };
        let port = to_backend.then(|| dialed_port(lower)).flatten();
        let in_pod = match direction {
            Some(Direction::ToApiServer) => hosts(lower).next().map(is_in_cluster),
            _ => None,
        };
        let address = match direction {
            Some(Direction::ToApiServer) => None,
            _ => dialed_address(lower),
        };
        let mut found = Self { direction, port, in_pod, address, ..Self::default() };
        found.set_groups(subject);
        found
    }

    /// Sets what serves the groups.
    pub(super) fn set_groups(&mut self, subject: &TextSubject) {
        let mut kinds: Vec<GroupKind> = subject.all_groups().map(group_kind).collect();
        kinds.dedup();
        self.kind = if let [kind] = kinds.as_slice() { Some(*kind) } else { None };
        self.component = match self.kind {
            Some(GroupKind::Extension(name)) if !name.is_empty() => Some(name),
            _ => None,
        };
    }

    /// Sets the program that printed a statement, in lower case.
    pub(super) fn set_speaker(&mut self, statement: &str) {
        let says = |words: &[&str]| words.iter().any(|word| statement.contains(word));
        let found = SPEAKERS.iter().find(|(_, words)| says(words));
        self.speaker = found.map(|(speaker, _)| *speaker);
    }

    /// Returns the facts as evidence for and against causes.
    pub(super) fn evidence(&self, lower: &str, subject: &TextSubject) -> BTreeSet<&'static str> {
        let mut all = BTreeSet::new();
        let mut add = |holds: bool, tag| {
            if holds {
                all.insert(tag);
            }
        };
        add(self.kind == Some(GroupKind::Crds), "crd-group");
        add(matches!(self.kind, Some(GroupKind::Extension(_))), "extension-group");
        // Without a TCP connection, a slow server is not the cause.
        let dial = lower.contains("waiting for connection")
            || lower.contains("dial tcp") && lower.contains("i/o timeout");
        add(dial, "dial-timeout");
        add(lower.contains("169.254."), "link-local");
        add(
            lower.contains(":443: connect") || lower.contains(":443: getsockopt"),
            "service-address",
        );
        add(lower.contains("time allotted"), "answers-504");
        add(lower.contains("service \"") && lower.contains("\" not found"), "service-gone");
        add(lower.contains("has been only") && !lower.contains("only 0%"), "flaps");
        add(sibling_works(lower), "sibling-works");
        add(self.in_pod == Some(true), "from-pod");
        add(self.in_pod == Some(false), "from-outside");
        let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        // TLS and HTTP errors come after a TCP connection: the network and the address are fine.
        add(says(&CONNECTED), "connected");
        let tunnel = lower.contains("while dialing") && lower.contains(", code ");
        let bad_gateway = says(&["code 502", "http/1.1 502"]);
        add(bad_gateway, "tunnel-reached");
        add(tunnel && !bad_gateway, "tunnel-down");
        let serves = |group: &str| subject.all_groups().any(|one| one == group);
        add(serves("metrics.k8s.io"), "resource-metrics");
        add(serves("custom.metrics.k8s.io"), "custom-metrics");
        add(serves("external.metrics.k8s.io"), "external-metrics");
        all
    }
}

/// Returns the hosts of all URLs, with their ports.
fn hosts(lower: &str) -> impl Iterator<Item = &str> {
    let urls = lower.match_indices("https://").filter_map(|(at, s)| lower.get(at + s.len()..));
    urls.filter_map(|rest| rest.split(['/', '"', '\'', ' ', ')']).next())
}

/// Errors that follow a TCP connection.
const CONNECTED: [&str; 6] =
    ["x509:", "tls: ", ": eof", "stream error", "http2: ", "server gave http response"];

/// Returns the first address that a program dialed, unless it is its own host.
fn dialed_address(lower: &str) -> Option<Ipv4Addr> {
    let marks = ["dial tcp ", "while dialing ", "->", "https://", "http://"];
    let found = marks.iter().flat_map(|mark| {
        let after = lower.match_indices(mark).filter_map(|(at, s)| lower.get(at + s.len()..));
        after.filter_map(|rest| {
            rest.split(|c: char| !(c.is_ascii_digit() || c == '.')).next()?.parse().ok()
        })
    });
    found.into_iter().find(|address: &Ipv4Addr| !address.is_loopback() && !address.is_unspecified())
}

/// Returns the first port of a dialed address that is not 443.
fn dialed_port(lower: &str) -> Option<u16> {
    let mut ports =
        hosts(lower).filter_map(|host| host.rsplit_once(':')?.1.trim_end_matches(':').parse().ok());
    ports.find(|port| *port != 443)
}

/// Returns whether a host is the Service `kubernetes` in `default`: its name, or a private address
/// with the port of a Service. Clients outside the cluster use a name, a public address or
/// another port.
fn is_in_cluster(host: &str) -> bool {
    let (name, port) = host.split_once(':').unwrap_or((host, "443"));
    let shared = |address: Ipv4Addr| matches!(address.octets(), [100, 64..=127, ..]);
    let private = |address: Ipv4Addr| address.is_private() || shared(address);
    name.starts_with("kubernetes.default")
        || name == "kubernetes"
        || port == "443" && name.parse().is_ok_and(private)
}

/// Returns whether a table lists two APIServices of one Service, of which one is available.
fn sibling_works(lower: &str) -> bool {
    let mut of_service: BTreeMap<&str, BTreeSet<bool>> = BTreeMap::new();
    for line in lower.lines() {
        let mut words = line.split_whitespace().map(|word| word.trim_matches(['`', '|', '>']));
        let mut words = words.by_ref().filter(|word| !word.is_empty());
        if let (Some(name), Some(service), Some(available)) =
            (words.next(), words.next(), words.next())
            && of_api_service(name).is_some()
            && service.contains('/')
        {
            of_service.entry(service).or_default().insert(available == "true");
        }
    }
    of_service.values().any(|seen| seen.len() > 1)
}

/// Paths below /api/v1 that Prometheus and other programs serve, not kube-apiserver.
const NOT_KUBERNETES: [&str; 6] = ["series", "query", "labels", "label", "dashboard", "overview"];

/// Returns whether a statement is about a client's own connection to kube-apiserver: a Kubernetes
/// path on a host that is not a Service, directly followed by a network or TLS error.
pub(super) fn is_client_connection(statement: &str) -> bool {
    let service = |host: &str| host.contains(".svc") && !host.starts_with("kubernetes.default");
    failed_requests(statement, |host, path| !service(host) && is_kubernetes(path))
}

/// Returns whether a statement is about a request of a program to another server: neither
/// kube-apiserver nor the API of an extension server.
pub(super) fn is_other_request(statement: &str) -> bool {
    let probed = |path: &str| {
        ["healthz", "readyz", "livez", "swagger.json"].iter().any(|one| path.starts_with(one))
    };
    failed_requests(statement, |_, path| !path.is_empty() && !is_kubernetes(path) && !probed(path))
}

/// Returns whether a path is one of kube-apiserver or of an extension API server.
fn is_kubernetes(path: &str) -> bool {
    let mut segments = path.split(['/', '?']);
    match segments.next() {
        Some("api") => !segments.nth(1).is_some_and(|word| NOT_KUBERNETES.contains(&word)),
        Some("apis" | "openapi" | "version") => true,
        _ => false,
    }
}

/// Returns whether a statement contains a request to a host and path that directly failed with a
/// network or TLS error. Requests of kube-apiserver to servers behind it do not count.
fn failed_requests(statement: &str, is: impl Fn(&str, &str) -> bool) -> bool {
    let lower = statement.to_ascii_lowercase();
    let to_backend = [
        "response from http",
        "trying to reach",
        "failed with: ",
        "webhook",
        "error dialing backend",
    ];
    if to_backend.iter().any(|words| lower.contains(words)) {
        return false;
    }
    let verbs = ["get ", "post ", "put ", "patch ", "delete ", "head ", "list "];
    lower.match_indices("://").any(|(at, mark)| {
        let (before, rest) =
            (lower.get(..at).unwrap_or_default(), lower.get(at + mark.len()..).unwrap_or_default());
        let before =
            before.trim_end_matches("https").trim_end_matches("http").trim_end_matches(['"', '\'']);
        let asked = verbs.iter().any(|verb| before.ends_with(verb));
        let Some((host, path)) = rest.split_once('/') else { return false };
        let (path, tail) = match path.split_once(": ") {
            Some((path, tail)) if !path.contains(' ') => (path.trim_end_matches(['"', '\'']), tail),
            _ => return false,
        };
        asked && is_network_error(tail) && is(host, path)
    })
}

/// Returns whether a text begins with an error of Go's network or TLS code.
fn is_network_error(tail: &str) -> bool {
    const ERRORS: [&str; 16] = [
        "dial ",
        "x509:",
        "tls:",
        "eof",
        "net/http:",
        "context deadline",
        "read tcp",
        "write tcp",
        "http2:",
        "stream error",
        "proxyconnect",
        "remote error",
        "unexpected eof",
        "http: server gave",
        "connection refused",
        "i/o timeout",
    ];
    ERRORS.iter().any(|error| tail.starts_with(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn direction_follows_from_the_url() {
        for (text, want) in [
            (r#"Get "https://203.0.113.7:6443/openapi/v2?timeout=32s": EOF"#, true),
            (
                "Failed to list *v1.Node: Get https://10.96.0.1:443/api/v1/nodes?limit=500: dial tcp 10.96.0.1:443: i/o timeout",
                true,
            ),
            (
                "Get https://kubernetes.default.svc/apis/apps/v1: x509: certificate signed by unknown authority",
                true,
            ),
            (
                r#"failing or missing response from https://10.0.0.9:443/apis/a.example.io/v1: Get "https://10.0.0.9:443/apis/a.example.io/v1": EOF"#,
                false,
            ),
            (
                r#"Get "http://prometheus:9090/api/v1/series?match=x": dial tcp: lookup prometheus: no such host"#,
                false,
            ),
            ("Get https://web.shop.svc:443/apis/a.example.io/v1: EOF", false),
            (r#"Post "https://hook.shop.svc:443/convert": EOF"#, false),
        ] {
            assert_eq!(is_client_connection(text), want, "{text}");
        }
    }

    #[test]
    fn a_table_shows_whether_a_service_works_for_another_api_service() {
        let table = "v1.a.example.io   shop/web   false (faileddiscoverycheck)   1d\n";
        assert!(sibling_works(&format!("{table}v1.b.example.io   shop/web   true   1d")));
        assert!(!sibling_works(&format!("{table}v1.b.example.io   shop/other   true   1d")));
    }

    #[test]
    fn the_host_shows_where_the_client_runs() {
        for (host, want) in [
            ("kubernetes.default.svc", true),
            ("10.96.0.1:443", true),
            ("10.96.0.1", true),
            ("10.1.2.3:6443", false),
            ("100.64.0.1:443", true),
            ("203.0.113.7:443", false),
            ("api.shop.example:443", false),
        ] {
            assert_eq!(is_in_cluster(host), want, "{host}");
        }
    }

    #[test]
    fn a_request_to_another_server() {
        for (text, want) in [
            ("Get https://broker.shop.svc:1338/v2/catalog: x509: certificate has expired", true),
            (r#"Post "http://mail.shop.example/send": dial tcp: i/o timeout"#, true),
            ("Get https://10.0.0.9:443/apis/a.example.io/v1: EOF", false),
            ("v1.a.example.io failed with: Get https://10.0.0.9:443/x: EOF", false),
            ("Get https://10.0.0.9:443: EOF", false),
        ] {
            assert_eq!(is_other_request(text), want, "{text}");
        }
    }

    #[test]
    fn the_dialed_address_is_found() {
        let found = |text| dialed_address(text).map(|address| address.to_string());
        assert_eq!(found("dial tcp 10.0.0.9:443: refused").as_deref(), Some("10.0.0.9"));
        assert_eq!(
            found("proxy error from 127.0.0.1:6443 while dialing 10.0.0.8:1, code 502").as_deref(),
            Some("10.0.0.8")
        );
        assert_eq!(found("get \"https://10.0.0.7:4443/readyz\": eof").as_deref(), Some("10.0.0.7"));
        assert_eq!(found("dial tcp 127.0.0.1:8080"), None);
    }

    #[test]
    fn the_dialed_port_is_found() {
        assert_eq!(dialed_port("from https://10.0.0.9:6443/apis/x/v1: eof"), Some(6443));
        assert_eq!(dialed_port("from https://10.0.0.9:443: eof"), None);
    }
}
