//! Every endpoint, broken in every way: bounded time, and an answer that says what it lacks.

use std::time::{Duration, Instant};

use crate::server::{Breakage, Setup};
use crate::world::{PIECE, Run, World, recording};

/// One endpoint, and a question whose answer needs it.
struct Case {
    endpoint: &'static str,
    question: &'static [&'static str],
    /// What the endpoint has, as the answer must call it where it does not come.
    named: &'static str,
    /// What the answer says that it rests on instead; nothing where something else tells as much,
    /// and the answer must be the same.
    assumed: &'static str,
}

const ROUTE: &[&str] = &["route", "/apis/wardle.example.com/v2/flunders", "-o", "json"];

const CASES: [Case; 11] = [
    Case {
        endpoint: "/version",
        question: &["apiservices", "-o", "json"],
        named: "the server's version",
        assumed: "the server's version ",
    },
    Case {
        endpoint: "/",
        question: &["route", "/healthz", "-o", "json"],
        named: "the path list /",
        assumed: "the path list / ",
    },
    Case {
        endpoint: "/apis/apiregistration.k8s.io/v1/apiservices",
        question: ROUTE,
        named: "APIServices",
        assumed: "APIServices ",
    },
    Case {
        endpoint: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
        question: &["route", "/apis/stable.example.com/v1/crontabs", "-o", "json"],
        named: "CRDs",
        assumed: "CRDs ",
    },
    Case { endpoint: "/api/v1/services", question: ROUTE, named: "Services", assumed: "Services " },
    Case {
        endpoint: "/apis",
        question: &["route", "/apis/apps/v1/deployments", "-o", "json"],
        named: "the aggregated document /apis",
        assumed: "",
    },
    Case {
        endpoint: "/api",
        question: &["route", "/api/v1/pods", "-o", "json"],
        named: "the aggregated document /api",
        assumed: "the APIResourceList of v1 ",
    },
    Case {
        endpoint: "/openapi/v3",
        question: &["route", "/openapi/v3/apis/apps/v1", "-o", "json"],
        named: "the index /openapi/v3",
        assumed: "the index /openapi/v3 ",
    },
    Case {
        endpoint: "/apis/apps/v1",
        question: &["discovery", "/apis/apps/v1", "-o", "json"],
        named: "the resources of apps/v1",
        assumed: "the APIResourceList of apps/v1 ",
    },
    Case {
        endpoint: "/apis/discovery.k8s.io/v1/endpointslices",
        question: &["doctor", "--fail-on", "never", "-o", "json"],
        named: "EndpointSlices",
        assumed: "EndpointSlices ",
    },
    Case {
        endpoint: "/api/v1/namespaces",
        question: &["doctor", "--fail-on", "never", "-o", "json"],
        named: "Namespaces",
        assumed: "Namespaces ",
    },
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

/// Little time where the time is what ends it, and otherwise enough for a busy machine.
fn limits(breakage: &Breakage) -> [&'static str; 4] {
    match breakage {
        // 429 without a time to wait is asked again every second.
        Breakage::Status(429) => ["--request-timeout", "4s", "--timeout", "4s"],
        Breakage::Hang | Breakage::Drip | Breakage::Huge => {
            ["--request-timeout", "400ms", "--timeout", "1500ms"]
        }
        _ => ["--request-timeout", "20s", "--timeout", "20s"],
    }
}

/// Far above the limits, and far below for ever.
const BOUND: Duration = Duration::from_secs(60);

fn ask(world: &World, question: &[&str], breakage: &Breakage) -> Run {
    let mut arguments = question.to_vec();
    arguments.extend(limits(breakage));
    arguments.extend(["-v", "--color", "never"]);
    let started = Instant::now();
    let run = world.live(&arguments);
    assert!(started.elapsed() < BOUND, "{question:?}");
    assert!(!run.out.contains(PIECE) && !run.err.contains(PIECE), "{question:?}: {}", run.err);
    run
}

/// What is said of an endpoint that breaks like this.
fn reason(breakage: &Breakage) -> &'static str {
    match breakage {
        Breakage::Hang | Breakage::Drip => "no answer within 400 ms (request timeout)",
        Breakage::Throttle { .. } => "asks to wait 3600 s, longer than --timeout allows",
        Breakage::WrongType => "the answer is text/html, not JSON",
        Breakage::Garbage => "the answer is not text",
        Breakage::OtherKind => "the answer is v1 Pod",
        Breakage::Redirect(_) => "the server redirects to elsewhere.invalid:443",
        Breakage::Echo => "forbidden (403): you sent",
        Breakage::Status(401) => "the server does not accept the credentials (401): as the test",
        Breakage::Status(403) => "forbidden (403): as the test wants it",
        Breakage::Status(404) => "not found (404): as the test wants it",
        Breakage::Status(429) => "the server asks for fewer requests (429): as the test wants it",
        Breakage::Status(500) => "the server answers 500: as the test wants it",
        Breakage::Status(503) => "the server answers 503: as the test wants it",
        // The transport has its own words, and size and time are both limits.
        _ => "",
    }
}

