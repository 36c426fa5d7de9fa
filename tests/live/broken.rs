//! Tests a server with endpoints that fail in many ways: answers take bounded time and name what is
//! missing.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::server::{Breakage, Setup};
use crate::world::{PIECE, Run, World, recording};

/// One endpoint, and a command that needs it.
struct Case {
    endpoint: &'static str,
    question: &'static [&'static str],
    /// The name of the endpoint's data in warnings.
    named: &'static str,
    /// The beginning of the assumption that replaces the data. Empty if other endpoints have the
    /// same data, so the answer does not change.
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

/// Returns short limits if the failure runs into them, and otherwise enough for a busy machine.
fn limits(breakage: &Breakage) -> [&'static str; 4] {
    match breakage {
        // 429 without Retry-After is retried every second.
        Breakage::Status(429) => ["--request-timeout", "4s", "--timeout", "4s"],
        Breakage::Hang | Breakage::Drip | Breakage::Huge => {
            ["--request-timeout", "400ms", "--timeout", "1500ms"]
        }
        _ => ["--request-timeout", "20s", "--timeout", "20s"],
    }
}

/// Far above the limits.
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

/// The reported reasons, by kind of failure.
type Reasons = Mutex<BTreeMap<String, BTreeSet<String>>>;

/// Records the reported reason of a failure, unless it differs between runs: the wording of the
/// transport, or whether a limit of size or time is reached first.
fn note(reasons: &Reasons, breakage: &Breakage, reason: &str) {
    if matches!(breakage, Breakage::Refuse | Breakage::Truncated | Breakage::Huge) {
        assert!(!reason.is_empty());
        return;
    }
    // The server echoes all headers.
    let reason = reason.split_inclusive("you sent").next().unwrap_or_default();
    let mut reasons = reasons.lock().unwrap();
    reasons.entry(format!("{breakage:?}")).or_default().insert(reason.to_owned());
}

/// Formats the reasons for a snapshot.
fn listed(reasons: Reasons) -> String {
    let reasons = reasons.into_inner().unwrap();
    let lines = |(breakage, reasons): (String, BTreeSet<String>)| {
        let reasons: Vec<String> =
            reasons.into_iter().map(|reason| format!("  {reason}")).collect();
        format!("{breakage}\n{}\n", reasons.join("\n"))
    };
    reasons.into_iter().map(lines).collect()
}

/// Returns whether an endpoint still responds with a refusal or nonsense.
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

/// Checks that the answer names what is missing and why, or equals the healthy one if nothing is.
/// Without APIServices there is no answer, so an error names them.
fn check(world: &World, case: &Case, healthy: &Run, breakage: &Breakage, reasons: &Reasons) {
    let Case { endpoint, question, named, assumed } = *case;
    world.server.break_at(endpoint, breakage.clone());
    let run = ask(world, question, breakage);
    world.server.mend();
    world.server.seen();
    let what = format!("{endpoint} {breakage:?}: {}\n{}{}", run.code, run.out, run.err);
    // If the size limit is reached before the time limit, the rest of the cluster is used.
    let too_large = *breakage == Breakage::Huge && run.code == 0;
    if endpoint.ends_with("/apiservices") && !leaves_an_answer(breakage) && !too_large {
        assert_eq!((run.code, run.out.as_str()), (3, ""), "{what}");
        let errors: Vec<&str> =
            run.err.lines().filter_map(|line| line.strip_prefix("error: ")).collect();
        let [error] = *errors else { panic!("one error: {what}") };
        // Retries after 429 may use up the time, which is then the reported reason.
        if *breakage != Breakage::Status(429) {
            note(reasons, breakage, &error.replace(&world.server.address.to_string(), "SERVER"));
        }
        return;
    }
    let start = format!("warning: could not read {named}: ");
    let said = run.err.lines().find_map(|line| line.strip_prefix(&start));
    // A group version that is registered but not served has no document.
    if endpoint == "/apis/apps/v1" && *breakage == Breakage::Status(404) {
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{what}");
        return;
    }
    assert_eq!(run.code, 0, "{what}");
    let answer: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let Some(said) = said else { panic!("{named} is not named: {what}") };
    note(reasons, breakage, said);
    if assumed.is_empty() {
        assert_eq!(run.out, healthy.out, "{what}");
        return;
    }
    let assumptions = answer["assumptions"].as_array().into_iter().flatten();
    let names = |text: &serde_json::Value| text.as_str().unwrap().starts_with(assumed);
    assert!(assumptions.into_iter().any(names), "{assumed} is not assumed: {what}");
}

