//! What-if: computes the snapshot that would result from applying manifests and deleting objects.
//! Pure.
//!
//! Manifests are merged in order, as `kubectl apply` does. Then the controllers react: names of
//! CRDs are accepted or not (`naming`), their versions are registered or unregistered (`register`),
//! availability is predicted from Services and endpoints (`availability`), and the documents are
//! updated (`documents`). What only a running cluster can show, such as whether a Pod answers, is
//! never guessed: such an APIService has the condition reason [`NOT_CHECKED`] and counts as
//! available, and every answer that depends on it says so.
//!
//! [`NOT_CHECKED`]: crate::model::NOT_CHECKED

mod access;
mod apply;
mod availability;
mod documents;
mod naming;
mod register;
mod remove;
#[cfg(test)]
mod tests;
mod upgrade;

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{ApiService, Crd, EndpointSlice, GroupVersion, Input, Service, Snapshot};
use crate::registry::Registry;

pub use remove::Unknown;
pub use upgrade::upgraded;

/// The changes to simulate.
#[derive(Debug, Default)]
pub struct Changes<'c> {
    /// The manifests to apply, as a snapshot. Their status is ignored, as by the server.
    pub applied: Option<&'c Snapshot>,
    /// Whether manifests replace objects, as in `kubectl replace`, instead of being merged into
    /// them.
    pub replace: bool,
    /// The objects to delete: an APIService, a CRD, or a Service as `namespace/name`.
    pub removed: &'c [String],
}

/// The snapshot after the changes.
#[derive(Debug)]
pub struct Changed {
    /// The snapshot after the changes.
    pub snapshot: Snapshot,
    /// What the controllers would do, and what is unknown, in one sentence each.
    pub effects: Vec<String>,
}

/// Namespace and name.
type Key = (String, String);

/// The changed objects by name, and the effects so far.
struct Draft {
    api_services: BTreeMap<String, ApiService>,
    crds: BTreeMap<String, Crd>,
    services: BTreeMap<Key, Service>,
    endpoint_slices: BTreeMap<Key, EndpointSlice>,
    /// The subsets of each Endpoints object.
    endpoints: BTreeMap<Key, Vec<EndpointSlice>>,
    /// The number of CRDs that serve each group version.
    served: BTreeMap<GroupVersion, usize>,
    /// CRDs that the naming controller must process, in order.
    renamed: Vec<String>,
    /// APIServices named in manifests.
    named: BTreeSet<String>,
    /// APIServices that were deleted, even if a controller has recreated them.
    deleted: BTreeSet<String>,
    /// APIServices that had a Service until a controller reset them.
    raced: Vec<String>,
    effects: Vec<String>,
}

impl Draft {
    fn new(registry: &Registry<'_>) -> Self {
        let snapshot = registry.snapshot;
        let mut draft = Self {
            api_services: by(&registry.api_services, |s| s.name.clone()),
            crds: by(&registry.crds, |c| c.name.clone()),
            services: by(items(&snapshot.services), service_key),
            endpoint_slices: by(items(&snapshot.endpoint_slices), slice_key),
            endpoints: subsets(items(&snapshot.endpoints)),
            served: BTreeMap::new(),
            renamed: vec![],
            named: BTreeSet::new(),
            deleted: BTreeSet::new(),
            raced: vec![],
            effects: vec![],
        };
        for crd in registry.crds.iter() {
            draft.count(crd, 1);
        }
        draft
    }

    /// Adds a CRD, or replaces the one with its name.
    fn put_crd(&mut self, crd: Crd) {
        self.count(&crd, 1);
        if let Some(old) = self.crds.insert(crd.name.clone(), crd) {
            self.count(&old, -1);
        }
    }

    fn count(&mut self, crd: &Crd, by: isize) {
        for gv in served_versions(crd) {
            let count = self.served.entry(gv).or_default();
            *count = count.saturating_add_signed(by);
        }
    }

    /// Returns whether a CRD serves a group version, established or not.
    fn serves(&self, gv: &GroupVersion) -> bool {
        self.served.get(gv).is_some_and(|count| *count > 0)
    }
}

/// Applies manifests, then removes objects, then lets the controllers settle.
///
/// # Errors
/// If an object to delete does not exist.
pub fn changed(before: &Snapshot, changes: &Changes<'_>) -> Result<Changed, Unknown> {
    let registry = Registry::new(before);
    let mut draft = Draft::new(&registry);
    if let Some(applied) = changes.applied {
        draft.apply(&registry, applied, changes.replace);
    }
    for name in changes.removed {
        draft.remove(name)?;
    }
    draft.settle_names();
    draft.register(&registry);
    draft.judge(&registry, changes.applied);
    let mut effects = std::mem::take(&mut draft.effects);
    let mut snapshot = documents::settled(&registry, draft);
    if let Some(applied) = changes.applied {
        let (rbac, said) = access::applied(&before.rbac, &applied.rbac);
        snapshot.rbac = rbac;
        snapshot.rivals.clone_from(&applied.rivals);
        effects.extend(said);
    }
    Ok(Changed { snapshot, effects })
}

fn served_versions(crd: &Crd) -> impl Iterator<Item = GroupVersion> {
    let served = crd.versions.iter().filter(|v| v.served);
    served.map(|v| GroupVersion::new(&*crd.group, &*v.name))
}

fn items<T>(input: &Input<Vec<T>>) -> &[T] {
    input.loaded().map(Vec::as_slice).unwrap_or_default()
}

fn by<T: Clone, K: Ord>(all: &[T], key: impl Fn(&T) -> K) -> BTreeMap<K, T> {
    all.iter().map(|one| (key(one), one.clone())).collect()
}

fn service_key(service: &Service) -> Key {
    (service.namespace.clone(), service.name.clone())
}

fn slice_key(slice: &EndpointSlice) -> Key {
    (slice.namespace.clone(), slice.name.clone())
}

fn subsets(all: &[EndpointSlice]) -> BTreeMap<Key, Vec<EndpointSlice>> {
    let mut found: BTreeMap<Key, Vec<EndpointSlice>> = BTreeMap::new();
    for subset in all {
        found.entry(slice_key(subset)).or_default().push(subset.clone());
    }
    found
}

/// Returns whether two APIServices have the same backend and TLS settings.
fn same_backend(a: &ApiService, b: &ApiService) -> bool {
    (&a.service, &a.ca_bundle, a.insecure_skip_tls_verify)
        == (&b.service, &b.ca_bundle, b.insecure_skip_tls_verify)
}
