//! Property tests: encoding what a codec decoded, and decoding that, gives the same model again.

use std::fmt::Debug;

use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::*;
use crate::model::{
    ApiService, Crd, EndpointSlice, FrontProxy, Namespace, Pod, Role, RoleBinding, ServerVersion,
    Service, TargetPort,
};

/// Decodes a document, encodes the model, decodes that, and compares.
fn round_trip<O, M>(document: &Value, encode: impl Fn(&M) -> O)
where
    O: Serialize + DeserializeOwned,
    M: From<O> + PartialEq + Debug,
{
    let first = M::from(O::deserialize(document).unwrap());
    let encoded = serde_json::to_value(encode(&first)).unwrap();
    let second = M::from(O::deserialize(&encoded).unwrap());
    assert_eq!(first, second, "\ndecoded: {document}\nencoded: {encoded}");
}

type Json = BoxedStrategy<Value>;

/// Objects in which each field is present, null or absent.
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

/// Objects of a kind that must have a spec.
fn with_spec<const N: usize>(spec: Json, others: [(&'static str, Json); N]) -> Json {
    let put = |(mut object, spec): (Value, Value)| {
        object["spec"] = spec;
        object
    };
    (object(others), spec).prop_map(put).boxed()
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

fn map() -> Json {
    let entries = prop::collection::btree_map("[a-z/.]{1,4}", "[a-z\"]{0,3}", 0..4);
    entries.prop_map(|map| json!(map)).boxed()
}

/// Conditions of these types, each at most once.
fn conditions(types: &'static [&'static str]) -> Json {
    let condition = |kind: &'static str| {
        let fields = object([
            ("status", word(&["True", "False", "Unknown"])),
            ("reason", text()),
            ("message", text()),
            ("lastTransitionTime", text()),
        ]);
        let typed = fields.prop_map(move |mut condition| {
            condition["type"] = kind.into();
            condition
        });
        prop::option::of(typed)
    };
    let all: Vec<_> = types.iter().map(|kind| condition(kind)).collect();
    all.prop_map(|all| all.into_iter().flatten().collect::<Vec<_>>().into()).boxed()
}

fn metadata() -> Json {
    object([
        ("namespace", text()),
        ("name", text()),
        ("labels", map()),
        ("deletionTimestamp", text()),
        ("resourceVersion", text()),
        ("annotations", map()),
    ])
}

/// Metadata with traces of writers; `spec` is what `kubectl apply` may have been given.
fn owned_metadata(spec: Json) -> Json {
    let applied = with_spec(spec, [("metadata", object([("labels", map())]))]);
    let annotations = (map(), prop::option::of(applied)).prop_map(|(mut map, applied)| {
        if let Some(applied) = applied {
            map["kubectl.kubernetes.io/last-applied-configuration"] = applied.to_string().into();
        }
        map
    });
    let keys = |keys: &'static [&'static str]| {
        let keys = prop::sample::subsequence(keys, 0..=keys.len());
        keys.prop_map(|keys| keys.into_iter().map(|key| (key, json!({}))).collect::<Value>())
    };
    let fields = object([
        ("f:metadata", keys(&["f:labels", "f:annotations"]).boxed()),
        ("f:spec", keys(&[".", "f:caBundle", "f:service", "f:group"]).boxed()),
    ]);
    // A manager's field is an object, never null.
    let fields = fields.prop_map(|mut fields| {
        let null = fields.as_object_mut().into_iter().flat_map(|map| map.values_mut());
        null.filter(|value| value.is_null()).for_each(|value| *value = json!({}));
        fields
    });
    object([
        ("name", text()),
        ("creationTimestamp", text()),
        ("deletionTimestamp", text()),
        ("labels", map()),
        ("annotations", annotations.boxed()),
        ("finalizers", list(text())),
        (
            "managedFields",
            list(object([("manager", text()), ("time", text()), ("fieldsV1", fields.boxed())])),
        ),
    ])
}

