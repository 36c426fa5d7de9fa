//! Tests the same cluster in the file layouts of several tools, and files that a command does not
//! need.

use std::fs;
use std::path::Path;

use aggctl_source::{self, NoteLevel, Source};
use kube_aggregation::model::Snapshot;
use serde_json::{Value, json};

use crate::{Place, dump};

/// Returns the objects of a recording, by their plural.
fn objects(plural: &str) -> Vec<Value> {
    let text = fs::read_to_string(dump("v1.36-mixed").join(format!("{plural}.json"))).unwrap();
    let list: Value = serde_json::from_str(&text).unwrap();
    let kind = list["kind"].as_str().unwrap().trim_end_matches("List");
    let each = list["items"].as_array().unwrap().iter();
    each.map(|item| {
        let mut item = item.clone();
        item["kind"] = kind.into();
        item["apiVersion"] = list["apiVersion"].clone();
        item
    })
    .collect()
}

/// Plural in the recording, API group, version, and plural in the API.
const KINDS: [(&str, &str, &str, &str); 4] = [
    ("apiservices", "apiregistration.k8s.io", "v1", "apiservices"),
    ("crds", "apiextensions.k8s.io", "v1", "customresourcedefinitions"),
    ("services", "", "v1", "services"),
    ("endpointslices", "discovery.k8s.io", "v1", "endpointslices"),
];

