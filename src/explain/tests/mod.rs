//! Every message that people paste is recognised, and the table is complete.

mod logs;
mod shared_words;

use super::*;

/// A message, the entry that must be told first, and what it is about.
fn check(text: &str, id: &str, about: &str) {
    let found = explain(text);
    let first = found.matches.first().map_or("nothing", |m| m.entry.id);
    assert_eq!(first, id, "{text}");
    let versions = found.subject.group_versions.iter().map(ToString::to_string);
    let rest = found.subject.groups.iter().chain(&found.subject.services).cloned();
    let got: Vec<String> = versions.chain(rest).collect();
    assert_eq!(got.join(" "), about, "{text}");
}

#[test]
fn conditions() {
    for (reason, id) in [
        ("ServiceNotFound", "service-not-found"),
        ("ServiceAccessError", "service-access-error"),
        ("ServicePortError", "service-port-error"),
        ("EndpointsAccessError", "endpoints-access-error"),
        ("EndpointsNotFound", "endpoints-not-found"),
        ("MissingEndpoints", "missing-endpoints"),
        ("FailedDiscoveryCheck", "failed-discovery-check"),
        ("Passed", "passed"),
        ("Local", "local"),
    ] {
        check(reason, id, "");
    }
    check(r#"service/web in "shop" is not present"#, "service-not-found", "shop/web");
    check(
        r#"service/web in "shop" is not listening on port 443"#,
        "service-port-error",
        "shop/web",
    );
    check(
        r#"cannot find endpointslices for service/web in "shop""#,
        "endpoints-not-found",
        "shop/web",
    );
    check(r#"cannot find endpoints for service/web in "shop""#, "endpoints-not-found", "shop/web");
    check(
        r#"endpointslices for service/web in "shop" have no addresses with port name "https""#,
        "missing-endpoints",
        "shop/web",
    );
    check(
        r#"endpoints for service/web in "shop" have no addresses with port name "https""#,
        "missing-endpoints",
        "shop/web",
    );
    check("all checks passed", "passed", "");
    check("Local APIServices are always available", "local", "");
    check(
        "bad status from https://10.0.0.9:443/apis/shop.example.io/v1: 500",
        "discovery-server-error",
        "shop.example.io/v1",
    );
    check(
        "bad status from https://10.0.0.9:443/apis/shop.example.io/v1: 403",
        "discovery-forbidden",
        "shop.example.io/v1",
    );
    check(
        "timed out waiting for https://10.0.0.9:443/apis/shop.example.io/v1",
        "timeout",
        "shop.example.io/v1",
    );
    check("no response from https://10.0.0.9:443: something new", "failed-discovery-check", "");
}

#[test]
fn tails_of_the_discovery_check() {
    for (tail, id) in [
        ("context deadline exceeded", "timeout"),
        ("dial tcp 10.0.0.9:443: i/o timeout", "timeout"),
        ("dial tcp 10.0.0.9:443: connect: connection refused", "connection-refused"),
        ("dial tcp: lookup web.example on 10.0.0.2:53: no such host", "no-such-host"),
        ("x509: certificate signed by unknown authority", "unknown-authority"),
        (
            "x509: certificate has expired or is not yet valid: current time 2026-01-01T00:00:00Z is after 2025-01-01T00:00:00Z",
            "expired",
        ),
        ("x509: certificate is valid for a.shop.svc, b.shop.svc, not 10.0.0.9", "wrong-name"),
        (
            "x509: subject with cn=front-proxy-client is not in the allowed list",
            "client-not-allowed",
        ),
    ] {
        for head in ["failing or missing response from", "no response from"] {
            let url = "https://10.0.0.9:443/apis/shop.example.io/v1";
            check(&format!("{head} {url}: Get \"{url}\": {tail}"), id, "shop.example.io/v1");
        }
    }
}

/// The status of a discovery request decides, and the advice is the doctor's.
#[test]
fn statuses_of_the_discovery_check() {
    let url = "https://10.0.0.9:443/apis/shop.example.io/v1";
    for (status, id, advice) in [
        ("401", "discovery-unauthorized", "front-proxy CA"),
        ("403", "discovery-forbidden", "system:auth-delegator"),
        ("404", "discovery-not-found", "does not serve this group version"),
        ("500", "discovery-server-error", "fails by itself"),
        ("503", "discovery-server-error", "fails by itself"),
        ("429", "discovery-overloaded", "overloaded"),
        ("302", "redirected", ""),
    ] {
        let text = format!(
            "v1.shop.example.io failed with: failing or missing response from {url}: bad status from {url}: {status}"
        );
        check(&text, id, "shop.example.io/v1");
        let cause = explain(&text).cause;
        assert_eq!(cause.is_none(), advice.is_empty(), "{status}");
        assert!(cause.is_none_or(|cause| cause.advice.contains(advice)), "{status}");
    }
}

/// What is about something else than the aggregation layer is said to be.
#[test]
fn messages_about_something_else() {
    for (text, id) in [
        (
            r#"Error from server (InternalError): Internal error occurred: failed calling webhook "x.example.io": failed to call webhook: Post "https://web.shop.svc:443/validate?timeout=10s": no endpoints available for service "web""#,
            "webhook",
        ),
        (
            r#"failed calling webhook "x.example.io": Post "https://web.shop.svc:443/x": x509: certificate signed by unknown authority"#,
            "webhook",
        ),
        (r#"admission webhook "x.example.io" denied the request: service unavailable"#, "webhook"),
        (
            "Error from server: error dialing backend: dial tcp 10.0.0.4:10250: i/o timeout",
            "kubelet",
        ),
        (
            "Unable to connect to the server: x509: certificate signed by unknown authority",
            "unable-to-connect",
        ),
    ] {
        check(text, id, "");
        let found = explain(text);
        assert_eq!(found.matches.len(), 1, "{text}");
        assert_eq!(found.cause, None, "{text}");
    }
    for text in ["upstream: 503 Service Unavailable", "the request is missing user input"] {
        assert!(explain(text).matches.is_empty(), "{text}");
    }
}

#[test]
fn a_redirect_is_told_apart() {
    let redirected = "failing or missing response from https://10.0.0.9:443/apis/shop.example.io/v1: Get \"https://10.0.0.8/login\": connect: connection refused";
    check(redirected, "redirected", "shop.example.io/v1");
}

#[test]
fn messages_of_clients() {
    check(
        "error: Metrics API not available",
        "metrics-api-not-available",
        "metrics.k8s.io/v1beta1",
    );
    check("error: the server doesn't have a resource type \"foo\"", "no-resource-type", "");
    check(
        "Error from server (Timeout): the server was unable to return a response in the time allotted, but may still be processing the request (get carts.shop.example.io)",
        "request-timeout",
        "shop.example.io",
    );

    check(
        "unable to retrieve the complete list of server APIs: a.example.io/v1: the server is currently unable to handle the request, b.example.io/v1beta1: stale GroupVersion discovery: b.example.io/v1beta1",
        "stale",
        "a.example.io/v1 b.example.io/v1beta1",
    );
    check(
        "couldn't get resource list for a.example.io/v1: Unauthorized",
        "discovery-unauthorized",
        "a.example.io/v1",
    );
    check(
        r#"E1116 10:00:00.000000  1 memcache.go:287] "Couldn't get resource list" err="x" groupVersion="a.example.io/v1""#,
        "resource-list",
        "a.example.io/v1",
    );
    check(
        r#"E1116 memcache.go:265] "Couldn't get current server API group list" err="Get \"https://localhost:8080/api\": dial tcp: connect: connection refused""#,
        "group-list",
        "",
    );
    check("the server is currently unable to handle the request", "unable-to-handle", "");
    check(
        "Error from server (NotFound): the server could not find the requested resource",
        "could-not-find",
        "",
    );
    check("stale GroupVersion discovery: a.example.io/v1", "stale", "a.example.io/v1");
    check(
        "Error from server (ServiceUnavailable): the server is currently unable to handle the request (get nodes.metrics.example.io)",
        "unable-to-handle",
        "metrics.example.io",
    );
    check(
        r#"error: resource mapping not found for name: "x": no matches for kind "Cart" in version "shop.example.io/v1""#,
        "no-matches",
        "shop.example.io/v1",
    );
    check(
        "Error: could not get apiVersions from Kubernetes: could not get server groups",
        "helm-api-versions",
        "",
    );
    check(
        "failed to get API group resources: a.example.io/v1: oops",
        "controller-runtime-resources",
        "a.example.io/v1",
    );
    check(
        r#"level=error msg="Failed to discover group" group=a.example.io"#,
        "velero-discover-group",
        "",
    );
    check("ComparisonError: error getting openapi resources: oops", "openapi-resources", "");
}

#[test]
fn bodies_of_the_server() {
    check("service unavailable", "service-unavailable", "");
    check("error trying to reach service: EOF", "connection-closed", "");
    check("error trying to reach service: something new", "trying-to-reach", "");
    check(
        "error trying to reach service: x509: certificate is valid for a, not web.shop.svc",
        "wrong-name",
        "shop/web",
    );
    check("missing user", "missing-user", "");
    check("404 page not found", "could-not-find", "");
    check(
        "the request has been made before all known HTTP paths have been installed, please try again",
        "paths-not-installed",
        "",
    );
    check(r#"no endpoints available for service "web""#, "no-endpoints", "");
    check(r#"no service port 443 found for service "web""#, "no-service-port", "");
    check(r#"unsupported service type "ExternalName""#, "unsupported-service-type", "");
    check(
        "spec.insecureSkipTLSVerify: Invalid value: true: may not be true if caBundle is present",
        "both-bundle-and-insecure",
        "",
    );
}

#[test]
fn namespaces() {
    check(
        "Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: a.example.io/v1: the server is currently unable to handle the request",
        "namespace-stuck",
        "a.example.io/v1",
    );
    check("reason: DiscoveryFailed", "namespace-stuck", "");
}

/// Whether a text is taken to be about the aggregation layer.
#[test]
fn what_is_elsewhere_is_said_to_be() {
    let check = |text: &str, about: Option<About>| assert_eq!(explain(text).about, about, "{text}");
    for text in [
        "Failed to pull image \"x\": Get https://registry.example/v2/: dial tcp 10.0.0.9:443: connect: no route to host",
        "Readiness probe failed: Get \"https://10.0.0.9:8443/readyz\": dial tcp 10.0.0.9:8443: connect: connection refused",
        "The connection to the server 10.0.0.9:6443 was refused - did you specify the right host or port?",
        "failed to list *v1.Pod: Get \"https://10.0.0.1:443/api/v1/pods\": x509: certificate signed by unknown authority",
        "carts.shop.example.io is forbidden: User \"a\" cannot list resource \"carts\" in API group \"shop.example.io\"",
        "NamespaceDeletionDiscoveryFailure False x ResourcesDiscovered All resources successfully discovered\nNamespaceContentRemaining True x SomeResourcesRemain Some resources are remaining: carts.shop.example.io has 1 resource instances",
        "Error: 'dial tcp 10.0.0.9:8443: connect: connection refused'\nTrying to reach: 'https://10.0.0.9:8443/healthz'",
    ] {
        check(text, Some(About::Elsewhere));
    }
    for text in [
        "dial tcp 10.0.0.9:443: i/o timeout",
        "x509: certificate signed by unknown authority",
        "the server could not find the requested resource",
    ] {
        check(text, Some(About::Possibly));
        check(&format!("kubectl get apiservices\n{text}"), Some(About::AggregationLayer));
    }
    check("v1.a.example.io failed with: dial tcp: i/o timeout", Some(About::AggregationLayer));
    check("my cat is sad", None);
}

/// The same words mean something else in the log of the extension server.
#[test]
fn which_side_speaks() {
    for (text, id) in [
        (
            "E0101 authentication.go:64] Unable to authenticate the request due to an error: x509: certificate signed by unknown authority (candidate authority certificate \"front-proxy-ca\")",
            "request-not-authenticated",
        ),
        (
            "configmaps \"extension-apiserver-authentication\" is forbidden: User \"system:serviceaccount:shop:web\" cannot get resource \"configmaps\" in API group \"\"",
            "auth-reader",
        ),
        (
            "failed calling webhook \"x.example.io\": the server is currently unable to handle the request",
            "webhook-through-aggregator",
        ),
    ] {
        let found = explain(text);
        assert_eq!(found.matches[0].entry.id, id, "{text}");
        assert_eq!(found.about, Some(About::AggregationLayer), "{text}");
        assert_eq!(found.cause, None, "{text}");
    }
}

/// What the paste has decides which cause comes first.
#[test]
fn causes_are_in_the_order_of_the_evidence() {
    let first = |text: &str| Report::new(explain(text), vec![], None).answers[0].causes[0].text;
    let list = "unable to retrieve the complete list of server APIs: a.example.io/v1: the server is currently unable to handle the request";
    assert!(first(list).contains("is not up"));
    let gone = format!("{list}\nv1.a.example.io shop/web False (ServiceNotFound) 3d");
    assert!(first(&gone).contains("left behind"), "{}", first(&gone));
    let both = list.replace(": a.example.io/v1", ": b.example.net/v1: x, a.example.io/v1");
    assert!(first(&both).contains("control plane cannot reach"), "{}", first(&both));
    let pipe = "v1.a.example.io failed with: failing or missing response from https://10.0.0.9:443/apis/a.example.io/v1: write: broken pipe";
    assert!(first(pipe).contains("kept connection"));
}

/// Commands have the names of the paste, all of them, and nothing is deleted first.
#[test]
fn commands_run_as_they_are() {
    let text = "NAME SERVICE AVAILABLE AGE\nv1.a.example.io   shop/web   False (FailedDiscoveryCheck)   3d\nv1.b.example.io   shop/web   False (FailedDiscoveryCheck)   3d\n";
    let report = Report::new(explain(text), vec![], None);
    let commands: Vec<&str> = report.answers[0].next.iter().map(|s| s.command.as_str()).collect();
    assert_eq!(commands[0], "aggctl doctor v1.a.example.io v1.b.example.io");
    assert!(commands.contains(&"kubectl -n shop logs service/web --tail=50"), "{commands:?}");
    assert!(commands.contains(&"kubectl get --raw /apis/b.example.io/v1"), "{commands:?}");
    assert!(commands.iter().all(|c| !c.contains('{') || c.contains("jsonpath")), "{commands:?}");
}

#[test]
fn a_reason_alone_asks_for_those_that_have_it() {
    for (text, want) in [
        ("MissingEndpoints", "MissingEndpoints"),
        ("reason: ServiceNotFound", "ServiceNotFound"),
        ("stale", "stale"),
        ("ghost", "ghost"),
        ("ServiceNotFound: service/web in \"shop\" is not present", ""),
        ("connection refused", ""),
    ] {
        let states: Vec<&str> = explain(text).subject.states.into_iter().collect();
        assert_eq!(states.join(" "), want, "{text}");
    }
    assert_eq!(state_of("missing-endpoints"), Some("MissingEndpoints"));
}

#[test]
fn noise_around_a_message_does_not_hide_it() {
    let text = "+ helm upgrade --install web ./chart\nwalk.go:74: found symbolic link\n\u{1b}[31mError: UPGRADE FAILED: unable to build kubernetes objects: unable to retrieve the complete list of server APIs: a.example.io/v1: something new\u{1b}[0m\n+ exit 1\n";
    let found = explain(text);
    assert_eq!((found.matches[0].entry.id, found.matches[0].line), ("complete-list", 3));
    check(text, "complete-list", "a.example.io/v1");
}

#[test]
fn what_is_not_known_is_said_with_what_comes_near() {
    let found = explain("endpoints of service web have got no adresses");
    assert!(found.matches.is_empty());
    assert!(
        found.nearest.iter().any(|entry| entry.id == "missing-endpoints"),
        "{:?}",
        found.nearest.iter().map(|e| e.id).collect::<Vec<_>>()
    );
    assert!(explain("").matches.is_empty());
    for text in ["my cat is sad", "why is everything broken today", "helm upgrade failed", ""] {
        assert!(explain(text).nearest.is_empty(), "{text}");
    }
    let near = |text: &str| explain(text).nearest.iter().map(|e| e.id).collect::<Vec<_>>();
    assert_eq!(near("missing-endpoint").first(), Some(&"missing-endpoints"));
}
