//! Tests `aggctl doctor` on a live cluster.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::equality::{without_footer, without_source};
use crate::server::Breakage;
use crate::world::{Run, World, for_each_recording, recording, run};

#[test]
fn live_diagnoses_equal_those_on_the_dump() {
    let compared = AtomicUsize::new(0);
    for_each_recording(|world, _| {
        // A dump does not show why an extension server did not answer the recorder.
        if !has_every_list(&world.dump) {
            return;
        }
        compared.fetch_add(1, Ordering::Relaxed);
        for more in [&[][..], &["-o", "wide"], &["-o", "name"]] {
            let arguments = [&["doctor", "--now", "2026-11-16T12:00:00Z"], more].concat();
            let (live, offline) = (world.live(&arguments), world.offline(&arguments));
            // Recordings contain no Namespaces, but a cluster does.
            let kept = |text: &str| {
                let lines = text.lines().filter(|line| !line.contains("· the namespace "));
                lines.collect::<Vec<_>>().join("\n")
            };
            assert_eq!((live.code, live.err), (offline.code, offline.err));
            let named = |text: &str| kept(without_footer(&without_source(text, world)));
            assert_eq!(named(&live.out), named(&offline.out));
        }
    });
    assert!(compared.into_inner() > 3, "too few recordings have every list");
}

/// Returns whether a recording has the APIResourceLists of all available APIServices with a
/// Service.
fn has_every_list(dump: &std::path::Path) -> bool {
    let text = std::fs::read_to_string(dump.join("apiservices.json")).unwrap();
    let list: serde_json::Value = serde_json::from_str(&text).unwrap();
    list["items"].as_array().unwrap().iter().all(|item| {
        let conditions = item["status"]["conditions"].as_array().into_iter().flatten();
        let mut available = conditions.filter(|c| c["type"] == "Available");
        let spec = &item["spec"];
        let word = |key: &str| spec[key].as_str().unwrap_or_default();
        let file = format!("apis_{}_{}.json", word("group"), word("version"));
        !spec["service"].is_object()
            || available.all(|c| c["status"] != "True")
            || dump.join(file).exists()
    })
}

