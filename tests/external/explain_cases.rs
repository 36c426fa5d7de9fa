//! Tests pasted texts of the maintainers' collection: the known cause must be among the first
//! three, and no answer may be long, harmful or full of placeholders.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::shared::folder;

/// Words of the known cause of each case. One of the first three causes must contain them.
const CAUSES: &[(&str, &str)] = &[
    ("002", "Something in between answers"),
    ("004", "1.15"),
    ("006", "front-proxy"),
    ("008", "not running"),
    ("010", "connection that died"),
    ("012", "resets connections"),
    ("014", "Pod network"),
    ("016", "cannot reach"),
    ("018", "nothing is deployed"),
    ("020", "not running"),
    ("022", "front-proxy CA"),
    ("024", "not running"),
    ("026", "not running"),
    ("028", "not running"),
    ("030", "answers 404"),
    ("032", "too old"),
    ("034", "not running"),
    ("036", "not running"),
    ("038", "left behind"),
    ("040", "left behind"),
    ("042", "not running"),
    ("044", "not running"),
    ("046", "not ready"),
    ("048", "another Service"),
    ("050", "not installed, or not yet"),
    ("052", "too slowly"),
    ("054", "not running"),
    ("056", "not running"),
    ("058", "left behind"),
    ("060", "client logs it as an error"),
    ("062", "nothing to list"),
    ("064", "not running"),
    ("066", "not running"),
    ("068", "Nothing serves"),
    ("070", "cannot reach"),
    ("072", "no value"),
    ("074", "no rule"),
    ("076", "is installed"),
    ("078", "does not exist"),
    ("080", "RoleBinding"),
    ("082", "--client-ca-file"),
    ("084", "not up yet"),
    ("086", "--requestheader-allowed-names"),
    ("088", "was rotated"),
    ("090", "harmless"),
    ("092", "lacks a resource"),
    ("094", "harmless"),
    ("098", "NO_PROXY"),
    ("100", "MTU"),
    ("102", "agent"),
    ("104", "VXLAN"),
    ("106", "tunnel"),
    ("108", "restarted"),
    ("110", "ExternalName"),
    ("112", "same group version"),
    ("114", "slow"),
    ("116", "Another component"),
    ("118", "older than Kubernetes 1.22"),
    ("120", "89264"),
    ("122", "is not ready"),
    ("124", "lacks the resource"),
    ("126", "not ready"),
    ("128", "localhost:8080"),
    ("130", "is down"),
    ("132", "image"),
    ("134", "finalizer"),
    ("136", "lacks the resource"),
    ("138", "kube-apiserver"),
    ("140", "CRD's manifest"),
    ("142", "CA in the kubeconfig or service account"),
    ("144", "conversion webhook"),
    ("146", "still starting"),
    ("301", "left behind"),
    ("303", "firewall"),
    ("305", "comes and goes"),
    ("307", "servers that it waits for are not up"),
    ("309", "kube-proxy"),
    ("311", "front-proxy"),
    ("313", "cannot reach"),
    ("315", "feature"),
    ("317", "client-go"),
    ("319", "--upstream-ca-file"),
    ("321", "firewall"),
    ("323", "another adapter"),
    ("325", "OpenAPI document"),
    ("327", "same CA"),
    ("329", "--requestheader-allowed-names"),
    ("331", "names the wrong Service"),
    ("333", "Harmless"),
    ("335", "try again"),
    ("337", "version skew"),
    ("339", "restarting"),
    ("341", "not running"),
    ("343", "no OpenAPI document"),
    ("345", "no OpenAPI document"),
    ("347", "security group"),
    ("349", "Pod cannot reach the Service kubernetes"),
    ("351", "Nothing is registered"),
    ("353", "too old"),
    ("355", "too slowly"),
    ("357", "has expired"),
    ("359", "too slow"),
    ("361", "belongs to CRDs"),
    ("363", "fails itself"),
    ("365", "not connected"),
    ("367", "created or deleted"),
    ("369", "front-proxy CA"),
    ("371", "harmless"),
    ("373", "--requestheader-allowed-names"),
    ("375", "no role"),
    ("377", "kube-openapi"),
    ("379", "front-proxy"),
    ("381", "Pod network"),
    ("383", "cannot reach Prometheus"),
    ("385", "no samples"),
    ("387", "tunnel"),
    ("389", "expired"),
    ("391", "tunnel"),
    ("393", "still starting"),
    ("395", "etcd"),
    ("397", "nodes/metrics"),
    ("399", "403"),
    ("401", "another namespace"),
    ("403", "Pod cannot reach the Service kubernetes"),
];

/// Cases whose cause is not in the paste at all. The answer names it outside the causes.
const ELSEWHERE: &[(&str, &str)] = &[("096", "etcd")];

