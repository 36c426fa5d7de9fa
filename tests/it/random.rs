//! Bounded random tests with fixed seeds: dumps in any order, dumps cut anywhere, any bytes.

use std::fs;

use aggctl::model::Snapshot;
use aggctl::registry::Registry;
use aggctl::routing::{Method, Router, Target};
use aggctl::source::{self, Source};

use crate::dump;

/// A small generator of its own, so that every run is the same.
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below
    }
}

fn facts(snapshot: &Snapshot) -> String {
    let mut snapshot = snapshot.clone();
    snapshot.origin.name.clear();
    // Text is as it was written, whatever it says.
    snapshot.as_served.clear();
    format!("{snapshot:?}")
}

#[test]
fn merging_does_not_depend_on_file_order() {
    let whole = source::load(&Source::Dump(vec![dump("v1.36-mixed")])).unwrap().snapshot;
    let mut files: Vec<_> =
        fs::read_dir(dump("v1.36-mixed")).unwrap().map(|e| e.unwrap().path()).collect();
    let mut random = Random(1);
    for _ in 0..10 {
        for index in (1..files.len()).rev() {
            files.swap(index, random.next(index + 1));
        }
        let shuffled = source::load(&Source::Dump(files.clone())).unwrap().snapshot;
        assert_eq!(facts(&shuffled), facts(&whole));
    }
}

#[test]
fn one_stream_of_all_files_is_the_same_dump() {
    let whole = source::load(&Source::Dump(vec![dump("v1.25-mixed")])).unwrap().snapshot;
    let dir = tempfile::tempdir().unwrap();
    let mut all = String::new();
    for entry in fs::read_dir(dump("v1.25-mixed")).unwrap() {
        all += &fs::read_to_string(entry.unwrap().path()).unwrap();
        all += "\n";
    }
    let file = dir.path().join("all");
    fs::write(&file, &all).unwrap();
    assert_eq!(facts(&source::load(&Source::Dump(vec![file])).unwrap().snapshot), facts(&whole));
}

#[test]
fn the_same_dump_as_yaml_and_as_objects() {
    let whole = source::load(&Source::Dump(vec![dump("v1.36-crds")])).unwrap().snapshot;
    let dir = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(dump("v1.36-crds")).unwrap() {
        let path = entry.unwrap().path();
        let value: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let yaml = aggctl::render::to_yaml(&value).unwrap();
        fs::write(dir.path().join(path.file_name().unwrap()), yaml).unwrap();
    }
    assert_eq!(
        facts(&source::load(&Source::Dump(vec![dir.path().into()])).unwrap().snapshot),
        facts(&whole)
    );
}

/// JSON documents with YAML's markers, unquoted keys in braces, quoted keys: all of it is YAML.
#[test]
fn the_same_dump_in_odd_forms() {
    let whole = source::load(&Source::Dump(vec![dump("v1.36-crds")])).unwrap().snapshot;
    let dir = tempfile::tempdir().unwrap();
    let (mut leading, mut between) = (String::new(), String::new());
    for (index, entry) in fs::read_dir(dump("v1.36-crds")).unwrap().enumerate() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        if index % 2 == 0 {
            leading += &format!("---\n{}\n", text.trim());
        } else {
            between += &format!("{}\n---\n", text.trim());
        }
    }
    fs::write(dir.path().join("a.yaml"), leading).unwrap();
    fs::write(dir.path().join("b.yaml"), between).unwrap();
    let odd = source::load(&Source::Dump(vec![dir.path().into()])).unwrap();
    assert_eq!(odd.notes, []);
    assert_eq!(facts(&odd.snapshot), facts(&whole));
    for text in [
        "{apiVersion: apiregistration.k8s.io/v1, kind: APIService, metadata: {name: v1.x}, spec: {group: x, version: v1}}",
        "\"kind\": APIService\n\"apiVersion\": apiregistration.k8s.io/v1\nmetadata: {name: v1.x}\nspec: {group: x, version: v1}\n",
        "{\"kind\":\"APIService\",\"apiVersion\":\"apiregistration.k8s.io/v1\",\"spec\":{\"group\":[]}}\n{\"kind\":\"APIService\",\"apiVersion\":\"apiregistration.k8s.io/v1\",\"metadata\":{\"name\":\"v1.x\"},\"spec\":{}}",
    ] {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("x"), text).unwrap();
        let loaded = source::load(&Source::Dump(vec![dir.path().into()])).unwrap();
        assert_eq!(loaded.snapshot.api_services.loaded().unwrap()[0].name, "v1.x", "{text}");
    }
}

/// Mutations of a real dump file: cut, with bytes changed, doubled. Nothing panics, and whatever
/// could still be read can be routed with.
#[test]
fn broken_dumps_never_panic() {
    let seeds: Vec<Vec<u8>> =
        ["apiservices.json", "crds.json", "apis-aggregated.json", "root.json"]
            .iter()
            .map(|name| fs::read(dump("v1.36-mixed").join(name)).unwrap())
            .collect();
    let dir = tempfile::tempdir().unwrap();
    let mut random = Random(2);
    for round in 0..300 {
        let mut bytes = seeds[random.next(seeds.len())].clone();
        let start = random.next(bytes.len());
        let end = (start + 1 + random.next(3000)).min(bytes.len());
        match round % 4 {
            0 => bytes.truncate(start),
            1 => bytes = bytes[start..end].to_vec(),
            2 => bytes[start] = (random.next(256)) as u8,
            _ => {
                let copy = bytes[start..end].to_vec();
                bytes.splice(start..start, copy);
            }
        }
        let file = dir.path().join("fuzzed");
        fs::write(&file, &bytes).unwrap();
        if let Ok(loaded) = source::load(&Source::Dump(vec![file])) {
            let registry = Registry::new(&loaded.snapshot);
            let router = Router::new(&registry);
            for path in ["/apis/apps/v1/deployments", "/apis/x", "/healthz"] {
                let target = Target::parse(Method::Get, path).unwrap();
                let route = router.route(&target);
                let _ = (
                    router.warnings(&route),
                    router.assumptions(&route),
                    router.suggest(Method::Get, path),
                );
            }
            let _ = (aggctl::discovery::aggregated(&registry), registry.chain(), registry.review());
        }
    }
}

/// Paths put together from the words that mean something, and from those that do not.
#[test]
fn random_paths_never_panic_and_always_end() {
    let words = [
        "",
        "api",
        "apis",
        "v1",
        "apps",
        "watch",
        "proxy",
        "namespaces",
        "default",
        "pods",
        "status",
        "%2F",
        "%C3%A9",
        ".",
        "..",
        "deployments",
        "scale",
        "version",
        "openapi",
        "v3",
        "healthz",
        "x?watch=1",
        "nodes",
    ];
    let snapshot = source::load(&Source::Dump(vec![dump("v1.36-mixed")])).unwrap().snapshot;
    let registry = Registry::new(&snapshot);
    let router = Router::new(&registry);
    let mut random = Random(3);
    for _ in 0..20_000 {
        let count = random.next(12);
        let parts: Vec<&str> = (0..count).map(|_| words[random.next(words.len())]).collect();
        let path = format!("/{}", parts.join("/"));
        let method = Method::ALL[random.next(Method::ALL.len())];
        let target = Target::parse(method, &path).unwrap();
        let route = router.route(&target);
        assert!(route.info().is_none() || route.hops().count() > 0, "{path}");
        assert!(!route.status.is_empty(), "{path}");
    }
}