fn api_service_spec() -> Json {
    let port = prop_oneof![number(), Just(json!(443))].boxed();
    object([
        ("group", text()),
        ("version", text()),
        ("groupPriorityMinimum", number()),
        ("versionPriority", number()),
        ("service", object([("namespace", text()), ("name", text()), ("port", port)])),
        ("caBundle", text()),
        ("insecureSkipTLSVerify", flag()),
    ])
}

fn crd_names() -> Json {
    object([
        ("plural", text()),
        ("singular", word(&["", "boat", "ship"])),
        ("kind", word(&["", "Boat"])),
        ("listKind", word(&["", "BoatList", "Fleet"])),
        ("shortNames", list(text())),
        ("categories", list(text())),
    ])
}

fn crd() -> Json {
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
        ("names", crd_names()),
        ("versions", list(version)),
    ]);
    let status = object([
        ("acceptedNames", crd_names()),
        ("storedVersions", list(text())),
        ("conditions", conditions(&["Established", "NamesAccepted", "Terminating", "Other"])),
    ]);
    let metadata = owned_metadata(object([("names", crd_names())]));
    with_spec(spec, [("metadata", metadata), ("status", status)])
}

fn target_ref() -> Json {
    object([("kind", word(&["Pod"])), ("name", text())])
}

fn endpoint_ports() -> Json {
    list(object([("name", text()), ("port", number())]))
}

proptest! {
    #[test]
    fn api_services(document in with_spec(
        api_service_spec(),
        [
            ("metadata", owned_metadata(api_service_spec())),
            ("status", object([("conditions", conditions(&["Available", "Other"]))])),
        ],
    )) {
        round_trip(&document, |model: &ApiService| ApiServiceObject::from(model));
    }

    #[test]
    fn crds(document in crd()) {
        round_trip(&document, |model: &Crd| CrdObject::from(model));
    }

    #[test]
    fn services(document in object([
        ("metadata", metadata()),
        ("spec", object([
            ("type", word(&["", "ClusterIP", "NodePort", "LoadBalancer", "ExternalName", "Odd"])),
            ("clusterIP", text()),
            ("externalName", text()),
            ("selector", map()),
            ("ports", list(object([
                ("name", text()),
                ("port", number()),
                ("targetPort", prop_oneof![number(), text()].boxed()),
            ]))),
        ])),
    ])) {
        round_trip(&document, |model: &Service| ServiceObject::from(model));
    }

    #[test]
    fn endpoint_slices(document in object([
        ("metadata", (metadata(), text()).prop_map(|(mut metadata, service)| {
            if metadata["labels"].is_object() {
                metadata["labels"]["kubernetes.io/service-name"] = service;
            }
            metadata
        }).boxed()),
        ("ports", endpoint_ports()),
        ("endpoints", list(object([
            ("addresses", list(text())),
            ("conditions", object([("ready", flag()), ("terminating", flag())])),
            ("targetRef", target_ref()),
        ]))),
    ])) {
        round_trip(&document, |model: &EndpointSlice| EndpointSliceObject::from(model));
    }

    #[test]
    fn endpoints(document in {
        let addresses = || list(object([("ip", text()), ("targetRef", target_ref())]));
        object([
            ("metadata", metadata()),
            ("subsets", list(object([
                ("addresses", addresses()),
                ("notReadyAddresses", addresses()),
                ("ports", endpoint_ports()),
            ]))),
        ])
    }) {
        round_trip(&document, |model: &Vec<EndpointSlice>| EndpointsObject::from(&**model));
    }

    #[test]
    fn namespaces(document in object([
        ("metadata", metadata()),
        ("status", object([
            ("phase", word(&["", "Active", "Terminating"])),
            ("conditions", conditions(&["NamespaceDeletionDiscoveryFailure", "Other"])),
        ])),
    ])) {
        round_trip(&document, |model: &Namespace| NamespaceObject::from(model));
    }

    #[test]
    fn roles(document in object([
        ("metadata", metadata()),
        ("rules", list(object([
            ("verbs", list(text())),
            ("apiGroups", list(text())),
            ("resources", list(text())),
            ("resourceNames", list(text())),
            ("nonResourceURLs", list(text())),
        ]))),
        ("aggregationRule", object([
            ("clusterRoleSelectors", list(object([("matchLabels", map())]))),
        ])),
    ])) {
        round_trip(&document, |model: &Role| RoleObject::from(model));
    }

    #[test]
    fn bindings(document in object([
        ("metadata", metadata()),
        ("roleRef", object([("kind", text()), ("name", text())])),
        ("subjects", list(object([("kind", text()), ("namespace", text()), ("name", text())]))),
    ])) {
        round_trip(&document, |model: &RoleBinding| BindingObject::from(model));
    }

    #[test]
    fn pods(document in object([
        ("metadata", metadata()),
        ("spec", object([
            ("serviceAccountName", text()),
            ("serviceAccount", text()),
            ("containers", list(object([("name", text()), ("command", list(text()))]))),
        ])),
    ])) {
        round_trip(&document, |model: &Pod| PodObject::from(model));
    }

    #[test]
    fn front_proxies(document in {
        let words = || list(text()).prop_map(|list| list.to_string().into()).boxed();
        object([
            ("metadata", metadata()),
            ("data", object([
                ("requestheader-client-ca-file", text()),
                ("requestheader-allowed-names", words()),
                ("requestheader-username-headers", words()),
                ("requestheader-group-headers", text()),
                ("other", text()),
            ])),
        ])
    }) {
        round_trip(&document, |model: &FrontProxy| FrontProxyObject::from(model));
    }

    #[test]
    fn versions(document in object([
        ("major", word(&["", "0", "1"])),
        ("minor", word(&["", "36", "36+", "x"])),
        ("gitVersion", word(&["", "v1.30.1", "v0.0.0-master", "x"])),
    ])) {
        round_trip(&document, |model: &ServerVersion| VersionObject::from(model));
    }
}

