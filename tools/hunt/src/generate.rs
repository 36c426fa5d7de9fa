//! Generates the objects of a round. Names come from short lists, so that objects meet.

use serde_json::{Value, json};

use crate::random::Random;

/// The groups of CRDs and APIServices. The last one is built in.
const GROUPS: [&str; 4] =
    ["alpha.hunt.example", "beta.hunt.example", "gamma.hunt.example", "batch"];
/// The groups of CRDs. The last one is built in; CRDs need a group with a dot.
const CRD_GROUPS: [&str; 4] =
    ["alpha.hunt.example", "beta.hunt.example", "gamma.hunt.example", "events.k8s.io"];
/// Group versions of the server itself, whose APIServices may change too. Only the cluster restores
/// them.
const BUILT_IN: [(&str, &str); 4] =
    [("batch", "v1"), ("autoscaling", "v2"), ("events.k8s.io", "v1"), ("", "v1")];
const VERSIONS: [&str; 6] = ["v1", "v2", "v1beta1", "v1alpha2", "v10", "foo"];
const RESOURCES: [(&str, &str); 3] = [("gears", "Gear"), ("wheels", "Wheel"), ("cogs", "Cog")];
/// A kind that several CRDs may claim.
const THING: &str = "Thing";
/// The label of APIServices that the server manages.
pub(crate) const AUTOMANAGED: &str = "kube-aggregator.kubernetes.io/automanaged";
const SERVICES: [&str; 4] = ["red", "green", "blue", "absent"];

/// One step of a change.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Step {
    /// `kubectl apply`.
    Apply(Value),
    /// `kubectl replace`, of an object that exists.
    Replace(Value),
    /// `kubectl delete`.
    Delete(Value),
}

impl Step {
    pub(crate) fn object(&self) -> &Value {
        let (Self::Apply(object) | Self::Replace(object) | Self::Delete(object)) = self;
        object
    }
}

/// The objects that exist first, and what then changes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Plan {
    pub(crate) setup: Vec<Value>,
    pub(crate) change: Vec<Step>,
}

impl Plan {
    /// Generates the plan of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        let random = &mut Random::new(seed);
        let mut setup: Vec<Value> = vec![];
        for _ in 0..2 + random.below(6) {
            add(&mut setup, object(random));
        }
        // An APIService that exists before its CRD is left alone by the controllers.
        setup.sort_by_key(|one| one["kind"] == "CustomResourceDefinition");
        let mut change: Vec<Step> = vec![];
        for _ in 0..1 + random.below(3) {
            let step = step(random, &setup);
            // Each object changes once, because what-if has no order of changes to one object.
            if change.iter().all(|one| key(one.object()) != key(step.object())) {
                change.push(step);
            }
        }
        // One command of a kind changes all its objects, as `-f`, `--replace` and `--without` do.
        let replaces = change.iter().any(|one| matches!(one, Step::Replace(_)));
        change.retain(|one| !replaces || !matches!(one, Step::Apply(_)));
        Self { setup, change }
    }

    /// Returns the APIServices that are given a Service.
    pub(crate) fn registered(&self) -> Vec<String> {
        let objects = self.setup.iter().chain(self.change.iter().map(Step::object));
        let services = objects.filter(|one| one["spec"]["service"].is_object());
        services.map(|one| key(one).1).collect()
    }

    /// Returns the plan as JSON, with the name of the difference that it shows.
    pub(crate) fn describe(&self, difference: &str) -> anyhow::Result<String> {
        let step = |one: &Step| {
            let word = match one {
                Step::Apply(_) => "apply",
                Step::Replace(_) => "replace",
                Step::Delete(_) => "delete",
            };
            json!({word: one.object()})
        };
        let change: Vec<Value> = self.change.iter().map(step).collect();
        let all = json!({"difference": difference, "setup": self.setup, "change": change});
        Ok(serde_json::to_string_pretty(&all)? + "\n")
    }
}

