//! Group versions that more than one wants to serve.

use super::Conflict;
use crate::doctor::quoted;
use crate::model::AGGREGATOR_GROUP;
use crate::registry::{Backing, Registry};

/// APIServices that lead to a Service and take a group version away from CRDs, or from the API
/// server itself.
pub(super) fn group_versions(registry: &Registry<'_>) -> Vec<Conflict> {
    let mut found = vec![];
    for (service, backing) in registry.api_services() {
        let gv = &service.group_version;
        let mut taken = |code, from: Vec<String>, outcome| {
            let leads_to = service.service.as_ref().map(|s| s.id()).unwrap_or_default();
            let taker = format!("APIService {} → {leads_to}", service.name);
            found.push(Conflict {
                code,
                over: gv.to_string(),
                parties: [taker].into_iter().chain(from).collect(),
                outcome,
                next: "see what deleting the APIService would change".to_owned(),
                command: Some(format!("aggctl diff --without {}", quoted(&service.name))),
            });
        };
        if registry.shadows_built_in(service) {
            let own = "the API server's own resources".to_owned();
            taken(
                "shadows-built-in",
                vec![own],
                format!(
                    "every request to {gv} leaves for the Service, and the built-in resources are never asked"
                ),
            );
        }
        let crds: Vec<String> =
            registry.custom_resources(gv).map(|crd| format!("CRD {}", crd.name)).collect();
        if backing == Backing::Service && !crds.is_empty() {
            taken(
                "shadows-crd",
                crds,
                format!(
                    "every request to {gv} leaves for the Service, and the CRDs are never asked; where both publish OpenAPI for these paths, /openapi/v2 may fail for all clients"
                ),
            );
        }
    }
    found
}

/// APIServices in the group that the aggregator answers itself.
pub(super) fn own_group(registry: &Registry<'_>) -> Vec<Conflict> {
    let own = registry.api_services.iter().filter(|s| s.group_version.group == AGGREGATOR_GROUP);
    own.map(|service| Conflict {
        code: "aggregator-own-group",
        over: service.group_version.to_string(),
        parties: vec!["kube-aggregator".to_owned(), format!("APIService {}", service.name)],
        outcome: format!(
            "the aggregator answers everything below {AGGREGATOR_GROUP} itself, so that the APIService is never asked"
        ),
        next: "see what deleting the APIService would change".to_owned(),
        command: Some(format!("aggctl diff --without {}", quoted(&service.name))),
    })
    .collect()
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
