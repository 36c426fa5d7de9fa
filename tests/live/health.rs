//! A server that is asked how it is.

use crate::server::Breakage;
use crate::world::{World, recording};

const READY: &str = "[+]ping ok\n[+]etcd ok\n[+]poststarthook/crd-informer-synced ok\n[+]poststarthook/apiservice-registration-controller ok\n[+]poststarthook/rbac/bootstrap-roles ok\n[+]shutdown ok\nreadyz check passed\n";
const STARTING: &str = "[+]ping ok\n[+]etcd ok\n[-]poststarthook/crd-informer-synced failed: reason withheld\n[-]autoregister-completion failed: reason withheld\nreadyz check failed\n";
const LIVE: &str = "[+]ping ok\n[-]etcd failed: reason withheld\nlivez check failed\n";

fn world() -> World {
    World::new(&recording("v1.36-mixed"))
}

#[test]
fn failed_checks_are_asked_for_their_reasons() {
    let world = world();
    world.server.break_at("/readyz", Breakage::Plain(500, STARTING));
    let reason = "internal server error: missing APIService: [v1.apps]\n";
    world.server.break_at("/readyz/autoregister-completion", Breakage::Plain(500, reason));
    world.server.break_at("/readyz/poststarthook/crd-informer-synced", Breakage::Status(403));
    let run = world.live(&["health", "readyz"]);
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    assert!(run.out.contains("missing APIService: [v1.apps]"), "{}", run.out);
    assert!(run.out.contains("reason withheld"), "{}", run.out);
    assert!(run.out.contains("unknown paths 503"), "{}", run.out);
    let seen = world.server.seen();
    assert!(seen.iter().all(|request| request.method == "GET"), "{seen:?}");
    let asked = |path: &str| seen.iter().any(|request| request.path == path);
    assert!(asked("/readyz/autoregister-completion") && !asked("/livez"), "{seen:?}");
}

#[test]
fn a_server_that_is_ready_is_said_to_be() {
    let world = world();
    world.server.break_at("/readyz", Breakage::Plain(200, READY));
    let run = world.live(&["health", "readyz", "--wait", "1m"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("readyz: 200, all 6 checks pass"), "{}", run.out);
    let single = world.live(&["health", "readyz", "rbac/bootstrap-roles", "-o", "json"]);
    let json: serde_json::Value = serde_json::from_str(&single.out).unwrap();
    assert_eq!(json["endpoints"][0]["checks"][0]["server"], "kube-apiserver");
    assert_eq!(json["source"]["kind"], "live");
}

/// While etcd is down everything that needs it hangs: nothing of that is asked for.
#[test]
fn nothing_is_asked_for_that_would_hang() {
    let world = world();
    world.server.break_at("/livez", Breakage::Plain(500, LIVE));
    world.server.break_at("/apis/apiregistration.k8s.io/v1/apiservices", Breakage::Hang);
    let run = world.live(&["health", "livez"]);
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    assert!(run.out.contains("error[etcd-down]"), "{}", run.out);
    assert!(run.out.contains("warning[livez-restarts-on-etcd]"), "{}", run.out);
}

#[test]
fn no_answer_is_an_outcome() {
    let world = world();
    let check = |breakage: Breakage, arguments: &[&str], code: u8, phase: &str| {
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

/// A dump keeps the bodies, and the reasons where they may be read.
#[test]
fn a_dump_keeps_how_the_server_was() {
    let world = world();
    world.server.break_at("/readyz", Breakage::Plain(500, STARTING));
    world.server.break_at("/livez", Breakage::Status(403));
    let reason = "internal server error: missing APIService: [v1.apps]\n";
    world.server.break_at("/readyz/autoregister-completion", Breakage::Plain(500, reason));
    let target = world.directory.path().join("kept");
    let dumped = world.live(&["dump", target.to_str().unwrap()]);
    assert_eq!(dumped.code, 0, "{}", dumped.err);
    let kept = std::fs::read_to_string(target.join("readyz-verbose.txt")).unwrap();
    assert!(kept.contains("[-]autoregister-completion failed: missing APIService: [v1.apps]\n"));
    let run = crate::world::run(&["health", "-o", "json", "--dump", target.to_str().unwrap()]);
    let json: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(json["endpoints"][0]["status"], 500);
    assert_eq!(json["endpoints"][1]["status"], 403, "{}", run.out);
}
