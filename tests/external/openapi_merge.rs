//! Merged OpenAPI documents against those that recorded servers served, in every recorded state.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use aggctl_openapi::{Base, Contribution, MergeFailure, MergePart, Merged, Published, etag, merge};
use serde_json::Value;

use crate::harness::{json, unpacked};
use crate::shared::folders;

/// The merged document equals the server's byte for byte, or fails when the server's merge failed.
pub(crate) fn merged_documents_have_the_servers_etag() {
    for run in runs() {
        let mut process = Process::default();
        let mut states = 0;
        for state in states_of(&run) {
            if state["state"].as_str().unwrap().starts_with("40-") {
                process.panics(&run, &state);
            } else {
                process.serves(&run, &state);
            }
            states += 1;
        }
        assert!(states > 20, "{states} states in {}", run.display());
    }
}

/// Replays random documents in the order in which the server got them.
pub(crate) fn random_documents_merge_as_on_the_server() {
    let with_cases = |run: &PathBuf| run.join("fuzz.jsonl.gz").exists();
    let runs: Vec<_> = runs().into_iter().filter(with_cases).collect();
    assert!(!runs.is_empty());
    for run in runs {
        let text = unpacked(&run.join("fuzz.jsonl.gz"));
        let mut lines = text.lines().map(json);
        let services = lines.next().unwrap()["apiservices"].clone();
        let mut local = Local::new(&unpacked(&run.join("base-fuzz.json.gz")));
        for case in lines {
            let order = case["order"].as_array().unwrap().iter().map(|n| n.as_str().unwrap());
            let parts = order.filter_map(|name| {
                let part = case["parts"].get(name).filter(|part| !part.is_null())?;
                Some((name.to_owned(), prefix(&services, name), part.to_string()))
            });
            let (document, parts) = local.merge(&parts.collect::<Vec<_>>());
            let failed = parts.iter().any(|part| part.failure.is_some());
            assert_eq!(failed, case["failed"] == true, "{}: {parts:?}", case["case"]);
            let served = if failed { local.text() } else { document };
            assert_eq!(etag(served.as_bytes()), case["etag"].as_str().unwrap(), "{}", case["case"]);
        }
    }
}

/// What a server process remembers between states.
#[derive(Default)]
struct Process {
    local: Option<Local>,
    first: Option<String>,
    base: String,
}

impl Process {
    fn serves(&mut self, run: &Path, state: &Value) {
        let name = &state["state"];
        let v2 = &state["v2"];
        if state["restarted"] == true {
            (self.local, self.first) = (None, None);
        }
        if v2["status"] == 200 {
            let base = v2["base"].as_str().unwrap();
            if base != self.base {
                self.base = base.to_owned();
                let known = self.local.take();
                let mut local = Local::new(&unpacked(&run.join(format!("{base}.json.gz"))));
                local.learn(known);
                self.local = Some(local);
            }
        }
        let base = format!("{}.json.gz", self.base);
        let local = self.local.get_or_insert_with(|| Local::new(&unpacked(&run.join(base))));
        let Some(effective) = state["effective"].as_object().filter(|all| !all.is_empty()) else {
            self.first.get_or_insert_with(|| local.text());
            return;
        };
        let parts: Vec<_> = order(&state["apiservices"], effective)
            .into_iter()
            .map(|name| {
                let part = part(run, effective[&name].as_str().unwrap());
                (name.clone(), prefix(&state["apiservices"], &name), part)
            })
            .collect();
        let (document, parts) = local.merge(&parts);
        if parts
            .iter()
            .any(|part| matches!(part.failure, Some(MergeFailure::DuplicatedPath { .. })))
        {
            let other = v2["etag"] != etag(document.as_bytes()).as_str();
            assert!(v2["status"] == 503 || other, "{name}");
            // A process that served a document before serves it again, with the current kinds.
            if let Some(first) = &self.first {
                let mut first = Local::new(first);
                first.kinds.clone_from(&local.kinds);
                assert_eq!(v2["etag"], etag(first.text().as_bytes()).as_str(), "{name}");
            } else {
                assert_eq!(v2["status"], 503, "{name}");
            }
        } else {
            assert_eq!(v2["etag"], etag(document.as_bytes()).as_str(), "{name}");
            let fit = parts.iter().all(|part| part.not_protobuf.is_none());
            assert_eq!(v2["protobuf"]["status"] == 200, fit, "{name}: {:?}", v2["protobuf"]);
            self.first.get_or_insert(document);
        }
    }

