//! Objects as if deleted, and what the controllers do about it.

use super::Draft;
use crate::model::{ApiService, Automanaged, GroupVersion};

/// Something to be removed that is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    /// What was asked for.
    pub name: String,
    /// The nearest name that there is.
    pub nearest: Option<String>,
}

impl Draft {
    /// Removes an APIService, a CRD or a Service. A prefix `apiservice/`, `crd/` or `service/`
    /// says which, where a name alone would not.
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
        let Some(at) = self.api_services.iter().position(|s| s.name == name) else { return false };
        let service: ApiService = self.api_services.remove(at);
        let gv = &service.group_version;
        match service.automanaged {
            Some(Automanaged::OnStart) => self.effects.push(format!(
                "APIService {name} is built in: the API server writes it anew at its next start; until then {gv} has none"
            )),
            Some(Automanaged::Continuously) if self.serves(gv) => self.effects.push(format!(
                "APIService {name} follows from a CRD: the API server writes it anew at once"
            )),
            _ => {}
        }
        true
    }

    fn remove_crd(&mut self, name: &str) -> bool {
        let Some(at) = self.crds.iter().position(|c| c.name == name) else { return false };
        let crd = self.crds.remove(at);
        self.effects.push(format!("CRD {name} goes, and with it every object of its kind"));
        for version in crd.versions.iter().filter(|v| v.served) {
            let gv = GroupVersion::new(&*crd.group, &*version.name);
            if self.serves(&gv) {
                continue;
            }
            let gone = |s: &ApiService| {
                s.group_version == gv && s.automanaged == Some(Automanaged::Continuously)
            };
            if let Some(at) = self.api_services.iter().position(gone) {
                let service = self.api_services.remove(at);
                self.effects
                    .push(format!("APIService {} goes: no CRD serves {gv} any more", service.name));
            }
        }
        true
    }

    fn remove_service(&mut self, name: &str) -> bool {
        let Some((namespace, name)) = name.split_once('/') else { return false };
        let here = |ns: &str, of: Option<&str>| ns == namespace && of == Some(name);
        let before = self.services.len();
        self.services.retain(|s| !here(&s.namespace, Some(&s.name)));
        // Its slices are garbage, and are collected.
        self.endpoint_slices.retain(|s| !here(&s.namespace, s.service.as_deref()));
        self.endpoints.retain(|s| !here(&s.namespace, s.service.as_deref()));
        self.services.len() < before
    }

    fn serves(&self, gv: &GroupVersion) -> bool {
        self.crds
            .iter()
            .any(|crd| crd.group == gv.group && crd.served_version(&gv.version).is_some())
    }

    fn nearest(&self, name: &str) -> Option<String> {
        let services = self.services.iter().map(|s| format!("{}/{}", s.namespace, s.name));
        let named = self.api_services.iter().map(|s| s.name.clone());
        let all = named.chain(self.crds.iter().map(|c| c.name.clone())).chain(services);
        crate::nearest::nearest(name, all)
    }
}
