use serde_json::json;

use super::*;

fn names() -> Names {
    let documents = [
        json!({"kind": "ServiceList", "items": [
            {"metadata": {"namespace": "team-a", "name": "billing", "labels": {"acme.com/owner": "jane"}},
             "spec": {"clusterIP": "10.0.0.7", "ports": [{"name": "https", "port": 443}]}},
            {"metadata": {"namespace": "kube-system", "name": "kube-dns"}},
            {"metadata": {"namespace": "team-a", "name": "list"}},
        ]}),
        json!({"kind": "APIService", "metadata": {"name": "v1.billing.acme.com"},
            "spec": {"group": "billing.acme.com", "version": "v1",
                "service": {"namespace": "team-a", "name": "billing"}}}),
        json!({"kind": "APIService", "metadata": {"name": "v1.apps"}, "spec": {"group": "apps", "version": "v1"}}),
        json!({"kind": "APIResourceList", "resources": [{"name": "invoices", "verbs": ["get", "list"]}]}),
        json!({"kind": "RoleBinding", "metadata": {"namespace": "team-a", "name": "readers"},
            "subjects": [{"kind": "User", "name": "jane@acme.com"}, {"kind": "Group", "name": "system:masters"}],
            "roleRef": {"kind": "Role", "name": "readers"}}),
    ];
    Names::of(&documents, "prod-eu")
}

#[test]
fn every_occurrence_of_a_name_is_replaced() {
    let names = names();
    for (old, new) in [
        ("v1.billing.acme.com", "v1.apps-0002.example"),
        ("/apis/billing.acme.com/v1/invoices", "/apis/apps-0002.example/v1/invoices"),
        (
            "service/billing in \"team-a\" is not present.",
            "service/service-0001 in \"namespace-0001\" is not present.",
        ),
        ("https://billing.team-a.svc:443/x", "https://service-0001.namespace-0001.svc:443/x"),
        ("dial tcp 10.0.0.7:443: refused", "dial tcp 198.18.0.1:443: refused"),
        ("context prod-eu", "context cluster"),
        ("apis_billing.acme.com_v1.json", "apis_apps-0002.example_v1.json"),
    ] {
        assert_eq!(names.text(old), new, "{old}");
    }
}

/// Names of Kubernetes stay, and so do words that the API gives a meaning.
#[test]
fn well_known_names_stay() {
    let names = names();
    for text in ["kube-system", "v1.apps", "list", "https", "invoices", "system:masters", "v1.36.4"]
    {
        assert_eq!(names.text(text), text);
    }
}

/// A group may have the name of a resource.
#[test]
fn a_group_is_replaced_and_a_resource_of_that_name_stays() {
    let crd = json!({"kind": "CustomResourceDefinition", "metadata": {"name": "tidals.acme.com"},
        "spec": {"group": "acme.com", "names": {"plural": "tidals", "singular": "tidal", "kind": "Tidal"}}});
    let list = json!({"kind": "APIResourceList", "groupVersion": "tidal/v1",
        "resources": [{"name": "tidal", "singularName": "tidal", "kind": "Tidal"}]});
    let service = json!({"kind": "APIService", "metadata": {"name": "v1.tidal"},
        "spec": {"group": "tidal", "version": "v1"}});
    let names = Names::of([&crd, &list, &service], "");
    let new = names.json(&crd);
    assert_eq!(new.pointer("/spec/names"), crd.pointer("/spec/names"));
    let new = names.json(&list);
    assert_eq!(new.get("resources"), list.get("resources"));
    assert_ne!(new.get("groupVersion"), list.get("groupVersion"));
    assert_ne!(names.json(&service).pointer("/spec/group"), service.pointer("/spec/group"));
    assert_eq!(names.file("apis_tidal_v1.json"), format!("apis_{}_v1.json", names.text("tidal")));
}

/// The order of groups decides between equal priorities.
#[test]
fn groups_keep_their_order() {
    let groups = ["a.example.com", "apps", "b.example.com", "batch", "z.acme.com", "zz.acme.com"];
    let documents = groups.map(|group| json!({"kind": "APIGroup", "name": group}));
    let names = Names::of(&documents, "");
    let new = groups.map(|group| names.text(group));
    let mut sorted = new.clone();
    sorted.sort();
    assert_eq!(new, sorted);
    assert_eq!((new[1].as_str(), new[3].as_str()), ("apps", "batch"));
}

/// Text without a certificate stays unreadable. An empty bundle would give another answer.
#[test]
fn an_unreadable_ca_bundle_stays_unreadable() {
    let document = json!({"spec": {"caBundle": "aGVsbG8="}});
    let new = Names::of([&document], "").json(&document);
    let field = new.pointer("/spec/caBundle").unwrap().as_str().unwrap();
    let bundle = aggctl_certificate::Bundle::from_field(field).unwrap();
    assert!(!field.is_empty() && field != "aGVsbG8=" && bundle.blocks.is_empty());
}

#[test]
fn a_certificate_keeps_its_validity_and_loses_its_names() {
    let mut params = rcgen::CertificateParams::new(vec!["db.team-a.svc".to_owned()]).unwrap();
    params.distinguished_name.push(rcgen::DnType::CommonName, "acme root");
    let pem = params.self_signed(&rcgen::KeyPair::generate().unwrap()).unwrap().pem();
    let field = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, &pem);
    let document = json!({"spec": {"caBundle": field, "group": "a.example.com", "version": "v1",
        "service": {"namespace": "team-a", "name": "x"}}});
    let names = Names::of([&document], "");
    let new = names.json(&document);
    let read = |document: &Value| {
        let field = document.pointer("/spec/caBundle").unwrap().as_str().unwrap();
        aggctl_certificate::Bundle::from_field(field).unwrap().certificates.remove(0)
    };
    let (old, new) = (read(&document), read(&new));
    assert_eq!((old.not_before, old.not_after, old.ca), (new.not_before, new.not_after, new.ca));
    assert_eq!((new.subject.as_str(), new.names.len()), ("CN=certificate-0001", 1));
    assert!(!new.names[0].contains("team-a"), "{:?}", new.names);
    assert!(names.text(&format!("signed by {}", old.subject)).ends_with("CN=certificate-0001"));
}
