//! Sends every recorded GET request to `aggctl serve` on the recorded server's dump, and compares
//! the responses.

use serde_json::Value;

use crate::Served;
use crate::harness::recording;

/// Kinds of objects that the dump lacks.
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
            // The body of a watch does not end.
            served.connect().start(path)
        } else {
            connection.get(path, "application/json")
        };
        asked += 1;
        let kind = recorded["answer"].as_str().unwrap_or_default();
        let mut status = recorded["status"].as_u64().unwrap();
        // The dump lacks the extension servers' responses about their objects.
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
        // The wording is the server's. It uses another name for component statuses.
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

/// What the dump does not have must not look like a fault of the server that serves it.
#[test]
fn doctor_agrees_on_a_dump_and_on_its_server() {
    for name in ["v1.36-mixed", "v1.25-mixed"] {
        let dump = recording(name).join("dump");
        let dump = dump.to_str().unwrap();
        let served = Served::start(&["--dump", dump]);
        let verdicts = |source: [&str; 2]| -> Vec<(String, String)> {
            let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_aggctl"));
            let output = command.args(["doctor", "-o", "json"]).args(source).output().unwrap();
            let list: Value = serde_json::from_slice(&output.stdout).unwrap();
            let items = list["items"].as_array().unwrap().iter();
            let word = |value: &Value| value.as_str().unwrap().to_owned();
            items.map(|item| (word(&item["name"]), word(&item["verdict"]))).collect()
        };
        let live = verdicts(["--kubeconfig", &served.kubeconfig]);
        assert_eq!(live, verdicts(["--dump", dump]), "{name}");
    }
}
