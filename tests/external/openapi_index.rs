//! The index `/openapi/v3` of recorded servers: which servers publish each entry, and which answered.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use aggctl_openapi::{Form, Given, OpenApiReview, ReviewRequest, review};
use kube_aggregation::model::{
    ApiService, Crd, CrdVersion, GroupVersion, Input, ServiceReference, Snapshot,
};
use kube_aggregation::registry::Registry;
use serde_json::Value;

use crate::openapi_merge::{part, runs, states_of};

/// The servers that are not behind a Service.
const LOCAL: [&str; 4] = ["kube-aggregator", "kube-apiserver", "apiextensions-apiserver", "CRDs"];

/// Each entry has exactly the publishers that list it, and only those answered for it.
pub(crate) fn indexes_have_the_right_publishers() {
    for run in runs() {
        let mut recording = Recording::default();
        let mut entries = 0;
        for state in states_of(&run) {
            if state["v3"]["index"].is_object() {
                entries += recording.check(&run, &state);
            }
        }
        assert!(entries > 1_000, "{entries} entries in {}", run.display());
    }
}

/// Facts from earlier states that later ones depend on.
#[derive(Default)]
struct Recording {
    /// The index of the plain server, by key.
    plain: BTreeMap<String, String>,
    /// The group versions that CRDs have or had.
    custom: BTreeSet<GroupVersion>,
}

impl Recording {
    fn check(&mut self, run: &Path, state: &Value) -> usize {
        let name = state["state"].as_str().unwrap();
        let keys = self.keys(state);
        let services = state["apiservices"].as_array().unwrap();
        self.custom.extend(services.iter().filter(|one| one["service"].is_null()).map(gv));
        let indexes = indexes(run, state);
        let snapshot = self.snapshot(services, &keys);
        let registry = Registry::new(&snapshot);
        let given: Vec<Given<'_>> =
            indexes.iter().map(|(name, text)| Given::read(name, text)).collect();
        let review = review(ReviewRequest { now: &registry, then: &registry, given: &given });
        let found: BTreeMap<&str, &Vec<String>> =
            review.index.iter().map(|one| (one.key.as_str(), &one.from)).collect();
        assert_eq!(found.len(), keys.len(), "{name}");
        let service_of = |server: &str| {
            let name = state["serving"].as_object().unwrap().iter().find(|(_, s)| *s == server);
            let named = |one: &&Value| Some(one["name"].as_str().unwrap()) == name.map(|n| &**n.0);
            services.iter().find(named).unwrap()["service"].as_str().unwrap().to_owned()
        };
        for (key, from) in &found {
            let listing = indexes.iter().filter(|(_, text)| keys_of(text).contains(*key));
            let mut want: BTreeSet<String> = listing
                .map(|(name, _)| named(services, name)["service"].as_str().unwrap().to_owned())
                .collect();
            // A server without an index is listed with its converted v2 document.
            let remote = services.iter().filter(|one| one["service"].is_string());
            let own = remote.filter(|one| root(&gv(one)) == **key);
            let own = own.filter(|one| !indexes.contains_key(one["name"].as_str().unwrap()));
            want.extend(own.map(|one| one["service"].as_str().unwrap().to_owned()));
            want.extend(self.local(key).iter().map(ToString::to_string));
            let got: BTreeSet<String> = from.iter().cloned().collect();
            assert_eq!(got, want, "{name}: {key}");
            for answer in state["v3"]["documents"][key].as_array().into_iter().flatten() {
                // Without a server, the answer was local, converted, or an error.
                match answer["server"].as_str() {
                    Some(server) => assert!(from.contains(&service_of(server)), "{name}: {key}"),
                    None => assert!(!from.is_empty(), "{name}: {key}"),
                }
            }
        }
        self.remote(name, &review, &keys);
        keys.len()
    }

    /// Returns the index of a state. Recordings have only the difference from the plain server's.
    fn keys(&mut self, state: &Value) -> BTreeMap<String, String> {
        let url =
            |value: &Value| value["serverRelativeURL"].as_str().unwrap_or_default().to_owned();
        let index = state["v3"]["index"].as_object().unwrap().iter();
        let index: BTreeMap<String, String> =
            index.map(|(key, value)| (key.clone(), url(value))).collect();
        if self.plain.is_empty() {
            self.plain.clone_from(&index);
        }
        let mut keys = self.plain.clone();
        keys.extend(index);
        let removed = state["v3"]["removed"].as_array().into_iter().flatten();
        removed.for_each(|gone| drop(keys.remove(gone.as_str().unwrap())));
        keys
    }

