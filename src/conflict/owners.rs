//! APIServices that two writers want to have their way with.

use std::collections::{BTreeMap, BTreeSet};

use super::Conflict;
use crate::doctor::quoted;
use crate::model::{ApiService, Automanaged};
use crate::registry::Registry;

/// The label with which a controller claims an APIService.
const AUTOMANAGED_BY: [(Automanaged, &str); 2] = [
    (Automanaged::OnStart, "kube-apiserver, which writes it anew at every start"),
    (Automanaged::Continuously, "kube-apiserver, which writes it back at once"),
];

/// APIServices of which one field has several writers, by their managed fields; none where the
/// source has no managed fields (kubectl hides them unless asked with `--show-managed-fields`).
pub(super) fn api_services(registry: &Registry<'_>) -> Vec<Conflict> {
    registry.api_services.iter().filter_map(conflict).collect()
}

fn conflict(service: &ApiService) -> Option<Conflict> {
    let mut writers: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for manager in &service.provenance.managers {
        for field in manager.fields.iter().filter(|field| field.starts_with("spec.")) {
            writers.entry(field).or_default().insert(&manager.manager);
        }
    }
    writers.retain(|_, who| who.len() > 1);
    let fields: Vec<&str> = writers.keys().copied().collect();
    let who: BTreeSet<&str> = writers.values().flatten().copied().collect();
    if who.is_empty() {
        return None;
    }
    let mut parties: Vec<String> = who.iter().map(|who| (*who).to_owned()).collect();
    let kept = AUTOMANAGED_BY.iter().find(|(kind, _)| service.automanaged == Some(*kind));
    parties.extend(kept.map(|(_, by)| (*by).to_owned()));
    let name = &service.name;
    Some(Conflict {
        code: "two-owners",
        over: format!("APIService {name}"),
        parties,
        outcome: format!(
            "these have all written {}, and there is one APIService for a group version: whoever writes last has it, until another writes again",
            fields.join(", ")
        ),
        next: "see who wrote last, and let one of them alone install the APIService".to_owned(),
        command: Some(format!("aggctl doctor {}", quoted(name))),
    })
}
