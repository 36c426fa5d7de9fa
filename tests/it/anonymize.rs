//! Tests that an anonymized dump gives the same answers, and contains none of the names.

use std::collections::BTreeSet;
use std::path::Path;

use aggctl::anonymize::{self, Names};
use serde_json::Value;

use crate::harness::{recordings, repository};
use crate::{Place, run};

/// Reads the files of a dump.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    let mut files: Vec<_> = entries
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, std::fs::read(entry.path()).unwrap())
        })
        .collect();
    files.sort();
    files
}

/// Returns the items of a list in a dump.
fn items(files: &[(String, Vec<u8>)], name: &str) -> Vec<Value> {
    let file = files.iter().find(|(file, _)| file == name);
    let list: Option<Value> = file.and_then(|(_, bytes)| serde_json::from_slice(bytes).ok());
    list.and_then(|mut list| Some(list.get_mut("items")?.as_array_mut()?.drain(..).collect()))
        .unwrap_or_default()
}

/// Returns the names that must not appear in the result.
fn private(files: &[(String, Vec<u8>)]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for service in items(files, "services.json") {
        for pointer in ["/metadata/name", "/metadata/namespace", "/spec/clusterIP"] {
            names.extend(service.pointer(pointer).and_then(Value::as_str).map(str::to_owned));
        }
    }
    for service in items(files, "apiservices.json") {
        for pointer in ["/spec/group", "/spec/service/name", "/spec/service/namespace"] {
            names.extend(service.pointer(pointer).and_then(Value::as_str).map(str::to_owned));
        }
    }
    let known = |name: &String| {
        ["default", "kube-system", "kubernetes", "None", ""].contains(&name.as_str())
            || name.ends_with(".k8s.io")
            || !name.contains('.') && run(&["versions", name]).code == 0
    };
    // A name that is also that of a resource stays: it has a meaning in the API.
    let crds = items(files, "crds.json");
    let lists = files.iter().filter_map(|(_, bytes)| serde_json::from_slice(bytes).ok());
    let lists: Vec<Value> = lists.filter(|one: &Value| one["kind"] == "APIResourceList").collect();
    let listed = lists.iter().flat_map(|list| list["resources"].as_array().into_iter().flatten());
    let listed: Vec<&Value> = listed.collect();
    let resource = |name: &String| {
        let named = |object: &Value, keys: &[&str]| keys.iter().any(|key| object[*key] == **name);
        let short = |object: &Value| {
            let names = object["shortNames"].as_array().into_iter().flatten();
            names.into_iter().any(|short| short == name.as_str())
        };
        crds.iter().any(|crd| {
            let names = &crd["spec"]["names"];
            named(names, &["plural", "singular", "kind"]) || short(names)
        }) || listed.iter().any(|one| named(one, &["name", "singularName", "kind"]) || short(one))
    };
    names.retain(|name| !known(name) && !resource(name));
    names
}

/// Fields of answers that contain sentences.
const SENTENCES: [&str; 7] =
    ["evidence", "message", "next", "consequences", "text", "why", "reason"];

/// Sorts all arrays, because new names sort differently.
fn sorted(value: Value) -> Value {
    match value {
        Value::Array(items) => {
            let mut items: Vec<Value> = items.into_iter().map(sorted).collect();
            items.sort_by_key(ToString::to_string);
            Value::Array(items)
        }
        // A name may also be a word of our own sentences, which the map would replace.
        Value::Object(fields) => {
            let fields = fields.into_iter().filter(|(key, _)| !SENTENCES.contains(&key.as_str()));
            Value::Object(fields.map(|(key, value)| (key, sorted(value))).collect())
        }
        other => other,
    }
}