fn put(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn yaml(value: &Value) -> String {
    aggctl::render::to_yaml(value).unwrap()
}

fn named(object: &Value) -> (Option<&str>, &str) {
    (object["metadata"]["namespace"].as_str(), object["metadata"]["name"].as_str().unwrap())
}

/// Groups objects by namespace.
fn by_namespace(all: &[Value]) -> Vec<(String, Vec<&Value>)> {
    let mut found: Vec<(String, Vec<&Value>)> = vec![];
    for object in all {
        let namespace = named(object).0.unwrap_or_default();
        match found.iter_mut().find(|(name, _)| name == namespace) {
            Some((_, list)) => list.push(object),
            None => found.push((namespace.to_owned(), vec![object])),
        }
    }
    found
}

/// `oc adm must-gather` and `oc adm inspect` write one file per object, and one list per namespace.
fn must_gather(root: &Path) {
    let root = root.join("quay-io-openshift-sha256-1f");
    put(&root, "event-filter.html", "<html></html>");
    for (recorded, group, _, plural) in KINDS {
        let all = objects(recorded);
        for (namespace, some) in by_namespace(&all) {
            let folder = if group.is_empty() { "core" } else { group };
            if namespace.is_empty() {
                for one in some {
                    let name = named(one).1;
                    let path = format!("cluster-scoped-resources/{folder}/{plural}/{name}.yaml");
                    put(&root, &path, &yaml(one));
                }
            } else {
                let kind = format!("{}List", some[0]["kind"].as_str().unwrap());
                let list =
                    json!({"apiVersion": some[0]["apiVersion"], "kind": kind, "items": some});
                put(&root, &format!("namespaces/{namespace}/{folder}/{plural}.yaml"), &yaml(&list));
            }
        }
    }
}

/// Velero's backups contain every object twice, once in the preferred version.
fn velero(root: &Path) {
    put(root, "metadata/version", "1.1.0\n");
    for (recorded, group, version, plural) in KINDS {
        let resource =
            if group.is_empty() { plural.to_owned() } else { format!("{plural}.{group}") };
        for one in objects(recorded) {
            let place = match named(&one) {
                (Some(namespace), name) => format!("namespaces/{namespace}/{name}.json"),
                (None, name) => format!("cluster/{name}.json"),
            };
            let text = one.to_string();
            put(root, &format!("resources/{resource}/{place}"), &text);
            put(root, &format!("resources/{resource}/{version}-preferredversion/{place}"), &text);
        }
    }
}

/// Sonobuoy writes one list per resource and namespace.
fn sonobuoy(root: &Path) {
    let version = fs::read_to_string(dump("v1.36-mixed").join("version.json")).unwrap();
    put(root, "serverversion.json", &version);
    put(root, "meta/config.json", r#"{"Description":"DEFAULT"}"#);
    for (recorded, group, version, plural) in KINDS {
        let all = objects(recorded);
        let group = if group.is_empty() { "core" } else { group };
        for (namespace, some) in by_namespace(&all) {
            let file = format!("{group}_{version}_{plural}.json");
            let place = match namespace.as_str() {
                "" => format!("resources/cluster/{file}"),
                namespace => format!("resources/ns/{namespace}/{file}"),
            };
            put(root, &place, &json!({"items": some}).to_string());
        }
    }
}

/// crust-gather writes one file per object, below its group, version and kind.
fn crust_gather(root: &Path) {
    for (recorded, group, version, _) in KINDS {
        for one in objects(recorded) {
            let kind = one["kind"].as_str().unwrap().to_lowercase();
            let api =
                if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") };
            let place = match named(&one) {
                (Some(namespace), name) => {
                    format!("namespaces/{namespace}/{api}/{kind}/{name}.yaml")
                }
                (None, name) => format!("cluster/{api}/{kind}/{name}.yaml"),
            };
            put(root, &place, &yaml(&one));
        }
    }
}

fn names(snapshot: &Snapshot) -> [Vec<String>; 4] {
    let services = snapshot.api_services.loaded().unwrap();
    [
        services
            .iter()
            .map(|s| format!("{} {:?}", s.name, s.available.as_ref().map(|c| &c.status)))
            .collect(),
        snapshot.crds.loaded().unwrap().iter().map(|c| c.name.clone()).collect(),
        snapshot.services.loaded().unwrap().iter().map(|s| s.name.clone()).collect(),
        snapshot.endpoint_slices.loaded().unwrap().iter().map(|s| s.name.clone()).collect(),
    ]
}

/// Writes a cluster in the layout of one of the tools.
type Layout = fn(&Path);

#[test]
fn the_same_cluster_in_every_layout() {
    let want =
        names(&aggctl_source::load(&Source::Dump(vec![dump("v1.36-mixed")])).unwrap().snapshot);
    let layouts: [(&str, Layout); 4] = [
        ("must-gather", must_gather),
        ("velero", velero),
        ("sonobuoy", sonobuoy),
        ("crust-gather", crust_gather),
    ];
    for (tool, write) in layouts {
        let place = tempfile::tempdir().unwrap();
        write(place.path());
        let loaded = aggctl_source::load(&Source::Dump(vec![place.path().to_owned()])).unwrap();
        assert_eq!(names(&loaded.snapshot), want, "{tool}");
        let told: Vec<_> = loaded.notes.iter().filter(|n| n.weight != NoteLevel::Detail).collect();
        assert!(told.is_empty(), "{tool}: {told:?}");
        assert_eq!(loaded.snapshot.minor().is_some(), tool == "sonobuoy");
    }
}

/// Copies the dump of a recording.
fn copied(recording: &str) -> Place {
    let place = Place::with(&[]);
    place.copy(&dump(recording));
    place
}

/// A broken document, or a second one in the same file, must not be skipped.
#[test]
fn files_are_not_skipped_by_their_first_words() {
    let place = copied("v1.36-mixed");
    let route = || place.ask(&["route", "/apis/apps/v1/deployments"]);
    let whole = route();
    let services = place.read("apiservices.json");
    fs::remove_file(place.path("apiservices.json")).unwrap();
    for before in [r#"{"kind": "APIGroup"}"#, r#"{"kind": "APIGroup", "name": "{"}"#] {
        place.write("apis_batch.json", format!("{before}\n{services}"));
        assert_eq!(route(), whole, "{before}");
    }
    place.write("apis_batch.json", r#"{"kind": "APIGroup", "name": "#);
    insta::assert_snapshot!(route().err, @"warning: skipped ./apis_batch.json: 1:29: eof while parsing a value");
    // A truncated list is ignored.
    let alone = Place::with(&[("apiservices.json", &services[..services.len() / 2])]);
    insta::assert_snapshot!(alone.ask(&["apiservices"]), @"
    2> error: cannot read ./apiservices.json: 966:20: eof while parsing a string
    2> hint: write one with `aggctl dump DIR`, or save the output of `kubectl get apiservices,crd -o json`
    [exit 3]
    ");
    // Two files that differ are reported once, regardless of how they are read.
    alone.write("apiservices.json", format!("{services}\n{services}"));
    let other = services.replace("groupPriorityMinimum\": 1", "groupPriorityMinimum\": 2");
    alone.write("other.json", other);
    let warnings = alone.ask(&["apiservices"]).err;
    assert_eq!(warnings.matches("APIService v1.batch is in").count(), 1, "{warnings}");
    // The OpenAPI document of another program is not data of a server.
    let foreign = Place::with(&[("api.json", r#"{"paths": {"/pets": {}}, "info": {}}"#)]);
    insta::assert_snapshot!(foreign.ask(&["route", "/api/v1/pods"]), @"
    2> error: nothing in . contains API server data: found OpenAPI
    2> hint: write one with `aggctl dump DIR`, or save the output of `kubectl get apiservices,crd -o json`
    [exit 3]
    ");
}

/// The objects of a list may repeat its kind or have another one.
#[test]
fn lists_may_have_objects_of_several_kinds() {
    let named = |name: &str, version: &str| {
        json!({"metadata": {"name": name}, "spec": {"group": "example.io", "version": version,
            "service": {"namespace": "a", "name": "b"}}})
    };
    let mut typed = named("v2.example.io", "v2");
    (typed["kind"], typed["apiVersion"]) =
        (json!("APIService"), json!("apiregistration.k8s.io/v1"));
    let service = json!({"kind": "Service", "apiVersion": "v1",
        "metadata": {"name": "b", "namespace": "a"}});
    let items = [named("v1.example.io", "v1"), typed, service, named("", "v3")];
    let list = json!({"kind": "APIServiceList", "apiVersion": "apiregistration.k8s.io/v1", "items": items});
    let place = tempfile::tempdir().unwrap();
    put(place.path(), "list.json", &list.to_string());
    let loaded = aggctl_source::load(&Source::Dump(vec![place.path().to_owned()])).unwrap();
    let found: Vec<&str> =
        loaded.snapshot.api_services.items().iter().map(|one| one.name.as_str()).collect();
    assert_eq!(found, ["v1.example.io", "v2.example.io"]);
    assert_eq!(loaded.snapshot.services.items().len(), 1);
    let notes: Vec<&str> = loaded.notes.iter().map(|note| note.text.as_str()).collect();
    let place = place.path().to_str().unwrap();
    insta::assert_snapshot!(notes.join("\n").replace(place, "DUMP"), @"
    skipped DUMP/list.json: APIService without a name
    the source has objects without status: cannot tell whether APIServices are available
    ");
}
