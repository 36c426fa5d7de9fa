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

/// Every message that OpenAPI aggregation and the start of a server are known for, each as a
/// program prints it.
#[test]
fn messages_about_documents_and_health() {
    for (text, id) in [
        ("unable to merge: duplicated path /apis/mill.example.io/v1/gears", "duplicated-path"),
        (
            "E1116 handler.go:160] Error in OpenAPI handler: failed to build merge specs: unable to merge: duplicated path /apis/mill.example.io/v1/gears",
            "duplicated-path",
        ),
        (
            r#"loading OpenAPI spec for "v1.mill.example.io" failed with: failed to download v1.mill.example.io: failed to retrieve openAPI spec, http error: ResponseCode: 500, Body: no teeth"#,
            "openapi-aggregation",
        ),
        (
            "I1116 controller.go:126] OpenAPI AggregationController: action for item v1.mill.example.io: Rate Limited Requeue.",
            "openapi-aggregation",
        ),
        (
            r#"Error updating APIService "v1.mill.example.io" with err: failed to download v1.mill.example.io: resource not found"#,
            "openapi-aggregation",
        ),
        (
            r#"loading OpenAPI spec for "v1.mill.example.io" failed with: OpenAPI spec does not exist"#,
            "openapi-aggregation",
        ),
        (
            "Error in OpenAPI handler: $root.definitions.mill.Gear.properties.teeth has invalid property: oneOf",
            "not-protobuf",
        ),
        (
            "E1116 wrap.go:58] http2: panic serving 10.0.0.5:44321: assignment to entry in nil map",
            "kind-on-plain-definition",
        ),
        (
            "Failed to load open api schema while syncing cluster cache: error getting openapi resources: unknown",
            "openapi-resources",
        ),
        (
            "error validating data: failed to download openapi: the server is currently unable to handle the request",
            "openapi-resources",
        ),
        ("[-]poststarthook/rbac/bootstrap-roles failed: reason withheld", "hook-failed"),
        ("[-]informer-sync failed: reason withheld", "hook-failed"),
        ("readyz check failed", "hook-failed"),
        ("internal server error: not finished", "hook-failed"),
        ("3 informers not started yet: [*v1.Node]", "starting"),
        ("internal server error: missing APIService: [v1.mill.example.io]", "missing-apiservice"),
        (
            "the request has been made before all known HTTP paths have been installed, please try again",
            "paths-not-installed",
        ),
        (
            r#"pods is forbidden: User "bob" cannot list resource "pods" in API group "" in the namespace "a": RBAC: clusterrole.rbac.authorization.k8s.io "edit" not found"#,
            "role-not-found",
        ),
        (
            r#"RBAC: [clusterrole.rbac.authorization.k8s.io "a" not found, clusterrole.rbac.authorization.k8s.io "b" not found]"#,
            "role-not-found",
        ),
        ("service unavailable", "service-unavailable"),
        (r#"F1116 hooks.go:204] PostStartHook "mill/gears" failed: no teeth"#, "hook-fatal-soon"),
        ("[-]etcd failed: error getting data from etcd: EOF", "etcd-down"),
        ("error getting data from etcd: context deadline exceeded", "etcd-down"),
        ("process is shutting down", "shutting-down"),
        ("apiserver is shutting down", "shutting-down"),
        (
            r#"warn: some health checks cannot be excluded: no matches for "mill,etcd""#,
            "exclude-has-no-effect",
        ),
    ] {
        let found = explain(text);
        assert_eq!(found.matches.first().map_or("nothing", |m| m.entry.id), id, "{text}");
    }
}