/// Each endpoint has its own server and thread, since most of the time is spent waiting.
#[test]
fn every_endpoint_may_fail_in_every_way() {
    let reasons = Reasons::default();
    std::thread::scope(|scope| {
        for case in &CASES {
            let reasons = &reasons;
            scope.spawn(move || {
                let world = World::new(&recording("v1.36-mixed"));
                let healthy = ask(&world, case.question, &Breakage::Refuse);
                assert_eq!(healthy.code, 0, "{}", healthy.err);
                assert!(!healthy.err.contains("warning: "), "{}", healthy.err);
                for breakage in breakages() {
                    check(&world, case, &healthy, &breakage, reasons);
                }
            });
        }
    });
    insta::assert_snapshot!(listed(reasons), @r#"
    Drip
      cannot read APIServices of cluster here (SERVER): no response within 400 ms (request timeout)
      no response within 400 ms (request timeout)
    Echo
      forbidden (403): you sent
    Garbage
      the response is not text
    Hang
      cannot read APIServices of cluster here (SERVER): no response within 400 ms (request timeout)
      no response within 400 ms (request timeout)
    OtherKind
      the response is v1 Pod
    Redirect("https://elsewhere.invalid/apis")
      the server redirects to elsewhere.invalid:443; aggctl does not follow redirects
    Status(401)
      cannot read APIServices of cluster here (SERVER): the server does not accept the credentials (401): as the test wants it
      the server does not accept the credentials (401): as the test wants it
    Status(403)
      forbidden (403): as the test wants it
    Status(404)
      not found (404): as the test wants it
    Status(429)
      the server asks for fewer requests (429): as the test wants it, and asks to wait 1 s, longer than the timeout allows
    Status(500)
      cannot read APIServices of cluster here (SERVER): the server answers 500: as the test wants it
      the server answers 500: as the test wants it
    Status(503)
      cannot read APIServices of cluster here (SERVER): the server answers 503: as the test wants it
      the server answers 503: as the test wants it
    Throttle { seconds: 3600, times: 18446744073709551615 }
      cannot read APIServices of cluster here (SERVER): the server asks for fewer requests (429): slow down, and asks to wait 3600 s, longer than the timeout allows
      the server asks for fewer requests (429): slow down, and asks to wait 3600 s, longer than the timeout allows
    WrongType
      the response is text/html, not JSON
    "#);
}

#[test]
fn a_server_that_fails_everywhere_is_an_error() {
    let world = World::new(&recording("v1.36-mixed"));
    let paths: Vec<String> = {
        world.live(&["route", "/healthz"]);
        world.server.seen().into_iter().map(|s| s.path).collect()
    };
    let reasons = Reasons::default();
    for breakage in [
        Breakage::Refuse,
        Breakage::Hang,
        Breakage::Status(401),
        Breakage::Status(403),
        Breakage::Status(503),
        Breakage::Garbage,
        Breakage::WrongType,
        Breakage::OtherKind,
        Breakage::Redirect("https://elsewhere.invalid/".to_owned()),
        Breakage::Throttle { seconds: 3600, times: usize::MAX },
    ] {
        for path in &paths {
            world.server.break_at(path, breakage.clone());
        }
        let run = ask(&world, &["route", "/healthz"], &breakage);
        assert_eq!(run.code, 3, "{breakage:?} {}", run.err);
        assert_eq!(run.out, "", "{breakage:?}");
        let line = run.err.lines().find_map(|line| line.strip_prefix("error: ")).unwrap();
        note(&reasons, &breakage, &line.replace(&world.server.address.to_string(), "SERVER"));
        world.server.mend();
    }
    insta::assert_snapshot!(listed(reasons), @r#"
    Garbage
      cannot read cluster here (SERVER): the response is not text
    Hang
      cannot read cluster here (SERVER): no response within 400 ms (request timeout)
    OtherKind
      cannot read cluster here (SERVER): the response is v1 Pod
    Redirect("https://elsewhere.invalid/")
      cannot read cluster here (SERVER): the server redirects to elsewhere.invalid:443; aggctl does not follow redirects
    Status(401)
      cannot read cluster here (SERVER): the server does not accept the credentials (401): as the test wants it
    Status(403)
      cannot read cluster here (SERVER): forbidden (403): as the test wants it
    Status(503)
      cannot read cluster here (SERVER): the server answers 503: as the test wants it
    Throttle { seconds: 3600, times: 18446744073709551615 }
      cannot read cluster here (SERVER): the server asks for fewer requests (429): slow down, and asks to wait 3600 s, longer than the timeout allows
    WrongType
      cannot read cluster here (SERVER): the response is text/html, not JSON
    "#);
}

#[test]
fn over_http_1_a_hanging_request_does_not_hold_up_others() {
    let dump = recording("v1.36-mixed").join("dump");
    let world = World::with(&Setup { protocols: vec!["http/1.1"], ..Setup::replaying(&dump) });
    for case in CASES.iter().filter(|c| ["/version", "/api/v1/services"].contains(&c.endpoint)) {
        let healthy = ask(&world, case.question, &Breakage::Refuse);
        for breakage in [Breakage::Hang, Breakage::Refuse, Breakage::Truncated] {
            check(&world, case, &healthy, &breakage, &Reasons::default());
        }
    }
}

#[test]
fn retry_after_is_respected() {
    let world = World::new(&recording("v1.36-mixed"));
    world.server.break_at("/version", Breakage::Throttle { seconds: 0, times: 2 });
    let run = world.live(&["apiservices"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert_eq!(world.server.seen().iter().filter(|s| s.path == "/version").count(), 3);
}

#[test]
fn an_answer_names_what_could_not_be_read() {
    let world = World::new(&recording("v1.36-mixed"));
    world
        .server
        .break_at("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", Breakage::Status(403));
    let run = world.live(&["route", "/apis/stable.example.com/v1/crontabs", "-o", "json"]);
    assert_eq!(run.code, 0);
    assert_eq!(run.json()["outcome"], "served");
    insta::assert_snapshot!(format!("{}{}", run.err, run.json()["assumptions"]), @r#"
    warning: could not read CRDs: forbidden (403): as the test wants it
    ["CRDs cannot be read (forbidden (403): as the test wants it); inferred crontabs.stable.example.com from an APIResourceList"]
    "#);
}

#[test]
fn every_document_names_what_could_not_be_read() {
    let world = World::new(&recording("v1.36-mixed"));
    world
        .server
        .break_at("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", Breakage::Status(403));
    let assumptions = ["apiservices", "order", "chain"].map(|command| {
        let answer = world.live(&[command, "-o", "json"]).json();
        format!("{command}: {}\n", answer["assumptions"])
    });
    insta::assert_snapshot!(assumptions.concat(), @r#"
    apiservices: ["CRDs cannot be read (forbidden (403): as the test wants it); custom resources are inferred from the rest of the source"]
    order: ["CRDs cannot be read (forbidden (403): as the test wants it)"]
    chain: ["CRDs cannot be read (forbidden (403): as the test wants it); custom resources are inferred from the rest of the source"]
    "#);
}
