//! Tests that pasted messages are recognized.

mod claims;
mod commands;
mod logs;
mod mechanisms;
mod shared_words;

use super::*;

/// Checks the first entry of a message and the names in it.
fn check(text: &str, id: &str, about: &str) {
    let found = explain(text);
    assert_eq!(first_of(&found), id, "{text}");
    assert_eq!(names(&found.subject), about, "{text}");
}

/// Checks messages. Each is indented below its expected first entry and names.
fn check_all(text: &str) {
    for (head, message) in messages(text) {
        let (id, about) = head.split_once(' ').unwrap_or((head, ""));
        check(message, id, about);
    }
}

/// Splits a text into messages, one per line, each with the heading above it.
fn messages(text: &str) -> Vec<(&str, &str)> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let of_heads = lines().map(indent).min();
    let (mut head, mut found) = ("", vec![]);
    for line in lines() {
        match Some(indent(line)) == of_heads {
            true => head = line.trim(),
            false => found.push((head, line.trim())),
        }
    }
    found
}

fn first_of(found: &Explanation) -> &'static str {
    found.matches.first().map_or("nothing", |one| one.entry.id)
}

/// Returns the likeliest cause of the first entry.
fn first_cause(text: &str) -> String {
    ExplainReport::new(explain(text), vec![], None).answers[0].causes[0].text.clone()
}

/// Formats all names in a text.
pub(super) fn names(subject: &TextSubject) -> String {
    let versions = subject.group_versions.iter().map(ToString::to_string);
    let rest = subject.groups.iter().chain(&subject.services).cloned();
    versions.chain(rest).collect::<Vec<_>>().join(" ")
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
    check_all(
        r#"
        service-not-found shop/web
            service/web in "shop" is not present
        service-port-error shop/web
            service/web in "shop" is not listening on port 443
        endpoints-not-found shop/web
            cannot find endpointslices for service/web in "shop"
            cannot find endpoints for service/web in "shop"
        missing-endpoints shop/web
            endpointslices for service/web in "shop" have no addresses with port name "https"
            endpoints for service/web in "shop" have no addresses with port name "https"
        passed
            all checks passed
        local
            Local APIServices are always available
        discovery-server-error shop.example.io/v1
            bad status from https://10.0.0.9:443/apis/shop.example.io/v1: 500
        discovery-forbidden shop.example.io/v1
            bad status from https://10.0.0.9:443/apis/shop.example.io/v1: 403
        timeout shop.example.io/v1
            timed out waiting for https://10.0.0.9:443/apis/shop.example.io/v1
        failed-discovery-check
            no response from https://10.0.0.9:443: something new
        "#,
    );
}

#[test]
fn tails_of_the_discovery_check() {
    let tails = messages(
        r#"
        timeout
            context deadline exceeded
            dial tcp 10.0.0.9:443: i/o timeout
        connection-refused
            dial tcp 10.0.0.9:443: connect: connection refused
        no-such-host
            dial tcp: lookup web.example on 10.0.0.2:53: no such host
        unknown-authority
            x509: certificate signed by unknown authority
        expired
            x509: certificate has expired or is not yet valid: current time 2026-01-01T00:00:00Z is after 2025-01-01T00:00:00Z
        wrong-name
            x509: certificate is valid for a.shop.svc, b.shop.svc, not 10.0.0.9
        client-not-allowed
            x509: subject with cn=front-proxy-client is not in the allowed list
        "#,
    );
    for (id, tail) in tails {
        for head in ["failing or missing response from", "no response from"] {
            let url = "https://10.0.0.9:443/apis/shop.example.io/v1";
            check(&format!("{head} {url}: Get \"{url}\": {tail}"), id, "shop.example.io/v1");
        }
    }
}

