//! What-if for registration: which APIServices the API server creates, resets and deletes.
//!
//! Mirrors the controllers `crd-autoregister` and `autoregister`. Every version that a CRD serves,
//! established or not, gets a local APIService. An APIService with the label `automanaged: "true"`
//! is reset to that, or deleted if no CRD serves its version. One without the label is not touched.
//! Built-in group versions are only written when the server starts.

use super::Draft;
use crate::model::{
    ApiService, Automanaged, CRD_GROUP_PRIORITY, CRD_VERSION_PRIORITY, Crd, GroupVersion,
    OwnershipMetadata,
};
use crate::registry::Registry;

impl Draft {
    /// Lets the controllers react to the current APIServices and CRDs.
    pub(super) fn register(&mut self, registry: &Registry<'_>) {
        let kept: Vec<String> = (self.api_services.values())
            .filter(|s| s.automanaged == Some(Automanaged::CrdController))
            .map(|s| s.name.clone())
            .collect();
        for name in kept {
            let Some(service) = self.api_services.get(&name) else { continue };
            let gv = service.group_version.clone();
            if self.is_spurious(registry, service) {
                self.effects.push(format!(
                    "APIService {name} is deleted: it is the API server's own, and no CRD serves {gv}"
                ));
                self.delete_api_service(&name);
            } else if self.serves(&gv) && !is_of_crd(service) {
                let before = registry.api_service(&name).map(|(before, _)| &before.service);
                if service.service.is_some() && before != Some(&service.service) {
                    self.raced.push(name.clone());
                }
                let reset = ApiService {
                    created: service.created.clone(),
                    provenance: service.provenance.clone(),
                    ..of_crd(&gv)
                };
                self.api_services.insert(name, reset);
            }
        }
        let wanted: Vec<GroupVersion> =
            self.served.iter().filter(|(_, n)| **n > 0).map(|(gv, _)| gv.clone()).collect();
        for gv in wanted {
            let name = gv.api_service_name();
            match self.api_services.get(&name) {
                None => {
                    self.effects.push(format!("APIService {name} is created: a CRD serves {gv}"));
                    self.api_services.insert(name, of_crd(&gv));
                }
                Some(service) if service.service.is_some() && self.named.contains(&name) => {
                    self.effects
                        .push(format!("APIService {name} shadows the CRDs that serve {gv}"));
                }
                Some(_) => {}
            }
        }
    }

    /// Returns whether the controller deletes an APIService: it has a CRD's label, and no CRD
    /// serves its group version. A built-in one is only deleted once a CRD has named that version,
    /// because `crd-autoregister` then replaces the server's own registration.
    pub(super) fn is_spurious(&self, registry: &Registry<'_>, service: &ApiService) -> bool {
        let gv = &service.group_version;
        let names =
            |crd: &Crd| crd.group == gv.group && crd.versions.iter().any(|v| v.name == gv.version);
        let named_by_crd =
            || registry.crds_of(&gv.group).any(names) || self.crds.values().any(names);
        service.automanaged == Some(Automanaged::CrdController)
            && !self.serves(gv)
            && (registry.plain(gv).is_none() || named_by_crd())
            && registry.snapshot.crds.is_loaded()
    }
}

/// Returns the APIService that the controller writes for a served CRD version.
pub(super) fn of_crd(gv: &GroupVersion) -> ApiService {
    let labels =
        [(Automanaged::LABEL.to_owned(), Automanaged::CrdController.value().to_owned())].into();
    ApiService {
        automanaged: Some(Automanaged::CrdController),
        provenance: OwnershipMetadata { labels, ..OwnershipMetadata::default() }.into(),
        ..ApiService::local(gv.clone(), CRD_GROUP_PRIORITY, CRD_VERSION_PRIORITY)
    }
}

fn is_of_crd(service: &ApiService) -> bool {
    service.service.is_none()
        && (service.group_priority, service.version_priority)
            == (CRD_GROUP_PRIORITY, CRD_VERSION_PRIORITY)
}
