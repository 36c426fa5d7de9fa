//! CRDs whose names another CRD of their group has.

use super::Conflict;
use crate::model::Crd;
use crate::registry::Registry;

/// CRDs whose names were not accepted, with who has the name.
pub(super) fn crds(registry: &Registry<'_>) -> Vec<Conflict> {
    let refused = registry.crds.iter().filter_map(|crd| Some((crd, crd.refusal.as_ref()?)));
    refused.map(|(crd, refusal)| conflict(registry, crd, refusal)).collect()
}

fn conflict(registry: &Registry<'_>, crd: &Crd, refusal: &str) -> Conflict {
    // The server quotes the name that is taken.
    let name = refusal.split('"').nth(1).unwrap_or_default();
    let holders = registry.crds.iter().filter(|other| {
        other.name != crd.name
            && other.group == crd.group
            && other.refusal.is_none()
            && has_name(other, name)
    });
    let mut parties: Vec<String> = holders.map(|holder| format!("CRD {}", holder.name)).collect();
    let known = !parties.is_empty();
    parties.push(format!("CRD {}", crd.name));
    let by = if known { "" } else { "; who has the name cannot be told from this source" };
    let state = if crd.established {
        "it keeps the names that it had"
    } else {
        "it is not established, and answers nothing"
    };
    Conflict {
        code: "names-not-accepted",
        over: if name.is_empty() { crd.group.clone() } else { name.to_owned() },
        parties,
        outcome: format!("the server refuses a name of CRD {} ({refusal}): {state}{by}", crd.name),
        next: format!("give CRD {} another name, or delete the one that has it", crd.name),
        command: None,
    }
}

fn has_name(crd: &Crd, name: &str) -> bool {
    let list = name.strip_suffix("List").is_some_and(|kind| kind == crd.kind);
    let short = crd.short_names.iter().any(|short| short == name);
    crd.plural == name || crd.singular == name || crd.kind == name || list || short
}
