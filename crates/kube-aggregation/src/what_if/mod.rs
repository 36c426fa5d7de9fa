//! A snapshot as it would be if manifests were applied and objects removed. Pure.
//!
//! Manifests are merged as `kubectl apply` merges them, in their order. Then the controllers do
//! what they do: CRDs get their names or not (`naming`), their versions are registered or
//! forgotten (`register`), the availability of an APIService is judged as far as it follows from
//! Services and endpoints (`availability`), and the documents follow (`documents`). What only a
//! running cluster can tell (whether a pod answers) is never made up: such an APIService has the
//! condition reason [`NOT_CHECKED`], is taken as available, and every answer that rests on it says
//! so.
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

/// What is to be changed.
#[derive(Debug, Default)]
pub struct Changes<'c> {
    /// Manifests as if applied: the objects that a dump of them has. Their status is ignored, as
    /// the server ignores it.
    pub applied: Option<&'c Snapshot>,
    /// Whether manifests replace objects, as `kubectl replace` does, instead of being merged into
    /// them.
    pub replace: bool,
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

/// Namespace and name.
type Key = (String, String);

/// The objects that are changed, by name, and what has been noticed on the way.
struct Draft {
    api_services: BTreeMap<String, ApiService>,
    crds: BTreeMap<String, Crd>,
    services: BTreeMap<Key, Service>,
    endpoint_slices: BTreeMap<Key, EndpointSlice>,
    /// The subsets of each Endpoints object.
    endpoints: BTreeMap<Key, Vec<EndpointSlice>>,
    /// How many CRDs have each group version, and serve it.
    served: BTreeMap<GroupVersion, usize>,
    /// CRDs whose names the naming controller is to look at, in order.
    renamed: Vec<String>,
    /// APIServices that manifests are about.
    named: BTreeSet<String>,
    /// APIServices that were deleted, even where a controller has made them again.
    deleted: BTreeSet<String>,
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
            effects: vec![],
        };
        for crd in registry.crds.iter() {
            draft.count(crd, 1);
        }
        draft
    }

    /// Puts a CRD in the place of the one with its name.
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

    /// Whether a CRD serves a group version, established or not.
    fn serves(&self, gv: &GroupVersion) -> bool {
        self.served.get(gv).is_some_and(|count| *count > 0)
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

/// Whether two APIServices lead to the same place in the same way.
fn same_backend(a: &ApiService, b: &ApiService) -> bool {
    (&a.service, &a.ca_bundle, a.insecure_skip_tls_verify)
        == (&b.service, &b.ca_bundle, b.insecure_skip_tls_verify)
}
