//! Property tests: encoding and decoding again yields the same model.

use std::fmt::Debug;

use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::*;
use crate::model::{
    ApiService, Automanaged, Crd, EndpointSlice, Merge, Namespace, Service, TargetPort,
};

/// Decodes a document, encodes the result, decodes that, and compares.
fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(document: &Value) {
    round_trip_of(document, |_: &mut T| {});
}

/// Does the same, but ignores what is not encoded.
fn round_trip_of<T: Serialize + DeserializeOwned + PartialEq + Debug>(
    document: &Value,
    reduce: impl Fn(&mut T),
) {
    let mut first = T::deserialize(document).unwrap();
    let encoded = serde_json::to_value(&first).unwrap();
    let mut second = T::deserialize(&encoded).unwrap();
    reduce(&mut first);
    reduce(&mut second);
    assert_eq!(first, second, "\ndecoded: {document}\nencoded: {encoded}");
}

/// Removes what only describes how an object was written. A model is encoded with all of its
/// fields.
fn reduce(merge: &mut Merge) {
    merge.stated.clear();
    merge.removed_labels.clear();
    merge.last_applied = None;
}

type Json = BoxedStrategy<Value>;

/// Generates objects in which each field is present, null or absent.
fn object<const N: usize>(fields: [(&'static str, Json); N]) -> Json {
    let (names, values): (Vec<_>, Vec<_>) = fields.into_iter().unzip();
    let maybe = |value: Json| prop_oneof![1 => Just(None), 1 => Just(Some(Value::Null)), 6 => value.prop_map(Some)];
    let values: Vec<_> = values.into_iter().map(maybe).collect();
    let build = move |values: Vec<Option<Value>>| -> Value {
        let fields = names.iter().zip(values);
        fields.filter_map(|(name, value)| Some(((*name).to_owned(), value?))).collect()
    };
    values.prop_map(build).boxed()
}

/// Generates objects in which this field is always present.
fn with<const N: usize>(
    name: &'static str,
    value: Json,
    others: [(&'static str, Json); N],
) -> Json {
    let put = move |(mut object, value): (Value, Value)| {
        object[name] = value;
        object
    };
    (object(others), value).prop_map(put).boxed()
}

fn text() -> Json {
    "[a-z.\"-]{0,5}".prop_map(Value::from).boxed()
}

fn word(words: &'static [&'static str]) -> Json {
    prop::sample::select(words).prop_map(Value::from).boxed()
}

fn number() -> Json {
    any::<i32>().prop_map(Value::from).boxed()
}

fn flag() -> Json {
    any::<bool>().prop_map(Value::from).boxed()
}

fn list(of: Json) -> Json {
    prop::collection::vec(of, 0..4).prop_map(Value::from).boxed()
}

fn texts() -> Json {
    list(text())
}

fn map() -> Json {
    let entries = prop::collection::btree_map("[a-z/.]{1,4}", "[a-z\"]{0,3}", 0..4);
    entries.prop_map(|map| json!(map)).boxed()
}

fn labels() -> Json {
    let value = prop::option::of("[a-z]{0,3}");
    prop::collection::btree_map("[a-z/.]{1,4}", value, 0..4).prop_map(|map| json!(map)).boxed()
}

fn conditions(types: &'static [&'static str]) -> Json {
    list(object([
        ("type", word(types)),
        ("status", word(&["True", "False", "Unknown"])),
        ("reason", text()),
        ("message", text()),
        ("lastTransitionTime", text()),
    ]))
}

fn metadata() -> Json {
    object([
        ("namespace", text()),
        ("name", text()),
        ("labels", labels()),
        ("deletionTimestamp", text()),
        ("resourceVersion", text()),
        ("annotations", map()),
    ])
}

/// Generates ownership metadata. `spec` may be in the last applied configuration.
fn owned_metadata(spec: Json) -> Json {
    let applied = with("spec", spec, [("metadata", object([("labels", labels())]))]);
    let annotations = (map(), prop::option::of(applied)).prop_map(|(mut map, applied)| {
        if let Some(applied) = applied {
            map["kubectl.kubernetes.io/last-applied-configuration"] = applied.to_string().into();
        }
        map
    });
    let managed = object([
        ("manager", text()),
        ("time", text()),
        ("fieldsV1", Just(json!({"f:spec": {".": {}, "f:caBundle": {}}})).boxed()),
    ]);
    object([
        ("name", text()),
        ("creationTimestamp", text()),
        ("deletionTimestamp", text()),
        ("labels", labels()),
        ("annotations", prop_oneof![9 => annotations, 1 => text()].boxed()),
        ("finalizers", texts()),
        ("managedFields", prop_oneof![9 => list(managed), 1 => text()].boxed()),
    ])
}

fn api_service() -> Json {
    let spec = || {
        object([
            ("group", text()),
            ("version", text()),
            ("groupPriorityMinimum", number()),
            ("versionPriority", number()),
            ("service", object([("namespace", text()), ("name", text()), ("port", number())])),
            ("caBundle", text()),
            ("insecureSkipTLSVerify", flag()),
        ])
    };
    let status = object([("conditions", conditions(&["Available", "Other"]))]);
    with("spec", spec(), [("metadata", owned_metadata(spec())), ("status", status)])
}

fn crd() -> Json {
    let names = || {
        object([
            ("plural", text()),
            ("singular", word(&["", "boat", "ship"])),
            ("kind", word(&["", "Boat"])),
            ("listKind", word(&["", "BoatList", "Fleet"])),
            ("shortNames", texts()),
            ("categories", texts()),
        ])
    };
    let subresources = object([("status", Just(json!({})).boxed()), ("scale", map())]);
    let version = object([
        ("name", text()),
        ("served", flag()),
        ("storage", flag()),
        ("subresources", subresources),
    ]);
    let spec = object([
        ("group", text()),
        ("scope", word(&["Cluster", "Namespaced"])),
        ("names", names()),
        ("versions", list(version)),
    ]);
    let types = &["Established", "NamesAccepted", "Terminating", "Other"];
    let status = object([
        ("acceptedNames", names()),
        ("storedVersions", texts()),
        ("conditions", one_of_each(conditions(types))),
    ]);
    let metadata = owned_metadata(object([("names", names())]));
    with("spec", spec, [("metadata", metadata), ("status", status)])
}

/// Keeps one condition per type, because a server writes each at most once.
fn one_of_each(conditions: Json) -> Json {
    let distinct = |mut conditions: Value| {
        let mut seen = std::collections::HashSet::new();
        let new = |one: &Value| seen.insert(one["type"].to_string());
        let found = conditions.as_array_mut().unwrap();
        *found = std::mem::take(found).into_iter().filter(new).collect();
        conditions
    };
    conditions.prop_map(distinct).boxed()
}

fn service() -> Json {
    let target = prop_oneof![4 => number(), 4 => text(), 1 => flag()].boxed();
    let port = object([("name", text()), ("port", number()), ("targetPort", target)]);
    let types = &["", "ClusterIP", "NodePort", "LoadBalancer", "ExternalName", "Odd"];
    let spec = object([
        ("type", word(types)),
        ("clusterIP", text()),
        ("externalName", text()),
        ("selector", map()),
        ("ports", list(port)),
    ]);
    object([("metadata", metadata()), ("spec", spec)])
}

fn target_ref() -> Json {
    object([("kind", word(&["Pod"])), ("name", text())])
}

fn endpoint_ports() -> Json {
    list(object([("name", text()), ("port", number())]))
}

fn endpoint_slice() -> Json {
    let metadata = (metadata(), text()).prop_map(|(mut metadata, service)| {
        if metadata["labels"].is_object() {
            metadata["labels"]["kubernetes.io/service-name"] = service;
        }
        metadata
    });
    let endpoint = object([
        ("addresses", texts()),
        ("conditions", object([("ready", flag()), ("terminating", flag())])),
        ("targetRef", target_ref()),
    ]);
    object([
        ("metadata", metadata.boxed()),
        ("ports", endpoint_ports()),
        ("endpoints", list(endpoint)),
    ])
}

fn endpoints() -> Json {
    let addresses = || list(object([("ip", text()), ("targetRef", target_ref())]));
    let subset = object([
        ("addresses", addresses()),
        ("notReadyAddresses", addresses()),
        ("ports", endpoint_ports()),
    ]);
    object([("metadata", metadata()), ("subsets", list(subset))])
}

fn namespace() -> Json {
    let types = &["NamespaceDeletionDiscoveryFailure", "Other"];
    let status = object([
        ("phase", word(&["", "Active", "Terminating"])),
        ("conditions", conditions(types)),
    ]);
    object([("metadata", metadata()), ("status", status)])
}

fn role() -> Json {
    let rule = object([
        ("verbs", texts()),
        ("apiGroups", texts()),
        ("resources", texts()),
        ("resourceNames", texts()),
        ("nonResourceURLs", texts()),
    ]);
    let selector = object([("matchLabels", map())]);
    let aggregation = object([("clusterRoleSelectors", list(selector))]);
    object([("metadata", metadata()), ("rules", list(rule)), ("aggregationRule", aggregation)])
}

fn binding() -> Json {
    let subject = object([("kind", text()), ("namespace", text()), ("name", text())]);
    let role = object([("kind", text()), ("name", text())]);
    object([("metadata", metadata()), ("roleRef", role), ("subjects", list(subject))])
}

fn pod() -> Json {
    let container = object([("name", text()), ("command", texts()), ("args", texts())]);
    let spec = object([
        ("serviceAccountName", text()),
        ("serviceAccount", text()),
        ("containers", list(container)),
    ]);
    object([("metadata", metadata()), ("spec", spec)])
}

fn resource(name: &'static str, singular: &'static str) -> Json {
    object([
        (name, text()),
        (singular, text()),
        ("namespaced", flag()),
        ("scope", text()),
        ("kind", text()),
        ("verbs", list(word(&["get", "list", "odd"]))),
        ("shortNames", texts()),
        ("categories", texts()),
        ("responseKind", object([("group", text()), ("version", text()), ("kind", text())])),
    ])
}

fn aggregated() -> Json {
    let resource = with(
        "subresources",
        list(object([("subresource", text()), ("verbs", list(word(&["get"])))])),
        [("resource", text()), ("singularResource", text()), ("scope", text())],
    );
    let version =
        object([("version", text()), ("freshness", text()), ("resources", list(resource))]);
    let group = object([("metadata", metadata()), ("versions", list(version))]);
    object([("items", list(group))])
}

proptest! {
    #[test]
    fn api_services(document in api_service()) {
        round_trip::<ApiServiceObject>(&document);
        round_trip_of(&document, |model: &mut ApiService| {
            model.provenance.managers.clear();
            reduce(&mut model.provenance.merge);
        });
    }

    #[test]
    fn crds(document in crd()) {
        round_trip::<CrdObject>(&document);
        round_trip_of(&document, |model: &mut Crd| reduce(&mut model.merge));
    }

    #[test]
    fn services(document in service()) {
        round_trip::<ServiceObject>(&document);
        round_trip::<Service>(&document);
    }

    #[test]
    fn endpoint_slices(document in endpoint_slice()) {
        round_trip::<EndpointSliceObject>(&document);
        round_trip::<EndpointSlice>(&document);
    }

    #[test]
    fn namespaces(document in namespace()) {
        round_trip::<NamespaceObject>(&document);
        round_trip::<Namespace>(&document);
    }

    #[test]
    fn endpoints_objects(document in endpoints()) {
        round_trip::<EndpointsObject>(&document);
    }

    #[test]
    fn roles_and_bindings(role in role(), binding in binding()) {
        round_trip::<RoleObject>(&role);
        round_trip::<BindingObject>(&binding);
    }

    #[test]
    fn pods(document in pod()) {
        round_trip::<PodObject>(&document);
    }

    #[test]
    fn config_maps_and_flags(
        map in object([("metadata", metadata()), ("data", map())]),
        flagz in object([("flags", map())]),
    ) {
        round_trip::<ConfigMapObject>(&map);
        round_trip::<FlagzObject>(&flagz);
    }

    #[test]
    fn discovery(
        list in with("groupVersion", text(), [("resources", list(resource("name", "singularName")))]),
        group in object([("name", text()), ("versions", list(object([("version", text())])))]),
        aggregated in aggregated(),
        version in object([("major", text()), ("minor", text()), ("gitVersion", text())]),
        status in object([("message", text()), ("details", object([("kind", text())]))]),
    ) {
        round_trip::<StatusObject>(&status);
        round_trip::<ResourceListObject>(&list);
        round_trip::<GroupObject>(&group);
        round_trip::<AggregatedListObject>(&aggregated);
        round_trip::<VersionObject>(&version);
    }
}

/// A port name that looks like a number is still a name.
#[test]
fn target_ports_stay_numbers_or_names() {
    for (port, want) in [
        (json!(8443), Some(TargetPort::Number(8443))),
        (json!("8443"), Some(TargetPort::Name("8443".to_owned()))),
        (json!("https"), Some(TargetPort::Name("https".to_owned()))),
        (json!([1]), None),
    ] {
        let document = json!({"spec": {"ports": [{"port": 443, "targetPort": port}]}});
        let service = Service::deserialize(&document).unwrap();
        assert_eq!(service.ports[0].target_port, want);
        let encoded = serde_json::to_value(&service).unwrap();
        let written = encoded["spec"]["ports"][0].get("targetPort");
        assert_eq!(written, want.map(|_| &port));
    }
}

/// `kubectl apply` distinguishes absent fields from null ones, so the structs of the API do, too.
#[test]
fn null_is_not_absent_where_it_counts() {
    let null = json!({"metadata": {"finalizers": null}, "spec": {"caBundle": null}});
    let object = ApiServiceObject::deserialize(&null).unwrap();
    assert_eq!(object.spec.ca_bundle, Some(None));
    assert_eq!(object.spec.service, None);
    assert_eq!(serde_json::to_value(&object).unwrap(), null);
}

#[test]
fn crds_get_the_names_that_the_server_fills_in() {
    let document = json!({"spec": {"names": {"plural": "boats", "kind": "Boat"}}});
    let crd = Crd::deserialize(&document).unwrap();
    assert_eq!((&*crd.singular, &*crd.requested.list_kind), ("boat", "BoatList"));
    let encoded = serde_json::to_value(&crd).unwrap();
    assert_eq!(encoded["kind"], "CustomResourceDefinition");
    assert_eq!(encoded["spec"]["names"]["listKind"], "BoatList");
}

/// Without the label, a client takes a built-in APIService for one that a user manages.
#[test]
fn built_in_api_services_get_the_label_that_the_server_gives_them() {
    let services = &crate::baseline::server(crate::baseline::LATEST).api_services;
    let encoded = serde_json::to_value(&services.items()[0]).unwrap();
    assert_eq!(encoded["metadata"]["labels"], json!({Automanaged::LABEL: "onstart"}));
}
