//! What is said of health, held against what servers did while they started, froze and stopped.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use aggctl_diagnose::health::{self, Expected, Phase, judge};
use kube_aggregation::model::{HealthEndpoint, HealthSample, Minor};
use serde::Deserialize;

use crate::{aggctl, finish, repository, run, run_on, shared, unpacked};

/// How far samplers of different paths are out of step, in seconds.
const STEP: f64 = 1.0;

#[derive(Deserialize)]
struct Checks {
    endpoints: BTreeMap<String, Vec<String>>,
    #[serde(rename = "registeredBy")]
    registered_by: BTreeMap<String, String>,
}

/// A stretch of equal answers to one path; the first line of a run has no path.
#[derive(Deserialize)]
struct Row {
    run: String,
    #[serde(default)]
    path: String,
    #[serde(default, rename = "as")]
    user: String,
    #[serde(default)]
    from: f64,
    #[serde(default)]
    to: f64,
    /// When the first one was asked, if it took long.
    asked: Option<f64>,
    status: Option<u16>,
    failed: Option<Vec<String>>,
    body: Option<String>,
    conn: Option<String>,
}

impl Row {
    fn endpoint(&self) -> Option<HealthEndpoint> {
        HealthEndpoint::parse(self.path.split('?').next().unwrap())
    }
}

fn rows(folder: &Path) -> Vec<Row> {
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    files.retain(|file| file.to_string_lossy().contains(".jsonl"));
    files.sort();
    let mut found = vec![];
    for file in files {
        let text = match file.extension().unwrap() == "gz" {
            true => unpacked(&file),
            false => std::fs::read_to_string(&file).unwrap(),
        };
        found.extend(text.lines().map(|line| serde_json::from_str::<Row>(line).unwrap()));
    }
    found.retain(|row| !row.path.is_empty() && row.conn.is_none());
    found
}

/// The body that goes with what failed: recordings leave most of them out.
fn body(endpoint: HealthEndpoint, names: &[String], failed: &[String]) -> String {
    let line = |name: &String| match failed.contains(name) {
        true => format!("[-]{name} failed: reason withheld\n"),
        false => format!("[+]{name} ok\n"),
    };
    let lines: String = names.iter().map(line).collect();
    let verdict = if failed.is_empty() { "passed\n" } else { "failed" };
    format!("{lines}{} check {verdict}", endpoint.as_str())
}

/// Holds one recording; how many answers were foretold.
fn hold(folder: &Path) -> usize {
    let version = folder.file_name().unwrap().to_string_lossy().replace("health-", "");
    let minor = Minor::parse(&version).unwrap();
    let checks: Checks =
        serde_json::from_slice(&std::fs::read(folder.join("checks.json")).unwrap()).unwrap();
    hold_table(&checks, minor);
    let rows = rows(folder);
    let runs: BTreeSet<&str> = rows.iter().map(|row| row.run.as_str()).collect();
    let mut foretold = 0;
    for run in runs {
        let of_run: Vec<&Row> = rows.iter().filter(|row| row.run == run).collect();
        for row in &of_run {
            if let Some(name) = row.path.strip_prefix("/readyz/").filter(|n| !n.contains('?')) {
                hold_reason(name, row);
            }
            let (Some(endpoint), Some(failed)) = (row.endpoint(), &row.failed) else { continue };
            let names = &checks.endpoints[&format!("/{}", endpoint.as_str())];
            let body = body(endpoint, names, failed);
            if let Some(real) = row.body.as_ref().filter(|real| real.contains("[+]")) {
                assert_eq!(real.trim_end(), body.trim_end(), "{version} {run}");
            }
            foretold += hold_answer(&format!("{version} {run}"), row, &body, &of_run, minor);
        }
        hold_end(&version, run, &of_run, &checks);
    }
    foretold
}

/// Every check that a server has is in the table, on the right server and endpoints, and nothing more.
fn hold_table(checks: &Checks, minor: Minor) {
    for (path, names) in &checks.endpoints {
        let endpoint = HealthEndpoint::parse(path).unwrap();
        for name in names {
            let known = health::find(name).unwrap_or_else(|| panic!("{minor}: {name}"));
            assert!(known.is_on(endpoint), "{minor}: {path} has {name}");
            let (since, until) = (known.since, known.until);
            assert!(since.is_none_or(|since| since <= minor), "{minor}: {name}");
            assert!(until.is_none_or(|until| minor <= until), "{minor}: {name}");
            assert_eq!(known.server.as_str(), checks.registered_by[name], "{minor}: {name}");
        }
        for known in health::names().filter_map(health::find) {
            let there = known.is_on(endpoint)
                && known.with.is_empty()
                && known.since.is_none_or(|since| since <= minor)
                && known.until.is_none_or(|until| minor <= until);
            let listed = names.iter().any(|name| name == known.name);
            assert!(listed || !there, "{minor}: {path} has no {}", known.name);
        }
    }
}