/// Commands that no answer may contain: they change more than one object, or weaken security.
const HARMFUL: &[&str] = &[
    "rollout restart deployment\n",
    "rollout restart deployment -n",
    "delete apiservices",
    "delete apiservice --all",
    "--all-namespaces --force",
    "finalizers\":null",
    "finalizers\":[]",
    "--requestheader-allowed-names=\"\"",
    "--requestheader-allowed-names=''",
    "leave the flag empty",
    "insecureSkipTLSVerify\":true",
    "cluster-admin",
    "delete namespace",
    "--insecure-skip-tls-verify",
    "rm -",
];

/// Words that the reader would have to replace.
const PLACEHOLDERS: &[&str] =
    &["NAMESPACE", "SERVICE", "GROUP", "RESOURCE", "ADDRESS", "VERB", "FILE"];

/// The maximum length of an answer, in lines of 80 columns.
const MAX_LINES: usize = 40;
const MAX_LINES_POSSIBLY: usize = 10;

/// Returns the answer to a paste, as `-o FORMAT` prints it.
fn explained(paste: &[u8], arguments: &[&str]) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_aggctl"))
        .args(["explain", "-"])
        .args(arguments)
        .env("KUBECONFIG", "/nonexistent")
        .env_remove("KUBERNETES_SERVICE_HOST")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(paste).unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
}

/// Returns all cases, with their labels.
fn cases() -> Vec<(String, Value, Vec<u8>)> {
    let index = std::fs::read_to_string(folder("explain-cases/index.jsonl")).unwrap();
    let cases = index.lines().map(|line| {
        let label: Value = serde_json::from_str(line).unwrap();
        let id = label["id"].as_str().unwrap().to_owned();
        let paste = std::fs::read(folder(&format!("explain-cases/{id}.txt"))).unwrap();
        (id, label, paste)
    });
    cases.collect()
}

fn texts<'a>(value: &'a Value, field: &str) -> Vec<&'a str> {
    let all = value.as_array().into_iter().flatten();
    all.filter_map(|one| if field.is_empty() { one.as_str() } else { one[field].as_str() })
        .collect()
}

pub(crate) fn the_cause_is_among_the_first_three() {
    let wanted: BTreeMap<&str, &str> = CAUSES.iter().copied().collect();
    let (mut missed, mut checked) = (vec![], 0);
    for (id, label, paste) in cases() {
        if let Some((_, words)) = ELSEWHERE.iter().find(|(case, _)| *case == id) {
            assert!(explained(&paste, &[]).contains(words), "{id}: {words}");
            continue;
        }
        let Some(words) = wanted.get(id.as_str()) else {
            missed.push(format!("{id}: no row in the table ({})", label["cause"]));
            continue;
        };
        checked += 1;
        let answer: Value =
            serde_json::from_str(&explained(&paste, &["-o", "json", "--builtin"])).unwrap();
        let causes = texts(&answer["matches"][0]["causes"], "text");
        if !causes.iter().take(3).any(|cause| cause.contains(words)) {
            missed.push(format!("{id}: {words:?} ({}) not in {causes:#?}", label["cause"]));
        }
    }
    assert_eq!(checked, CAUSES.len(), "a case of the table is not in the collection");
    assert!(missed.is_empty(), "{} of {checked} missed:\n{}", missed.len(), missed.join("\n"));
}

pub(crate) fn answers_are_short_and_harmless() {
    let mut wrong = vec![];
    for (id, label, paste) in cases() {
        let answer: Value =
            serde_json::from_str(&explained(&paste, &["-o", "json", "--builtin"])).unwrap();
        let expected = texts(&label["groupVersions"], "");
        let group = |gv: &str| gv.split('/').next().unwrap().to_owned();
        for name in texts(&answer["groupVersions"], "") {
            if !expected.iter().any(|want| *want == name || group(want) == name) {
                wrong.push(format!("{id}: {name} is not in the paste"));
            }
        }
        let first = &answer["matches"][0];
        let confirm = texts(&first["causes"], "confirm");
        for command in texts(&first["next"], "command").into_iter().chain(confirm) {
            let mut words = command.split(|c: char| !c.is_ascii_alphabetic());
            if words.any(|word| PLACEHOLDERS.contains(&word)) && !command.contains("custom-columns")
            {
                wrong.push(format!("{id}: {command}"));
            }
        }
        let text = explained(&paste, &[]);
        let lines = text.lines().count();
        let health = answer.get("health").is_some_and(|health| !health.is_null());
        let most = match answer["about"].as_str() {
            Some("possibly") if !health => MAX_LINES_POSSIBLY,
            _ => MAX_LINES,
        };
        if lines > most {
            wrong.push(format!("{id}: {lines} lines"));
        }
        // Deleting an APIService is right only if the paste shows that its Service is gone.
        let gone = String::from_utf8_lossy(&paste).contains("ServiceNotFound");
        if text.contains("kubectl delete") && !gone {
            wrong.push(format!("{id}: deletes"));
        }
        let found = HARMFUL.iter().filter(|harmful| text.contains(**harmful));
        wrong.extend(found.map(|harmful| format!("{id}: {harmful:?}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
