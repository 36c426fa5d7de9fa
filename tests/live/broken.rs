//! Every endpoint, broken in every way: bounded time, and an answer that says what it lacks.

use std::time::{Duration, Instant};

use crate::server::{Breakage, Setup};
use crate::world::{PIECE, Run, World, recording};

const ENDPOINTS: [&str; 10] = [
    "/version",
    "/",
    "/apis/apiregistration.k8s.io/v1/apiservices",
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    "/api/v1/services",
    "/apis",
    "/api",
    "/openapi/v3",
    "/apis/apps/v1",
    "/apis/discovery.k8s.io/v1/endpointslices",
];

fn breakages() -> Vec<Breakage> {
    let statuses = [401, 403, 404, 429, 500, 503].map(Breakage::Status);
    let mut all = vec![
        Breakage::Refuse,
        Breakage::Hang,
        Breakage::Drip,
        Breakage::Throttle { seconds: 3600, times: usize::MAX },
        Breakage::Truncated,
        Breakage::WrongType,
        Breakage::Garbage,
        Breakage::OtherKind,
        Breakage::Redirect("https://elsewhere.invalid/apis".to_owned()),
        Breakage::Huge,
        Breakage::Echo,
    ];
    all.extend(statuses);
    all
}

/// A command that needs the endpoint.
fn question(endpoint: &str) -> Vec<&'static str> {
    match endpoint {
        "/apis/apps/v1" => vec!["discovery", "/apis/apps/v1"],
        "/openapi/v3" => vec!["route", "/openapi/v3/apis/apps/v1"],
        "/" => vec!["route", "/healthz"],
        "/api" => vec!["route", "/api/v1/pods"],
        "/version" => vec!["apiservices"],
        "/apis/discovery.k8s.io/v1/endpointslices" => vec!["doctor", "--fail-on", "never"],
        _ => vec!["route", "/apis/wardle.example.com/v2/flunders"],
    }
}

/// Little time where the time is what ends it, and otherwise enough for a busy machine.
fn limits(breakage: &Breakage) -> [&'static str; 4] {
    match breakage {
        // 429 without a time to wait is asked again every second.
        Breakage::Hang | Breakage::Drip | Breakage::Huge | Breakage::Status(429) => {
            ["--request-timeout", "400ms", "--timeout", "1500ms"]
        }
        _ => ["--request-timeout", "20s", "--timeout", "20s"],
    }
}

/// Far above the limits, and far below for ever.
const BOUND: Duration = Duration::from_secs(60);

fn ask(world: &World, endpoint: &str, breakage: &Breakage) -> Run {
    let mut arguments = question(endpoint);
    arguments.extend(limits(breakage));
    arguments.push("-v");
    let started = Instant::now();
    let run = world.live(&arguments);
    assert!(started.elapsed() < BOUND, "{endpoint}");
    assert!(!run.out.contains(PIECE) && !run.err.contains(PIECE), "{endpoint}: {}", run.err);
    run
}

fn check(world: &World, endpoint: &str, breakage: &Breakage) {
    world.server.break_at(endpoint, breakage.clone());
    let run = ask(world, endpoint, breakage);
    let what = format!("{endpoint} {breakage:?}: {}\n{}", run.code, run.err);
    match run.code {
        0 => assert!(run.err.contains("warning: "), "{what}"),
        3 => assert!(run.err.contains("error: "), "{what}"),
        // A document that is not there is no failure of the source.
        2 => assert!(run.err.contains("error: "), "{what}"),
        _ => panic!("{what}"),
    }
    world.server.mend();
    world.server.seen();
}

#[test]
fn every_endpoint_may_break_in_every_way() {
    let world = World::new(&recording("v1.36-mixed"));
    for endpoint in ENDPOINTS {
        for breakage in breakages() {
            check(&world, endpoint, &breakage);
        }
    }
}

