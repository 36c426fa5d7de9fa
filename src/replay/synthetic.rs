//! Objects that the model knows of and the source does not have whole.

use serde_json::{Map, Value, json};

use kube_aggregation::model::{ApiService, Crd};

/// An APIService as the API server would show it.
pub(super) fn api_service(service: &ApiService) -> Value {
    let mut metadata = metadata(&service.name);
    if let Some(created) = &service.created {
        metadata.insert("creationTimestamp".to_owned(), json!(created));
    }
    if !service.provenance.labels.is_empty() {
        metadata.insert("labels".to_owned(), json!(service.provenance.labels));
    }
    let mut spec = json!({
        "group": service.group_version.group,
        "version": service.group_version.version,
        "groupPriorityMinimum": service.group_priority,
        "versionPriority": service.version_priority,
    });
    if let (Some(reference), Some(spec)) = (&service.service, spec.as_object_mut()) {
        let (namespace, name, port) = (&reference.namespace, &reference.name, reference.port);
        spec.insert(
            "service".to_owned(),
            json!({"namespace": namespace, "name": name, "port": port}),
        );
        if let Some(bundle) = &service.ca_bundle {
            spec.insert("caBundle".to_owned(), json!(bundle));
        }
        if service.insecure_skip_tls_verify {
            spec.insert("insecureSkipTLSVerify".to_owned(), json!(true));
        }
    }
    let condition = service.available.as_ref().map(|condition| {
        json!({
            "type": "Available",
            "status": condition.status,
            "reason": condition.reason,
            "message": condition.message,
            "lastTransitionTime": condition.since,
        })
    });
    let conditions: Vec<Value> = condition.into_iter().collect();
    json!({
        "apiVersion": "apiregistration.k8s.io/v1",
        "kind": "APIService",
        "metadata": metadata,
        "spec": spec,
        "status": {"conditions": conditions},
    })
}

/// A CRD as the API server would show it, without its schemas, which nobody here knows.
pub(super) fn crd(crd: &Crd) -> Value {
    let names = json!({
        "plural": crd.plural,
        "singular": crd.singular,
        "kind": crd.kind,
        "shortNames": crd.short_names,
        "categories": crd.categories,
    });
    let version = |version: &kube_aggregation::model::CrdVersion| {
        let storage = crd.stored_versions.last() == Some(&version.name);
        json!({"name": version.name, "served": version.served, "storage": storage})
    };
    let condition = |name: &str, holds: bool| {
        let status = if holds { "True" } else { "False" };
        json!({"type": name, "status": status})
    };
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": metadata(&crd.name),
        "spec": {
            "group": crd.group,
            "scope": if crd.namespaced { "Namespaced" } else { "Cluster" },
            "names": names,
            "versions": crd.versions.iter().map(version).collect::<Vec<_>>(),
        },
        "status": {
            "acceptedNames": names,
            "storedVersions": crd.stored_versions,
            "conditions": [
                condition("NamesAccepted", crd.names_accepted),
                condition("Established", crd.established),
            ],
        },
    })
}

/// A Namespace of which nothing else is known.
pub(super) fn namespace(name: &str) -> Value {
    json!({"apiVersion": "v1", "kind": "Namespace", "metadata": metadata(name)})
}

fn metadata(name: &str) -> Map<String, Value> {
    Map::from_iter([("name".to_owned(), json!(name))])
}