/// The reason that a single check gives is read, and belongs to it.
fn hold_reason(name: &str, row: &Row) {
    if row.status != Some(500) {
        return;
    }
    let body = row.body.as_deref().unwrap();
    let reason = health::reason(body).unwrap_or_else(|| panic!("{body}"));
    assert!(!reason.is_empty());
    if let Ok(bodies) = health::bodies(body) {
        let owner = &bodies[0].checks[0].name;
        assert!(owner == name || owner == "etcd" && name == "etcd-readiness", "{name}: {body}");
    }
}

/// One answer: every line is understood, and what clients got at that time was foretold.
fn hold_answer(what: &str, row: &Row, body: &str, of_run: &[&Row], minor: Minor) -> usize {
    let endpoint = row.endpoint().unwrap();
    let sample = HealthSample { endpoint: None, body: Ok(body.to_owned()) };
    let health = judge(&[vec![sample]], Some(minor), None);
    let [answer] = &*health.answers else { panic!("{what}: {body}") };
    assert_eq!(answer.endpoint, Some(endpoint), "{what}");
    assert_eq!(answer.verdict.status(), row.status, "{what}");
    assert_eq!(answer.checks.len() + 1, body.lines().count(), "{what}: a line was not understood");
    let failed: Vec<&str> =
        answer.checks.iter().filter(|c| c.failed()).map(|c| c.name.as_str()).collect();
    assert_eq!(failed, *row.failed.as_ref().unwrap(), "{what}");
    let known = answer.checks.iter().all(|check| check.known.is_some());
    assert!(known, "{what}: a check is not known");
    // What was answered, and whether there was an answer before: a first one says nothing of the moment
    // before it.
    let seen = |path: &str, user: &str| -> (BTreeSet<Option<u16>>, bool) {
        let near = of_run.iter().filter(|other| {
            let there = other.asked.unwrap_or(other.from) <= row.to + STEP;
            other.path == path && other.user == user && there && row.from - STEP <= other.to
        });
        let before = near.clone().any(|other| other.from <= row.from - STEP);
        (near.map(|other| other.status).collect(), before)
    };
    let mut foretold = 0;
    for (expected, path, user) in [
        (health.expect.unknown_path, "/nope", "admin"),
        (health.expect.custom_resources, "/apis/shop.example.com/v1/widgets", "admin"),
        (health.expect.extension, "/apis/ext.example.com/v1", "admin"),
        (health.expect.rbac_users, "/api/v1/namespaces/default", "bob"),
    ] {
        let (got, before) = seen(path, user);
        let right = match expected {
            Expected::Unknown => continue,
            _ if got.is_empty() => continue,
            // At the end 429 takes the place of 503 where it is asked for, or nobody listens.
            Expected::Status(503) if health.phase == Phase::Stopping => {
                got.iter().any(|status| status.is_none_or(|s| s == 503 || s == 429))
            }
            // Routes come one by one: some are there before the check passes.
            Expected::Status(503) if path.contains("/ext.") => {
                got.contains(&Some(503)) || got.contains(&Some(200))
            }
            Expected::Status(status) => got.contains(&Some(status)),
            // 404 where it does not exist, 403 where a role is missing: as always. That etcd is silent
            // shows in the checks two seconds after it shows in the requests.
            Expected::AsUsual => {
                got.iter().any(|status| status.is_none_or(|s| [200, 403, 404].contains(&s)))
            }
            // No answer in time, or one when etcd was back.
            Expected::Hangs => got.iter().any(|status| status.is_none_or(|s| s == 504 || s == 200)),
        };
        if !right && !before {
            continue;
        }
        let when = format!("{what} {}..{}", row.from, row.to);
        assert!(right, "{when}: {path} as {user}: {expected:?}, got {got:?}");
        foretold += 1;
    }
    foretold
}

/// How a run ends.
fn hold_end(version: &str, run: &str, of_run: &[&Row], checks: &Checks) {
    let last = of_run
        .iter()
        .rev()
        .find(|row| row.user == "admin" && row.path == "/readyz?verbose" && row.failed.is_some());
    let Some(last) = last else { return };
    let failed = last.failed.as_ref().unwrap();
    let body = body(HealthEndpoint::Readyz, &checks.endpoints["/readyz"], failed);
    let sample = HealthSample { endpoint: None, body: Ok(body) };
    let phase = judge(&[vec![sample]], None, None).phase;
    let want = match run {
        "shutdown" => return,
        run if run.starts_with("shutdown") => Phase::Stopping,
        "stuck-autoregister" => Phase::Bootstrapping,
        _ => Phase::Ready,
    };
    assert_eq!(phase, want, "{version} {run}: {failed:?}");
}

