//! The public threads in which people suffered, each with the dump or the text that its author
//! would have had (names are our own), and the answer that would have helped.
use crate::{aggctl_at_root, finish, repository, run};

struct Scenario {
    /// The folder in `testdata/scenarios`.
    thread: &'static str,
    arguments: &'static [&'static str],
    /// Whether the folder is the source.
    dump: bool,
    /// What the answer must say, on either stream.
    says: &'static [&'static str],
}

fn check(scenario: &Scenario) {
    let Scenario { thread, arguments, dump, says } = scenario;
    let folder = format!("testdata/scenarios/{thread}");
    let mut command = aggctl_at_root(&[]);
    command.env("KUBECONFIG", "/dev/null").env("COLUMNS", "2000");
    command.args(arguments.iter().map(|word| word.replace("HERE", &folder)));
    if *dump {
        command.args(["--dump", &folder]);
    }
    let run = finish(&mut command);
    let text = run.out + &run.err;
    for wanted in *says {
        assert!(text.contains(wanted), "{thread}: {arguments:?} does not say {wanted:?}:\n{text}");
    }
}

const PASTED: &[&str] = &["explain", "--file", "HERE/pasted.txt"];

macro_rules! scenarios {
    ($($name:ident: $thread:literal, $arguments:expr, dump $dump:literal => $says:expr;)*) => {
        $(#[test]
        fn $name() {
            check(&Scenario { thread: $thread, arguments: $arguments, dump: $dump, says: &$says });
        })*
    };
}

