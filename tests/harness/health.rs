//! Compares aggctl's health predictions with what servers did while they started, froze and
//! stopped.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use aggctl_diagnose::health::{self, Expected, Phase, judge};
use kube_aggregation::model::{HealthEndpoint, HealthSample, Minor};
use serde::Deserialize;

use crate::harness::unpacked;

/// How far apart, in seconds, samples of different paths may be.
const STEP: f64 = 1.0;

#[derive(Deserialize)]
struct Checks {
    endpoints: BTreeMap<String, Vec<String>>,
    #[serde(rename = "registeredBy")]
    registered_by: BTreeMap<String, String>,
}

/// Consecutive equal responses for one path. The first line of a run has no path.
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
    /// When the first request was sent, if the response took long.
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

/// Rebuilds the body from the failed checks, since recordings omit most bodies.
fn body(endpoint: HealthEndpoint, names: &[String], failed: &[String]) -> String {
    let line = |name: &String| match failed.contains(name) {
        true => format!("[-]{name} failed: reason withheld\n"),
        false => format!("[+]{name} ok\n"),
    };
    let lines: String = names.iter().map(line).collect();
    let verdict = if failed.is_empty() { "passed\n" } else { "failed" };
    format!("{lines}{} check {verdict}", endpoint.as_str())
}

/// Checks one recording. Returns the number of predicted responses.
pub(crate) fn check_recording(folder: &Path) -> usize {
    let version = folder.file_name().unwrap().to_string_lossy().replace("health-", "");
    let minor = Minor::parse(&version).unwrap();
    let checks: Checks =
        serde_json::from_slice(&std::fs::read(folder.join("checks.json")).unwrap()).unwrap();
    check_table(&checks, minor);
    let rows = rows(folder);
    let runs: BTreeSet<&str> = rows.iter().map(|row| row.run.as_str()).collect();
    let mut predicted = 0;
    for run in runs {
        let of_run: Vec<&Row> = rows.iter().filter(|row| row.run == run).collect();
        for row in &of_run {
            if let Some(name) = row.path.strip_prefix("/readyz/").filter(|n| !n.contains('?')) {
                check_reason(name, row);
            }
            let (Some(endpoint), Some(failed)) = (row.endpoint(), &row.failed) else { continue };
            let names = &checks.endpoints[&format!("/{}", endpoint.as_str())];
            let body = body(endpoint, names, failed);
            if let Some(real) = row.body.as_ref().filter(|real| real.contains("[+]")) {
                assert_eq!(real.trim_end(), body.trim_end(), "{version} {run}");
            }
            predicted += check_answer(&format!("{version} {run}"), row, &body, &of_run, minor);
        }
        check_end(&version, run, &of_run, &checks);
    }
    predicted
}

/// Checks that our table has exactly the server's checks, with the right server and endpoints.
fn check_table(checks: &Checks, minor: Minor) {
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

/// Checks that the reason of a single failed check is parsed and attributed to that check.
fn check_reason(name: &str, row: &Row) {
    if row.status != Some(500) {
        return;
    }
    let body = row.body.as_deref().unwrap();
    let reason = health::reason(body).unwrap_or_else(|| panic!("{body}"));
    assert_ne!(reason.words(), None);
    if let Ok(bodies) = health::bodies(body) {
        let owner = &bodies[0].checks[0].name;
        assert!(owner == name || owner == "etcd" && name == "etcd-readiness", "{name}: {body}");
    }
}

/// Checks one response: every line is parsed, and what clients got at that time was predicted.
/// Returns the number of predicted client responses.
fn check_answer(what: &str, row: &Row, body: &str, of_run: &[&Row], minor: Minor) -> usize {
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
    // The statuses near this response, and whether there was one before it. A first sample does not
    // show what was before it.
    let seen = |path: &str, user: &str| -> (BTreeSet<Option<u16>>, bool) {
        let near = of_run.iter().filter(|other| {
            let there = other.asked.unwrap_or(other.from) <= row.to + STEP;
            other.path == path && other.user == user && there && row.from - STEP <= other.to
        });
        let before = near.clone().any(|other| other.from <= row.from - STEP);
        (near.map(|other| other.status).collect(), before)
    };
    let mut predicted = 0;
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
            // While stopping, a server may answer 429 instead of 503, or not listen any more.
            Expected::Status(503) if health.phase == Phase::Stopping => {
                got.iter().any(|status| status.is_none_or(|s| s == 503 || s == 429))
            }
            // Routes are installed one by one, so some work before the check passes.
            Expected::Status(503) if path.contains("/ext.") => {
                got.contains(&Some(503)) || got.contains(&Some(200))
            }
            Expected::Status(status) => got.contains(&Some(status)),
            // As usual includes 404 for a missing object and 403 for a missing role. The checks
            // notice a silent etcd two seconds later than requests do.
            Expected::AsUsual => {
                got.iter().any(|status| status.is_none_or(|s| [200, 403, 404].contains(&s)))
            }
            // No response in time, or one after etcd returned.
            Expected::Hangs => got.iter().any(|status| status.is_none_or(|s| s == 504 || s == 200)),
        };
        if !right && !before {
            continue;
        }
        let when = format!("{what} {}..{}", row.from, row.to);
        assert!(right, "{when}: {path} as {user}: {expected:?}, got {got:?}");
        predicted += 1;
    }
    predicted
}

/// Checks the phase at the end of a run.
fn check_end(version: &str, run: &str, of_run: &[&Row], checks: &Checks) {
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