#[test]
fn recorded_health_holds() {
    for version in ["1.32", "1.36"] {
        let foretold = hold(&repository("testdata/health").join(version));
        assert!(foretold > 400, "{version}: {foretold} answers were foretold");
    }
}

/// The same of whole recordings, where they are at hand.
#[test]
fn all_recorded_health_holds() {
    let Ok(folders) = std::fs::read_dir(shared("openapi/recordings")) else { return };
    for folder in folders.map(|folder| folder.unwrap().path()) {
        if folder.file_name().unwrap().to_string_lossy().starts_with("health-") {
            assert!(hold(&folder) > 400, "{}", folder.display());
        }
    }
}

fn pasted(text: &str, arguments: &[&str]) -> crate::Run {
    finish(aggctl(&[&["health", "-"], arguments].concat()).write_stdin(text))
}

#[test]
fn a_paste_is_judged_and_never_guessed() {
    let check = |text: &str, code: i32, says: &str| {
        let run = pasted(text, &[]);
        assert_eq!(run.code, code, "{text}: {}{}", run.out, run.err);
        assert!(run.out.contains(says), "{text}: {}", run.out);
        assert!(run.out.lines().all(|line| line.chars().count() <= 80), "{}", run.out);
    };
    check("[+]ping ok\n[+]shutdown ok\nreadyz check passed\n", 0, "readyz: 200, all 2 checks pass");
    check(
        "[+]ping ok\n[-]etcd failed: reason withheld\nlivez check failed",
        1,
        "× etcd  every server",
    );
    check("[+]ping ok\n[+]etc", 3, "cut off after 1 check");
    check("<html>502</html>", 3, "this is HTML, of a proxy");
    check("readyz check failed", 1, "the names of the checks are missing");
    check("", 3, "no answer of a health endpoint");
    check("ok", 0, "?verbose would list the checks");
}

#[test]
fn checks_narrow_an_answer_down() {
    let text = "[+]ping ok\n[-]etcd failed: x\u{1b}[31m\nreadyz check failed\n";
    let one = pasted(text, &["ping"]);
    assert_eq!((one.code, one.out.contains("√ ping")), (0, true), "{}", one.out);
    let failed = pasted(text, &["readyz", "etcd"]);
    assert_eq!((failed.code, failed.out.contains('\u{1b}')), (1, false), "{}", failed.out);
    let none = pasted(text, &["etc"]);
    assert_eq!((none.code, none.err.contains("did you mean etcd?")), (2, true), "{}", none.err);
    let names = pasted(text, &["-o", "name"]);
    assert_eq!(names.out, "etcd\n");
}

#[test]
fn a_dump_tells_what_the_next_restart_brings() {
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
    let lacking = run_on(&crate::dump("v1.36-vanilla"), &["health"]);
    assert_eq!((lacking.code, lacking.err.contains("no answer of a health endpoint")), (3, true));
    let plain = run(&["health", "--builtin"]);
    assert_eq!(plain.code, 2, "{}", plain.err);
}

/// What is said of a server that was starting is said of its routes too.
#[test]
fn routes_of_a_server_that_was_starting() {
    let place = tempfile::tempdir().unwrap();
    let version = r#"{"gitVersion":"v1.36.4","major":"1","minor":"36"}"#;
    std::fs::write(place.path().join("version.json"), version).unwrap();
    let body = "[+]ping ok\n[-]poststarthook/crd-informer-synced failed: reason withheld\nreadyz check failed\n";
    std::fs::write(place.path().join("readyz.txt"), body).unwrap();
    let run = run_on(place.path(), &["route", "/nope"]);
    assert!(run.err.contains("the server was starting: unknown paths get 503"), "{}", run.err);
}

/// A running server does not mind it, so that others must tell.
#[test]
fn the_code_reaches_other_commands() {
    let dump = repository("testdata/health/stuck");
    for command in [
        &["doctor", "v1.node.k8s.io"][..],
        &["conflicts"],
        &["apiservices", "--odd"],
        &["explain", "stuck-built-in-apiservice"],
    ] {
        let run = run_on(&dump, command);
        let text = run.out.split_whitespace().collect::<Vec<_>>().join(" ");
        let said = text.contains("stuck-built-in-") || text.contains("will never be ready");
        assert!(said, "{command:?}: {}", run.out);
    }
    let pasted = repository("testdata/health/stuck/readyz-verbose.txt");
    let explained = run_on(&dump, &["explain", "--file", pasted.to_str().unwrap()]);
    assert!(explained.out.contains("HEALTH CHECKS"), "{}", explained.out);
    assert!(explained.out.contains("autoregister-completion             kube-aggregator"));
}

/// What servers say about their health, in the words of servers from 1.20 on.
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