/// The status of a discovery request decides. The advice is the same as in doctor.
#[test]
fn statuses_of_the_discovery_check() {
    let url = "https://10.0.0.9:443/apis/shop.example.io/v1";
    for (status, id, advice) in [
        ("401", "discovery-unauthorized", "front-proxy CA"),
        ("403", "discovery-forbidden", "system:auth-delegator"),
        ("404", "discovery-not-found", "does not serve this group version"),
        ("500", "discovery-server-error", "fails itself"),
        ("503", "discovery-server-error", "fails itself"),
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

/// Messages about something else are recognized as such.
#[test]
fn messages_about_something_else() {
    let said = messages(
        r#"
        webhook
            Error from server (InternalError): Internal error occurred: failed calling webhook "x.example.io": failed to call webhook: Post "https://web.shop.svc:443/validate?timeout=10s": no endpoints available for service "web"
            failed calling webhook "x.example.io": Post "https://web.shop.svc:443/x": x509: certificate signed by unknown authority
            admission webhook "x.example.io" denied the request: service unavailable
        kubelet
            Error from server: error dialing backend: dial tcp 10.0.0.4:10250: i/o timeout
        unable-to-connect
            Unable to connect to the server: x509: certificate signed by unknown authority
        "#,
    );
    for (id, text) in said {
        let found = explain(text);
        assert_eq!(first_of(&found), id, "{text}");
        assert!(found.subject.group_versions.is_empty(), "{text}");
        assert_eq!(found.matches.len(), 1, "{text}");
        assert_eq!(found.cause, None, "{text}");
    }
    for text in ["upstream: 503 Service Unavailable", "the request is missing user input"] {
        assert!(explain(text).matches.is_empty(), "{text}");
    }
}

#[test]
fn a_redirect_is_recognized() {
    let redirected = "failing or missing response from https://10.0.0.9:443/apis/shop.example.io/v1: Get \"https://10.0.0.8/login\": connect: connection refused";
    check(redirected, "redirected", "shop.example.io/v1");
}

#[test]
fn messages_of_clients() {
    check_all(
        r#"
        metrics-api-not-available metrics.k8s.io/v1beta1
            error: Metrics API not available
        no-resource-type
            error: the server doesn't have a resource type "foo"
        request-timeout shop.example.io
            Error from server (Timeout): the server was unable to return a response in the time allotted, but may still be processing the request (get carts.shop.example.io)
        stale a.example.io/v1 b.example.io/v1beta1
            unable to retrieve the complete list of server APIs: a.example.io/v1: the server is currently unable to handle the request, b.example.io/v1beta1: stale GroupVersion discovery: b.example.io/v1beta1
        discovery-unauthorized a.example.io/v1
            couldn't get resource list for a.example.io/v1: Unauthorized
        resource-list a.example.io/v1
            E1116 10:00:00.000000  1 memcache.go:287] "Couldn't get resource list" err="x" groupVersion="a.example.io/v1"
        group-list
            E1116 memcache.go:265] "Couldn't get current server API group list" err="Get \"https://localhost:8080/api\": dial tcp: connect: connection refused"
        unable-to-handle
            the server is currently unable to handle the request
        could-not-find
            Error from server (NotFound): the server could not find the requested resource
        stale a.example.io/v1
            stale GroupVersion discovery: a.example.io/v1
        unable-to-handle metrics.example.io
            Error from server (ServiceUnavailable): the server is currently unable to handle the request (get nodes.metrics.example.io)
        no-matches shop.example.io/v1
            error: resource mapping not found for name: "x": no matches for kind "Cart" in version "shop.example.io/v1"
        helm-api-versions
            Error: could not get apiVersions from Kubernetes: could not get server groups
        controller-runtime-resources a.example.io/v1
            failed to get API group resources: a.example.io/v1: oops
        velero-discover-group
            level=error msg="Failed to discover group" group=a.example.io
        openapi-resources
            ComparisonError: error getting openapi resources: oops
        "#,
    );
}

