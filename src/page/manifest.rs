//! Writes the objects behind an APIService as YAML, as far as the model keeps them.

use serde::Serialize;

use crate::render::{ManifestJson, to_yaml};
use kube_aggregation::model::{ApiService, NOT_IN_SOURCE};
use kube_aggregation::registry::Registry;

/// Returns an APIService, its Service and the EndpointSlices of the Service; `None` if the
/// APIService does not exist.
pub(super) fn of(registry: &Registry<'_>, name: &str) -> Option<Vec<ManifestJson>> {
    let (service, _) = registry.api_service(name)?;
    let mut found = vec![];
    if !service.inferred {
        // A placeholder condition was not in the source.
        let available = service.available.clone().filter(|c| c.reason != NOT_IN_SOURCE);
        let service = ApiService { available, ..service.clone() };
        found.extend(manifest("APIService", service.name.clone(), &service));
    }
    let snapshot = registry.snapshot;
    if let Some(at) = &service.service {
        let object = snapshot.service(&at.namespace, &at.name);
        found.extend(object.and_then(|one| manifest("Service", at.id(), one)));
        let slices = snapshot.endpoint_slices.loaded().into_iter().flatten();
        for slice in
            slices.filter(|s| s.namespace == at.namespace && s.service.as_ref() == Some(&at.name))
        {
            let name = format!("{}/{}", slice.namespace, slice.name);
            found.extend(manifest("EndpointSlice", name, slice));
        }
    }
    Some(found)
}

fn manifest(object: &'static str, name: String, value: &impl Serialize) -> Option<ManifestJson> {
    Some(ManifestJson { object, name, yaml: to_yaml(value).ok()? })
}
