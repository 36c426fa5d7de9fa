//! Random input with fixed seeds: dumps in any order and format, paths of any words.

use std::fs;
use std::path::PathBuf;

use aggctl_source::{self, Source};
use kube_aggregation::model::Snapshot;
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::{Method, Router, Target};

use crate::trials::Random;
use crate::{dump, json};

fn load(path: PathBuf) -> Snapshot {
    aggctl_source::load(&Source::Dump(vec![path])).unwrap().snapshot
}

fn files(recording: &str) -> Vec<PathBuf> {
    fs::read_dir(dump(recording)).unwrap().map(|entry| entry.unwrap().path()).collect()
}

fn facts(snapshot: &Snapshot) -> String {
    let mut snapshot = snapshot.clone();
    snapshot.origin.name.clear();
    // This has the original text, which depends on the format.
    snapshot.as_served.clear();
    format!("{snapshot:?}")
}

#[test]
fn merging_does_not_depend_on_file_order() {
    let whole = load(dump("v1.36-mixed"));
    let mut files = files("v1.36-mixed");
    let mut random = Random(1);
    for _ in 0..10 {
        for index in (1..files.len()).rev() {
            files.swap(index, random.below(index + 1));
        }
        let shuffled = aggctl_source::load(&Source::Dump(files.clone())).unwrap().snapshot;
        assert_eq!(facts(&shuffled), facts(&whole));
    }
}

#[test]
fn one_stream_of_all_files_is_the_same_dump() {
    let whole = load(dump("v1.25-mixed"));
    let dir = tempfile::tempdir().unwrap();
    let mut all = String::new();
    for file in files("v1.25-mixed") {
        all += &fs::read_to_string(file).unwrap();
        all += "\n";
    }
    let file = dir.path().join("all");
    fs::write(&file, &all).unwrap();
    assert_eq!(facts(&load(file)), facts(&whole));
}

#[test]
fn the_same_dump_as_yaml_and_as_objects() {
    let whole = load(dump("v1.36-crds"));
    let dir = tempfile::tempdir().unwrap();
    for file in files("v1.36-crds") {
        let value = json(&fs::read_to_string(&file).unwrap());
        let yaml = aggctl::render::to_yaml(&value).unwrap();
        fs::write(dir.path().join(file.file_name().unwrap()), yaml).unwrap();
    }
    assert_eq!(facts(&load(dir.path().into())), facts(&whole));
}

/// JSON documents with YAML's markers, unquoted keys in braces, quoted keys: all of this is YAML.
#[test]
fn the_same_dump_in_odd_forms() {
    let whole = load(dump("v1.36-crds"));
    let dir = tempfile::tempdir().unwrap();
    let (mut leading, mut between) = (String::new(), String::new());
    for (index, file) in files("v1.36-crds").into_iter().enumerate() {
        let text = fs::read_to_string(file).unwrap();
        if index % 2 == 0 {
            leading += &format!("---\n{}\n", text.trim());
        } else {
            between += &format!("{}\n---\n", text.trim());
        }
    }
    fs::write(dir.path().join("a.yaml"), leading).unwrap();
    fs::write(dir.path().join("b.yaml"), between).unwrap();
    let odd = aggctl_source::load(&Source::Dump(vec![dir.path().into()])).unwrap();
    assert_eq!(odd.notes, []);
    assert_eq!(facts(&odd.snapshot), facts(&whole));
    for text in [
        "{apiVersion: apiregistration.k8s.io/v1, kind: APIService, metadata: {name: v1.x}, spec: {group: x, version: v1}}",
        "\"kind\": APIService\n\"apiVersion\": apiregistration.k8s.io/v1\nmetadata: {name: v1.x}\nspec: {group: x, version: v1}\n",
        "{\"kind\":\"APIService\",\"apiVersion\":\"apiregistration.k8s.io/v1\",\"spec\":{\"group\":[]}}\n{\"kind\":\"APIService\",\"apiVersion\":\"apiregistration.k8s.io/v1\",\"metadata\":{\"name\":\"v1.x\"},\"spec\":{}}",
    ] {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("x"), text).unwrap();
        let snapshot = load(dir.path().into());
        assert_eq!(snapshot.api_services.loaded().unwrap()[0].name, "v1.x", "{text}");
    }
}

/// Paths of words with and without a meaning in routing.
#[test]
fn random_paths_never_panic_and_always_end() {
    let words = "api apis v1 apps watch proxy namespaces default pods status %2F %C3%A9 . .. \
                 deployments scale version openapi v3 healthz x?watch=1 nodes";
    let words: Vec<&str> = words.split(' ').chain([""]).collect();
    let snapshot = load(dump("v1.36-mixed"));
    let registry = Registry::new(&snapshot);
    let router = Router::new(&registry);
    let mut random = Random(3);
    for _ in 0..20_000 {
        let count = random.below(12);
        let parts: Vec<&str> = (0..count).map(|_| *random.pick(&words)).collect();
        let path = format!("/{}", parts.join("/"));
        let method = *random.pick(&Method::ALL);
        let target = Target::parse(method, &path).unwrap();
        let route = router.route(&target);
        assert!(route.info().is_none() || route.hops().count() > 0, "{path}");
        assert!(!route.status.is_empty(), "{path}");
    }
}