/// The name of a port and its number are different things, whatever the name looks like.
#[test]
fn target_ports_stay_numbers_or_names() {
    for (port, want) in [
        (json!(8443), TargetPort::Number(8443)),
        (json!("8443"), TargetPort::Name("8443".to_owned())),
        (json!("https"), TargetPort::Name("https".to_owned())),
    ] {
        let document = json!({"spec": {"ports": [{"port": 443, "targetPort": port}]}});
        let service = Service::from(ServiceObject::deserialize(&document).unwrap());
        assert_eq!(service.ports[0].target_port, Some(want));
        let encoded = serde_json::to_value(ServiceObject::from(&service).typed()).unwrap();
        assert_eq!(encoded["spec"]["ports"][0]["targetPort"], port);
    }
    let wrong = json!({"spec": {"ports": [{"targetPort": [1]}]}});
    let error = ServiceObject::deserialize(&wrong).unwrap_err().to_string();
    assert_eq!(error, "invalid type: sequence, expected a port's number or name");
}

#[test]
fn crds_get_the_names_that_the_server_fills_in() {
    let document = json!({"spec": {"names": {"plural": "boats", "kind": "Boat"}}});
    let crd = Crd::from(CrdObject::deserialize(&document).unwrap());
    assert_eq!((&*crd.singular, &*crd.requested.list_kind), ("boat", "BoatList"));
    let encoded = serde_json::to_value(CrdObject::from(&crd)).unwrap();
    assert_eq!(encoded["spec"]["names"], document["spec"]["names"]);
    let served = serde_json::to_value(CrdObject::from(&crd).as_served()).unwrap();
    assert_eq!(served["spec"]["names"]["listKind"], "BoatList");
}