/// Whether an endpoint says no, or nonsense, instead of breaking down.
fn leaves_an_answer(breakage: &Breakage) -> bool {
    matches!(
        breakage,
        Breakage::WrongType
            | Breakage::Garbage
            | Breakage::OtherKind
            | Breakage::Redirect(_)
            | Breakage::Echo
            | Breakage::Status(403 | 404)
    )
}

/// An answer names what it lacks and why, and is the healthy one where it lacks nothing; or there
/// is an error that names it.
fn check(world: &World, case: &Case, healthy: &Run, breakage: &Breakage) {
    let Case { endpoint, question, named, assumed } = *case;
    world.server.break_at(endpoint, breakage.clone());
    let run = ask(world, question, breakage);
    world.server.mend();
    world.server.seen();
    let what = format!("{endpoint} {breakage:?}: {}\n{}{}", run.code, run.out, run.err);
    if endpoint.ends_with("/apiservices") && !leaves_an_answer(breakage) {
        // Every answer is about them.
        assert!(run.err.contains("cannot read APIServices of cluster "), "{what}");
        // A server that asks for patience may use up the time.
        let patient = *breakage == Breakage::Status(429);
        assert!(patient || run.err.contains(reason(breakage)), "{what}");
        assert_eq!((run.code, run.out.as_str()), (3, ""), "{what}");
        return;
    }
    let start = format!("warning: could not read {named}: ");
    let said = run.err.lines().find_map(|line| line.strip_prefix(&start));
    assert_eq!(run.code, 0, "{what}");
    let answer: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    // A group version that is registered and not served is no fault of the collection: that its
    // list is not the server's own is what is said.
    if endpoint != "/apis/apps/v1" || *breakage != Breakage::Status(404) {
        let Some(said) = said else { panic!("{named} is not named: {what}") };
        assert!(!said.is_empty() && said.contains(reason(breakage)), "{what}");
    }
    if assumed.is_empty() {
        assert_eq!(run.out, healthy.out, "{what}");
        return;
    }
    let assumptions = answer["assumptions"].as_array().into_iter().flatten();
    let names = |text: &serde_json::Value| text.as_str().unwrap().starts_with(assumed);
    assert!(assumptions.into_iter().any(names), "{assumed} is not assumed: {what}");
}

/// Each endpoint has a server and a thread of its own: most of the time is waiting.
#[test]
fn every_endpoint_may_break_in_every_way() {
    std::thread::scope(|scope| {
        for case in &CASES {
            scope.spawn(move || {
                let world = World::new(&recording("v1.36-mixed"));
                let healthy = ask(&world, case.question, &Breakage::Refuse);
                assert_eq!(healthy.code, 0, "{}", healthy.err);
                assert!(!healthy.err.contains("warning: "), "{}", healthy.err);
                for breakage in breakages() {
                    check(&world, case, &healthy, &breakage);
                }
            });
        }
    });
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
        (Breakage::Hang, "no answer within 400 ms (request timeout)"),
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
        let run = ask(&world, &["route", "/healthz"], &breakage);
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
    for case in CASES.iter().filter(|c| ["/version", "/api/v1/services"].contains(&c.endpoint)) {
        let healthy = ask(&world, case.question, &Breakage::Refuse);
        for breakage in [Breakage::Hang, Breakage::Refuse, Breakage::Truncated] {
            check(&world, case, &healthy, &breakage);
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
    let assumption = "CRDs may not be read (forbidden (403): as the test wants it): crontabs.stable.example.com follows from an APIResourceList";
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
        let want = "CRDs may not be read (forbidden (403): as the test wants it)";
        let assumed = answer["assumptions"].as_array().unwrap();
        assert_eq!(assumed.len(), 1, "{command}");
        assert!(assumed[0].as_str().unwrap().starts_with(want), "{command}: {assumed:?}");
    }
}