/// Returns what identifies an object.
pub(crate) fn key(object: &Value) -> (String, String) {
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    (word(&object["kind"]), word(&object["metadata"]["name"]))
}

fn add(objects: &mut Vec<Value>, object: Value) {
    if objects.iter().all(|one| key(one) != key(&object)) {
        objects.push(object);
    }
}

fn step(random: &mut Random, setup: &[Value]) -> Step {
    if random.chance(12) {
        let (group, version) = random.of(&BUILT_IN);
        let object = api_service(random, group, version);
        return match random.below(10) {
            0..=4 => Step::Delete(object),
            5..=7 => Step::Apply(object),
            _ => Step::Replace(object),
        };
    }
    if setup.is_empty() || random.chance(35) {
        return Step::Apply(object(random));
    }
    let old = &setup[random.below(setup.len())];
    // What-if deletes no EndpointSlices.
    if random.chance(40) && old["kind"] != "EndpointSlice" {
        return Step::Delete(old.clone());
    }
    let new = again(random, old);
    if random.chance(30) { Step::Replace(new) } else { Step::Apply(new) }
}

/// Returns an object of the same kind and name with other content.
fn again(random: &mut Random, old: &Value) -> Value {
    let (kind, name) = key(old);
    match kind.as_str() {
        "CustomResourceDefinition" => {
            let (resource, group) = name.split_once('.').unwrap_or_default();
            let kind = RESOURCES.iter().find(|(plural, _)| *plural == resource);
            let old_storage = old["spec"]["versions"].as_array().into_iter().flatten();
            let storage = old_storage.filter(|v| v["storage"] == true);
            let storage = storage.filter_map(|v| v["name"].as_str()).next().unwrap_or("v1");
            let namespaced = old["spec"]["scope"] == "Namespaced";
            let before =
                (storage, namespaced, old["spec"]["names"]["kind"].as_str().unwrap_or_default());
            crd(random, group, *kind.unwrap_or(&RESOURCES[0]), Some(before))
        }
        "APIService" => {
            let (version, group) = name.split_once('.').unwrap_or_default();
            api_service(random, group, version)
        }
        "Service" => service(random, &name),
        _ => slice(random, name.trim_end_matches("-1")),
    }
}

fn object(random: &mut Random) -> Value {
    match random.below(10) {
        0..=2 => {
            let group = random.of(&CRD_GROUPS);
            let resource = random.of(&RESOURCES);
            crd(random, group, resource, None)
        }
        3..=6 => {
            let group = random.of(&GROUPS);
            let version = random.of(versions_of(group));
            api_service(random, group, version)
        }
        7..=8 => {
            let name = random.of(&SERVICES[..3]);
            service(random, name)
        }
        _ => {
            let name = random.of(&SERVICES[..3]);
            slice(random, name)
        }
    }
}

/// Returns the versions that objects of a group may have.
fn versions_of(group: &str) -> &'static [&'static str] {
    match group {
        // v1 belongs to the server.
        "batch" | "events.k8s.io" => &["v2", "v9"],
        _ => &VERSIONS,
    }
}

fn crd(
    random: &mut Random,
    group: &str,
    (plural, kind): (&str, &str),
    before: Option<(&str, bool, &str)>,
) -> Value {
    let (storage, namespaced) = match before {
        Some((storage, namespaced, _)) => (storage.to_owned(), namespaced),
        None => (random.of(versions_of(group)).to_owned(), random.chance(60)),
    };
    let version = |random: &mut Random, name: &str| {
        let mut subresources = json!({});
        if random.chance(40) {
            subresources["status"] = json!({});
        }
        json!({
            "name": name, "served": random.chance(80), "storage": name == storage,
            "subresources": subresources,
            "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}},
        })
    };
    let mut versions = vec![version(random, &storage)];
    for name in versions_of(group) {
        if *name != storage && random.chance(30) {
            versions.push(version(random, name));
        }
    }
    let mut names = json!({"plural": plural, "kind": kind});
    // Names that another CRD of the group may have taken.
    if random.chance(25) {
        names["shortNames"] = json!([random.of(&["gr", "wh"])]);
    }
    // The kind cannot change later.
    let odd = match before {
        Some((.., kind)) => kind == THING,
        None => random.chance(15),
    };
    if odd {
        names["kind"] = json!(THING);
    }
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {
            "name": format!("{plural}.{group}"),
            // Without it, the server rejects CRDs in groups of Kubernetes.
            "annotations": {"api-approved.kubernetes.io": "unapproved, to hunt for differences"},
        },
        "spec": {
            "group": group, "names": names, "versions": versions,
            "scope": if namespaced { "Namespaced" } else { "Cluster" },
        },
    })
}