    fn panics(&self, run: &Path, state: &Value) {
        let part = part(run, state["part"].as_str().unwrap());
        let mut local = Local::new(&unpacked(&run.join(format!("{}.json.gz", self.base))));
        let given = ("x".to_owned(), "/apis/kinds.example.com/v1/".to_owned(), part);
        let (_, parts) = local.merge(&[given]);
        assert!(matches!(parts[0].failure, Some(MergeFailure::KindOnPlainDefinition { .. })));
        assert_eq!(state["alive"], false);
    }
}

/// The document of the local servers, with the kinds that earlier merges left in it.
struct Local {
    base: String,
    definitions: Value,
    kinds: BTreeMap<String, Value>,
}

const KINDS: &str = "x-kubernetes-group-version-kind";

impl Local {
    fn new(base: &str) -> Self {
        #[derive(serde::Deserialize)]
        struct Document {
            definitions: Value,
        }
        let Document { definitions } = serde_json::from_str(base).unwrap();
        Self { base: base.to_owned(), definitions, kinds: BTreeMap::new() }
    }

    fn learn(&mut self, other: Option<Self>) {
        self.kinds.extend(other.into_iter().flat_map(|other| other.kinds));
    }

    /// Returns the base with its kinds.
    fn text(&self) -> String {
        self.clone_merge(&[]).0
    }

    fn merge(&mut self, parts: &[(String, String, String)]) -> (String, Vec<Contribution>) {
        let (document, told) = self.clone_merge(parts);
        let mut more = told.iter().flat_map(|part| &part.kinds).peekable();
        if more.peek().is_some() {
            let merged = Self::new(&document).definitions;
            for name in more.filter(|name| self.definitions.get(name).is_some()) {
                self.kinds.insert(name.clone(), merged[name][KINDS].clone());
            }
        }
        (document, told)
    }

    fn clone_merge(&self, parts: &[(String, String, String)]) -> (String, Vec<Contribution>) {
        // A part with the same definitions and more kinds brings the kinds in.
        let definitions: BTreeMap<&String, Value> = (self.kinds.iter())
            .filter_map(|(name, kinds)| {
                let mut definition = self.definitions.get(name)?.clone();
                definition[KINDS] = kinds.clone();
                Some((name, definition))
            })
            .collect();
        let carried =
            serde_json::json!({"definitions": definitions, "paths": {"/": {}}}).to_string();
        let mut all = vec![MergePart {
            name: "kinds",
            prefix: "/".to_owned(),
            document: Published::read(&carried).unwrap(),
        }];
        all.extend(parts.iter().map(|(name, prefix, text)| MergePart {
            name,
            prefix: prefix.clone(),
            document: Published::read(text).unwrap(),
        }));
        let merged: Merged<'_> = merge(&Base::read(&self.base).unwrap(), all);
        let document = String::from_utf8(merged.write()).unwrap();
        (document.replacen("\"paths\":{\"/\":{},", "\"paths\":{", 1), merged.parts[1..].to_vec())
    }
}

fn order(services: &Value, effective: &serde_json::Map<String, Value>) -> Vec<String> {
    let remote = services.as_array().unwrap().iter().filter(|s| {
        s["service"].is_string()
            && effective.get(s["name"].as_str().unwrap()).is_some_and(|p| !p.is_null())
    });
    let seen: Vec<_> = remote
        .map(|s| {
            let priority = &s["firstSeen"]["groupPriorityMinimum"];
            (s["name"].as_str().unwrap(), s["group"].as_str().unwrap(), priority.as_i64().unwrap())
        })
        .collect();
    let registered =
        seen.iter().map(|(name, group, priority)| kube_aggregation::priority::Registered {
            name,
            group,
            version: "",
            group_priority: i32::try_from(*priority).unwrap(),
            version_priority: 0,
            inferred: false,
        });
    kube_aggregation::priority::merged_in_openapi_v2(registered)
        .iter()
        .map(|one| one.name.to_owned())
        .collect()
}

fn prefix(services: &Value, name: &str) -> String {
    let service = services.as_array().unwrap().iter().find(|s| s["name"] == name).unwrap();
    format!(
        "/apis/{}/{}/",
        service["group"].as_str().unwrap(),
        service["version"].as_str().unwrap()
    )
}

pub(super) fn part(run: &Path, hash: &str) -> String {
    unpacked(&run.join("parts").join(format!("{hash}.json.gz")))
}

pub(super) fn states_of(run: &Path) -> Vec<Value> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(run).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let is_state = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap();
        name.starts_with(|c: char| c.is_ascii_digit())
            && name.ends_with(".json.gz")
            && !name.ends_with(".v2.json.gz")
    };
    files.retain(is_state);
    files.iter().map(|file| json(&unpacked(file))).collect()
}

pub(super) fn runs() -> Vec<PathBuf> {
    folders("openapi/recordings", "openapi-")
}
