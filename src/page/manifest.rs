//! The objects behind an APIService as YAML, as far as the model keeps them.

use serde::Serialize;

use crate::render::{ManifestJson, to_yaml};
use kube_aggregation::kube::{ApiServiceObject, EndpointSliceObject, ServiceObject};
use kube_aggregation::model::NOT_IN_SOURCE;
use kube_aggregation::registry::Registry;

/// Returns an APIService, its Service and the EndpointSlices of that; `None` if there is no such
/// APIService.
pub(super) fn of(registry: &Registry<'_>, name: &str) -> Option<Vec<ManifestJson>> {
    let (service, _) = registry.api_service(name)?;
    let mut found = vec![];
    if !service.inferred {
        let mut object = ApiServiceObject::from(service);
        // A condition that stands for a lost one was not in the source.
        if service.available.as_ref().is_some_and(|c| c.reason == NOT_IN_SOURCE) {
            object.status = None;
        }
        found.extend(manifest("APIService", service.name.clone(), &object.as_served()));
    }
    let snapshot = registry.snapshot;
    if let Some(at) = &service.service {
        if let Some(service) = snapshot.service(&at.namespace, &at.name) {
            found.extend(manifest("Service", at.id(), &ServiceObject::from(service).typed()));
        }
        let slices = snapshot.endpoint_slices.loaded().into_iter().flatten();
        for slice in
            slices.filter(|s| s.namespace == at.namespace && s.service.as_ref() == Some(&at.name))
        {
            let name = format!("{}/{}", slice.namespace, slice.name);
            let object = EndpointSliceObject::from(slice).typed();
            found.extend(manifest("EndpointSlice", name, &object));
        }
    }
    Some(found)
}

fn manifest(object: &'static str, name: String, value: &impl Serialize) -> Option<ManifestJson> {
    Some(ManifestJson { object, name, yaml: to_yaml(value).ok()? })
}
