//! Tests what users get who mistype a name or take one thing for another: what is wrong, and what
//! they probably mean.

use crate::{Place, Run, repository, run, run_on, session};

fn on_the_sample(arguments: &[&str]) -> Run {
    run_on(&repository("examples/cluster"), arguments)
}

#[test]
fn mistyped_names_get_a_suggestion() {
    insta::assert_snapshot!(session(on_the_sample, [
        "access v1.catalog.shop.exmple",
        "access v1beta1.metrics",
        "access podz",
        "access nosuch",
        "explain v1.catalog.shop.exmple",
        "usage examples/audit.log --apiservice v1.catalog.shop.exmple",
        "discovery app",
        "discovery apps/v2",
        "discovery metrcs.k8s.io",
        "discovery v1beta1.metrics.k8s.io",
        "discovery deployments",
        "discovery v2",
        "discovery nosuch",
    ]), @r#"
    $ aggctl access v1.catalog.shop.exmple
    2> error: "v1.catalog.shop.exmple" is neither a path nor a resource nor an APIService in the source
    2> hint: did you mean v1.catalog.shop.example?
    [exit 2]

    $ aggctl access v1beta1.metrics
    2> error: "v1beta1.metrics" is neither a path nor a resource nor an APIService in the source
    2> hint: did you mean v1beta1.metrics.k8s.io?
    [exit 2]

    $ aggctl access podz
    2> error: "podz" is neither a path nor a resource nor an APIService in the source
    2> hint: did you mean pod?
    [exit 2]

    $ aggctl access nosuch
    2> error: "nosuch" is neither a path nor a resource nor an APIService in the source
    2> hint: write paths in full: /apis/GROUP/VERSION/RESOURCE
    [exit 2]

    $ aggctl explain v1.catalog.shop.exmple
    2> error: no APIService "v1.catalog.shop.exmple" in the source
    2> hint: did you mean v1.catalog.shop.example?
    [exit 2]

    $ aggctl usage examples/audit.log --apiservice v1.catalog.shop.exmple
    2> error: no APIService "v1.catalog.shop.exmple" in the source
    2> hint: did you mean v1.catalog.shop.example?
    [exit 2]

    $ aggctl discovery app
    2> error: no discovery document at /apis/app
    2> hint: did you mean apps?
    [exit 2]

    $ aggctl discovery apps/v2
    2> error: no discovery document at /apis/apps/v2
    2> hint: this group has apps/v1
    [exit 2]

    $ aggctl discovery metrcs.k8s.io
    2> error: no discovery document at /apis/metrcs.k8s.io
    2> hint: did you mean metrics.k8s.io?
    [exit 2]

    $ aggctl discovery v1beta1.metrics.k8s.io
    2> error: no discovery document at /apis/v1beta1.metrics.k8s.io
    2> hint: did you mean metrics.k8s.io/v1beta1?
    [exit 2]

    $ aggctl discovery deployments
    2> error: no discovery document at /apis/deployments
    2> hint: apps/v1 lists deployments; run `aggctl discovery apps/v1`
    [exit 2]

    $ aggctl discovery v2
    2> error: no discovery document at /api/v2
    2> hint: this group has v1
    [exit 2]

    $ aggctl discovery nosuch
    2> error: no discovery document at /apis/nosuch
    2> hint: discovery documents are at /api, /api/v1, /apis, /apis/GROUP and /apis/GROUP/VERSION
    [exit 2]
    "#);
}

#[test]
fn one_thing_taken_for_another_is_named() {
    insta::assert_snapshot!(session(on_the_sample, [
        "client get pods -n shop",
        "client describe pods web",
        "explain README.md",
        "explain ns/old-team -o name",
        "route delete ns shop",
        "apiservices -o nosuch",
    ]), @r#"
    $ aggctl client get pods -n shop
    kubectl get pods -n shop
    as kubectl 1.37 does it (--kubectl-version picks another)

    Documents
      groups      the server, aggregated discovery v2
      resources   25 lists from the server

    Lookup
      pods        a plural name
      uses        pods (v1)
      ignored     pods (metrics.k8s.io/v1beta1)
      reason      the core group precedes all others

    Request
      GET /api/v1/namespaces/shop/pods?limit=500

    GET /api/v1/namespaces/shop/pods    list pods in namespace shop (core/v1)

      │ kube-aggregator   APIService v1. is local
      ✓ kube-apiserver    built-in v1 serves this resource

    200 from kube-apiserver.

    $ aggctl client describe pods web
    2> error: `kubectl describe` is not supported
    2> hint: name types as for `kubectl get`, such as `aggctl client pods`
    [exit 2]

    $ aggctl explain README.md
    2> error: "README.md" is a file, not a text
    2> hint: read it with `aggctl explain --file README.md`
    [exit 2]

    $ aggctl explain ns/old-team -o name
    apiservice/v1.billing.shop.example
    apiservice/v1.inventory.shop.example

    $ aggctl route delete ns shop
    2> error: "shop" is neither a path nor a resource in the source
    2> hint: write an object as ns/shop
    [exit 2]

    $ aggctl apiservices -o nosuch
    2> error: invalid value 'nosuch' for '--output <FORMAT>'
    2>   [possible values: table, wide, json, yaml, kyaml, jsonl, name, csv, markdown, jsonpath=, go-template=, custom-columns=]
    2>
    2> For more information, try '--help'.
    [exit 2]
    "#);
    insta::assert_snapshot!(session(run, [
        "doctor --control-plane examples/cluster",
        "verify --server http://127.0.0.1:9",
        "dump nowhere --server http://127.0.0.1:9",
        "doctor --server http://127.0.0.1:9",
        "usage --builtin",
    ]), @"
    $ aggctl doctor --control-plane examples/cluster
    2> error: examples/cluster has no folder with the dump of an API server
    2> hint: if it is the dump of one server, use --dump examples/cluster
    [exit 3]

    $ aggctl verify --server http://127.0.0.1:9
    2> error: cannot read cluster 127.0.0.1:9: connection refused
    2> hint: name another cluster with --context, --kubeconfig or --server
    [exit 3]

    $ aggctl dump nowhere --server http://127.0.0.1:9
    2> error: cannot read cluster 127.0.0.1:9: connection refused
    2> hint: name another cluster with --context, --kubeconfig or --server
    [exit 3]

    $ aggctl doctor --server http://127.0.0.1:9
    2> error: cannot read cluster 127.0.0.1:9: connection refused
    2> hint: use --dump or --builtin to run without a cluster
    [exit 3]

    $ aggctl usage --builtin
    2> error: built-in Kubernetes 1.37 has no request metrics
    2> hint: pass audit logs, or name a cluster or a dump; built-in data has none
    [exit 3]
    ");
}

/// An answer without rows says so, and unknown data does not read as none.
#[test]
fn empty_answers_are_sentences() {
    insta::assert_snapshot!(session(on_the_sample, [
        "usage examples/audit.log --client nosuch",
        "usage examples/audit.log --without v1.inventory.shop.example --by client",
        "upgrade 1.37",
        "upgrade 1.36",
    ]), @"
    $ aggctl usage examples/audit.log --client nosuch
    No requests match the filters.

    64 events in the log, from 2026-11-17T09:00:49Z to 2026-11-17T09:59:42Z; 64
    excluded by filters. Requests that the audit policy drops are not counted.

    $ aggctl usage examples/audit.log --without v1.inventory.shop.example --by client
    17 of 64 requests would end differently. 0 of them succeed now and would fail.

    system:serviceaccount:shop:web web/2.1: 14 requests
      ~ unavailable (shop/inventory) → not-found, 14 requests

    jane kubectl/v1.36: 3 requests
      ~ unavailable (shop/inventory) → not-found, 3 requests

    64 events in the log, from 2026-11-17T09:00:49Z to 2026-11-17T09:59:42Z.
    Requests that the audit policy drops are not counted.

    $ aggctl upgrade 1.37
    from dump examples/cluster, Kubernetes 1.36
    to   Kubernetes 1.37

    Found nothing that breaks.

    NEW  4
    + 1.37  certificates.k8s.io/v1 adds clustertrustbundles, podcertificaterequests
    + 1.37  resource.k8s.io/v1 adds devicetaintrules
    + 1.37  storage.k8s.io/v1 adds csinodes/status
    + 1.37  storagemigration.k8s.io/v1: storageversionmigrations

    $ aggctl upgrade 1.36
    from dump examples/cluster, Kubernetes 1.36
    to   Kubernetes 1.36

    Nothing changes.
    ");
    let place = Place::with(&[("version.json", r#"{"gitVersion": "v1.36.4"}"#)]);
    let chain = place.ask(&["chain"]).out;
    let custom = chain.split_once("apiextensions-apiserver  ").unwrap().1;
    insta::assert_snapshot!(custom, @"
    serves custom resources
    ├─ itself     apiextensions.k8s.io/v1
    ├─ CRDs       unknown; they are not in the source
    │
    ▼ everything else
    404
    ");
    let mermaid = place.ask(&["chain", "-o", "mermaid"]).out;
    assert!(mermaid.contains("apiextensions-apiserver<br>CRDs unknown"), "{mermaid}");
}

/// What could not be checked does not read as clean.
#[test]
fn an_empty_answer_names_what_was_checked() {
    let place = Place::with(&[("version.json", r#"{"gitVersion": "v1.36.4"}"#)]);
    insta::assert_snapshot!(session(|arguments| place.ask(arguments), [
        "conflicts",
        "apiservices --issues",
    ]), @"
    $ aggctl conflicts
    No conflicts in what could be checked.
    2> warning: APIServices are not in the source; inferred those that must exist, others may be missing
    2> warning: CRDs are not in the source; custom resources are inferred from the rest of the source

    $ aggctl apiservices --issues
    No issues in what could be checked.
    2> warning: APIServices are not in the source; inferred those that must exist, others may be missing
    2> warning: CRDs are not in the source; custom resources are inferred from the rest of the source
    ");
    insta::assert_snapshot!(session(on_the_sample, [
        "openapi --definition nosuch",
        "order --form openapi-v2 autoscaling",
        "route ns/shop web",
        "discovery ns/x",
    ]), @r#"
    $ aggctl openapi --definition nosuch
    2> warning: the document /openapi/v2 is not in the source
    2> warning: the index /openapi/v3 is not in the source
    2> error: cannot merge: /openapi/v2 is not in the source
    2> hint: add the output of `kubectl get --raw /openapi/v2` to the dump
    [exit 3]

    $ aggctl order --form openapi-v2 autoscaling
    2> error: no group "autoscaling" in this order
    2> hint: list them with `aggctl order --form openapi-v2 -o name --dump examples/cluster`
    [exit 2]

    $ aggctl route ns/shop web
    2> error: "web" is neither a path nor a resource in the source
    2> hint: write paths in full: /apis/GROUP/VERSION/RESOURCE
    [exit 2]

    $ aggctl discovery ns/x
    2> error: no discovery document at /apis/ns/x
    2> hint: v1 lists namespaces; run `aggctl discovery v1`
    [exit 2]
    "#);
    let unseen = on_the_sample(&["client", "items"]).out;
    insta::assert_snapshot!(unseen.split_once("Request\n").unwrap().1, @r#"
    none        kubectl prints: error: the server doesn't have a resource type
                "items"
    unseen      the resources of billing.shop.example/v1,
                inventory.shop.example/v1, which are unavailable or Stale
    "#);
}
