//! Tests `aggctl health`: recordings of real servers, pasted output, dumps, and the effect on other
//! commands.

use crate::{Place, aggctl, finish, repository, run, run_on, session};

#[path = "../harness/health.rs"]
mod recorded;

#[test]
fn recorded_health_is_predicted() {
    for version in ["1.32", "1.36"] {
        let folder = repository("testdata/health").join(version);
        let predicted = recorded::check_recording(&folder);
        assert!(predicted > 400, "{version}: {predicted} answers were predicted");
    }
}

fn pasted(text: &str, arguments: &[&str]) -> crate::Run {
    finish(aggctl(&[&["health", "-"], arguments].concat()).write_stdin(text))
}

#[test]
fn a_paste_is_judged_and_never_guessed() {
    let show = |text: &str| {
        let run = pasted(text, &[]);
        assert!(run.out.lines().all(|line| line.chars().count() <= 80), "{}", run.out);
        run
    };
    insta::assert_snapshot!(show("[+]ping ok\n[+]shutdown ok\nreadyz check passed\n"), @"
    readyz: 200, all 2 checks pass
    phase: it is ready
    now: unknown paths unknown; custom resources unknown; extension API servers
         unknown; users of RBAC unknown
    ");
    insta::assert_snapshot!(show("[+]ping ok\n[-]etcd failed: reason withheld\nlivez check failed"), @"
    livez: 500, 1 of 2 checks fails (kube-aggregator answers for the chain)
      × etcd  every server
          reason withheld
          waits for a read from etcd within --etcd-healthcheck-timeout (2 s)
          until then reads and writes of objects hang; discovery, OpenAPI and
          proxied requests go on
          if it stays: etcd is down, slow or without quorum, or its certificates
          have expired
    phase: it has been started, and something that it needs fails
    now: unknown paths unknown; custom resources unknown; extension API servers
         unknown; users of RBAC unknown
    error[etcd-down]:
      etcd does not answer in time: reads and writes of objects hang, discovery and
      proxied requests go on
      Requests that need etcd wait until they time out. When etcd is back, the
      server recovers at once, without a restart.
      next: look at the log and the disk of etcd
    warning[livez-restarts-on-etcd]:
      /livez fails only because of etcd: a liveness probe without exclude=etcd
      restarts this server
      next: have the liveness probe ask `/livez?exclude=etcd`; kubeadm does since
            1.21
    [exit 1]
    ");
    insta::assert_snapshot!(show("[+]ping ok\n[+]etc"), @"
    health: unknown: cut off after 1 check, none of which fails
    phase: the answers do not tell
    2> error: cannot tell whether the API server is healthy: the answers do not tell
    2> hint: save one with `kubectl get --raw '/readyz?verbose' > readyz.txt`
    [exit 3]
    ");
    insta::assert_snapshot!(show("<html>502</html>"), @"
    health: unknown: this is HTML, of a proxy or a load balancer, not of the API
            server
    phase: the answers do not tell
    2> error: cannot tell whether the API server is healthy: the answers do not tell
    2> hint: save one with `kubectl get --raw '/readyz?verbose' > readyz.txt`
    [exit 3]
    ");
    insta::assert_snapshot!(show("readyz check failed"), @"
    readyz: 500; the names of the checks are missing
    phase: it has been started, and something that it needs fails
    now: unknown paths unknown; custom resources unknown; extension API servers
         unknown; users of RBAC unknown
    [exit 1]
    ");
    insta::assert_snapshot!(show(""), @"
    health: unknown: this is no answer of a health endpoint
    phase: the answers do not tell
    2> error: cannot tell whether the API server is healthy: the answers do not tell
    2> hint: save one with `kubectl get --raw '/readyz?verbose' > readyz.txt`
    [exit 3]
    ");
    insta::assert_snapshot!(show("ok"), @"
    health: 200, ok; ?verbose would list the checks
    phase: the answers do not tell
    now: unknown paths 404; custom resources answer; extension API servers answer,
         or 503 where not available; users of RBAC by their roles
    ");
}

#[test]
fn an_answer_can_be_narrowed_down_to_checks() {
    // The escape sequence must not reach the terminal.
    let text = "[+]ping ok\n[-]etcd failed: x\u{1b}[31m\nreadyz check failed\n";
    insta::assert_snapshot!(pasted(text, &["ping"]), @"
    readyz: 200, the check passes
      √ ping  every server
    phase: it has been started, and something that it needs fails
    now: unknown paths unknown; custom resources unknown; extension API servers
         unknown; users of RBAC unknown
    error[etcd-down]:
      etcd does not answer in time: reads and writes of objects hang, discovery and
      proxied requests go on
      Requests that need etcd wait until they time out. When etcd is back, the
      server recovers at once, without a restart.
      next: look at the log and the disk of etcd
    ");
    insta::assert_snapshot!(pasted(text, &["readyz", "etcd"]), @"
    readyz: 500, 1 of 1 check fails (kube-aggregator answers for the chain)
      × etcd  every server
          x�[31m
          waits for a read from etcd within --etcd-healthcheck-timeout (2 s)
          until then reads and writes of objects hang; discovery, OpenAPI and
          proxied requests go on
          if it stays: etcd is down, slow or without quorum, or its certificates
          have expired
    phase: it has been started, and something that it needs fails
    now: unknown paths unknown; custom resources unknown; extension API servers
         unknown; users of RBAC unknown
    error[etcd-down]:
      etcd does not answer in time: reads and writes of objects hang, discovery and
      proxied requests go on
      Requests that need etcd wait until they time out. When etcd is back, the
      server recovers at once, without a restart.
      next: look at the log and the disk of etcd
    [exit 1]
    ");
    insta::assert_snapshot!(pasted(text, &["etc"]), @r#"
    2> error: unknown check "etc"
    2> hint: did you mean etcd?
    [exit 2]
    "#);
    insta::assert_snapshot!(pasted(text, &["-o", "name"]), @"
    etcd
    [exit 1]
    ");
}

#[test]
fn a_dump_predicts_the_next_restart() {
    let dump = repository("testdata/health/stuck");
    let now = run_on(&dump, &["health", "-o", "json"]);
    let json = now.json();
    assert_eq!((now.code, &json["kind"]), (1, &"Health".into()));
    assert_eq!(json["nextRestart"]["autoregisterCompletion"], "fails");
    assert_eq!(json["warnings"][0]["code"], "stuck-built-in-apiservice");
    assert_eq!(json["expect"]["unknownPath"], 404);
    assert_eq!(json["endpoints"][0]["path"], "/readyz");
    let without = run_on(&dump, &["health", "--without", "v1.node.k8s.io", "-o", "json"]);
    assert_eq!(without.json()["nextRestart"]["autoregisterCompletion"], "passes");
    insta::assert_snapshot!(run_on(&crate::dump("v1.36-vanilla"), &["health"]), @"
    2> error: testdata/recordings/v1.36-vanilla/dump has no health endpoint response
    2> hint: save one with `kubectl get --raw '/readyz?verbose' > readyz.txt`
    [exit 3]
    ");
    insta::assert_snapshot!(run(&["health", "--builtin"]), @"
    2> error: built-in data has no health: no server is running
    2> hint: name a cluster or dump, or pipe a response into `aggctl health -`
    [exit 2]
    ");
}

/// A server that is still starting routes differently from a ready one.
#[test]
fn routes_of_a_server_that_was_starting() {
    let place = Place::with(&[
        ("version.json", r#"{"gitVersion":"v1.36.4","major":"1","minor":"36"}"#),
        (
            "readyz.txt",
            "[+]ping ok\n[-]poststarthook/crd-informer-synced failed: reason withheld\nreadyz check failed\n",
        ),
    ]);
    insta::assert_snapshot!(place.ask(&["route", "/nope"]), @"
    GET /nope

      │ kube-aggregator          no match
      │ kube-apiserver           no match
      × apiextensions-apiserver  no match

    not-found: status 404
    assumed: APIServices are not in the source; using built-in Kubernetes 1.36
    assumed: the path list / is not in the source; using built-in Kubernetes 1.36
    2> warning: the server was still starting; unknown paths return 503 instead of 404
    ");
}

/// A running server is not affected, so other commands must report it too.
#[test]
fn other_commands_report_what_blocks_the_next_restart() {
    let ask = |arguments: &[&str]| run_on(&repository("testdata/health/stuck"), arguments);
    insta::assert_snapshot!(session(ask, [
        "doctor v1.node.k8s.io",
        "conflicts",
        "apiservices --odd",
        "explain stuck-built-in-apiservice",
        "explain --file testdata/health/stuck/readyz-verbose.txt",
    ]), @r#"
    $ aggctl doctor v1.node.k8s.io
    × v1.node.k8s.io → Service ext/absent, port 443
      × service     Service ext/absent does not exist
      - port        there is no Service to look at
      - endpoints   there is no Service to look at
      - ready       there is no Service to look at
      - address     there is no Service to look at
      √ tls         not verified (insecureSkipTLSVerify): anyone on the way could
                    answer
      - discovery   not reached
      - fresh       the aggregated document /apis is not in the source
        condition   Available=False (ServiceNotFound)
                    “service/absent in "ext" is not present”
        written by  not known: the source has no managed fields (kubectl get
                    --show-managed-fields)
        also        takes node.k8s.io/v1 away from the API server itself. Requests
                    go to the Service and never reach the built-in resources. The
                    API server leaves it alone, since it does not carry its label;
                    once it is deleted, the next start registers the version again.
        also        leads to Service ext/absent, is not available and not managed by
                    the API server any more: once restarted, the server will never
                    be ready. The check autoregister-completion waits for every
                    built-in APIService to be Available once, and fails /readyz,
                    /livez and /healthz until then. Deleting the APIService mends it
                    with the next restart only.
        also        may be left over: its Service does not exist. Deleting an
                    APIService deletes nothing but the registration.
        so          Every request under /apis/node.k8s.io/v1 gets 503 service
                    unavailable.
        next        If its component is to run, bring the Service back, or point the
                    APIService at the right one.
                    $ kubectl -n ext get services
        next        If the component was removed for good, delete the registration;
                    nothing else is deleted with it.
                    $ kubectl delete apiservice v1.node.k8s.io

    Until this is fixed:
    - Requests to an unavailable group version get 503 service unavailable.
    - Namespaces stay in Terminating, with NamespaceDeletionDiscoveryFailure, until
      discovery is complete.
    - Possibly: garbage collection and quota lag for kinds of the group versions
      that cannot be listed.
    - Possibly: clients that insist on complete discovery stop: kubectl
      api-resources up to 1.31 ends with an error, some versions of Helm and some
      controllers refuse to work at all.

    × v1.node.k8s.io  Service ext/absent does not exist

    1 APIService: 1 broken
    Kubernetes 1.36.4, dump testdata/health/stuck (kubectl commands are for the
    cluster that this dump came from)
    2> warning: input is incomplete; the diagnosis may be less precise: EndpointSlices are not in the source (kubectl get endpointslices -A -o json)
    2> warning: the aggregated document /apis is not in the source; cannot tell which group versions are stale
    [exit 1]

    $ aggctl conflicts
    shadows-built-in  node.k8s.io/v1
      has it: APIService v1.node.k8s.io → ext/absent
      and:    the API server's own resources
      APIService v1.node.k8s.io: takes node.k8s.io/v1 away from the API server
      itself. Requests go to the Service and never reach the built-in resources. The
      API server leaves it alone, since it does not carry its label; once it is
      deleted, the next start registers the version again.
      next: see what deleting the APIService would change
            $ aggctl diff --without v1.node.k8s.io --dump testdata/health/stuck

    stuck-built-in-apiservice  node.k8s.io/v1
      has it: APIService v1.node.k8s.io → ext/absent
      and:    the API server's own resources
      APIService v1.node.k8s.io: leads to Service ext/absent, is not available and
      not managed by the API server any more: once restarted, the server will never
      be ready. The check autoregister-completion waits for every built-in
      APIService to be Available once, and fails /readyz, /livez and /healthz until
      then. Deleting the APIService mends it with the next restart only.
      next: to see that the next restart is fine without it
            $ aggctl health --without v1.node.k8s.io --dump testdata/health/stuck
    2> warning: the aggregated document /apis is not in the source; cannot tell which group versions are stale

    $ aggctl apiservices --odd
    NAME             LEADS TO     AVAILABLE   REMARKS
    v1.node.k8s.io   ext/absent   False       ServiceNotFound shadows-built-in
                                              stuck-built-in-apiservice
    2> warning: the aggregated document /apis is not in the source; cannot tell which group versions are stale

    $ aggctl explain stuck-built-in-apiservice
    stuck-built-in-apiservice: A built-in APIService was replaced and does not work: a restarted API server will not be ready
    error (medium confidence)

    What it does
      Reports an APIService of a built-in group version that the API server does not
      manage (the label `kube-aggregator.kubernetes.io/automanaged` is taken away,
      or the cluster's has none) and whose Service is not there.

    Why it is bad
      Every built-in group version has an APIService that the API server makes
      itself. This one leads to a Service, without the label
      kube-aggregator.kubernetes.io/automanaged, so that the server does not write
      it back, and the Service does not answer. A running server does not mind; a
      restarted one waits for it forever.

    Example
      apiVersion: apiregistration.k8s.io/v1
      kind: APIService
      metadata:
        name: v1.node.k8s.io
        labels:
          kube-aggregator.kubernetes.io/automanaged: "no"
      spec:
        group: node.k8s.io
        version: v1
        groupPriorityMinimum: 16300
        versionPriority: 15
        service:
          namespace: monitoring
          name: metrics
      ---
      apiVersion: v1
      kind: Service
      metadata:
        namespace: monitoring
        name: other
      spec:
        ports:
        - port: 443

    What to do
      Delete it and restart the API server, which makes its own anew. Use a group of
      your own.

    $ aggctl explain --file testdata/health/stuck/readyz-verbose.txt
    kube-apiserver waits for a built-in APIService before it is ready

      line 34    autoregister-completion failed: missing APIService:
                 [v1.node.k8s.io]
      about      APIService v1.node.k8s.io
      meaning    autoregister-completion, a check of all three health endpoints:
                 every built-in APIService must have been Available once since the
                 start. The message lists those that were not.

    Likely causes
      1. A built-in APIService was replaced by hand and leads to a Service that does
         not answer: delete it and restart kube-apiserver.
      2. kube-apiserver is starting: it ends by itself.
      3. An admission webhook that does not answer, or a slow etcd, keeps it from
         being created.

    Next
      aggctl health --dump testdata/health/stuck
          for the state of the check, and what holds it up

    Now
      in dump testdata/health/stuck
      APIService v1.node.k8s.io
          leads to Service ext/absent, port 443; not available, ServiceNotFound:
          service/absent in "ext" is not present
          doctor: Service ext/absent does not exist
          doctor: If its component is to run, bring the Service back, or point the
          APIService at the right one.
          its Service is gone, so it is probably left over: deleting it is safe
          unless its component is about to come back

    also recognized: hook-failed

    Health checks
    readyz: 500, 2 of 37 checks fail (kube-aggregator answers for the chain)
      × poststarthook/rbac/bootstrap-roles  kube-apiserver
          not finished
          waits for the roles that every cluster has: some 350 round trips to etcd,
          one after the other
          until then on a first start everybody but admins gets 403
          if it stays: etcd is slow or full, or a webhook on RBAC objects does not
          answer
      × autoregister-completion             kube-aggregator
          missing APIService: [v1.node.k8s.io]
          waits for every built-in APIService to have been Available once
          if it stays: a built-in APIService was replaced by hand and is not
          available; the reason names it
    phase: it is starting: all routes are there, it is not ready
    now: unknown paths 404; custom resources answer; extension API servers answer,
         or 503 where not available; users of RBAC unknown
    "#);
}

/// Messages of servers since 1.20.
#[test]
fn messages_about_health() {
    for (text, code) in [
        ("[-]etcd failed: reason withheld", "etcd-down"),
        ("internal server error: etcd client connection not yet established", "etcd-down"),
        (
            "\"command failed\" err=\"error creating storage factory: context deadline exceeded\"",
            "etcd-down",
        ),
        ("internal server error: not finished", "hook-failed"),
        ("[-]poststarthook/rbac/bootstrap-roles failed: reason withheld", "hook-failed"),
        ("internal server error: 9 informers not started yet: [*v1.Pod]", "starting"),
        ("internal server error: process is shutting down", "shutting-down"),
        (
            "{\"kind\": \"Status\", \"message\": \"apiserver is shutting down\", \"code\": 503}",
            "shutting-down",
        ),
        ("The apiserver is shutting down, please try again later.", "shutting-down"),
        (
            "warn: some health checks cannot be excluded: no matches for \"a,b\"",
            "exclude-has-no-effect",
        ),
        ("forbidden: User \"system:anonymous\" cannot get path \"/livez\"", "probe-forbidden"),
        (
            "PostStartHook \"x\" failed: unable to perform initial IP and Port allocation check",
            "hook-fatal-soon",
        ),
        ("[-]autoregister-completion failed: missing APIService: [v1.apps]", "missing-apiservice"),
        (
            "cannot get resource: RBAC: clusterrole.rbac.authorization.k8s.io \"view\" not found",
            "role-not-found",
        ),
    ] {
        let found = aggctl_diagnose::explain::explain(text);
        assert_eq!(found.matches.first().map(|one| one.entry.id), Some(code), "{text}");
    }
    let body =
        aggctl_diagnose::explain::explain("[+]ping ok\n[+]shutdown ok\nreadyz check passed\n");
    let health = body.health.as_ref().unwrap();
    assert_eq!((health.answers[0].checks.len(), body.nearest.len()), (2, 0));
    assert!(aggctl_diagnose::explain::explain("ok").health.is_none());
}
