//! Manifests as if applied, and what the controllers for CRDs then do.

use std::collections::BTreeSet;

use super::Draft;
use crate::model::{
    ApiService, Automanaged, CRD_GROUP_PRIORITY, CRD_VERSION_PRIORITY, Condition, Crd,
    EndpointSlice, GroupVersion, Provenance, Snapshot,
};

impl Draft {
    /// Puts the manifests' objects in the place of those with their names.
    pub(super) fn apply(&mut self, manifests: &Snapshot) {
        for service in manifests.api_services.loaded().into_iter().flatten() {
            self.apply_api_service(service);
        }
        for crd in manifests.crds.loaded().into_iter().flatten() {
            self.apply_crd(crd);
        }
        for service in manifests.services.loaded().into_iter().flatten() {
            put(&mut self.services, service.clone(), |s| (s.namespace.clone(), s.name.clone()));
        }
        for slice in manifests.endpoint_slices.loaded().into_iter().flatten() {
            put(&mut self.endpoint_slices, slice.clone(), |s| {
                (s.namespace.clone(), s.name.clone())
            });
        }
        self.apply_endpoints(manifests.endpoints.loaded().map(Vec::as_slice).unwrap_or_default());
    }

    fn apply_endpoints(&mut self, manifests: &[EndpointSlice]) {
        let named: BTreeSet<_> = manifests.iter().map(|e| (&e.namespace, &e.name)).collect();
        self.endpoints.retain(|e| !named.contains(&(&e.namespace, &e.name)));
        self.endpoints.extend_from_slice(manifests);
        self.endpoints.sort_by(|a, b| (&a.namespace, &a.name).cmp(&(&b.namespace, &b.name)));
    }

    fn apply_api_service(&mut self, manifest: &ApiService) {
        let old = self.api_services.iter().find(|s| s.name == manifest.name);
        let kept = old.and_then(|old| old.automanaged);
        let same = old.is_some_and(|old| same_spec(old, manifest));
        let mut new = ApiService { inferred: false, ..manifest.clone() };
        if same {
            // Nothing in it is decided anew: its label, age and condition stay.
            let old = old.cloned();
            new = old.map_or(new, |old| ApiService { inferred: false, ..old });
        } else {
            new.available = None;
            new.created = old.and_then(|old| old.created.clone());
            if let (Some(kept), None) = (kept, manifest.automanaged) {
                self.effects.push(overruled(&manifest.name, kept));
            }
        }
        self.named.insert(new.group_version.clone());
        put(&mut self.api_services, new, |s| s.name.clone());
    }

    /// Mirrors the naming controller: a CRD is established once its names are free in its group.
    fn apply_crd(&mut self, manifest: &Crd) {
        let old = self.crds.iter().find(|c| c.name == manifest.name);
        let mut new = manifest.clone();
        new.terminating = old.is_some_and(|old| old.terminating);
        let taken =
            self.crds.iter().filter(|c| c.name != manifest.name && c.group == manifest.group);
        let taken = taken
            .filter(|c| c.names_accepted || c.established)
            .find_map(|c| shared(c, manifest).map(|name| (name, c)));
        match taken {
            None => (new.names_accepted, new.established, new.refusal) = (true, true, None),
            Some((name, owner)) => {
                // A CRD that is established stays so, with the names that it has.
                (new.names_accepted, new.established) =
                    (false, old.is_some_and(|old| old.established));
                new.refusal = Some(format!("{name:?} is already in use"));
                let owner = &owner.name;
                self.effects.push(format!("CRD {}: the name {name:?} is taken by CRD {owner}, so its names are not accepted", manifest.name));
            }
        }
        self.named.extend(new.versions.iter().map(|v| GroupVersion::new(&*new.group, &*v.name)));
        put(&mut self.crds, new, |c| c.name.clone());
    }

    /// Mirrors the controller that registers CRDs: every served version has an APIService, which
    /// goes when no CRD serves it any more; one that somebody else made is left alone.
    pub(super) fn register_crds(&mut self) {
        let served: BTreeSet<GroupVersion> = (self.crds.iter())
            .flat_map(|crd| {
                let served = crd.versions.iter().filter(|v| v.served);
                served.map(|v| GroupVersion::new(&*crd.group, &*v.name))
            })
            .collect();
        for gv in &served {
            let name = gv.api_service_name();
            match self.api_services.iter().find(|s| s.name == name) {
                None => {
                    self.effects.push(format!("APIService {name} appears: a CRD serves {gv}"));
                    put(&mut self.api_services, of_crd(gv), |s| s.name.clone());
                }
                Some(service) if service.service.is_some() && self.named.contains(gv) => {
                    let text =
                        format!("APIService {name} takes {gv} away from the CRDs that serve it");
                    self.effects.push(text);
                }
                Some(_) => {}
            }
        }
    }
}

/// The APIService that the controller writes for a served CRD version.
pub(super) fn of_crd(gv: &GroupVersion) -> ApiService {
    ApiService {
        name: gv.api_service_name(),
        group_version: gv.clone(),
        service: None,
        group_priority: CRD_GROUP_PRIORITY,
        version_priority: CRD_VERSION_PRIORITY,
        ca_bundle: None,
        insecure_skip_tls_verify: false,
        automanaged: Some(Automanaged::Continuously),
        available: Some(Condition::local()),
        created: None,
        provenance: Provenance::default(),
        inferred: false,
    }
}

/// What the user must know who replaces an APIService that a controller keeps.
fn overruled(name: &str, kept: Automanaged) -> String {
    let when = match kept {
        Automanaged::OnStart => "writes it anew at its next start",
        Automanaged::Continuously => "writes it back at once",
    };
    format!(
        "APIService {name} is the API server's own: after `kubectl apply` it keeps its automanaged label, and the server {when}; this shows it replaced, without the label"
    )
}

fn same_spec(a: &ApiService, b: &ApiService) -> bool {
    let spec = |s: &ApiService| {
        (
            s.group_version.clone(),
            s.service.clone(),
            s.group_priority,
            s.version_priority,
            s.ca_bundle.clone(),
            s.insecure_skip_tls_verify,
        )
    };
    spec(a) == spec(b)
}

/// A name that two CRDs of one group cannot both have.
fn shared<'c>(a: &Crd, b: &'c Crd) -> Option<&'c str> {
    fn names(crd: &Crd) -> impl Iterator<Item = &str> {
        [crd.plural.as_str(), crd.singular.as_str()]
            .into_iter()
            .chain(crd.short_names.iter().map(String::as_str))
            .filter(|name| !name.is_empty())
    }
    let resource = names(b).find(|name| names(a).any(|other| other == *name));
    resource.or_else(|| (a.kind == b.kind).then_some(b.kind.as_str()))
}

/// Puts a value into a sorted list, in the place of the one with its key.
pub(super) fn put<T, K: Ord>(list: &mut Vec<T>, value: T, key: impl Fn(&T) -> K) {
    let wanted = key(&value);
    match list.binary_search_by(|other| key(other).cmp(&wanted)) {
        Ok(at) => {
            if let Some(place) = list.get_mut(at) {
                *place = value;
            }
        }
        Err(at) => list.insert(at, value),
    }
}
