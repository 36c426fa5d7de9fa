//! Compares `aggctl usage` and `aggctl routes` with the log of a real API server (see
//! `testdata/usage`).

use std::collections::{BTreeMap, HashMap};
use std::io::Read;

use aggctl_source::{self, Source};
use aggctl_usage::{Counter, Dimension, UsageQuestion, events, services};
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::{Method, Router, Target};
use ruzstd::decoding::StreamingDecoder;
use serde_json::Value;

use crate::{Place, Run, aggctl, finish, repository, run, session, unpacked};

fn data(name: &str) -> String {
    repository(&format!("testdata/usage/{name}")).to_str().unwrap().to_owned()
}

/// Returns the audit log as text.
fn log() -> String {
    let packed = std::fs::File::open(data("audit.log.zst")).unwrap();
    let mut text = String::new();
    StreamingDecoder::new(packed).unwrap().read_to_string(&mut text).unwrap();
    text
}

fn json(arguments: &[&str]) -> Value {
    let ran = run(arguments);
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran.json()
}

/// Counts the log, using the dump of its cluster.
fn usage(arguments: &[&str]) -> Run {
    let (log, dump) = (data("audit.log.zst"), data("dump.tar.gz"));
    run(&[&["usage", &log, "--dump", &dump], arguments].concat())
}

#[test]
fn counts_by_handler_are_what_the_server_did() {
    let log = log();
    let mut logged: HashMap<(String, String, u64), Vec<&str>> = HashMap::new();
    for line in log.lines().filter(|line| line.contains("\"ResponseComplete\"")) {
        let event: Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| event[name].as_str().unwrap_or_default().to_owned();
        let code = event["responseStatus"]["code"].as_u64().unwrap_or_default();
        logged.entry((text("requestURI"), text("verb"), code)).or_default().push(line);
    }
    let requests = unpacked(data("requests.jsonl.gz").as_ref());
    let mut want: BTreeMap<(String, String), u64> = BTreeMap::new();
    let mut chosen = vec![];
    for line in requests.lines() {
        let request: Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| request[name].as_str().unwrap().to_owned();
        let (path, method) = (text("path"), Method::parse(&text("method")).unwrap());
        let target = Target::parse(method, &path).unwrap();
        // The server does not log a request that it cannot parse.
        let Ok(info) = target.info() else { continue };
        let key = (path.clone(), info.verb.to_owned(), request["status"].as_u64().unwrap());
        chosen.push(logged.get_mut(&key).and_then(Vec::pop).unwrap_or_else(|| panic!("{key:?}")));
        // Below `/openapi/` only the first hop was recorded.
        let handler = match path.as_str() {
            "/openapi/v2/" => "apiextensions-apiserver".to_owned(),
            _ => text("handler"),
        };
        *want.entry((handler, text("outcome"))).or_default() += 1;
    }
    assert_eq!(chosen.len(), 1_499);
    let dump =
        aggctl_source::load(&Source::Dump(vec![data("dump.tar.gz").into()])).unwrap().snapshot;
    let registry = Registry::new(&dump);
    let by = vec![Dimension::ApiService, Dimension::Outcome];
    let question = UsageQuestion { by: by.clone(), ..UsageQuestion::default() };
    let mut counter = Counter::new(&question, Router::new(&registry), None);
    counter.lines(chosen.join("\n").as_bytes());
    let report = counter.finish().report(&by, None).with_services(&services(&registry));
    let mut got: BTreeMap<(String, String), u64> = BTreeMap::new();
    for row in &report.rows {
        let handler = row.service.clone().unwrap_or_else(|| row.names[0].clone());
        *got.entry((handler, row.names[1].clone())).or_default() += row.row.requests;
    }
    assert_eq!(got, want);
}

#[test]
fn a_request_is_counted_once() {
    let log = log();
    let mut ids = std::collections::HashSet::new();
    let mut watches = 0;
    for line in log.lines() {
        events(line.as_bytes(), &mut |event| {
            let new = ids.insert(event.audit_id.to_vec());
            watches += u64::from(new && event.verb == "watch");
        });
    }
    let answer = usage(&["-o", "json", "--by", "verb"]).json();
    assert_eq!(answer["coverage"]["events"], 2_834);
    assert_eq!(answer["total"]["requests"], ids.len());
    let watch = answer["rows"].as_array().unwrap().iter().find(|row| row["verb"] == "watch");
    assert_eq!(watch.unwrap()["requests"], watches);
    assert_eq!(watch.unwrap()["longRunning"], watches);
    assert_eq!(answer["total"]["running"], 0);
}