/// Before 1.36 the condition proves nothing about TLS, and it never proves anything about the body.
/// The response to a request for the document does, live and in a dump.
#[test]
fn the_answer_counts_for_more_than_the_condition() {
    let unknown = "error trying to reach service: tls: failed to verify certificate: x509: certificate signed by unknown authority";
    let refused =
        "error trying to reach service: dial tcp 10.0.0.9:443: connect: connection refused";
    let ask = |breakage: Option<Breakage>| {
        let world = World::new(&recording("v1.25-mixed"));
        if let Some(breakage) = breakage {
            world.server.break_at("/apis/wardle.example.com/v1beta1", breakage);
        }
        let question = ["doctor", "v1beta1.wardle.example.com", "-o", "json", "--fail-on", "never"];
        let question = [&question[..], &["--now", "2026-11-16T12:00:00Z"]].concat();
        let live = world.live(&[&question[..], &["--request-timeout", "2s"]].concat());
        let place = world.directory.path().join("dumped");
        let place = place.to_str().unwrap();
        let dumped = ["dump", place, "--for", "doctor", "--request-timeout", "2s"];
        assert_eq!(world.live(&dumped).code, 0);
        let offline = run(&[&question[..], &["--dump", place]].concat());
        let diagnosis = diagnosis(&live.json()["items"][0]);
        assert_eq!(self::diagnosis(&offline.json()["items"][0]), diagnosis);
        diagnosis
    };
    // Most of the time is spent waiting, so run in parallel.
    let cases = [
        ("an answer", None),
        ("an unknown authority", Some(Breakage::Plain(503, unknown))),
        ("a refused connection", Some(Breakage::Plain(503, refused))),
        ("503", Some(Breakage::Status(503))),
        ("HTML", Some(Breakage::WrongType)),
        ("garbage", Some(Breakage::Garbage)),
        ("another kind", Some(Breakage::OtherKind)),
        ("no answer", Some(Breakage::Hang)),
        // Without permission, only the condition is known.
        ("403", Some(Breakage::Status(403))),
    ];
    let text: String = std::thread::scope(|scope| {
        let started = cases.map(|(case, breakage)| (case, scope.spawn(|| ask(breakage))));
        started.map(|(case, asked)| format!("{case}\n{}\n", asked.join().unwrap())).concat()
    });
    insta::assert_snapshot!(text, @"
    an answer
      healthy: Service ext/wardle answers
      address ok https://localhost:27453 (externalName) answers
        · an API server with --enable-aggregator-routing rejects ExternalName Services
      tls ok the API server trusts the certificate: it forwarded a response
        · caBundle trusts 1 CA; the served certificate is not in the source
        · CA CN=ext-ca, valid 2026-11-16 to 2036-11-13
        · the certificate must be for wardle.ext.svc
      discovery ok answers discovery with 3 resources
      condition none
      external-name

    an unknown authority
      broken: the serving certificate is not signed by a CA that the API server trusts for it
      address ok https://localhost:27453 (externalName) answers
        · an API server with --enable-aggregator-routing rejects ExternalName Services
      tls broken the serving certificate is not signed by a CA that the API server trusts for it
        · caBundle trusts 1 CA; the served certificate is not in the source
        · CA CN=ext-ca, valid 2026-11-16 to 2036-11-13
        · the certificate must be for wardle.ext.svc
        · asked for discovery: the server answers 503: error trying to reach service: tls: failed to verify certificate: x509: certificate signed by unknown authority
      discovery skipped not reached
      condition up to Kubernetes 1.35, the API server's own check does not verify TLS, but client requests do
      external-name

    a refused connection
      broken: connection refused: the host is up, but nothing listens on the port
      address broken connection refused: the host is up, but nothing listens on the port
        · an API server with --enable-aggregator-routing rejects ExternalName Services
        · asked for discovery: the server answers 503: error trying to reach service: dial tcp 10.0.0.9:443: connect: connection refused
      tls skipped caBundle trusts 1 CA; the served certificate is not in the source
        · CA CN=ext-ca, valid 2026-11-16 to 2036-11-13
        · the certificate must be for wardle.ext.svc
      discovery skipped not reached
      condition broken now: connection refused: the host is up, but nothing listens on the port (the API server re-checks every 30 s, and a dump is not taken at one moment)
      external-name
      tls-not-checked

    503
      broken: discovery fails: the server answers 503: as the test wants it
      address ok https://localhost:27453 (externalName) answers
        · an API server with --enable-aggregator-routing rejects ExternalName Services
      tls unknown caBundle trusts 1 CA; the served certificate is not in the source
        · CA CN=ext-ca, valid 2026-11-16 to 2036-11-13
        · the certificate must be for wardle.ext.svc
      discovery broken discovery fails: the server answers 503: as the test wants it
        · asked for discovery: the server answers 503: as the test wants it
      condition broken now: discovery fails: the server answers 503: as the test wants it (the API server re-checks every 30 s, and a dump is not taken at one moment)
      external-name
      tls-not-checked

    HTML
      broken: answers, but not with a discovery document: the answer is text/html, not JSON
      address ok https://localhost:27453 (externalName) answers
        · an API server with --enable-aggregator-routing rejects ExternalName Services
      tls unknown caBundle trusts 1 CA; the served certificate is not in the source
        · CA CN=ext-ca, valid 2026-11-16 to 2036-11-13
        · the certificate must be for wardle.ext.svc
      discovery broken answers, but not with a discovery document: the answer is text/html, not JSON
        · asked for discovery: the answer is text/html, not JSON
      condition the API server's own check accepts any 2xx response without reading it
      external-name
      tls-not-checked

    garbage
      broken: answers, but not with a discovery document: the answer is not text
      address ok https://localhost:27453 (externalName) answers
        · an API server with --enable-aggregator-routing rejects ExternalName Services
      tls unknown caBundle trusts 1 CA; the served certificate is not in the source
        · CA CN=ext-ca, valid 2026-11-16 to 2036-11-13
        · the certificate must be for wardle.ext.svc
      discovery broken answers, but not with a discovery document: the answer is not text
        · asked for discovery: the answer is not text
      condition the API server's own check accepts any 2xx response without reading it
      external-name
      tls-not-checked

    another kind
      broken: answers, but not with a discovery document: the answer is v1 Pod
      address ok https://localhost:27453 (externalName) answers
        · an API server with --enable-aggregator-routing rejects ExternalName Services
      tls unknown caBundle trusts 1 CA; the served certificate is not in the source
        · CA CN=ext-ca, valid 2026-11-16 to 2036-11-13
        · the certificate must be for wardle.ext.svc
      discovery broken answers, but not with a discovery document: the answer is v1 Pod
        · asked for discovery: the answer is v1 Pod
      condition the API server's own check accepts any 2xx response without reading it
      external-name
      tls-not-checked

    no answer
      warning: timed out
      address ok https://localhost:27453 (externalName) answers
        · an API server with --enable-aggregator-routing rejects ExternalName Services
      tls unknown caBundle trusts 1 CA; the served certificate is not in the source
        · CA CN=ext-ca, valid 2026-11-16 to 2036-11-13
        · the certificate must be for wardle.ext.svc
      discovery odd timed out
        · asked for discovery: no answer within 2 s (request timeout)
      condition none
      external-name
      tls-not-checked

    403
      healthy: Service ext/wardle responds; its certificate was not verified
      address ok https://localhost:27453 (externalName) answers
        · an API server with --enable-aggregator-routing rejects ExternalName Services
      tls unknown caBundle trusts 1 CA; the served certificate is not in the source
        · CA CN=ext-ca, valid 2026-11-16 to 2036-11-13
        · the certificate must be for wardle.ext.svc
      discovery ok answers discovery
      condition none
      external-name
      tls-not-checked
    ");
}

/// Formats what a diagnosis says about the last checks and about the condition.
fn diagnosis(one: &serde_json::Value) -> String {
    let text = |value: &serde_json::Value| value.as_str().unwrap_or("none").to_owned();
    let mut lines = vec![format!("  {}: {}", text(&one["verdict"]), text(&one["message"]))];
    for link in one["links"].as_array().unwrap() {
        if matches!(link["link"].as_str(), Some("address" | "tls" | "discovery")) {
            let parts = ["link", "state", "message"].map(|part| text(&link[part]));
            lines.push(format!("  {}", parts.join(" ")));
            let evidence = link["evidence"].as_array().unwrap().iter();
            lines.extend(evidence.map(|fact| format!("    · {}", text(fact))));
        }
    }
    lines.push(format!("  condition {}", text(&one["condition"]["contradiction"])));
    for finding in one["findings"].as_array().unwrap() {
        lines.push(format!("  {}", text(&finding["code"])));
    }
    lines.join("\n") + "\n"
}

/// Endpoints are requested only from servers that use them.
#[test]
fn endpoints_are_read_from_old_servers_only() {
    for (name, asked) in [("v1.25-mixed", true), ("v1.33-vanilla", true), ("v1.36-mixed", false)] {
        let world = World::new(&recording(name));
        world.live(&["doctor"]);
        assert_eq!(
            world.server.seen().iter().any(|s| s.path == "/api/v1/endpoints"),
            asked,
            "{name}"
        );
    }
}

#[test]
fn only_what_a_diagnosis_needs_is_requested() {
    let world = World::new(&recording("v1.36-mixed"));
    world.live(&["doctor"]);
    let seen = world.server.seen();
    assert!(seen.iter().all(|s| s.method == "GET"));
    let with_peers = seen.iter().filter(|s| !s.is_without_peers());
    let mut paths: Vec<&str> = with_peers.map(|s| s.path.as_str()).collect();
    paths.sort_unstable();
    // Lists are requested only of available APIServices with a Service.
    let (lists, paths): (Vec<&str>, Vec<&str>) = paths
        .into_iter()
        .partition(|path| path.split('/').count() == 4 && path.starts_with("/apis/"));
    insta::assert_snapshot!(lists.join("\n"), @"
    /apis/apps/v9
    /apis/edge.net/v1
    /apis/edge.net/v2
    /apis/json.broken.example.net/v1
    /apis/legacy.example.org/v1
    /apis/legacy.example.org/v1beta1
    /apis/wardle.example.com/v1alpha1
    /apis/wardle.example.com/v1beta1
    /apis/wardle.example.com/v2
    ");
    assert_eq!(
        paths,
        [
            "/",
            "/api/v1/namespaces",
            "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication",
            "/api/v1/namespaces/kube-system/pods",
            "/api/v1/services",
            "/apis",
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
            "/apis/apiregistration.k8s.io/v1/apiservices",
            "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases",
            "/apis/discovery.k8s.io/v1/endpointslices",
            "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
            "/apis/rbac.authorization.k8s.io/v1/clusterroles",
            "/apis/rbac.authorization.k8s.io/v1/rolebindings",
            "/apis/rbac.authorization.k8s.io/v1/roles",
            "/flagz",
            "/openapi/v3",
            "/openapi/v3/apis/edge.net/v1",
            "/version",
        ]
    );
}

#[test]
fn waiting_ends_at_once_or_in_time() {
    let world = World::new(&recording("v1.36-mixed"));
    let run = |name: &str, timeout: &str| {
        world.live(&[
            "doctor",
            name,
            "--wait-for",
            "available",
            "--timeout",
            timeout,
            "--interval",
            "50ms",
        ])
    };
    let json = world.offline(&["apiservices", "-o", "json"]).out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let with = |available: &str| {
        let items = json["items"].as_array().unwrap();
        let item = items.iter().find(|i| !i["service"].is_null() && i["available"] == available);
        item.unwrap()["name"].as_str().unwrap().to_owned()
    };
    let name = with("True");
    let (up, down) = (run(&name, "20s"), run(&with("False"), "3s"));
    assert_eq!((up.code, up.out), (0, format!("available: {name}\n")), "{}", up.err);
    insta::assert_snapshot!(down, @"
    not available after 3s:
      v1.forbidden.broken.example.net: the extension API server answers discovery
                                       with status 403
    2> note: waiting up to 3s for v1.forbidden.broken.example.net to be available
    [exit 1]
    ");
}

/// "Could not read" is different from "all are available".
#[test]
fn waiting_for_what_cannot_be_read_fails() {
    let path = "/apis/apiregistration.k8s.io/v1/apiservices";
    let wait = |names: &[&str], breakage: Breakage| {
        let world = World::new(&recording("v1.36-mixed"));
        world.server.break_at(path, breakage);
        let wait = ["doctor", "--wait-for", "available", "--timeout", "3s", "--interval", "500ms"];
        let run = world.shown(world.live(&[&wait, names].concat()));
        // The number of attempts depends on the machine.
        let mut lines: Vec<&str> = run.err.lines().collect();
        lines.dedup();
        Run { err: lines.join("\n").replace("v1.apps", "all APIServices"), ..run }
    };
    // Waiting takes long, so run in parallel.
    std::thread::scope(|scope| {
        let all = scope.spawn(|| wait(&[], Breakage::Status(403)));
        let one = scope.spawn(|| wait(&["v1.apps"], Breakage::Status(403)));
        let failed = scope.spawn(|| wait(&[], Breakage::Status(500)));
        let none = scope.spawn(|| wait(&[], Breakage::Empty("APIServiceList")));
        let forbidden = all.join().unwrap();
        insta::assert_snapshot!(forbidden, @"
        2> note: waiting up to 3s for all APIServices to be available
        2> warning: nothing to diagnose: APIServices may not be read (forbidden (403): as the test wants it)
        2> error: nothing to diagnose: APIServices may not be read (forbidden (403): as the test wants it)
        [exit 3]
        ");
        assert_eq!(one.join().unwrap(), forbidden);
        insta::assert_snapshot!(failed.join().unwrap(), @"
        2> note: waiting up to 3s for all APIServices to be available
        2> warning: cannot read APIServices of cluster here (SERVER): the server answers 500: as the test wants it
        2> error: cannot read APIServices of cluster here (SERVER): the server answers 500: as the test wants it
        2> hint: the server answers, but has no objects; aggctl health shows whether etcd is down
        [exit 3]
        ");
        insta::assert_snapshot!(none.join().unwrap(), @"
        2> note: waiting up to 3s for all APIServices to be available
        2> warning: nothing to diagnose: the source has no APIServices
        2> error: nothing to diagnose: the source has no APIServices
        [exit 3]
        ");
    });
}
