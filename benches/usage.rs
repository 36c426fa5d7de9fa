//! Measures `aggctl usage` on a generated audit log, compared with jq and DuckDB if they are
//! installed, for the same count by API group. Only ratios within one run are meaningful.
//!
//! `AGGCTL_BENCH_MB=2048 cargo bench --bench usage` sets the size of the log.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "benchmarks fail loudly, read the clock and print"
)]

mod process;

use std::io::{BufWriter, Write};

use process::run;

/// The size of the part of the log for programs that would take minutes for all of it.
const SLICE_MB: usize = 64;

fn main() {
    let size = std::env::var("AGGCTL_BENCH_MB").ok().and_then(|mb| mb.parse().ok()).unwrap_or(512);
    let place = tempfile::tempdir().unwrap();
    let (log, slice) = (place.path().join("audit.log"), place.path().join("slice.log"));
    generate(std::fs::File::create(&log).unwrap(), size);
    generate(std::fs::File::create(&slice).unwrap(), SLICE_MB.min(size));
    let (log, slice) = (log.to_str().unwrap(), slice.to_str().unwrap());
    let aggctl = env!("CARGO_BIN_EXE_aggctl");
    let usage = [aggctl, "usage", log, "--builtin", "-o", "json"].map(str::to_owned);
    let pinned = ["taskset", "-c", "0"].map(str::to_owned);
    let part = SLICE_MB.min(size);
    let jq = "reduce inputs as $e ({}; .[$e.objectRef.apiGroup // \"\"] += 1)";
    let commands = [
        ("aggctl, all cores", size, usage.to_vec()),
        ("aggctl, one core", size, [&pinned, &usage[..]].concat()),
        ("jq", part, ["jq", "-n", jq, slice].map(str::to_owned).to_vec()),
        ("DuckDB, a count by group", size, duckdb(log, COUNT)),
        ("DuckDB, the same columns", size, duckdb(log, &columns("*"))),
        ("DuckDB, requests once", size, duckdb(log, &columns("DISTINCT auditID"))),
    ];
    // Commands run in rounds, so that other load affects all of them alike.
    let mut runs = commands.each_ref().map(|_| vec![]);
    let mut starts = vec![];
    for _ in 0..ROUNDS {
        for ((_, _, command), runs) in commands.iter().zip(&mut runs) {
            runs.extend(run(command));
        }
        // An interactive DuckDB shell would already be running, so its start does not count.
        starts.extend(run(&python("import duckdb".to_owned())).map(|(seconds, _)| seconds));
    }
    let start = median(&mut starts).unwrap_or_default();
    let mut rates = vec![];
    for ((name, mb, _), runs) in commands.iter().zip(runs) {
        let (mut seconds, peaks): (Vec<f64>, Vec<u64>) = runs.into_iter().unzip();
        let own = if name.starts_with("DuckDB") { start } else { 0.0 };
        let rate = median(&mut seconds).map(|seconds| *mb as f64 / (seconds - own));
        match (rate, peaks.iter().max()) {
            (Some(rate), Some(peak)) => {
                println!("{name:26} {rate:7.0} MB/s, at most {peak} MB of memory");
            }
            _ => println!("{name:26} not installed"),
        }
        rates.push(rate);
    }
    let [all, one, others @ ..] = rates.as_slice() else { return };
    for ((name, ..), other) in commands.iter().skip(2).zip(others) {
        for (cores, own) in [("all cores", all), ("one core", one)] {
            if let (Some(own), Some(other)) = (own, other) {
                println!("{:5.1} times {name}, {cores}", own / other);
            }
        }
    }
}

/// The number of rounds. The median counts.
const ROUNDS: usize = 5;

fn median(all: &mut [f64]) -> Option<f64> {
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied()
}

/// The simplest count by group.
const COUNT: &str = "SELECT objectRef.apiGroup, count(*) FROM log GROUP BY 1";

/// The columns of `aggctl usage`, computed in DuckDB's fastest way, with sketches where aggctl uses
/// them too. `counted` selects events, or requests, which may have several events.
fn columns(counted: &str) -> String {
    format!(
        "SELECT objectRef.apiGroup, objectRef.apiVersion, count({counted}), \
         count(*) FILTER (responseStatus.code BETWEEN 400 AND 499), \
         count(*) FILTER (responseStatus.code >= 500), \
         approx_quantile(epoch_us(stageTimestamp) - epoch_us(requestReceivedTimestamp), [0.5, 0.99]), \
         approx_count_distinct(user.username || userAgent), max(stageTimestamp) \
         FROM log WHERE stage = 'ResponseComplete' GROUP BY 1, 2"
    )
}