    /// Returns the local servers that list a key.
    fn local(&self, key: &str) -> Vec<&'static str> {
        let [aggregator, kube, extensions, crds] = LOCAL;
        match key.split('/').collect::<Vec<_>>().as_slice() {
            ["version"] => vec![aggregator, kube, extensions],
            ["apis", "apiregistration.k8s.io", ..] => vec![aggregator],
            ["apis", "apiextensions.k8s.io", ..] => vec![extensions],
            _ if self.plain.contains_key(key) => vec![kube],
            ["apis", group, version]
                if self.custom.contains(&GroupVersion::new(*group, *version)) =>
            {
                vec![crds]
            }
            _ => vec![],
        }
    }

    fn snapshot(&self, recorded: &[Value], keys: &BTreeMap<String, String>) -> Snapshot {
        let mut snapshot =
            kube_aggregation::baseline::server(kube_aggregation::baseline::LATEST).clone();
        let Input::Loaded(services) = &mut snapshot.api_services else { panic!() };
        let pattern = services[0].clone();
        for one in recorded {
            let gv = gv(one);
            let service = one["service"].as_str().map(|id| {
                let (namespace, name) = id.split_once('/').unwrap();
                ServiceReference { namespace: namespace.into(), name: name.into(), port: 443 }
            });
            let name = gv.api_service_name();
            services.retain(|other| other.name != name);
            let pattern = pattern.clone();
            services.push(ApiService {
                name,
                group_version: gv,
                automanaged: None,
                service,
                ..pattern
            });
        }
        services.sort_by(|a, b| a.name.cmp(&b.name));
        let registered: BTreeSet<GroupVersion> = recorded.iter().map(gv).collect();
        let mut crds: BTreeMap<&str, Crd> = BTreeMap::new();
        for gv in &self.custom {
            let crd = crds.entry(&gv.group).or_insert_with(|| Crd {
                name: format!("things.{}", gv.group),
                group: gv.group.clone(),
                plural: "things".to_owned(),
                established: true,
                ..Crd::default()
            });
            crd.versions.push(CrdVersion {
                name: gv.version.clone(),
                served: registered.contains(gv),
                status_subresource: false,
                scale_subresource: false,
            });
        }
        snapshot.crds = Input::Loaded(crds.into_values().collect());
        snapshot.openapi_v3 = Input::Loaded(keys.keys().cloned().collect());
        snapshot.openapi.indexes = vec![keys.clone()];
        snapshot
    }

    /// Checks what the review says about group versions that Services serve.
    fn remote(&self, name: &str, review: &OpenApiReview<'_>, keys: &BTreeMap<String, String>) {
        for item in review.items.iter().filter(|item| item.remote) {
            let key = root(&item.group_version);
            let listed = keys.contains_key(&key);
            assert_eq!(item.v3.form == Some(Form::None), !listed, "{name}: {key}");
            assert_eq!(item.v3.from.is_empty(), !listed, "{name}: {key}");
            let missing = item.codes.iter().any(|code| code.as_str() == "v3-missing");
            assert_eq!(missing, !listed, "{name}: {key}");
            let drawn = item.codes.iter().any(|code| code.as_str() == "v3-overlap");
            assert_eq!(drawn, item.v3.from.len() > 1, "{name}: {key}");
        }
    }
}

/// Returns the index of each APIService's server, if it has one and the aggregator had read it.
fn indexes(run: &Path, state: &Value) -> BTreeMap<String, String> {
    let serving = state["serving"].as_object().unwrap().iter();
    let unknown = state["v3unknown"].as_array().cloned().unwrap_or_default();
    let index = |(name, server): (&String, &Value)| {
        let index = &state["servers"][server.as_str().unwrap()]["/openapi/v3"];
        let text = part(run, index["document"].as_str()?);
        let known = index["status"] == 200 && !unknown.contains(&name.as_str().into());
        known.then(|| (name.clone(), text))
    };
    serving.filter_map(index).collect()
}

fn keys_of(index: &str) -> BTreeSet<String> {
    let index: Value = serde_json::from_str(index).unwrap();
    index["paths"].as_object().unwrap().keys().cloned().collect()
}

fn named<'v>(services: &'v [Value], name: &str) -> &'v Value {
    services.iter().find(|one| one["name"] == name).unwrap()
}

fn gv(service: &Value) -> GroupVersion {
    GroupVersion::new(service["group"].as_str().unwrap(), service["version"].as_str().unwrap())
}

fn root(gv: &GroupVersion) -> String {
    gv.root_path().trim_start_matches('/').to_owned()
}
