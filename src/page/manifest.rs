//! The objects behind an APIService as YAML: what the source has of them, and we keep.

use serde_json::{Map, Value, json};

use crate::render::{ManifestJson, to_yaml};
use kube_aggregation::model::{
    ApiService, Endpoint, EndpointPort, EndpointSlice, NOT_IN_SOURCE, Service, ServicePort,
};
use kube_aggregation::registry::Registry;

/// An APIService, its Service, and what stands behind that; none where there is no such APIService.
pub(super) fn of(registry: &Registry<'_>, name: &str) -> Option<Vec<ManifestJson>> {
    let (service, _) = registry.api_service(name)?;
    let mut found = vec![];
    if !service.inferred {
        found.extend(manifest("APIService", service.name.clone(), api_service(service)));
    }
    let snapshot = registry.snapshot;
    if let Some(at) = &service.service {
        let object = snapshot.service(&at.namespace, &at.name);
        found.extend(object.and_then(|one| manifest("Service", at.id(), self::service(one))));
        let slices = snapshot.endpoint_slices.loaded().into_iter().flatten();
        for slice in
            slices.filter(|s| s.namespace == at.namespace && s.service.as_ref() == Some(&at.name))
        {
            let name = format!("{}/{}", slice.namespace, slice.name);
            found.extend(manifest("EndpointSlice", name, endpoint_slice(slice)));
        }
    }
    Some(found)
}

fn manifest(object: &'static str, name: String, value: Value) -> Option<ManifestJson> {
    Some(ManifestJson { object, name, yaml: to_yaml(&filled(value)).ok()? })
}

fn api_service(service: &ApiService) -> Value {
    let gv = &service.group_version;
    let provenance = &service.provenance;
    let written = service.available.as_ref().filter(|c| c.reason != NOT_IN_SOURCE);
    let status = written.map(|condition| {
        json!({"conditions": [{
            "type": "Available",
            "status": condition.status,
            "reason": condition.reason,
            "message": condition.message,
            "lastTransitionTime": condition.since,
        }]})
    });
    json!({
        "apiVersion": "apiregistration.k8s.io/v1",
        "kind": "APIService",
        "metadata": {
            "name": service.name,
            "creationTimestamp": service.created,
            "deletionTimestamp": provenance.deleted,
            "labels": provenance.labels,
            "annotations": provenance.annotations,
            "finalizers": provenance.merge.finalizers,
        },
        "spec": {
            "group": gv.group,
            "version": gv.version,
            "groupPriorityMinimum": service.group_priority,
            "versionPriority": service.version_priority,
            "service": service.service.as_ref().map(|at| {
                json!({"namespace": at.namespace, "name": at.name, "port": at.port})
            }),
            "caBundle": service.ca_bundle,
            "insecureSkipTLSVerify": service.insecure_skip_tls_verify.then_some(true),
        },
        "status": status,
    })
}

fn service(service: &Service) -> Value {
    let port = |port: &ServicePort| {
        let name = Some(&port.name).filter(|name| !name.is_empty());
        json!({"name": name, "port": port.port, "targetPort": port.target_port})
    };
    json!({
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"namespace": service.namespace, "name": service.name},
        "spec": {
            "type": service.kind.as_str(),
            "clusterIP": service.cluster_ip,
            "externalName": service.external_name,
            "selector": service.selector,
            "ports": service.ports.iter().map(port).collect::<Vec<_>>(),
        },
    })
}

fn endpoint_slice(slice: &EndpointSlice) -> Value {
    let port = |port: &EndpointPort| json!({"name": port.name, "port": port.port});
    let endpoint = |one: &Endpoint| {
        let terminating = one.terminating.then_some(true);
        json!({
            "addresses": one.addresses,
            "conditions": {"ready": one.ready, "terminating": terminating},
            "targetRef": one.target,
        })
    };
    json!({
        "apiVersion": "discovery.k8s.io/v1",
        "kind": "EndpointSlice",
        "metadata": {"namespace": slice.namespace, "name": slice.name},
        "ports": slice.ports.iter().map(port).collect::<Vec<_>>(),
        "endpoints": slice.endpoints.iter().map(endpoint).collect::<Vec<_>>(),
    })
}

/// The value without what is not set.
fn filled(value: Value) -> Value {
    let empty = |value: &Value| match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => map.is_empty(),
        _ => false,
    };
    match value {
        Value::Object(map) => {
            let map = map.into_iter().map(|(key, value)| (key, filled(value)));
            Value::Object(map.filter(|(_, value)| !empty(value)).collect::<Map<_, _>>())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(filled).collect()),
        other => other,
    }
}
