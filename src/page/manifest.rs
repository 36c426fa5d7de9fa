//! Writes the objects behind an APIService as YAML, as far as the model keeps them.

use std::collections::HashMap;

use serde::Serialize;

use crate::render::{ManifestJson, to_yaml};
use kube_aggregation::model::{ApiService, EndpointSlice, NOT_IN_SOURCE, Snapshot};
use kube_aggregation::registry::Registry;

/// The EndpointSlices of each Service, by namespace and name.
#[derive(Debug)]
pub(super) struct Slices<'s>(HashMap<(&'s str, &'s str), Vec<&'s EndpointSlice>>);

impl<'s> Slices<'s> {
    pub(super) fn new(snapshot: &'s Snapshot) -> Self {
        let mut found: HashMap<_, Vec<_>> = HashMap::new();
        for slice in snapshot.endpoint_slices.loaded().into_iter().flatten() {
            if let Some(service) = &slice.service {
                found.entry((&*slice.namespace, &**service)).or_default().push(slice);
            }
        }
        Self(found)
    }
}

/// Returns an APIService, its Service and the EndpointSlices of the Service; `None` if the
/// APIService does not exist.
pub(super) fn of(
    registry: &Registry<'_>,
    slices: &Slices<'_>,
    name: &str,
) -> Option<Vec<ManifestJson>> {
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
        for slice in slices.0.get(&(&*at.namespace, &*at.name)).into_iter().flatten() {
            let name = format!("{}/{}", slice.namespace, slice.name);
            found.extend(manifest("EndpointSlice", name, *slice));
        }
    }
    Some(found)
}

fn manifest(object: &'static str, name: String, value: &impl Serialize) -> Option<ManifestJson> {
    Some(ManifestJson { object, name, yaml: to_yaml(value).ok()? })
}
