//! Objects without the status that every server writes: backups and exports leave it out.

use crate::model::{ApiService, Condition, Crd, Input, NOT_CHECKED, Snapshot};
use crate::source::{Note, Weight};

/// Fills in what no object says of itself, and tells so. A server writes conditions at once: one
/// object without them is new, all objects without them lost them on the way.
pub(super) fn restore(snapshot: &mut Snapshot) -> Option<Note> {
    let mut lost = vec![];
    if let Input::Loaded(services) = &mut snapshot.api_services
        && services.iter().any(|service| service.service.is_none())
        && services.iter().any(|service| service.service.is_some())
        && services.iter().all(|service| service.available.is_none())
    {
        services.iter_mut().for_each(not_known);
        lost.push("whether APIServices are available is not known");
    }
    if let Input::Loaded(crds) = &mut snapshot.crds
        && !crds.is_empty()
        && crds.iter().all(has_no_status)
    {
        for crd in crds {
            (crd.established, crd.names_accepted) = (true, true);
        }
        lost.push("CRDs are taken as established");
    }
    let text = format!("the source has objects without status: {}", lost.join(", "));
    (!lost.is_empty()).then_some(Note { weight: Weight::Warning, text })
}

fn not_known(service: &mut ApiService) {
    if service.service.is_some() {
        service.available = Some(Condition {
            status: "Unknown".to_owned(),
            reason: NOT_CHECKED.to_owned(),
            message: "taken as available, for the source has no status".to_owned(),
            ..Condition::default()
        });
    }
}

fn has_no_status(crd: &Crd) -> bool {
    !crd.established
        && !crd.names_accepted
        && !crd.terminating
        && crd.refusal.is_none()
        && crd.accepted.plural.is_empty()
        && crd.stored_versions.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baseline;

    #[test]
    fn only_what_all_objects_lack_was_lost() {
        let mut snapshot = baseline::server(baseline::LATEST).clone();
        assert_eq!(restore(&mut snapshot), None);
        let Input::Loaded(services) = &mut snapshot.api_services else { panic!("no APIServices") };
        services.iter_mut().for_each(|service| service.available = None);
        let remote = crate::model::ServiceReference {
            namespace: "a".to_owned(),
            name: "b".to_owned(),
            port: 443,
        };
        services[1].service = Some(remote);
        let note = restore(&mut snapshot).unwrap();
        assert!(note.text.contains("whether APIServices are available is not known"));
        let services = snapshot.api_services.loaded().unwrap();
        assert!(services[1].is_not_checked() && services[1].is_available());
    }
}
