//! Lines of the API server's log.

use super::*;

#[test]
fn lines_of_the_servers_log() {
    check(
        "E1116 12:00:00 available_controller.go:1] v1beta1.a.example.io failed with: something new",
        "log-failed-with",
        "a.example.io/v1beta1",
    );
    check(
        "E1116 12:00:00 remote_available.go:1] v1beta1.a.example.io failed with: failing or missing response from https://10.0.0.9:443/apis/a.example.io/v1beta1: dial tcp: i/o timeout",
        "timeout",
        "a.example.io/v1beta1",
    );
    check(
        r#"error resolving shop/web: no endpoints available for service "web""#,
        "no-endpoints",
        "shop/web",
    );
    check("error resolving shop/web: something new", "error-resolving", "shop/web");
    check(
        r#"loading OpenAPI spec for "v1beta1.a.example.io" failed with: failed to retrieve openAPI spec"#,
        "openapi-aggregation",
        "a.example.io/v1beta1",
    );
    check(
        "[-]autoregister-completion failed: missing APIService: [v1.a.example.io v1.b.example.io]",
        "missing-apiservice",
        "a.example.io/v1 b.example.io/v1",
    );
    check(
        "kube-aggregator: GET \"/apis/a.example.io/v1\" satisfied by exact match",
        "satisfied-by",
        "a.example.io/v1",
    );
    check("satisfied by prefix /apis/a.example.io/v1/", "satisfied-by", "a.example.io/v1");
    check("satisfied by NotFoundHandler", "satisfied-by", "");
}

/// What kube-apiserver logs about OpenAPI documents, as it wraps it today.
#[test]
fn the_servers_log_about_openapi() {
    let of = "a.example.io/v1";
    check(
        r#"E1116 controller.go:146] "Unhandled Error" err="Error updating APIService \"v1.a.example.io\" with err: failed to download v1.a.example.io: resource not found" logger="UnhandledError""#,
        "openapi-aggregation",
        of,
    );
    check(
        r#"err="loading OpenAPI spec for \"v1.a.example.io\" failed with: failed to download v1.a.example.io: json: cannot unmarshal Go value of type spec.Swagger: json: cannot unmarshal Go value of type spec.Info: unexpected EOF""#,
        "v2-broken",
        of,
    );
    check(
        r#"err="loading OpenAPI spec for \"v1.a.example.io\" failed with: Error, could not get list of group versions for APIService""#,
        "v3-missing",
        of,
    );
    check(
        r#""OpenAPI AggregationController: action for item: Rate Limited Requeue" key="v1.a.example.io""#,
        "openapi-aggregation",
        of,
    );
    check(
        "Error in OpenAPI handler: failed to build merge specs: unable to merge: duplicated path /apis/a.example.io/v1/routers",
        "duplicated-path",
        of,
    );
    check(
        "Error in OpenAPI handler: [1,2] $root.definitions.x.properties.a has invalid property: nullable",
        "not-protobuf",
        "",
    );
    check(
        "panic: assignment to entry in nil map\nk8s.io/kube-openapi/pkg/aggregator.mergeSpecs(0xa)",
        "kind-on-plain-definition",
        "",
    );
}
