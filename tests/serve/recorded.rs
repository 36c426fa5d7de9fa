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

/// What the server lists as stale stays stale, whatever the condition of the APIService shows.
#[test]
fn stale_group_versions_stay_stale() {
    const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    let dump = tempfile::tempdir().unwrap();
    let from = recording("v1.36-mixed").join("dump");
    for file in std::fs::read_dir(&from).unwrap().flatten() {
        std::fs::copy(file.path(), dump.path().join(file.file_name())).unwrap();
    }
    let aggregated = dump.path().join("apis-aggregated.json");
    let mut document: Value =
        serde_json::from_str(&std::fs::read_to_string(&aggregated).unwrap()).unwrap();
    let freshness = |document: &Value| -> Vec<String> {
        let versions = document["items"].as_array().unwrap().iter();
        versions.map(|group| group["versions"][0]["freshness"].to_string()).collect()
    };
    // Of a Service, of a CRD and of kube-apiserver itself.
    for group in document["items"].as_array_mut().unwrap() {
        if ["wardle.example.com", "stable.example.com", "apps"]
            .iter()
            .any(|name| group["metadata"]["name"] == *name)
        {
            assert_eq!(group["versions"][0]["freshness"], "Current");
            group["versions"][0]["freshness"] = "Stale".into();
        }
    }
    std::fs::write(&aggregated, document.to_string()).unwrap();
    let served = Served::start(&["--dump", dump.path().to_str().unwrap()]);
    let answer: Value = serde_json::from_str(&served.get("/apis", AGGREGATED).body).unwrap();
    assert_eq!(freshness(&answer), freshness(&document));
}

/// A list that is only part of what the server has comes with a warning.
#[test]
fn partial_lists_come_with_a_warning() {
    let dump = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(dump.path().join(name), text).unwrap();
    let pod = r#"{"metadata":{"name":"a","namespace":"kube-system"}}"#;
    write("version.json", r#"{"major":"1","minor":"36","gitVersion":"v1.36.0"}"#);
    // aggctl collects the Pods of kube-apiserver and the Leases of the API servers only.
    let pods = format!(r#"{{"kind":"PodList","apiVersion":"v1","items":[{pod}]}}"#);
    write("kube-apiserver-pods.json", &pods);
    write(
        "nodes.json",
        r#"{"kind":"NodeList","apiVersion":"v1","items":[{"metadata":{"name":"n"}}]}"#,
    );
    let page = r#"{"kind":"EventList","apiVersion":"v1","metadata":{"continue":"x"},"items":[{"metadata":{"name":"e","namespace":"x"}}]}"#;
    write("events.json", page);
    write(
        "one.json",
        r#"{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"m","namespace":"x"}}"#,
    );
    let served = Served::start(&["--dump", dump.path().to_str().unwrap()]);
    let warning = |path: &str| {
        let answer = served.get(path, "application/json");
        assert_eq!(answer.status, 200, "{path}");
        answer.header("warning").map(str::to_owned)
    };
    let partial =
        |resource: &str| Some(format!("299 aggctl \"only some {resource} are in the source\""));
    assert_eq!(warning("/api/v1/nodes"), None);
    assert_eq!(warning("/api/v1/pods"), partial("pods"));
    assert_eq!(warning("/api/v1/namespaces/kube-system/pods/a"), None);
    assert_eq!(warning("/api/v1/events"), partial("events"));
    assert_eq!(warning("/api/v1/configmaps"), partial("configmaps"));
    assert_eq!(warning("/apis/apiregistration.k8s.io/v1/apiservices"), partial("apiservices"));
}

/// What the dump does not have must not look like a fault of the server that serves it.
#[test]
fn doctor_agrees_on_a_dump_and_on_its_server() {
    let dump = recording("v1.36-mixed").join("dump");
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
    assert_eq!(live, verdicts(["--dump", dump]));
}