#[test]
fn bodies_of_the_server() {
    check_all(
        r#"
        service-unavailable
            service unavailable
        connection-closed
            error trying to reach service: EOF
        trying-to-reach
            error trying to reach service: something new
        wrong-name shop/web
            error trying to reach service: x509: certificate is valid for a, not web.shop.svc
        missing-user
            missing user
        could-not-find
            404 page not found
        paths-not-installed
            the request has been made before all known HTTP paths have been installed, please try again
        no-endpoints
            no endpoints available for service "web"
        no-service-port
            no service port 443 found for service "web"
        unsupported-service-type
            unsupported service type "ExternalName"
        both-bundle-and-insecure
            spec.insecureSkipTLSVerify: Invalid value: true: may not be true if caBundle is present
        "#,
    );
}

#[test]
fn namespaces() {
    check_all(
        r#"
        namespace-stuck a.example.io/v1
            Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: a.example.io/v1: the server is currently unable to handle the request
        namespace-stuck
            reason: DiscoveryFailed
        "#,
    );
}

#[test]
fn texts_about_something_else_are_marked() {
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

/// The same words have another meaning in the log of an extension server.
#[test]
fn logs_of_extension_servers() {
    let said = messages(
        r#"
        request-not-authenticated
            E0101 authentication.go:64] Unable to authenticate the request due to an error: x509: certificate signed by unknown authority (candidate authority certificate "front-proxy-ca")
        auth-reader
            configmaps "extension-apiserver-authentication" is forbidden: User "system:serviceaccount:shop:web" cannot get resource "configmaps" in API group ""
        webhook-through-aggregator
            failed calling webhook "x.example.io": the server is currently unable to handle the request
        "#,
    );
    for (id, text) in said {
        let found = explain(text);
        assert_eq!(found.matches[0].entry.id, id, "{text}");
        assert_eq!(found.about, Some(About::AggregationLayer), "{text}");
        assert_eq!(found.cause, None, "{text}");
    }
}

/// The rest of the paste decides which cause is ranked first.
#[test]
fn causes_are_in_the_order_of_the_evidence() {
    let list = "unable to retrieve the complete list of server APIs: a.example.io/v1: the server is currently unable to handle the request";
    assert!(first_cause(list).contains("not running"));
    let gone = format!("{list}\nv1.a.example.io shop/web False (ServiceNotFound) 3d");
    assert!(first_cause(&gone).contains("left behind"), "{}", first_cause(&gone));
    let both = list.replace(": a.example.io/v1", ": b.example.net/v1: x, a.example.io/v1");
    assert!(first_cause(&both).contains("control plane cannot reach"), "{}", first_cause(&both));
    let pipe = "v1.a.example.io failed with: failing or missing response from https://10.0.0.9:443/apis/a.example.io/v1: write: broken pipe";
    assert!(first_cause(pipe).contains("connection that died"));
}

/// Commands contain all names in the paste, and the first command never deletes anything.
#[test]
fn commands_run_as_they_are() {
    let text = "NAME SERVICE AVAILABLE AGE\nv1.a.example.io   shop/web   False (FailedDiscoveryCheck)   3d\nv1.b.example.io   shop/web   False (FailedDiscoveryCheck)   3d\n";
    let report = ExplainReport::new(explain(text), vec![], None);
    let commands: Vec<&str> = report.answers[0].next.iter().map(|s| s.command.as_str()).collect();
    assert_eq!(commands[0], "kubectl describe apiservice v1.a.example.io v1.b.example.io");
    assert_eq!(commands[1], "aggctl doctor v1.a.example.io v1.b.example.io");
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
    let near = |text: &str| explain(text).nearest.iter().map(|e| e.id).collect::<Vec<_>>();
    let unknown = "endpoints of service web have got no adresses";
    assert!(explain(unknown).matches.is_empty() && explain("").matches.is_empty());
    assert!(near(unknown).contains(&"missing-endpoints"), "{:?}", near(unknown));
    for text in ["my cat is sad", "why is everything broken today", "helm upgrade failed", ""] {
        assert!(near(text).is_empty(), "{text}");
    }
    assert_eq!(near("missing-endpoint").first(), Some(&"missing-endpoints"));
}