/// Returns a command that queries a log with DuckDB, which reads only the used columns.
fn duckdb(log: &str, query: &str) -> Vec<String> {
    let columns = "auditID: 'VARCHAR', stage: 'VARCHAR', userAgent: 'VARCHAR', user: 'STRUCT(username VARCHAR)', \
         objectRef: 'STRUCT(apiGroup VARCHAR, apiVersion VARCHAR)', \
         responseStatus: 'STRUCT(code INTEGER)', \
         requestReceivedTimestamp: 'TIMESTAMP', stageTimestamp: 'TIMESTAMP'";
    let table = format!(
        "WITH log AS (FROM read_json('{log}', format = 'newline_delimited', columns = {{{columns}}}))"
    );
    python(format!("import duckdb; duckdb.sql(\"{table} {query}\").fetchall()"))
}

fn python(code: String) -> Vec<String> {
    vec!["python3".to_owned(), "-c".to_owned(), code]
}

/// Generates an audit log of about this number of megabytes, the same every time: various clients,
/// reads and writes, watches with two events, errors.
fn generate(file: std::fs::File, megabytes: usize) {
    let mut out = BufWriter::with_capacity(1 << 20, file);
    let mut seed = 7u64;
    let mut random = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    const RESOURCES: [(&str, &str, &str); 8] = [
        ("", "v1", "pods"),
        ("", "v1", "configmaps"),
        ("", "v1", "events"),
        ("apps", "v1", "deployments"),
        ("coordination.k8s.io", "v1", "leases"),
        ("metrics.k8s.io", "v1beta1", "pods"),
        ("discovery.k8s.io", "v1", "endpointslices"),
        ("example.com", "v1", "widgets"),
    ];
    const VERBS: [&str; 8] = ["get", "get", "list", "list", "update", "patch", "create", "watch"];
    const AGENTS: [&str; 4] =
        ["kubectl/v1.33.1", "kubelet/v1.33.1", "manager/v0.0.0", "kube-controller-manager/v1.33.1"];
    let (mut written, mut number) = (0, 0u64);
    while written < megabytes << 20 {
        number += 1;
        let (group, version, resource) = RESOURCES[random(8) as usize];
        let verb = VERBS[random(8) as usize];
        let agent = AGENTS[random(4) as usize];
        // A user works in one namespace only. With different user agents there are about a thousand
        // clients.
        let (user, name) = (random(300), random(5_000));
        let namespace = user % 200;
        let root = if group.is_empty() {
            format!("/api/{version}")
        } else {
            format!("/apis/{group}/{version}")
        };
        let item = if matches!(verb, "get" | "update" | "patch") {
            format!("/name-{name}")
        } else {
            String::new()
        };
        let query = if verb == "watch" {
            "?allowWatchBookmarks=true\\u0026resourceVersion=1\\u0026watch=true"
        } else {
            "?timeout=32s"
        };
        let code = match random(20) {
            0 => 404,
            1 => 409,
            2 if group == "metrics.k8s.io" => 503,
            _ => 200,
        };
        let (second, micros) = (number / 500, random(900_000));
        let (hour, minute, second) = (second / 3_600 % 24, second / 60 % 60, second % 60);
        let took = random(90_000);
        let stages: &[&str] = if verb == "watch" {
            &["ResponseStarted", "ResponseComplete"]
        } else {
            &["ResponseComplete"]
        };
        for stage in stages {
            let line = format!(
                r#"{{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"{number:08x}-1c2e-4135-b2a7-3b6a3768ce52","stage":"{stage}","requestURI":"{root}/namespaces/team-{namespace}/{resource}{item}{query}","verb":"{verb}","user":{{"username":"system:serviceaccount:team-{namespace}:worker-{user}","uid":"c0753910-24fc-442d-842a-e2defb5a4864","groups":["system:serviceaccounts","system:serviceaccounts:team-{namespace}","system:authenticated"]}},"sourceIPs":["10.0.{user}.7"],"userAgent":"{agent} (linux/amd64) kubernetes/8e5f0c1","objectRef":{{"resource":"{resource}","namespace":"team-{namespace}","name":"name-{name}","apiGroup":"{group}","apiVersion":"{version}"}},"responseStatus":{{"metadata":{{}},"code":{code}}},"requestReceivedTimestamp":"2026-11-16T{hour:02}:{minute:02}:{second:02}.{micros:06}Z","stageTimestamp":"2026-11-16T{hour:02}:{minute:02}:{second:02}.{:06}Z","annotations":{{"authorization.k8s.io/decision":"allow","authorization.k8s.io/reason":"RBAC: allowed by ClusterRoleBinding \"team\" of ClusterRole \"team\" to Group \"system:serviceaccounts\""}}}}"#,
                micros + took,
            );
            written += line.len() + 1;
            writeln!(out, "{line}").unwrap();
        }
    }
    out.flush().unwrap();
    // Write to disk now, so that no measurement waits for it.
    out.get_ref().sync_all().unwrap();
}