#[test]
fn lines_without_an_event_are_counted() {
    let event = log().lines().next().unwrap().to_owned();
    let long = "x".repeat(10 << 20);
    let deep = "[".repeat(1 << 20);
    let mut bytes =
        format!("{event}\n\n{long}\nnode-1 {event}\n{deep}\n{}\n", &event[..90]).into_bytes();
    bytes.extend(b"\xff\xfe {\"\n");
    bytes.extend(event.replace("ResponseStarted", "RequestReceived").bytes());
    let ran = finish(aggctl(&["usage", "-", "--builtin", "-o", "json"]).write_stdin(bytes));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let answer = ran.json();
    assert_eq!(answer["coverage"]["events"], 3);
    assert_eq!(answer["coverage"]["notUnderstood"], 4);
    assert_eq!((&answer["total"]["requests"], &answer["total"]["running"]), (&1.into(), &1.into()));
    insta::assert_snapshot!(ran.err, @"warning: 4 lines without an audit event skipped, such as: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[");
}

/// Unreadable records in a batch, a log that is passed twice, and an unknown compression are all
/// reported.
#[test]
fn nothing_is_lost_or_counted_twice_silently() {
    let event = log().lines().next().unwrap().replace("ResponseStarted", "ResponseComplete");
    let place = Place::with(&[
        ("batch.json", &format!(r#"{{"items":[{event},{{"cut":1}}]}}"#)),
        ("audit.log", &event),
    ]);
    place.write("audit.log.xz", b"\xfd7zXZ\0\x00\x04");
    let coverage = |files: &[&str]| {
        let arguments = [&["usage", "--builtin", "-o", "json"], files].concat();
        place.run(&arguments).json()["coverage"].clone()
    };
    let batch = coverage(&["batch.json"]);
    assert_eq!((&batch["events"], &batch["notUnderstood"]), (&1.into(), &1.into()));
    assert_eq!(coverage(&["audit.log"])["repeated"], 0);
    assert_eq!(coverage(&["audit.log", "audit.log"])["repeated"], 1);
    assert_eq!(coverage(&["audit.log", "audit.log.xz"])["events"], 1);
    insta::assert_snapshot!(session(|arguments| place.run(arguments), [
        "usage --builtin batch.json",
        "usage --builtin audit.log audit.log",
        "usage --builtin audit.log audit.log.xz",
    ]), @r#"
    $ aggctl usage --builtin batch.json
    APISERVICE       REQUESTS   SHARE    4XX   5XX   P99   P50   CLIENTS
    kube-apiserver   1          100.0%   -     -     -     -     1

    1 event in the log, from 2026-11-16T18:01:26Z to 2026-11-16T18:01:26Z. Requests
    that the audit policy drops are not counted.
    2> warning: 1 line without an audit event skipped, such as: {"cut":1}

    $ aggctl usage --builtin audit.log audit.log
    APISERVICE       REQUESTS   SHARE    4XX   5XX   P99   P50   CLIENTS
    kube-apiserver   1          100.0%   -     -     -     -     1

    2 events in the log, from 2026-11-16T18:01:26Z to 2026-11-16T18:01:26Z. Requests
    that the audit policy drops are not counted.
    2> warning: 1 request with duplicate audit IDs: was a log passed twice?

    $ aggctl usage --builtin audit.log audit.log.xz
    APISERVICE       REQUESTS   SHARE    4XX   5XX   P99   P50   CLIENTS
    kube-apiserver   1          100.0%   -     -     -     -     1

    1 event in the log, from 2026-11-16T18:01:26Z to 2026-11-16T18:01:26Z. Requests
    that the audit policy drops are not counted.
    2> error: cannot read audit.log.xz: it is compressed with xz: unpack it first
    [exit 3]
    "#);
}

#[test]
fn breaking_requests_are_shown_by_client() {
    let name = "v1beta1.delta.stone.net";
    let alone = usage(&["--apiservice", name, "-o", "json"]).json();
    let all = alone["total"]["requests"].as_u64().unwrap();
    assert!(all > 0);
    let ran = usage(&["--without", name, "--fail-on", "breaks", "-o", "json"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let answer = ran.json();
    assert_eq!(answer["comparison"]["changes"], all);
    for row in answer["rows"].as_array().unwrap() {
        assert_eq!(row["client"], "admin");
        assert!(row["now"].as_str().unwrap().starts_with("proxied to ext/"), "{row}");
        assert_ne!(row["then"], row["now"]);
    }
    insta::assert_snapshot!(usage(&["--to", "1.37", "--fail-on", "changes"]), @"
    All 2712 requests would end as they do now.

    2834 events in the log, from 2026-11-16T18:01:26Z to 2026-11-16T18:07:13Z.
    Requests that the audit policy drops are not counted.
    ");
}

#[test]
fn every_format_is_whole() {
    let of = |format: &str| usage(&["-o", format]).out;
    let rows = usage(&["-o", "json"]).json()["rows"].as_array().unwrap().len();
    assert_eq!(of("jsonl").lines().count(), rows);
    assert_eq!(of("csv").lines().count(), rows + 1);
    assert_eq!(of("markdown").lines().count(), rows + 2);
    assert_eq!(of("name").lines().count(), rows);
    insta::assert_snapshot!(usage(&["--top", "2"]).out);
}

#[test]
fn what_cannot_be_counted_is_an_error() {
    insta::assert_snapshot!(session(run, [
        "usage --builtin /nowhere",
        "usage --builtin testdata/usage/README.md",
        "usage --builtin testdata/usage/audit.log.zst --since soon",
        "usage --builtin testdata/usage/audit.log.zst --fail-on breaks",
    ]), @r#"
    $ aggctl usage --builtin /nowhere
    2> error: cannot read /nowhere: no such file or directory
    [exit 3]

    $ aggctl usage --builtin testdata/usage/README.md
    2> error: the input has no audit events
    2> hint: one of its lines is: - `audit.log.zst`: its own audit log, level Metadata, without the stage RequestReceived.
    [exit 3]

    $ aggctl usage --builtin testdata/usage/audit.log.zst --since soon
    2> error: "soon" is not a valid time
    2> hint: write a date (2026-11-16), a time (2026-11-16T18:00:00Z) or an age (90m, 2h, 3d)
    [exit 2]

    $ aggctl usage --builtin testdata/usage/audit.log.zst --fail-on breaks
    2> error: --fail-on needs a comparison
    2> hint: add --without NAME, -f FILE or --to 1.37
    [exit 2]
    "#);
    let place = Place::with(&[]);
    let packed = std::fs::read(data("requests.jsonl.gz")).unwrap();
    place.write("half.gz", &packed[..packed.len() / 2]);
    insta::assert_snapshot!(place.run(&["usage", "half.gz", "--builtin"]), @r#"
    0 events in the log. Requests that the audit policy drops are not counted.
    2> warning: 721 lines without an audit event skipped, such as: {"method": "DELETE", "path": "/api/v1/namespaces/default/podtemplates/x?dryRun=All", "handler": "kube-apiserver", "outco
    2> error: cannot read half.gz: its gzip data is cut off
    [exit 3]
    "#);
}

/// Counts of parts add up to the count of the whole log.
#[test]
fn parts_are_added_up() {
    let log = log();
    let place = Place::with(&[]);
    let mut parts: [String; 3] = Default::default();
    for (index, line) in log.lines().enumerate() {
        parts[index % 3] += &format!("{line}\n");
    }
    let dump = data("dump.tar.gz");
    let by = ["--by", "apiservice,client", "--dump", &dump];
    for (index, part) in parts.into_iter().enumerate() {
        let ran =
            finish(aggctl(&[&["usage", "-", "--partial"], &by[..]].concat()).write_stdin(part));
        assert_eq!(ran.code, 0, "{}", ran.err);
        place.write(&format!("{index}.json"), ran.out);
    }
    let merge = ["usage", "--merge", "-o", "json", "0.json", "1.json", "2.json"];
    let whole = usage(&["-o", "json", "--by", "apiservice,client"]).json();
    assert_eq!(place.run(&merge).json(), whole);
    place.write("1.json", usage(&["--partial"]).out);
    insta::assert_snapshot!(place.run(&merge), @"
    2> error: 1.json counts by apiservice; the first counts by apiservice, by client
    2> hint: use the same options for every --partial
    [exit 2]
    ");
}

/// Records the distinct requests of a log, and tests them on the same cluster.
#[test]
fn expectations_are_recorded_from_a_log() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("routes.yaml");
    let (file, log, dump) = (file.to_str().unwrap(), data("audit.log.zst"), data("dump.tar.gz"));
    let ran = run(&["test", "--record", file, "--from", &log, "--dump", &dump]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.matches("- request: ").count() > 500, "{text}");
    let held = run(&["test", file, "--dump", &dump]);
    assert_eq!(held.code, 0, "{}{}", held.out, held.err);
}

#[test]
fn the_routing_table_is_data() {
    let dump = data("dump.tar.gz");
    let of = |format: &str| run(&["routes", "--dump", &dump, "-o", format]).out;
    let rows = json(&["routes", "--dump", &dump, "-o", "json"])["items"].as_array().unwrap().len();
    assert_eq!(of("jsonl").lines().count(), rows);
    let csv = of("csv");
    assert_eq!(csv.lines().count(), rows + 1);
    let row = "apps,v9,widgets,,list,/apis/apps/v9/namespaces/{namespace}/widgets,v9.apps,v9.apps,ext/wardle,true,proxied,200";
    let of_service =
        csv.lines().find(|line| line.starts_with("apps,v9,") && line.contains(",list,"));
    let ends = |line: &str| line.splitn(7, ',').nth(6).map(str::to_owned);
    assert_eq!(of_service.and_then(ends), ends(row), "{of_service:?}");
    let sql = of("sql");
    assert!(sql.starts_with("CREATE TABLE routes (\n  api_group VARCHAR(1024),\n"), "{sql}");
    assert_eq!(sql.lines().filter(|line| line.starts_with("('")).count(), rows);
}

#[test]
fn an_upgrade_shows_the_clients_it_breaks() {
    // 1.31 serves a group version that 1.32 removed.
    let event = r#"{"stage":"ResponseComplete","auditID":"1","requestURI":"/apis/flowcontrol.apiserver.k8s.io/v1beta3/flowschemas","verb":"list","user":{"username":"jane"},"userAgent":"old/v1.2.3","responseStatus":{"code":200}}"#;
    let upgrade = ["upgrade", "--to", "1.32", "--builtin", "1.31", "--audit", "-"];
    insta::assert_snapshot!(finish(aggctl(&upgrade).write_stdin(event)), @"
    from built-in Kubernetes 1.31
    to   Kubernetes 1.32

    BREAKS  1
    ✗ 1.32  flowcontrol.apiserver.k8s.io/v1beta3 is no longer served: flowschemas,
            prioritylevelconfigurations; flowcontrol.apiserver.k8s.io/v1 serves it
            since 1.29
            → move manifests and clients to the new group version

    REQUESTS
    1 of 1 request would end differently. 1 of them succeed now and would fail.

    jane old/v1.2: 1 request
      ✗ list /apis/flowcontrol.apiserver.k8s.io/v1beta3/flowschemas: served by
        kube-apiserver → not-found, 1 request

    1 event in the log. Requests that the audit policy drops are not counted.
    [exit 1]
    ");
    let of = |format: &str| {
        let ran = finish(aggctl(&[&upgrade[..], &["-o", format]].concat()).write_stdin(event));
        assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
        ran.out
    };
    let data = crate::json(&of("json"));
    assert_eq!(data["requests"]["comparison"]["breaks"], 1);
    assert_eq!(data["requests"]["rows"][0]["client"], "jane old/v1.2");
    let last = crate::json(of("jsonl").lines().last().unwrap());
    assert_eq!(last["kind"], "UsageRow");
    let row = "| jane old/v1.2 | list | /apis/flowcontrol.apiserver.k8s.io/v1beta3/flowschemas | served by kube-apiserver | not-found | 1 |";
    let ticket = of("markdown");
    assert_eq!(ticket.lines().last(), Some(row), "{ticket}");
}

/// Ctrl-C ends the count of an endless pipe. The result is shown and marked as partial.
#[cfg(unix)]
#[test]
fn an_interrupted_count_is_shown_as_far_as_it_went() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Command, Stdio};
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("aggctl"))
        .args(["usage", "-", "--builtin", "-v", "-o", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let log = log();
    let lines: Vec<&str> = log.lines().take(400).collect();
    // More than a pipe buffers, so aggctl is reading and handles Ctrl-C once everything is written.
    for line in &lines {
        writeln!(pipe, "{line}").unwrap();
    }
    write!(pipe, "{}", &lines[0][..200]).unwrap();
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(said.any(|line| line.unwrap() == "warning: interrupted; the counts are incomplete"));
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(0));
    let answer: Value = serde_json::from_slice(&ended.stdout).unwrap();
    assert_eq!(answer["interrupted"], true);
    assert_eq!(answer["coverage"]["events"], lines.len());
    assert_eq!(answer["coverage"]["notUnderstood"], 0);
    drop(pipe);
}
