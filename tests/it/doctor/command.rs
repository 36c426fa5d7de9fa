//! Tests `aggctl doctor` on small clusters: formats, errors, and missing data.

use serde_json::Value;

use super::world::World;
use crate::{Place, Run, aggctl, finish, json, session};

/// Runs doctor on a cluster, at the fixed time of the tests.
pub(crate) fn doctor(world: &World, arguments: &[&str]) -> Run {
    let place = Place::with(&[]);
    std::fs::create_dir(place.path("dump")).unwrap();
    world.write(&place.path("dump"));
    let command = ["doctor", "--now", "2026-11-16T12:00:00Z", "--dump", "dump"];
    place.run(&[&command, arguments].concat())
}

fn broken() -> World {
    let mut world = World::healthy();
    world.failed_discovery("dial tcp 10.0.0.7:443: i/o timeout");
    world
}

#[test]
fn a_healthy_cluster_needs_few_lines() {
    insta::assert_snapshot!(doctor(&World::healthy(), &[]), @"
    The only APIService works.

    1 healthy APIService hidden (use --all): 1 with a Service.
    Kubernetes 1.36.0, dump dump
    2> warning: APIServices are incomplete in the source; the others were not checked
    ");
}

#[test]
fn a_named_apiservice_is_shown_in_full() {
    insta::assert_snapshot!(doctor(&broken(), &["v1.shop.example"]), @r#"
    ✗ v1.shop.example → Service shop/api:443

      ✓ service      shop/api exists (ClusterIP 10.0.0.7)
      ✓ port         443 named "https", target port 8443
      ✓ endpoints    1 EndpointSlice: api-x1
      ✓ ready        1 of 1 endpoints ready for port "https"
                     · 10.1.0.5:8443 is ready (Pod api-0)
      ✗ address      the address does not answer in time
                     · https://10.0.0.7:443 (clusterIP)
                     · with --enable-aggregator-routing, the API server would dial
                       10.1.0.5:8443
      - tls          caBundle trusts 1 CA; the served certificate is not in the
                     source
                     · CA CN=shop-ca, valid 2020-01-01 to 2040-01-01
                     · the certificate must be for api.shop.svc
      - discovery    not reached
      ✓ fresh        Current in the aggregated document, 1 resource

    cause      The address does not answer in time.
    condition  Available=False (FailedDiscoveryCheck), for 3 h
               “failing or missing response from
               https://10.0.0.7:443/apis/shop.example/v1: Get
               "https://10.0.0.7:443/apis/shop.example/v1": dial tcp 10.0.0.7:443:
               i/o timeout”
    confirm    From inside the cluster's network, connect to the backend directly.
               aggctl doctor v1.shop.example --direct --dump dump
    fix        Look for a network policy, a firewall or a security group between the
               control plane and the target port of the Pods, and for a Pod that
               hangs.
               kubectl -n shop logs -l app=api --tail=50
    impact     Every request under /apis/shop.example/v1 returns 503.
    changed by unknown (the source has no managed fields; kubectl get needs
               --show-managed-fields)

    Impact until fixed
      Namespaces stay in Terminating (NamespaceDeletionDiscoveryFailure).
      Possible: garbage collection and quota lag for kinds that cannot be listed.
      Possible: clients that require complete discovery fail: kubectl api-resources
        up to 1.31, some versions of Helm, some controllers.

    Kubernetes 1.36.0, dump dump (run kubectl commands in the dumped cluster)
    [exit 1]
    "#);
}

/// A kubeconfig that does not exist is a typo, not a reason to use built-in data.
#[test]
fn a_typo_in_kubeconfig_is_an_error() {
    let run =
        |arguments: &[&str]| finish(aggctl(arguments).env("KUBECONFIG", "/nonexistent/config"));
    insta::assert_snapshot!(session(run, ["doctor", "route /api", "order", "diff a b"]), @r#"
    $ aggctl doctor
    2> error: no such file: /nonexistent/config (from $KUBECONFIG)
    2> hint: unset $KUBECONFIG, or use --dump or --builtin to run without a cluster
    [exit 3]

    $ aggctl route /api
    2> error: no such file: /nonexistent/config (from $KUBECONFIG)
    2> hint: unset $KUBECONFIG, or use --dump or --builtin to run without a cluster
    [exit 3]

    $ aggctl order
    2> error: no such file: /nonexistent/config (from $KUBECONFIG)
    2> hint: unset $KUBECONFIG, or use --dump or --builtin to run without a cluster
    [exit 3]

    $ aggctl diff a b
    2> error: "a" is neither a file nor a kubeconfig context
    2> hint: a source is dump:PATH, context:NAME, builtin:1.33, or - for standard input
    [exit 3]
    "#);
}

/// If no cluster is found, no check passes.
#[test]
fn without_a_cluster_no_check_passes() {
    let run = |arguments: &[&str]| finish(aggctl(arguments).env("HOME", "/nonexistent"));
    insta::assert_snapshot!(session(run, [
        "doctor",
        "conflicts --check",
        "route /api --fail-on not-found",
        "apiservices --odd",
        "explain namespace default",
        // These use built-in data, because the user asked for it or nothing is checked.
        "doctor --builtin",
        "conflicts",
    ]), @"
    $ aggctl doctor
    2> error: no cluster or dump found
    2> hint: name one with --dump PATH or --kubeconfig FILE, or use --builtin
    [exit 3]

    $ aggctl conflicts --check
    2> error: no cluster or dump found
    2> hint: name one with --dump PATH or --kubeconfig FILE, or use --builtin
    [exit 3]

    $ aggctl route /api --fail-on not-found
    2> error: no cluster or dump found
    2> hint: name one with --dump PATH or --kubeconfig FILE, or use --builtin
    [exit 3]

    $ aggctl apiservices --odd
    2> error: no cluster or dump found
    2> hint: name one with --dump PATH or --kubeconfig FILE, or use --builtin
    [exit 3]

    $ aggctl explain namespace default
    2> error: no cluster or dump found
    2> hint: name one with --dump PATH or --kubeconfig FILE, or use --builtin
    [exit 3]

    $ aggctl doctor --builtin
    All 22 APIServices work.

    22 healthy APIServices hidden (use --all): 22 built-in.
    Kubernetes 1.37.0-rc.1, built-in Kubernetes 1.37

    $ aggctl conflicts
    No conflicting group versions or names.
    2> note: no cluster found; using built-in Kubernetes 1.37
    ");
}

#[test]
fn formats() {
    let out = |arguments: &[&str]| doctor(&broken(), arguments).out;
    let list = json(&out(&["-o", "json"]));
    let kind = (&list["apiVersion"], &list["kind"]);
    assert_eq!(kind, (&"aggctl/v1".into(), &"DiagnosisList".into()));
    assert_eq!(list["summary"]["broken"], 1);
    let item = &list["items"][0];
    assert_eq!(item["brokenLink"], "address");
    assert_eq!(item["links"][0]["link"], "service");
    let line = json(&out(&["-o", "jsonl"]));
    assert_eq!((&line["kind"], &line["links"]), (&"Diagnosis".into(), &item["links"]));
    assert_eq!(out(&["-o", "name"]), "apiservice/v1.shop.example\n");
    assert_eq!(doctor(&World::healthy(), &["-o", "name"]).out, "");
}

#[test]
fn mistakes_and_missing_data_are_reported() {
    insta::assert_snapshot!(doctor(&broken(), &["v1.shop.exmaple"]), @r#"
    2> error: no APIService "v1.shop.exmaple" in the source
    2> hint: did you mean v1.shop.example?
    [exit 2]
    "#);
    let mut world = World::healthy();
    world.api_service = Value::Null;
    insta::assert_snapshot!(doctor(&world, &[]), @"
    2> error: nothing to diagnose: APIServices are not in the source (kubectl get apiservices -o json --show-managed-fields)
    [exit 3]
    ");
    let mut world = World::healthy();
    world.slices = Value::Null;
    insta::assert_snapshot!(doctor(&world, &[]), @"
    The only APIService works.

    1 healthy APIService hidden (use --all): 1 with a Service.
    Kubernetes 1.36.0, dump dump
    2> warning: input is incomplete; the diagnosis may be less precise: EndpointSlices are not in the source (kubectl get endpointslices -A -o json)
    2> warning: APIServices are incomplete in the source; the others were not checked
    ");
}

#[test]
fn a_dump_cannot_be_watched() {
    let doctor = |arguments: &[&str]| doctor(&World::healthy(), &arguments[1..]);
    insta::assert_snapshot!(session(doctor, [
        "doctor --watch",
        "doctor --wait-for available --timeout 1s",
    ]), @"
    $ aggctl doctor --watch
    2> error: --watch needs a live cluster
    2> hint: a dump and built-in data do not change
    [exit 2]

    $ aggctl doctor --wait-for available --timeout 1s
    2> error: --wait-for needs a live cluster
    2> hint: a dump and built-in data do not change
    [exit 2]
    ");
}

#[test]
fn control_characters_of_a_cluster_do_not_reach_the_terminal() {
    let mut world = World::healthy();
    world.unavailable("Bad\u{1b}[31m", "\u{1b}]0;title\u{7}");
    world.api_service["spec"]["service"]["name"] = "evil\u{1b}[2J".into();
    for arguments in [&[][..], &["v1.shop.example"], &["-o", "name"]] {
        let run = doctor(&world, arguments);
        assert!(!(run.out + &run.err).contains(['\u{1b}', '\u{7}']), "{arguments:?}");
    }
}

/// Names are listed in full, and the suggested commands connect directly again. Neither Service
/// exists, so nothing is connected to.
#[test]
fn a_summary_can_be_copied_from() {
    let missing = |version: &str, group: &str, service: &str| {
        format!(
            r#"{{"apiVersion":"apiregistration.k8s.io/v1","kind":"APIService",
            "metadata":{{"name":"{version}.{group}"}},
            "spec":{{"group":"{group}","version":"{version}","groupPriorityMinimum":1000,"versionPriority":15,
              "insecureSkipTLSVerify":true,"service":{{"namespace":"shop","name":"{service}"}}}},
            "status":{{"conditions":[{{"type":"Available","status":"False","reason":"ServiceNotFound"}}]}}}}"#
        )
    };
    let services = [
        missing("v1", "books.example", "books"),
        missing("v2", "books.example", "books"),
        missing("v1", "cars.example", "cars"),
    ];
    let dump = format!(
        r#"{{"apiVersion":"v1","kind":"List","items":[{},
        {{"apiVersion":"v1","kind":"Service","metadata":{{"name":"other","namespace":"shop"}},"spec":{{}}}}]}}"#,
        services.join(",")
    );
    let place = Place::with(&[("dump.json", &dump)]);
    let out = place.run(&["doctor", "--direct", "--dump", "dump.json"]).out;
    assert!(out.contains("✗ v1.books.example, v2.books.example\n"), "{out}");
    assert!(out.contains("→ aggctl doctor v1.books.example --direct --dump dump.json\n"), "{out}");
    let one = place.run(&["doctor", "books.example/v2", "--dump", "dump.json"]).out;
    assert!(one.starts_with("✗ v2.books.example → Service shop/books:443\n"), "{one}");
}

/// A context that the kubeconfig does not define fully is not an unreachable cluster.
#[test]
fn a_wrong_context_is_misconfigured() {
    let kubeconfig = r#"{"apiVersion": "v1", "kind": "Config",
        "contexts": [{"name": "a", "context": {"cluster": "nope", "user": "u"}},
                     {"name": "b", "context": {"cluster": "down", "user": "u"}}],
        "clusters": [{"name": "down", "cluster": {"server": "http://127.0.0.1:1"}}],
        "users": [{"name": "u", "user": {}}]}"#;
    let place = Place::with(&[("kubeconfig", kubeconfig)]);
    let run = place.run(&["doctor", "--all-contexts", "--kubeconfig", "kubeconfig"]);
    let status = |name: &str| {
        let line = run.out.lines().find(|line| line.starts_with(name));
        line.unwrap_or_default().split_whitespace().nth(1).map(str::to_owned)
    };
    assert_eq!(status("a "), Some("misconfigured".to_owned()), "{}", run.out);
    assert_eq!(status("b "), Some("unreachable".to_owned()), "{}", run.out);
    assert_eq!(run.code, 3);
}
