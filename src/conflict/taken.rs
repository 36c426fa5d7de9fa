//! Group versions that more than one wants to serve.

use super::Conflict;
use crate::doctor::quoted;
use crate::registry::{Backing, Registry};

/// APIServices that lead to a Service and take a group version away from CRDs.
pub(super) fn group_versions(registry: &Registry<'_>) -> Vec<Conflict> {
    let mut found = vec![];
    for (service, backing) in registry.api_services() {
        let gv = &service.group_version;
        let crds: Vec<String> =
            registry.custom_resources(gv).map(|crd| format!("CRD {}", crd.name)).collect();
        if backing != Backing::Service || crds.is_empty() {
            continue;
        }
        let leads_to = service.service.as_ref().map(|s| s.id()).unwrap_or_default();
        let name = &service.name;
        let mut parties = vec![format!("APIService {name} → {leads_to}")];
        parties.extend(crds);
        found.push(Conflict {
            code: "shadows-crd",
            over: gv.to_string(),
            parties,
            outcome: format!(
                "every request to {gv} leaves for the Service, and the CRDs are never asked; where both publish OpenAPI for these paths, /openapi/v2 may fail for all clients"
            ),
            next: "see what deleting the APIService would change".to_owned(),
            command: Some(format!("aggctl diff --without {}", quoted(name))),
        });
    }
    found
}

/// CRDs in groups of kube-apiserver's, which takes every path of such a group.
pub(super) fn built_in_groups(registry: &Registry<'_>) -> Vec<Conflict> {
    let mut found = vec![];
    for crd in registry.crds.iter().filter(|crd| registry.is_built_in_group(&crd.group)) {
        found.push(Conflict {
            code: "built-in-group",
            over: crd.group.clone(),
            parties: vec!["kube-apiserver".to_owned(), format!("CRD {}", crd.name)],
            outcome: format!(
                "kube-apiserver takes every version of {}, so that the CRD never answers",
                crd.group
            ),
            next: "move the CRD to a group of its own".to_owned(),
            command: None,
        });
    }
    found
}
