//! What-if for deletion: removes APIServices, CRDs and Services from a draft.

use super::Draft;
use crate::model::{Automanaged, Merge};

/// An object that should be deleted but does not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    /// The requested name.
    pub name: String,
    /// The closest existing name.
    pub nearest: Option<String>,
}

/// The finalizer of every CRD, which the API server removes itself.
const OWN_FINALIZER: &str = "customresourcecleanup.apiextensions.k8s.io";

impl Draft {
    /// Removes an APIService, a CRD or a Service. A prefix `apiservice/`, `crd/` or `service/`
    /// resolves ambiguous names.
    pub(super) fn remove(&mut self, name: &str) -> Result<(), Unknown> {
        let (kind, plain) = match name.split_once('/') {
            Some((kind @ ("apiservice" | "crd" | "service"), rest)) => (Some(kind), rest),
            _ => (None, name),
        };
        let wants = |this: &str| kind.is_none_or(|kind| kind == this);
        let found = (wants("apiservice") && self.remove_api_service(plain))
            || (wants("crd") && self.remove_crd(plain))
            || (wants("service") && self.remove_service(plain));
        if found {
            Ok(())
        } else {
            Err(Unknown { name: name.to_owned(), nearest: self.nearest(plain) })
        }
    }

    fn remove_api_service(&mut self, name: &str) -> bool {
        let Some(service) = self.api_services.get(name) else { return false };
        let gv = service.group_version.clone();
        match service.automanaged {
            Some(Automanaged::OnStart) => self.effects.push(format!(
                "APIService {name} is built in: the API server recreates it at its next start; until then {gv} has no APIService"
            )),
            Some(Automanaged::CrdController) if self.serves(&gv) => self.effects.push(format!(
                "APIService {name} belongs to a CRD: the API server recreates it immediately"
            )),
            _ => {}
        }
        self.delete_api_service(name);
        true
    }

    /// Deletes an APIService, unless it has finalizers.
    pub(super) fn delete_api_service(&mut self, name: &str) {
        let Some(service) = self.api_services.get(name) else { return };
        match held(&service.provenance.merge) {
            Some(by) => self.effects.push(format!(
                "APIService {name} stays and routes as before until its finalizers are removed: {by}"
            )),
            None => {
                self.api_services.remove(name);
                self.deleted.insert(name.to_owned());
            }
        }
    }

    pub(super) fn remove_crd(&mut self, name: &str) -> bool {
        let Some(crd) = self.crds.get(name) else { return false };
        if let Some(by) = held(&crd.merge) {
            self.effects.push(format!(
                "CRD {name} stays and is served as before until its finalizers are removed: {by}; its objects are deleted"
            ));
            return true;
        }
        let Some(crd) = self.crds.remove(name) else { return false };
        self.count(&crd, -1);
        self.effects.push(format!("CRD {name} is deleted, with every object of its kind"));
        self.renamed.push(name.to_owned());
        true
    }

    fn remove_service(&mut self, name: &str) -> bool {
        let Some((namespace, name)) = name.split_once('/') else { return false };
        let here = |ns: &str, of: Option<&str>| ns == namespace && of == Some(name);
        // Its slices are garbage-collected.
        self.endpoint_slices.retain(|_, s| !here(&s.namespace, s.service.as_deref()));
        let key = (namespace.to_owned(), name.to_owned());
        self.endpoints.remove(&key);
        self.services.remove(&key).is_some()
    }

    fn nearest(&self, name: &str) -> Option<String> {
        let services = self.services.keys().map(|(namespace, name)| format!("{namespace}/{name}"));
        let named = self.api_services.keys().cloned();
        let all = named.chain(self.crds.keys().cloned()).chain(services);
        crate::nearest::nearest(name, all)
    }
}

/// Returns the finalizers that prevent deletion.
fn held(merge: &Merge) -> Option<String> {
    let foreign: Vec<&str> =
        merge.finalizers.iter().map(String::as_str).filter(|f| *f != OWN_FINALIZER).collect();
    (!foreign.is_empty()).then(|| foreign.join(", "))
}
