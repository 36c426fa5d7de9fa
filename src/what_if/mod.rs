//! A snapshot as it would be if manifests were applied and objects removed. Pure.
//!
//! Beside the objects themselves this does what the controllers would then do: a CRD's versions
//! are registered or forgotten, and the availability of an APIService is judged as far as it
//! follows from Services and EndpointSlices. What only a running cluster can tell (whether a pod
//! answers) is never made up: such an APIService has the condition reason [`NOT_CHECKED`], is
//! taken as available, and every answer that rests on it says so.
//!
//! [`NOT_CHECKED`]: crate::model::NOT_CHECKED

mod apply;
mod availability;
mod documents;
mod remove;
mod upgrade;

use std::collections::BTreeSet;

use crate::model::{ApiService, Crd, EndpointSlice, GroupVersion, Service, Snapshot};
use crate::registry::Registry;

pub use remove::Unknown;
pub use upgrade::upgraded;

/// What is to be changed.
#[derive(Debug, Default)]
pub struct Changes<'c> {
    /// Manifests as if applied: the objects that a dump of them has. Their status is ignored, as
    /// the server ignores it.
    pub applied: Option<&'c Snapshot>,
    /// Objects as if deleted: an APIService, a CRD, or a Service as `namespace/name`.
    pub removed: &'c [String],
}

/// The snapshot after the changes.
#[derive(Debug)]
pub struct Changed {
    /// The facts as they would be.
    pub snapshot: Snapshot,
    /// What the controllers would do, and what cannot be told, a sentence each.
    pub effects: Vec<String>,
}

/// The objects that are changed, by themselves, and what has been noticed on the way.
struct Draft {
    api_services: Vec<ApiService>,
    crds: Vec<Crd>,
    services: Vec<Service>,
    endpoint_slices: Vec<EndpointSlice>,
    endpoints: Vec<EndpointSlice>,
    /// The group versions that manifests are about.
    named: BTreeSet<GroupVersion>,
    effects: Vec<String>,
}

impl Draft {
    fn new(registry: &Registry<'_>) -> Self {
        let snapshot = registry.snapshot;
        Self {
            api_services: registry.api_services.to_vec(),
            crds: registry.crds.to_vec(),
            services: snapshot.services.loaded().cloned().unwrap_or_default(),
            endpoint_slices: snapshot.endpoint_slices.loaded().cloned().unwrap_or_default(),
            endpoints: snapshot.endpoints.loaded().cloned().unwrap_or_default(),
            named: BTreeSet::new(),
            effects: vec![],
        }
    }
}

/// Applies manifests, then removes objects, then lets the controllers settle.
///
/// # Errors
/// Where something is to be removed that is not there.
pub fn changed(before: &Snapshot, changes: &Changes<'_>) -> Result<Changed, Unknown> {
    let registry = Registry::new(before);
    let mut draft = Draft::new(&registry);
    if let Some(applied) = changes.applied {
        draft.apply(applied);
    }
    for name in changes.removed {
        draft.remove(name)?;
    }
    draft.register_crds();
    draft.judge(before, changes.applied);
    let effects = std::mem::take(&mut draft.effects);
    let snapshot = documents::settled(before, &registry, draft);
    Ok(Changed { snapshot, effects })
}