#[test]
fn a_server_that_is_broken_altogether_is_an_error() {
    let world = World::new(&recording("v1.36-mixed"));
    let paths: Vec<String> = {
        world.live(&["route", "/healthz"]);
        world.server.seen().into_iter().map(|s| s.path).collect()
    };
    for (breakage, want) in [
        (Breakage::Refuse, ""),
        (Breakage::Hang, "no answer within 400 ms (--request-timeout)"),
        (
            Breakage::Status(401),
            "the server does not accept the credentials (401): as the test wants it",
        ),
        (Breakage::Status(403), "forbidden (403): as the test wants it"),
        (Breakage::Status(503), "the server answers 503: as the test wants it"),
        (Breakage::Garbage, "the answer is "),
        (Breakage::WrongType, "the answer is text/html, not JSON"),
        (Breakage::OtherKind, "the answer is v1 Pod"),
        (
            Breakage::Redirect("https://elsewhere.invalid/".to_owned()),
            "the server redirects to elsewhere.invalid:443, which is not followed",
        ),
        (
            Breakage::Throttle { seconds: 3600, times: usize::MAX },
            "asks to wait 3600 s, longer than --timeout allows",
        ),
    ] {
        for path in &paths {
            world.server.break_at(path, breakage.clone());
        }
        let run = ask(&world, "/", &breakage);
        assert_eq!(run.code, 3, "{breakage:?} {}", run.err);
        assert_eq!(run.out, "", "{breakage:?}");
        let line = run.err.lines().find(|line| line.starts_with("error: ")).unwrap_or_default();
        let start = format!("error: cannot read cluster here ({}): ", world.server.address);
        assert!(line.starts_with(&start) && line.contains(want), "{breakage:?}: {line}");
        world.server.mend();
    }
}

#[test]
fn what_hangs_over_http_1_hangs_alone() {
    let dump = recording("v1.36-mixed").join("dump");
    let world = World::with(&Setup { protocols: vec!["http/1.1"], ..Setup::replaying(&dump) });
    for endpoint in ["/version", "/api/v1/services"] {
        for breakage in [Breakage::Hang, Breakage::Refuse, Breakage::Truncated] {
            check(&world, endpoint, &breakage);
        }
    }
}

#[test]
fn patience_is_shown_where_the_server_asks_for_it() {
    let world = World::new(&recording("v1.36-mixed"));
    world.server.break_at("/version", Breakage::Throttle { seconds: 0, times: 2 });
    let run = world.live(&["apiservices"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert_eq!(world.server.seen().iter().filter(|s| s.path == "/version").count(), 3);
}

#[test]
fn the_answer_goes_on_and_says_what_is_missing() {
    let world = World::new(&recording("v1.36-mixed"));
    world
        .server
        .break_at("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", Breakage::Status(403));
    let run = world.live(&["route", "/apis/stable.example.com/v1/crontabs", "-o", "json"]);
    assert_eq!(run.code, 0);
    assert_eq!(run.err, "warning: could not read CRDs: forbidden (403): as the test wants it\n");
    let answer: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(answer["outcome"], "served");
    let assumption = "CRDs forbidden: crontabs.stable.example.com follows from an APIResourceList";
    assert_eq!(answer["assumptions"], serde_json::json!([assumption]));
}

#[test]
fn every_json_says_what_could_not_be_read() {
    let world = World::new(&recording("v1.36-mixed"));
    world
        .server
        .break_at("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", Breakage::Status(403));
    for command in ["apiservices", "order", "chain"] {
        let run = world.live(&[command, "-o", "json"]);
        let answer: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        let want = "CRDs may not be read: forbidden (403): as the test wants it";
        assert_eq!(answer["assumptions"], serde_json::json!([want]), "{command}");
    }
}

/// There may be hundreds of them, and anybody who has an APIService can write one.
#[test]
fn one_resource_list_may_not_be_large() {
    let world = World::new(&recording("v1.36-mixed"));
    world.server.break_at("/apis/apps/v1", Breakage::Huge);
    let run = world.live(&["discovery", "/apis/apps/v1", "--timeout", "60s"]);
    assert!(run.err.contains("the answer is larger than 8 MiB"), "{}", run.err);
}