fn api_service(random: &mut Random, group: &str, version: &str) -> Value {
    let mut spec = json!({
        "group": group, "version": version,
        "groupPriorityMinimum": random.of(&[100, 1000, 2000, 17400, 17500]),
        "versionPriority": random.of(&[1, 15, 100]),
    });
    if random.chance(70) {
        spec["service"] = json!({"namespace": "default", "name": random.of(&SERVICES)});
        if random.chance(30) {
            spec["service"]["port"] = json!(random.of(&[443, 8443]));
        }
        spec["insecureSkipTLSVerify"] = json!(true);
    } else if random.chance(30) {
        // Removes the fields; leaving them out keeps them.
        (spec["service"], spec["insecureSkipTLSVerify"]) = (Value::Null, Value::Null);
    }
    let mut metadata = json!({"name": format!("{version}.{group}")});
    if random.chance(10) {
        metadata["labels"] = json!({AUTOMANAGED: random.of(&[json!("true"), json!("onstart"), Value::Null].each_ref())});
    }
    json!({
        "apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
        "metadata": metadata, "spec": spec,
    })
}

fn service(random: &mut Random, name: &str) -> Value {
    let mut spec = match random.below(6) {
        // A name that resolves to loopback, where nothing listens on that port.
        0 => json!({"type": "ExternalName", "externalName": "localhost"}),
        // Without an address.
        1 => json!({"clusterIP": "None", "ports": [{"name": "https", "port": 443}]}),
        _ => {
            json!({"ports": [{"name": random.of(&["https", "web"]), "port": random.of(&[443, 8443])}]})
        }
    };
    if random.chance(30) {
        spec["selector"] = json!({"app": name});
    }
    json!({
        "apiVersion": "v1", "kind": "Service",
        "metadata": {"name": name, "namespace": "default"}, "spec": spec,
    })
}

fn slice(random: &mut Random, service: &str) -> Value {
    json!({
        "apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice", "addressType": "IPv4",
        "metadata": {
            "name": format!("{service}-1"), "namespace": "default",
            "labels": {"kubernetes.io/service-name": service},
        },
        "ports": [{"name": random.of(&["https", "web"]), "port": 6443, "protocol": "TCP"}],
        "endpoints": [{"addresses": ["192.0.2.1"], "conditions": {"ready": random.chance(60)}}],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_names_one_plan() {
        let plans: Vec<Plan> = (1..200).map(Plan::new).collect();
        assert!(plans.iter().enumerate().all(|(i, plan)| *plan == Plan::new(i as u64 + 1)));
        assert!(plans.iter().all(|plan| !plan.setup.is_empty() && !plan.change.is_empty()));
        let kinds =
            |kind: &str| plans.iter().flat_map(|plan| &plan.setup).any(|o| o["kind"] == kind);
        assert!(kinds("APIService") && kinds("CustomResourceDefinition") && kinds("EndpointSlice"));
        let steps = || plans.iter().flat_map(|plan| &plan.change);
        assert!(steps().any(|step| matches!(step, Step::Replace(_))));
        assert!(steps().any(|step| matches!(step, Step::Delete(_))));
    }
}
