//! Tests of lines from the API server's log.

use super::*;

#[test]
fn lines_of_the_servers_log() {
    check_all(
        r#"
        log-failed-with a.example.io/v1beta1
            E1116 12:00:00 available_controller.go:1] v1beta1.a.example.io failed with: something new
        timeout a.example.io/v1beta1
            E1116 12:00:00 remote_available.go:1] v1beta1.a.example.io failed with: failing or missing response from https://10.0.0.9:443/apis/a.example.io/v1beta1: dial tcp: i/o timeout
        no-endpoints shop/web
            error resolving shop/web: no endpoints available for service "web"
        error-resolving shop/web
            error resolving shop/web: something new
        openapi-aggregation a.example.io/v1beta1
            loading OpenAPI spec for "v1beta1.a.example.io" failed with: failed to retrieve openAPI spec
        missing-apiservice a.example.io/v1 b.example.io/v1
            [-]autoregister-completion failed: missing APIService: [v1.a.example.io v1.b.example.io]
        satisfied-by a.example.io/v1
            kube-aggregator: GET "/apis/a.example.io/v1" satisfied by exact match
            satisfied by prefix /apis/a.example.io/v1/
        satisfied-by
            satisfied by NotFoundHandler
        "#,
    );
}

/// Messages of kube-apiserver about OpenAPI documents.
#[test]
fn the_servers_log_about_openapi() {
    check_all(
        r#"
        openapi-aggregation a.example.io/v1
            E1116 controller.go:146] "Unhandled Error" err="Error updating APIService \"v1.a.example.io\" with err: failed to download v1.a.example.io: resource not found" logger="UnhandledError"
        v2-broken a.example.io/v1
            err="loading OpenAPI spec for \"v1.a.example.io\" failed with: failed to download v1.a.example.io: json: cannot unmarshal Go value of type spec.Swagger: json: cannot unmarshal Go value of type spec.Info: unexpected EOF"
        v3-missing a.example.io/v1
            err="loading OpenAPI spec for \"v1.a.example.io\" failed with: Error, could not get list of group versions for APIService"
        openapi-aggregation a.example.io/v1
            "OpenAPI AggregationController: action for item: Rate Limited Requeue" key="v1.a.example.io"
        duplicated-path a.example.io/v1
            Error in OpenAPI handler: failed to build merge specs: unable to merge: duplicated path /apis/a.example.io/v1/routers
        not-protobuf
            Error in OpenAPI handler: [1,2] $root.definitions.x.properties.a has invalid property: nullable
        "#,
    );
    check(
        "panic: assignment to entry in nil map\nk8s.io/kube-openapi/pkg/aggregator.mergeSpecs(0xa)",
        "kind-on-plain-definition",
        "",
    );
}

/// Messages of OpenAPI aggregation, and of a starting server.
#[test]
fn messages_about_documents_and_health() {
    let said = messages(
        r#"
        duplicated-path
            unable to merge: duplicated path /apis/mill.example.io/v1/gears
            E1116 handler.go:160] Error in OpenAPI handler: failed to build merge specs: unable to merge: duplicated path /apis/mill.example.io/v1/gears
        openapi-aggregation
            loading OpenAPI spec for "v1.mill.example.io" failed with: failed to download v1.mill.example.io: failed to retrieve openAPI spec, http error: ResponseCode: 500, Body: no teeth
            I1116 controller.go:126] OpenAPI AggregationController: action for item v1.mill.example.io: Rate Limited Requeue.
            Error updating APIService "v1.mill.example.io" with err: failed to download v1.mill.example.io: resource not found
            loading OpenAPI spec for "v1.mill.example.io" failed with: OpenAPI spec does not exist
        not-protobuf
            Error in OpenAPI handler: $root.definitions.mill.Gear.properties.teeth has invalid property: oneOf
        kind-on-plain-definition
            E1116 wrap.go:58] http2: panic serving 10.0.0.5:44321: assignment to entry in nil map
        openapi-resources
            Failed to load open api schema while syncing cluster cache: error getting openapi resources: unknown
            error validating data: failed to download openapi: the server is currently unable to handle the request
        hook-failed
            [-]poststarthook/rbac/bootstrap-roles failed: reason withheld
            [-]informer-sync failed: reason withheld
            readyz check failed
            internal server error: not finished
        starting
            3 informers not started yet: [*v1.Node]
        missing-apiservice
            internal server error: missing APIService: [v1.mill.example.io]
        role-not-found
            pods is forbidden: User "bob" cannot list resource "pods" in API group "" in the namespace "a": RBAC: clusterrole.rbac.authorization.k8s.io "edit" not found
            RBAC: [clusterrole.rbac.authorization.k8s.io "a" not found, clusterrole.rbac.authorization.k8s.io "b" not found]
        hook-fatal-soon
            F1116 hooks.go:204] PostStartHook "mill/gears" failed: no teeth
        etcd-down
            [-]etcd failed: error getting data from etcd: EOF
            error getting data from etcd: context deadline exceeded
        shutting-down
            process is shutting down
            apiserver is shutting down
        exclude-has-no-effect
            warn: some health checks cannot be excluded: no matches for "mill,etcd"
        "#,
    );
    for (id, text) in said {
        assert_eq!(first_of(&explain(text)), id, "{text}");
    }
}
