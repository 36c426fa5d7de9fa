//! Every recorded GET request to a real API server, sent to `aggctl serve` on its dump.

use serde_json::Value;

use crate::Served;
use crate::harness::recording;

/// Kinds of objects that the dump does not have.
const NOT_COLLECTED: &[&str] = &["Backup", "Lion"];

#[test]
fn every_recorded_get_ends_as_it_did() {
    let folder = recording("v1.36-mixed");
    let dump = folder.join("dump");
    let served = Served::start(&["--dump", dump.to_str().unwrap()]);
    let text = std::fs::read_to_string(folder.join("requests.jsonl")).unwrap();
    let (mut connection, mut asked, mut wrong) = (served.connect(), 0, vec![]);
    for line in text.lines() {
        let recorded: Value = serde_json::from_str(line).unwrap();
        if recorded["method"] != "GET" {
            continue;
        }
        let path = recorded["path"].as_str().unwrap();
        let answer = if recorded["answer"] == "unparsed" {
            // A watch, whose body does not end.
            served.connect().start(path)
        } else {
            connection.get(path, "application/json")
        };
        asked += 1;
        let kind = recorded["answer"].as_str().unwrap_or_default();
        let mut status = recorded["status"].as_u64().unwrap();
        // The dump does not have what extension servers answered about their objects.
        if recorded["outcome"] == "proxied" && kind == "Echo" {
            let service = recorded["service"].as_str().unwrap();
            assert!(answer.body.contains(service), "{path}: {}", answer.body);
            status = 503;
        }
        if NOT_COLLECTED.contains(&kind) {
            let warning = answer.header("warning").unwrap();
            assert!(warning.contains("they were not collected"), "{path}: {warning}");
            status = 404;
        }
        if answer.outcome() != recorded["outcome"] || u64::from(answer.status) / 100 != status / 100
        {
            wrong.push(format!("{path}: {} {}, {recorded}", answer.outcome(), answer.status));
        }
        let said: Value = serde_json::from_str(&answer.body).unwrap_or_default();
        // The wording is the server's. It calls component statuses by another name.
        let (got, want) = match kind {
            "text:404 page not found" | "text:service unavailable" => {
                (answer.body.trim_end(), kind.trim_start_matches("text:").to_owned())
            }
            "Status" if matches!(recorded["status"].as_u64(), Some(404 | 405)) => {
                let message = recorded["message"].as_str().unwrap();
                let message = message.replace("componentstatus ", "componentstatuses ");
                (said["message"].as_str().unwrap_or_default(), message)
            }
            _ if answer.status == 200 && kind.starts_with(char::is_uppercase) => {
                (said["kind"].as_str().unwrap_or_default(), kind.to_owned())
            }
            _ => continue,
        };
        if got != want {
            wrong.push(format!("{path}: {got}, {recorded}"));
        }
    }
    assert!(asked > 1000, "{asked}");
    assert!(wrong.is_empty(), "{} of {asked}:\n{}", wrong.len(), wrong.join("\n"));
}
