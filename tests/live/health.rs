//! Tests `aggctl health` on a live cluster.

use crate::server::Breakage;
use crate::world::{World, recording};

const READY: &str = "[+]ping ok\n[+]etcd ok\n[+]poststarthook/crd-informer-synced ok\n[+]poststarthook/apiservice-registration-controller ok\n[+]poststarthook/rbac/bootstrap-roles ok\n[+]shutdown ok\nreadyz check passed\n";
const STARTING: &str = "[+]ping ok\n[+]etcd ok\n[-]poststarthook/crd-informer-synced failed: reason withheld\n[-]autoregister-completion failed: reason withheld\nreadyz check failed\n";
const LIVE: &str = "[+]ping ok\n[-]etcd failed: reason withheld\nlivez check failed\n";

fn world() -> World {
    World::new(&recording("v1.36-mixed"))
}

#[test]
fn the_reasons_of_failed_checks_are_requested() {
    let world = world();
    world.server.break_at("/readyz", Breakage::Plain(500, STARTING));
    let reason = "internal server error: missing APIService: [v1.apps]\n";
    world.server.break_at("/readyz/autoregister-completion", Breakage::Plain(500, reason));
    world.server.break_at("/readyz/poststarthook/crd-informer-synced", Breakage::Status(403));
    insta::assert_snapshot!(world.shown(world.live(&["health", "readyz"])), @"
    readyz: 500, 2 of 4 checks fail (kube-aggregator answers for the chain)
      ✗ poststarthook/crd-informer-synced  apiextensions-apiserver
          the server withholds the reason
          waits for: the CRDs to be listed
          until then: paths of CRDs and unknown paths get 503
          if it keeps failing: CRDs cannot be read, or the API server gets too
          little CPU
      ✗ autoregister-completion            kube-aggregator
          missing APIService: [v1.apps]
          waits for: every built-in APIService to have been Available once
          if it keeps failing: a built-in APIService was replaced by hand and is not
          available; the reason names it
    phase: starting; not all routes are installed yet
    requests now:
      unknown paths          503
      custom resources       503
      extension API servers  unknown
      RBAC users             unknown
    after a restart: autoregister-completion passes with the APIServices of the
                     source
    info[starting]:
      starting; not all routes are installed yet
      next: aggctl health --wait 2m --kubeconfig FOLDER/config
    [exit 1]
    ");
    let seen = world.server.seen();
    assert!(seen.iter().all(|request| request.method == "GET"), "{seen:?}");
    let asked = |path: &str| seen.iter().any(|request| request.path == path);
    assert!(asked("/readyz/autoregister-completion") && !asked("/livez"), "{seen:?}");
}

/// A check that passes when its reason is requested was only not ready yet.
#[test]
fn a_check_that_passes_a_moment_later_blames_no_etcd() {
    let world = world();
    let body = STARTING.replace("[+]etcd ok", "[-]etcd failed: reason withheld");
    world.server.break_at("/readyz", Breakage::Plain(500, body.leak()));
    world.server.break_at("/readyz/etcd", Breakage::Plain(200, "ok"));
    let json = crate::harness::json(&world.live(&["health", "readyz", "-o", "json"]).out);
    let codes: Vec<_> =
        json["warnings"].as_array().unwrap().iter().map(|one| one["code"].clone()).collect();
    assert_eq!(codes, ["starting"], "{json}");
    let checks = json["endpoints"][0]["checks"].as_array().unwrap();
    let etcd = checks.iter().find(|check| check["name"] == "etcd").unwrap();
    assert_eq!(etcd["reason"], "passed when requested again");
}

#[test]
fn a_ready_server() {
    let world = world();
    world.server.break_at("/readyz", Breakage::Plain(200, READY));
    insta::assert_snapshot!(world.live(&["health", "readyz", "--wait", "1m"]), @"
    readyz: 200, all 6 checks pass
    phase: ready
    requests now:
      unknown paths          404
      custom resources       served
      extension API servers  served, or 503 if unavailable
      RBAC users             as their roles allow
    ");
    let single = world.live(&["health", "readyz", "rbac/bootstrap-roles", "-o", "json"]);
    let json: serde_json::Value = serde_json::from_str(&single.out).unwrap();
    assert_eq!(json["endpoints"][0]["checks"][0]["server"], "kube-apiserver");
    assert_eq!(json["source"]["kind"], "live");
}

/// While etcd is down, requests that need it hang, so they are not sent.
#[test]
fn requests_that_would_hang_are_not_sent() {
    let world = world();
    world.server.break_at("/livez", Breakage::Plain(500, LIVE));
    world.server.break_at("/apis/apiregistration.k8s.io/v1/apiservices", Breakage::Hang);
    insta::assert_snapshot!(world.live(&["health", "livez"]), @"
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
}

#[test]
fn no_answer_is_an_outcome() {
    let world = world();
    let check = |breakage: Breakage, arguments: &[&str], code: i32, phase: &str| {
        world.server.break_at("/readyz", breakage);
        let run = world.live(&[&["health", "readyz", "-o", "json"], arguments].concat());
        let json: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!((run.code, &json["phase"]), (code, &phase.into()), "{}{}", run.out, run.err);
        json
    };
    check(Breakage::Refuse, &[], 3, "unreachable");
    check(Breakage::Refuse, &["--wait", "1s"], 1, "unreachable");
    check(Breakage::Hang, &["--request-timeout", "1s"], 3, "silent");
    let json = check(Breakage::Status(403), &[], 3, "forbidden");
    assert_eq!(json["warnings"][0]["code"], "probe-forbidden");
    check(Breakage::WrongType, &[], 3, "unknown");
}

/// A dump contains the bodies, and the reasons if they may be read.
#[test]
fn a_dump_keeps_the_health_of_the_server() {
    let world = world();
    world.server.break_at("/readyz", Breakage::Plain(500, STARTING));
    world.server.break_at("/livez", Breakage::Status(403));
    let reason = "internal server error: missing APIService: [v1.apps]\n";
    world.server.break_at("/readyz/autoregister-completion", Breakage::Plain(500, reason));
    let target = world.directory.path().join("kept");
    let dumped = world.live(&["dump", target.to_str().unwrap()]);
    assert_eq!(dumped.code, 0, "{}", dumped.err);
    let kept = std::fs::read_to_string(target.join("readyz-verbose.txt")).unwrap();
    insta::assert_snapshot!(kept, @"
    [+]ping ok
    [+]etcd ok
    [-]poststarthook/crd-informer-synced failed: reason withheld
    [-]autoregister-completion failed: missing APIService: [v1.apps]
    readyz check failed
    ");
    let run = crate::world::run(&["health", "-o", "json", "--dump", target.to_str().unwrap()]);
    let json: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(json["endpoints"][0]["status"], 500);
    assert_eq!(json["endpoints"][1]["status"], 403, "{}", run.out);
}
