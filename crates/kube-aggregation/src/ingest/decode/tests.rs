use serde_json::json;

use crate::ingest::{SnapshotBuilder, decoded_documents};

/// The names of what was added, and how many passes that took.
fn added(text: &str) -> (Result<(), String>, Vec<String>, usize) {
    let before = decoded_documents();
    let mut builder = SnapshotBuilder::default();
    let result = builder.add_json("file", text);
    let others: Vec<String> = builder.other_kinds().keys().cloned().collect();
    let (snapshot, _) = builder.build("dump");
    let services = snapshot.api_services.items().iter().map(|one| one.name.clone());
    let more = snapshot.services.items().iter().map(|one| format!("Service {}", one.name));
    let slices = snapshot.endpoint_slices.items().iter().map(|s| format!("Slice {}", s.name));
    let groups = snapshot.aggregated_groups.items().iter().map(|g| format!("group {}", g.name));
    let names = services.chain(more).chain(slices).chain(groups).chain(others).collect();
    (result, names, decoded_documents() - before)
}

fn api_service(name: &str) -> serde_json::Value {
    json!({"metadata": {"name": name}, "spec": {"group": "a.io", "version": "v1"}})
}

/// The API server's form, kubectl's form, and several documents in one text.
#[test]
fn every_document_is_decoded_once() {
    let (a, b) = (api_service("a"), api_service("b"));
    let server = json!({"kind": "APIServiceList", "apiVersion": "apiregistration.k8s.io/v1",
        "metadata": {}, "items": [a, b]});
    assert_eq!(added(&server.to_string()), (Ok(()), vec!["a".into(), "b".into()], 1));
    let typed = |mut object: serde_json::Value| {
        let mut whole = json!({"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService"});
        whole.as_object_mut().unwrap().append(object.as_object_mut().unwrap());
        whole
    };
    let kubectl =
        json!({"apiVersion": "v1", "items": [typed(a), typed(b)], "kind": "List", "metadata": {}});
    assert_eq!(added(&kubectl.to_string()), (Ok(()), vec!["a".into(), "b".into()], 1));
    let several = format!("{}\n{}\n", typed(api_service("a")), typed(api_service("b")));
    assert_eq!(added(&several), (Ok(()), vec!["a".into(), "b".into()], 2));
}

/// Kinds may stand anywhere. Sorted keys put them behind `addressType` and `endpoints`.
#[test]
fn fields_before_the_kind_are_not_lost() {
    let slice = r#"{"addressType":"IPv4","apiVersion":"discovery.k8s.io/v1",
        "endpoints":[{"addresses":["1.2.3.4"]}],"kind":"EndpointSlice","metadata":{"name":"s"}}"#;
    assert_eq!(added(slice), (Ok(()), vec!["Slice s".into()], 1));
    let groups = r#"{"apiVersion":"apidiscovery.k8s.io/v2",
        "items":[{"metadata":{"name":"a.io"},"versions":[{"version":"v1"}]}],
        "kind":"APIGroupDiscoveryList"}"#;
    assert_eq!(added(groups), (Ok(()), vec!["group a.io".into()], 1));
    let list = r#"{"apiVersion":"v1","items":[{"metadata":{"name":"s"}}],"kind":"ServiceList"}"#;
    assert_eq!(added(list), (Ok(()), vec!["Service s".into()], 1));
    // One that only turns out to be of another kind than its list costs a second pass.
    let list = r#"{"kind":"ServiceList","apiVersion":"v1",
        "items":[{"metadata":{"name":"n"},"kind":"Node","apiVersion":"v1"}]}"#;
    assert_eq!(added(list), (Ok(()), vec!["Node".into()], 2));
}

#[test]
fn a_malformed_object_does_no_harm_to_others() {
    let mut bad = api_service("bad");
    bad["spec"]["group"] = json!([]);
    let list = json!({"kind": "APIServiceList", "apiVersion": "apiregistration.k8s.io/v1",
        "items": [api_service("a"), bad, api_service("b")]});
    let (result, names, passes) = added(&list.to_string());
    let why = "APIService bad: invalid type: sequence, expected a string at line 1 column ";
    assert!(result.as_ref().unwrap_err().starts_with(why), "{result:?}");
    assert_eq!((names, passes), (vec!["a".to_owned(), "b".to_owned()], 2));
    // The location is that in the whole text.
    let text = format!("\n{}\n\n  {}", json!({"kind": "Node", "apiVersion": "v1"}), list);
    let (result, ..) = added(&text);
    assert!(result.as_ref().unwrap_err().contains(" at line 4 column "), "{result:?}");
    // Of Pods only those of kube-apiserver matter.
    let pods = r#"{"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"name":5}}]}"#;
    assert_eq!(added(pods).0, Ok(()));
    assert!(added(&pods.replace('5', "[\"kube-apiserver\"]")).0.is_err());
}

#[test]
fn odd_documents_are_counted() {
    for odd in ["5", "[]", "{}", r#"{"kind":5}"#, r#"{"kind":["APIService"],"x":{}}"#, "[[1]]"] {
        let (result, ..) = added(odd);
        assert_eq!(result, Ok(()), "{odd}");
    }
    let deep = format!("{{\"items\":{}", "[{\"kind\":\"List\",\"items\":".repeat(6));
    let deep = format!("{deep}[]{}}}", "}]".repeat(6));
    assert_eq!(added(&deep).0, Ok(()), "{deep}");
    let nested = |levels: usize| {
        let open = r#"{"kind":"List","apiVersion":"v1","items":["#.repeat(levels);
        format!("{open}{}", "]}".repeat(levels))
    };
    assert_eq!(added(&nested(4)).0, Ok(()));
    assert_eq!(added(&nested(5)).0, Err("lists are nested too deeply".to_owned()));
    let wrong = r#"{"kind":"ServiceList","apiVersion":"v1","items":{}}"#;
    let why = "its items: invalid type: map, expected a sequence";
    assert_eq!(added(wrong).0, Err(why.to_owned()));
}

#[test]
fn what_is_not_json_is_located() {
    assert_eq!(added("{\"kind\": \"Node\"}\n{").0.unwrap_err(), "2:1: eof while parsing an object");
    assert_eq!(added("{}\n  x").0.unwrap_err(), "2:3: expected value");
    assert_eq!(added("{\"a\":\n").0.unwrap_err(), "1:5: eof while parsing a value");
}
