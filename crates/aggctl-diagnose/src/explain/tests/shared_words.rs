//! Tests with messages that other programs print too.

use super::*;

/// A message that webhooks and proxies also print is only possibly about the layer, unless the
/// context shows more.
#[test]
fn what_others_say_too_is_possibly_about_the_layer() {
    let said = messages(
        r#"
        request-not-authenticated
            E0101 authentication.go:64] Unable to authenticate the request due to an error: x509: certificate has expired or is not yet valid
        handshake-bad-certificate
            http: TLS handshake error from 10.0.0.9:1234: remote error: tls: bad certificate
        handshake-error-from
            http: TLS handshake error from 10.0.0.9:1234: EOF
        auth-delegator
            subjectaccessreviews.authorization.k8s.io is forbidden: User "system:serviceaccount:shop:proxy" cannot create resource "subjectaccessreviews" in API group "authorization.k8s.io" at the cluster scope
        controller-runtime-resources
            failed to get API group resources: unable to retrieve the complete list of server APIs: shop.example.io/v1: the server could not find the requested resource
        list-failed
            failed to load initial state of resource Cart.shop.example.io: the list is too old
        "#,
    );
    for (id, text) in said {
        let found = explain(text);
        assert_eq!(found.matches[0].entry.id, id, "{text}");
        assert_eq!(found.about, Some(About::Possibly), "{text}");
        let text = format!("{text}\nof an APIService");
        assert_eq!(explain(&text).about, Some(About::AggregationLayer), "{text}");
    }
}

/// A startup message of an extension server is about the layer.
#[test]
fn an_extension_server_that_does_not_start() {
    let text = "unable to load configmap based request-header-client-ca-file: Get \"https://10.0.0.1:443/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication\": dial tcp 10.0.0.1:443: connect: connection refused";
    let found = explain(text);
    assert_eq!(found.matches[0].entry.id, "auth-unreachable");
    assert_eq!(found.about, Some(About::AggregationLayer));
}

/// Only valid names count as names.
#[test]
fn what_cannot_be_a_name_is_none() {
    for text in ["Failed to list *v1.Pod: Unauthorized", "the backup failed with: no space left"] {
        assert!(explain(text).matches.is_empty(), "{text}");
    }
}

/// The HPA describes APIs by their purpose.
#[test]
fn metrics_of_the_autoscaler() {
    check_all(
        r#"
        hpa-fetch external.metrics.k8s.io/v1beta1
            unable to get external metric shop/x/nil: unable to fetch metrics from external metrics API: Internal error occurred: no such query
        hpa-no-data metrics.k8s.io/v1beta1
            failed to get cpu utilization: did not receive metrics for targeted pods
        hpa-missing-request
            missing request for cpu in container web of Pod web-0
        scrape
            E0101 scraper.go:1] "Failed to scrape node" err="Get \"https://10.0.0.4:10250/metrics/resource\": context deadline exceeded"
        "#,
    );
}

/// Messages of operators about their APIServices.
#[test]
fn operators() {
    check_all(
        r#"
        clusteroperator shop.example.io/v1
            APIServicesAvailable: "shop.example.io.v1" is not ready: 503
        auth-config
            missing content for CA bundle "client-ca::kube-system::extension-apiserver-authentication::requestheader-client-ca-file"
        "#,
    );
}

/// Markdown links and lost escape characters do not hide a message.
#[test]
fn what_the_way_does_to_a_text() {
    let url = "https://10.0.0.9:443/apis/shop.example.io/v1";
    let text = format!(
        "failing or missing response from [{url}]({url}): bad status from [{url}]({url}): 403"
    );
    check(&text, "discovery-forbidden", "shop.example.io/v1");
    check_all(
        r#"
        complete-list shop.example.io/v1
            [38;5;196munable to retrieve the complete list of server APIs: shop.example.io/v1: oops[0m
        "#,
    );
}

/// The name or the key usage of a rejected certificate is the first cause.
#[test]
fn why_the_caller_is_refused() {
    let text = "Unable to authenticate the request due to an error: x509: subject with cn=front is not allowed";
    assert!(first_cause(text).contains("--requestheader-allowed-names"));
    let text = r#""Unable to authenticate the request" err="x509: certificate specifies an incompatible key usage""#;
    assert!(first_cause(text).contains("client auth"));
}
