//! A cluster with thousands of APIServices: every list is requested once, and only if it can be
//! answered.

use serde_json::{Value, json};

use crate::world::{World, recording};

const CRDS: usize = 1_000;
const ANSWERING: usize = 1_500;
const SILENT: usize = 1_500;

/// Returns a cluster with many APIServices: of CRDs, and with Services that are available or not.
fn large() -> World {
    let world = World::new(&recording("v1.36-vanilla"));
    world.server.change(|files| {
        for index in 0..CRDS {
            let group = format!("g{index}.crds.example");
            let names = json!({"plural": "things", "singular": "thing", "kind": "Thing"});
            push(
                &mut files.get_mut("crds").unwrap()["items"],
                json!({
                    "metadata": {"name": format!("things.{group}")},
                    "spec": {"group": group, "scope": "Namespaced", "names": names,
                        "versions": [{"name": "v1", "served": true, "storage": true}]},
                    "status": {"acceptedNames": names, "storedVersions": ["v1"], "conditions": [
                        {"type": "NamesAccepted", "status": "True"},
                        {"type": "Established", "status": "True"}]}}),
            );
        }
        let kinds = [("crds", CRDS, "True"), ("on", ANSWERING, "True"), ("off", SILENT, "False")];
        for (kind, count, available) in kinds {
            for group in (0..count).map(|index| format!("g{index}.{kind}.example")) {
                let service = json!({"namespace": "ext", "name": kind, "port": 443});
                push(
                    &mut files.get_mut("apiservices").unwrap()["items"],
                    json!({
                        "metadata": {"name": format!("v1.{group}")},
                        "spec": {"group": group, "version": "v1",
                            "service": (kind != "crds").then_some(service),
                            "groupPriorityMinimum": 1000, "versionPriority": 100},
                        "status": {"conditions": [{"type": "Available", "status": available}]}}),
                );
                let list = json!({"kind": "APIResourceList", "groupVersion": format!("{group}/v1"),
                    "resources": [{"name": "things", "kind": "Thing", "namespaced": true,
                        "verbs": ["get", "list"]}]});
                if available == "True" {
                    files.insert(format!("apis_{group}_v1"), list);
                }
            }
        }
    });
    world
}

fn push(list: &mut Value, item: Value) {
    list.as_array_mut().unwrap().push(item);
}

#[test]
fn lists_are_requested_once_and_only_if_available() {
    let world = large();
    let dump = world.directory.path().join("dump");
    let dump = ["dump", dump.to_str().unwrap()];
    let check = |arguments: &[&str], lists: [usize; 3]| {
        let run = world.live(arguments);
        assert_eq!(run.code, 0, "{arguments:?}: {}", run.err);
        assert_eq!(world.server.connections(), 1);
        let seen = world.server.seen();
        let paths = || seen.iter().map(|seen| seen.path.as_str());
        // Pages of 500, the plain APIServices included.
        assert_eq!(paths().filter(|path| path.ends_with("/apiservices")).count(), 9);
        assert_eq!(paths().filter(|path| path.ends_with("/customresourcedefinitions")).count(), 2);
        for (kind, want) in ["crds", "on", "off"].into_iter().zip(lists) {
            let of_kind = format!(".{kind}.example/v1");
            assert_eq!(paths().filter(|p| p.ends_with(&of_kind)).count(), want, "{arguments:?}");
        }
    };
    check(&["order"], [0, 0, 0]);
    check(&["discovery", "--merged"], [CRDS, ANSWERING, 0]);
    check(&dump, [CRDS, ANSWERING, 0]);
}