fn anonymizes(folder: &Path) {
    let original = files(folder);
    let source = folder.to_str().unwrap();
    let written = anonymize::files(&original, source);
    let target = tempfile::tempdir().unwrap();
    let target = target.path().join("dump");
    std::fs::create_dir(&target).unwrap();
    for (name, bytes) in &written {
        std::fs::write(target.join(name), bytes).unwrap();
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let names = private(&original);
    for (file, bytes) in &written {
        let text = format!("{file} {}", String::from_utf8_lossy(bytes));
        for name in &names {
            let whole = |(at, _): (usize, &str)| {
                let before = text[..at].chars().next_back();
                let after = text[at + name.len()..].chars().next();
                // A sentence may use the word.
                let plain = name.bytes().all(|byte| byte.is_ascii_alphabetic());
                let sentence = plain && before == Some(' ');
                !before.is_some_and(is_part) && !after.is_some_and(is_part) && !sentence
            };
            assert!(!text.match_indices(name.as_str()).any(whole), "{source}: {file} has {name}");
        }
    }
    let documents: Vec<Value> =
        original.iter().filter_map(|(_, bytes)| serde_json::from_slice(bytes).ok()).collect();
    let map = Names::of(&documents, source);
    let target = target.to_str().unwrap();
    let now = "2026-11-18T12:00:00Z";
    for command in [
        &["doctor", "--all", "--now", now][..],
        &["order"],
        &["order", "--form", "aggregated"],
        &["route", "--all"],
        &["conflicts"],
    ] {
        let ask = |dump: &str| {
            let run = run(&[command, &["-o", "json", "--dump", dump]].concat());
            assert!(run.code <= 1, "{source}: {run}");
            run.out
        };
        let expected: Value = serde_json::from_str(&ask(source)).unwrap();
        let found = ask(target).replace(target, "cluster");
        let found: Value = serde_json::from_str(&found).unwrap();
        let is_order = command[0] == "order";
        let (expected, found) = match is_order {
            true => (map.json(&expected["groups"]), found["groups"].clone()),
            false => (sorted(map.json(&expected)), sorted(found)),
        };
        assert_same(source, command, &expected, &found);
    }
}

/// Fails with the first difference, because whole answers are too long to read.
fn assert_same(source: &str, command: &[&str], expected: &Value, found: &Value) {
    if expected == found {
        return;
    }
    let [a, b] = [expected, found].map(|value| serde_json::to_string_pretty(value).unwrap());
    let differs = a.lines().zip(b.lines()).position(|(a, b)| a != b).unwrap_or_default();
    let around = |text: &str| {
        text.lines().skip(differs.saturating_sub(8)).take(14).collect::<Vec<_>>().join("\n")
    };
    panic!("{source}: {command:?}\nexpected\n{}\nfound\n{}", around(&a), around(&b));
}

#[test]
fn every_recording_gives_the_same_answers_when_anonymized() {
    let unpacked = |path: &std::path::PathBuf| {
        path.starts_with(repository("testdata")) && path.join("dump").is_dir()
    };
    let recordings: Vec<_> = recordings().into_iter().filter(unpacked).collect();
    assert!(recordings.len() > 3);
    for recording in recordings {
        anonymizes(&recording.join("dump"));
    }
}

#[test]
fn an_anonymized_report_is_that_of_an_anonymized_dump() {
    let dump = crate::harness::recording("v1.36-mixed").join("dump");
    let files = files(&dump);
    let names = private(&files);
    assert!(names.contains("wardle.example.com") && names.contains("ext"), "{names:?}");
    let report = |arguments: &[&str]| {
        let run = run(&[&["report", "-", "--now", "2026-11-18T12:00:00Z"], arguments].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        let (_, answers) = run.out.split_once("id=\"answers\">").unwrap();
        answers.split_once("</script>").unwrap().0.to_owned()
    };
    let answers = report(&["--anonymize", "--dump", dump.to_str().unwrap()]);
    assert!(!answers.contains("v1.36-mixed"));
    let is_part = |c: char| c.is_ascii_alphanumeric();
    let contains = |text: &str, name: &String| {
        text.match_indices(name.as_str()).any(|(at, _)| {
            !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part)
        })
    };
    // A name that is a plain word may also be one of our own.
    let plain = |name: &&String| name.bytes().all(|byte| byte.is_ascii_alphabetic());
    for name in names.iter().filter(|name| !plain(name)) {
        assert!(!contains(&answers, name), "{name}");
    }
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in anonymize::files(&files, "") {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    let folder = folder.path().to_str().unwrap();
    let dumped: Value = serde_json::from_str(
        &report(&["--dump", folder])
            .replace(&format!(" --dump {folder}"), "")
            .replace(folder, "cluster"),
    )
    .unwrap();
    let answers: Value = serde_json::from_str(&answers).unwrap();
    let questions = |answers: &Value| answers.as_object().unwrap().keys().cloned().collect();
    let [left, right]: [Vec<String>; 2] = [&answers, &dumped].map(questions);
    assert_eq!(left, right);
    // The others contain certificates, whose keys are random.
    for question in ["chain", "conflicts", "order?form=aggregated", "paths", "routes"] {
        assert_eq!(answers[question], dumped[question], "{question}");
    }
}

/// Names in our own sentences come from the dump, so a name that is a word of one is replaced, too.
#[test]
fn a_name_that_is_a_plain_word_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write(
        "apiservices.yaml",
        r#"
apiVersion: apiregistration.k8s.io/v1
kind: APIServiceList
items:
- metadata: {name: v1.acme.example}
  spec:
    {group: acme.example, version: v1, service: {namespace: acme, name: payments}}
  status:
    conditions:
    - type: Available
      status: "False"
      reason: ServiceNotFound
      message: service/payments in "acme" is not present
"#,
    );
    write("services.yaml", "apiVersion: v1\nkind: ServiceList\nitems: []\n");
    write("acme.json", "{\"kind\": acme payments");
    let dump = folder.path().to_str().unwrap();
    let report = |arguments: &[&str]| run(&[&["report", "-", "--dump", dump], arguments].concat());
    assert!(report(&[]).out.contains("payments"));
    let page = report(&["--anonymize"]);
    assert_eq!(page.code, 0, "{}", page.err);
    let skipped = "skipped 1 file that could not be read";
    assert!(page.out.contains(skipped) && !page.err.contains(skipped));
    assert!(page.err.contains("acme.json: 1:10: expected value"), "{}", page.err);
    for name in ["acme", "payments"] {
        assert!(!page.out.contains(name), "{name}");
    }
    assert!(page.out.contains("service-0001") && page.out.contains("ServiceNotFound"));
}

/// A pipe can be read only once.
#[test]
fn standard_input_is_anonymized_like_a_file() {
    let place = Place::with(&[]);
    let services = r#"
apiVersion: apiregistration.k8s.io/v1
kind: APIServiceList
items:
- metadata: {name: v1.acme.example}
  spec: {group: acme.example, version: v1, service: {namespace: acme, name: payments}}
"#;
    place.write("services.yaml", services);
    let report = ["report", "-", "--anonymize", "--now", "2026-11-18T12:00:00Z", "--dump"];
    let piped = place.run_with(&[&report[..], &["-"]].concat(), services);
    let read = place.run(&[&report[..], &["services.yaml"]].concat());
    assert!(read.out.contains("service-0001"));
    assert_eq!(piped.out, read.out);
    let nothing = place.run_with(&[&report[..], &["-"]].concat(), "nothing");
    insta::assert_snapshot!(nothing.err, @"
    error: nothing in - contains API server data: it has no Kubernetes objects
    hint: write one with `aggctl dump DIR`, or save the output of `kubectl get apiservices,crd -o json`
    ");
}

/// The page gets the notes without names, the terminal those of a report with names.
#[test]
fn notes_are_those_of_the_original() {
    let place = Place::with(&[]);
    let service = |server: &str, name: &str| {
        format!("\n- metadata: {{name: {name}}}\n  spec: {{clusterIP: 10.0.0.{server}}}")
    };
    for (folder, server) in [("acme", "1"), ("other", "2")] {
        let all: String = ["a", "b", "c", "d"].map(|name| service(server, name)).concat();
        let list = format!("apiVersion: v1\nkind: ServiceList\nitems:{all}\n");
        place.write(&format!("dump/{folder}/services.yaml"), &list);
    }
    place.write("dump/acme/hidden.yaml", "kind: Service\nmetadata: {a: ***HIDDEN***}\n");
    place.write("dump/acme/broken.yaml", "kind: Service\nmetadata: {\n");
    let page = place.run(&["report", "-", "--anonymize", "--dump", "dump"]);
    let named = place.run(&["report", "-", "--dump", "dump"]);
    assert_eq!(page.err, named.err);
    insta::assert_snapshot!(page.err, @"
    warning: skipped dump/acme/broken.yaml: 2:11: unclosed bracket '{'
    warning: dump has dumps of two clusters, dump/acme and dump/other: using dump/acme
    ");
    let (_, answers) = page.out.split_once("id=\"answers\">").unwrap();
    let answers: Value = serde_json::from_str(answers.split_once("</script>").unwrap().0).unwrap();
    let notes =
        serde_json::to_string_pretty(&answers["site"]["notes"].as_array().unwrap()[..2]).unwrap();
    insta::assert_snapshot!(notes, @r#"
    [
      "skipped 1 file that could not be read",
      "the source has dumps of two clusters: using the first"
    ]
    "#);
}
