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
    phase: ready
    requests now: unknown
    ");
    insta::assert_snapshot!(show("[+]ping ok\n[-]etcd failed: reason withheld\nlivez check failed"), @"
    livez: 500, 1 of 2 checks fails (kube-aggregator answers for the chain)
      ✗ etcd  every server
          the server withholds the reason
          waits for: a read from etcd within --etcd-healthcheck-timeout (2 s)
          until then: reads and writes of objects hang; discovery, OpenAPI and
          proxied requests work
          if it keeps failing: etcd is down, slow or without quorum, or its
          certificates have expired
    phase: degraded; it runs, but a dependency fails
    requests now: unknown
    error[etcd-down]:
      etcd does not answer in time: reads and writes of objects hang, while
      discovery and proxied requests still work
      Requests that need etcd wait until they time out. When etcd is back, the
      server recovers immediately, without a restart.
      next: check etcd's log and disk
    warning[livez-restarts-on-etcd]:
      /livez fails only because of etcd: a liveness probe without exclude=etcd
      restarts this server
      next: point the liveness probe to `/livez?exclude=etcd`, as kubeadm does since
            1.21
    [exit 1]
    ");
    insta::assert_snapshot!(show("[+]ping ok\n[+]etc"), @"
    health: unknown: the text is cut off after 1 check, all passing
    phase: unknown
    2> error: cannot tell whether the API server is healthy: unknown
    2> hint: save one with `kubectl get --raw '/readyz?verbose' > readyz.txt`
    [exit 3]
    ");
    insta::assert_snapshot!(show("<html>502</html>"), @"
    health: unknown: HTML from a proxy or load balancer, not a response of the API
            server
    phase: unknown
    2> error: cannot tell whether the API server is healthy: unknown
    2> hint: save one with `kubectl get --raw '/readyz?verbose' > readyz.txt`
    [exit 3]
    ");
    insta::assert_snapshot!(show("readyz check failed"), @"
    readyz: 500; /readyz failed; the text does not show which check
    phase: degraded; it runs, but a dependency fails
    requests now: unknown
    [exit 1]
    ");
    insta::assert_snapshot!(show(""), @"
    health: unknown: not a response of a health endpoint
    phase: unknown
    2> error: cannot tell whether the API server is healthy: unknown
    2> hint: save one with `kubectl get --raw '/readyz?verbose' > readyz.txt`
    [exit 3]
    ");
    insta::assert_snapshot!(show("ok"), @"
    health: 200, ok; add ?verbose to list the checks
    phase: unknown
    requests now:
      unknown paths          404
      custom resources       served
      extension API servers  served, or 503 if unavailable
      RBAC users             as their roles allow
    ");
}

#[test]
fn an_answer_can_be_narrowed_down_to_checks() {
    // The escape sequence must not reach the terminal.
    let text = "[+]ping ok\n[-]etcd failed: x\u{1b}[31m\nreadyz check failed\n";
    insta::assert_snapshot!(pasted(text, &["ping"]), @"
    readyz: 200, the check passes
      ✓ ping  every server
    phase: degraded; it runs, but a dependency fails
    requests now: unknown
    error[etcd-down]:
      etcd does not answer in time: reads and writes of objects hang, while
      discovery and proxied requests still work
      Requests that need etcd wait until they time out. When etcd is back, the
      server recovers immediately, without a restart.
      next: check etcd's log and disk
    ");
    insta::assert_snapshot!(pasted(text, &["readyz", "etcd"]), @"
    readyz: 500, 1 of 1 check fails (kube-aggregator answers for the chain)
      ✗ etcd  every server
          x�[31m
          waits for: a read from etcd within --etcd-healthcheck-timeout (2 s)
          until then: reads and writes of objects hang; discovery, OpenAPI and
          proxied requests work
          if it keeps failing: etcd is down, slow or without quorum, or its
          certificates have expired
    phase: degraded; it runs, but a dependency fails
    requests now: unknown
    error[etcd-down]:
      etcd does not answer in time: reads and writes of objects hang, while
      discovery and proxied requests still work
      Requests that need etcd wait until they time out. When etcd is back, the
      server recovers immediately, without a restart.
      next: check etcd's log and disk
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

      │ kube-aggregator           no match
      │ kube-apiserver            no match
      ✗ apiextensions-apiserver   no match

    404 Not Found.
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
    ✗ v1.node.k8s.io → Service ext/absent:443

      ✗ service      Service ext/absent does not exist
      - port         not checked: the Service does not exist
      - endpoints    not checked: the Service does not exist
      - ready        not checked: the Service does not exist
      - address      not checked: the Service does not exist
      ! tls          not verified (insecureSkipTLSVerify): an attacker on the
                     network could answer
      - discovery    not reached
      - fresh        the aggregated document /apis is not in the source

    cause      Service ext/absent does not exist.
    condition  Available=False (ServiceNotFound)
               “service/absent in "ext" is not present”
    fix        Reinstall the component, or point the APIService at the right
               Service.
               kubectl -n ext get services
               If the component is gone for good, delete the APIService. This
               removes only the registration, no data.
               kubectl delete apiservice v1.node.k8s.io
    impact     Every request under /apis/node.k8s.io/v1 returns 503.
    changed by unknown (the source has no managed fields; kubectl get needs
               --show-managed-fields)
    note       Shadows node.k8s.io/v1 of the API server itself. Requests go to the
               Service and never reach the built-in resources. The API server does
               not touch it, because it lacks the automanaged label. Once it is
               deleted, the next start registers the version again.
    note       Names Service ext/absent, is unavailable, and is no longer managed by
               the API server: after a restart, the server never becomes ready. The
               check autoregister-completion waits for every built-in APIService to
               be Available once, and fails /readyz, /livez and /healthz until then.
               Deleting the APIService fixes it only at the next restart.
    note       May be left over: its Service does not exist. Uninstalling a
               component can leave its APIService behind.

    Impact until fixed
      Namespaces stay in Terminating (NamespaceDeletionDiscoveryFailure).
      Possible: garbage collection and quota lag for kinds that cannot be listed.
      Possible: clients that require complete discovery fail: kubectl api-resources
        up to 1.31, some versions of Helm, some controllers.

    Kubernetes 1.36.4, dump testdata/health/stuck (run kubectl commands in the
    dumped cluster)
    2> warning: input is incomplete; the diagnosis may be less precise: EndpointSlices are not in the source (kubectl get endpointslices -A -o json)
    2> warning: the aggregated document /apis is not in the source; cannot tell which group versions are stale
    [exit 1]

    $ aggctl conflicts
    shadows-built-in  node.k8s.io/v1
      winner:       APIService v1.node.k8s.io → ext/absent
      also claims:  the API server's own resources
      APIService v1.node.k8s.io: shadows node.k8s.io/v1 of the API server itself.
      Requests go to the Service and never reach the built-in resources. The API
      server does not touch it, because it lacks the automanaged label. Once it is
      deleted, the next start registers the version again.
      next: see what deleting the APIService would change
            aggctl diff --without v1.node.k8s.io --dump testdata/health/stuck

    stuck-built-in-apiservice  node.k8s.io/v1
      winner:       APIService v1.node.k8s.io → ext/absent
      also claims:  the API server's own resources
      APIService v1.node.k8s.io: names Service ext/absent, is unavailable, and is no
      longer managed by the API server: after a restart, the server never becomes
      ready. The check autoregister-completion waits for every built-in APIService
      to be Available once, and fails /readyz, /livez and /healthz until then.
      Deleting the APIService fixes it only at the next restart.
      next: see that the next restart works without it
            aggctl health --without v1.node.k8s.io --dump testdata/health/stuck
    2> warning: the aggregated document /apis is not in the source; cannot tell which group versions are stale

    $ aggctl apiservices --odd
    NAME             SERVED BY    AVAILABLE   AGE   ISSUES
    v1.node.k8s.io   ext/absent   False       -     ServiceNotFound …
    2> warning: the aggregated document /apis is not in the source; cannot tell which group versions are stale

    $ aggctl explain stuck-built-in-apiservice
    stuck-built-in-apiservice: A built-in APIService was replaced and does not work: a restarted kube-apiserver will not become ready
    error (medium confidence)

    What it does
      Reports an APIService of a built-in group version whose Service does not
      exist, and that the API server does not manage: the manifest removes the label
      `kube-aggregator.kubernetes.io/automanaged`, or the object in the cluster does
      not have it.

    Why it is bad
      Every built-in group version has an APIService that kube-apiserver creates
      itself. This one names a Service and lacks the label
      kube-aggregator.kubernetes.io/automanaged, so kube-apiserver does not restore
      it, and the Service does not respond. A running server is not affected; a
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
      Delete it and restart the API server, which creates its own again. Use a group
      of your own.

    In dump testdata/health/stuck: v1.node.k8s.io

    $ aggctl explain --file testdata/health/stuck/readyz-verbose.txt
    kube-apiserver waits for a built-in APIService before it is ready

      line 34    autoregister-completion failed: missing APIService:
                 [v1.node.k8s.io]
      about      APIService v1.node.k8s.io
      meaning    autoregister-completion is a check of all three health endpoints:
                 every built-in APIService must have been Available once since the
                 start. The message lists those that were not.

    Likely causes
      1. A built-in APIService was replaced by hand and names a Service that does
         not respond. Delete it and restart kube-apiserver.
      2. kube-apiserver is starting; it passes by itself.
      3. An admission webhook that does not respond, or a slow etcd, prevents its
         creation.

    Next
      aggctl health --dump testdata/health/stuck
          shows the state of the check, and what blocks it

    Now
      in dump testdata/health/stuck
      APIService v1.node.k8s.io
          backend: Service ext/absent, port 443; unavailable, ServiceNotFound:
          service/absent in "ext" is not present
          doctor: Service ext/absent does not exist
          doctor: Reinstall the component, or point the APIService at the right
          Service.
          its Service does not exist: if the component runs under another Service,
          correct the APIService; delete it only if the component was removed for
          good

    also recognized: hook-failed

    Health checks
    readyz: 500, 2 of 37 checks fail (kube-aggregator answers for the chain)
      ✗ poststarthook/rbac/bootstrap-roles  kube-apiserver
          not finished
          waits for: the default roles, about 350 sequential round trips to etcd
          until then: on a first start, all users but admins get 403
          if it keeps failing: etcd is slow or full, or a webhook on RBAC objects
          does not respond
      ✗ autoregister-completion             kube-aggregator
          missing APIService: [v1.node.k8s.io]
          waits for: every built-in APIService to have been Available once
          if it keeps failing: a built-in APIService was replaced by hand and is not
          available; the reason names it
    phase: starting; all routes are installed, but it is not ready
    requests now:
      unknown paths          404
      custom resources       served
      extension API servers  served, or 503 if unavailable
      RBAC users             unknown
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

/// A check cannot be looked up in an endpoint that the source lacks.
#[test]
fn an_endpoint_without_response_is_named() {
    let cluster = repository("examples/cluster");
    insta::assert_snapshot!(run_on(&cluster, &["health", "livez", "etcd"]), @"
    2> error: examples/cluster has no /livez response
    2> hint: save one with `kubectl get --raw '/livez?verbose' > livez.txt`
    [exit 3]
    ");
    insta::assert_snapshot!(run_on(&cluster, &["health", "readyz", "etcd"]), @"
    readyz: 200, the check passes
      ✓ etcd  every server
    phase: ready
    requests now:
      unknown paths          404
      custom resources       served
      extension API servers  served, or 503 if unavailable
      RBAC users             as their roles allow
    ");
}