scenarios! {
    one_dead_api_service_stops_a_tool: "helm-6361", PASTED, dump true => [
        "APIService v1beta1.custom.harvest.example",
        "not available, ServiceNotFound",
        "it is probably left over: deleting it is safe",
        "1. Its component was removed and the APIService was left behind: its Service is gone. ← likely here",
    ];
    the_rest_of_the_cluster_is_still_shown: "helm-6361", &["apiservices"], dump true => [
        "v1beta1.custom.harvest.example", "ServiceNotFound", "2 built-in APIServices",
    ];
    a_namespace_waits_for_an_api_service: "kubernetes-75788", &["explain", "namespace", "old-team"], dump true => [
        "namespace old-team stays in Terminating: some group versions",
        "NamespaceDeletionDiscoveryFailure",
        "APIService v1beta1.custom.harvest.example",
        "service/harvest-adapter in \"harvest\" is not present",
    ];
    a_namespace_waits_for_finalizers: "kubernetes-75788", &["explain", "namespace", "slow-team"], dump true => [
        "namespace slow-team stays in Terminating: some objects wait for their finalizers",
        "\nNamespaceFinalizersRemaining\n",
        "discovery was fine at the last try, so they do not hold this namespace",
        "  v1beta1.custom.harvest.example  not available (ServiceNotFound)\n",
    ];
    who_has_a_reason_now: "kubernetes-75788", &["explain", "ServiceNotFound"], dump true => [
        "WHERE IT IS SO NOW",
        "APIService v1beta1.custom.harvest.example",
    ];
    available_is_not_the_same_as_fresh: "kubernetes-119662", PASTED, dump true => [
        "available is not the same as fresh",
        "APIService v1.packages.dock.example",
        "available; stale in aggregated discovery",
        "It is Available=True, but fails on discovery",
    ];
    a_firewall_before_the_target_port: "metrics-server-45", PASTED, dump true => [
        "APIService v1beta1.gauge.example",
        "failing or missing response from https://10.96.0.40:443/apis/gauge.example/v1beta1",
        "a tunnel, a network policy. ← likely here",
        "its Service exists, so it is not left over",
    ];
    the_timeout_itself: "metrics-server-45", &["explain", "failing or missing response from https://10.96.0.40:443/apis/gauge.example/v1beta1: context deadline exceeded"], dump false => [
        "A firewall or security group between the control plane and the target port of the Pods",
        "not looked up: no cluster and no dump",
    ];
    pods_that_are_not_ready: "metrics-server-525", PASTED, dump true => [
        "No endpoint is ready on the port that the Service names",
        "The Pods are not ready",
        "The name of the port in the slice is not that of the Service's port",
        "aggctl doctor v1beta1.gauge.example",
        "APIService v1beta1.gauge.example",
    ];
    a_manifest_that_names_no_service: "keda-4772", &["route", "/apis/external.scale.example/v1beta1", "-f", "testdata/scenarios/manifests/keda-4772.yaml"], dump true => [
        "APIService v1beta1.external.scale.example would not be available: service/scale-metrics-apiserver in \"scale\" is not present",
        "NOW", "THEN", "unavailable: status 503",
    ];
    a_certificate_for_another_name: "keda-5946", PASTED, dump false => [
        "The certificate is not valid for the name that the API server asks for",
        "SERVICE.NAMESPACE.svc",
    ];
    a_bundle_that_was_taken_out: "kapp-291", PASTED, dump true => [
        "The certificate is signed by a CA that is not in spec.caBundle",
        "A tool that applies a manifest without caBundle removed",
        "kubectl get apiservice v1alpha1.data.pack.example -o yaml --show-managed-fields",
        "; available",
    ];
    a_certificate_that_has_expired: "linkerd2-3497", PASTED, dump false => [
        "A certificate has expired",
        "group version tap.mesh.example/v1alpha1",
    ];
    endpoint_routing_refuses_external_names: "k3s-7817", PASTED, dump false => [
        "--enable-aggregator-routing",
        "Service fleet/fleet-api",
        "group version fleet.example/v1alpha1",
    ];
    two_adapters_for_one_group_version: "keda-470", &["diff", "-f", "testdata/scenarios/manifests/keda-470.yaml"], dump true => [
        "v1beta1.external.scale.example",
        "leads to monitoring/first-adapter:443 → scale/second-adapter:443",
        "proxied to monitoring/first-adapter → proxied to scale/second-adapter",
    ];
    two_writers_of_one_api_service: "keda-470", &["conflicts"], dump true => [
        "two-owners  APIService v1beta1.external.scale.example",
        "writer: first-adapter-operator",
        "writer: helm",
        "has several writers of spec.service",
    ];
    a_crd_and_an_api_service_on_one_path: "kubernetes-122668", &["conflicts"], dump true => [
        "shadows-crd  orders.till.example/v1",
        "has it: APIService v1.orders.till.example → till/till-api",
        "CRD orders.orders.till.example",
        "/openapi/v2 may fail for all clients",
        "duplicated-path  orders.till.example/v1",
        "is a prefix of paths that",
    ];
    argo_cd_says_unknown: "kubernetes-122668", PASTED, dump true => [
        "A client could not get the OpenAPI document",
        "aggctl conflicts",
    ];
    a_ghost_from_a_backup: "velero-4027", PASTED, dump true => [
        "is local, but nothing serves it (a ghost)",
        "safe to delete",
    ];
    an_api_service_before_the_crds: "calico-12012", &["route", "/apis/nets.wire.example/v3/policies", "--without", "v3.nets.wire.example"], dump true => [
        "NOW", "unavailable: status 503", "takes nets.wire.example/v3 away from CRD policies.nets.wire.example",
        "THEN", "CRD policies.nets.wire.example serves it",
    ];
    another_group_after_an_install: "kubernetes-110218", &["conflicts", "buckets", "bk"], dump true => [
        "picks:  buckets.v1.alpha.cloud.example",
        "not:    buckets.v1.beta.cloud.example",
        "both groups have priority 1000, and then the name of the group decides",
        "kubectl get bk", "no other group has this name",
    ];
    why_one_group_comes_first: "kubernetes-110218", &["order", "--explain", "alpha.cloud.example", "beta.cloud.example"], dump true => [
        "alpha.cloud.example (#20) comes before beta.cloud.example (#21)",
        "both have groupPriorityMinimum 1000",
    ];
    version_names_that_are_not_kube_like: "kubernetes-110218", &["sort-versions", "--explain", "v1api20230101", "v1beta20220101preview", "v1api20180501"], dump false => [
        "1   v1api20180501",
        "not a Kubernetes version: sorted last, by bytes",
    ];
    starting_is_not_the_same_as_missing: "kubernetes-104342", PASTED, dump false => [
        "The API server is still starting",
        "so it answers 503 and not 404",
    ];
    a_bundle_beside_no_verification: "cert-controller-160", PASTED, dump false => [
        "caBundle and insecureSkipTLSVerify exclude each other",
        "APIService v1beta1.external.scale.example",
    ];
    one_line_in_minutes_of_noise: "sofka-78", PASTED, dump false => [
        "line 41:",
        "A client could not get the resources of one group version",
        "group version tap.mesh.example/v1alpha1",
    ];
}

/// Every thread has a scenario.
#[test]
fn every_folder_is_used() {
    let this = std::fs::read_to_string(repository("tests/it/scenarios.rs")).unwrap();
    for entry in std::fs::read_dir(repository("testdata/scenarios")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let used = name == "manifests" || this.contains(&format!("{name:?}"));
        assert!(used, "{name} is in no scenario");
    }
}

/// That a message may be somebody else's is said for the right reason.
#[test]
fn who_else_says_a_message() {
    for (text, words) in [
        ("dial tcp: connect: connection refused", "uses the network or TLS"),
        ("the server could not find the requested resource", "said of CRDs and of built-in"),
        ("Unable to authenticate the request", "such as kube-apiserver itself"),
        ("Failed to scrape node", ""),
    ] {
        let out = run(&["explain", text, "--builtin"]).out;
        let words_of = out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words_of.contains(words), "{out}");
        assert_eq!(out.matches("nothing in the text").count(), usize::from(!words.is_empty()));
    }
}
