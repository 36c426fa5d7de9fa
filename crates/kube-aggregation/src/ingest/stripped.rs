//! Restores conditions of objects without a status: backups and exports omit it.

use std::collections::BTreeSet;

use crate::ingest::{Note, NoteLevel};
use crate::model::{ApiService, Condition, Crd, Input, NOT_IN_SOURCE, Snapshot};

/// Sets the conditions of APIServices and CRDs if the source omits them, and returns a note about
/// that.
///
/// A server always writes the condition of a local APIService, and a status, even if empty, for
/// every APIService. So an APIService with a Service and without a condition may just be new. But
/// if all objects lack what a server always writes, the source omits it. `with_status` contains the
/// kinds with at least one object that has a status.
pub(super) fn restore(snapshot: &mut Snapshot, with_status: &BTreeSet<&str>) -> Option<Note> {
    let mut lost = vec![];
    if let Input::Loaded(services) = &mut snapshot.api_services
        && services.iter().any(|service| service.service.is_some())
        && services.iter().all(|service| service.available.is_none())
        && (services.iter().any(|service| service.service.is_none())
            || !with_status.contains("APIService"))
    {
        services.iter_mut().for_each(not_known);
        lost.push("cannot tell whether APIServices are available");
    }
    if let Input::Loaded(crds) = &mut snapshot.crds
        && !crds.is_empty()
        && crds.iter().all(has_no_status)
    {
        for crd in crds {
            (crd.established, crd.names_accepted) = (true, true);
        }
        lost.push("assuming that CRDs are established");
    }
    let text = format!("the source has objects without status: {}", lost.join(", "));
    (!lost.is_empty()).then_some(Note { weight: NoteLevel::Warning, text })
}

fn not_known(service: &mut ApiService) {
    if service.service.is_some() {
        service.available = Some(Condition {
            status: "Unknown".to_owned(),
            reason: NOT_IN_SOURCE.to_owned(),
            message: "counts as available, because the source has no status".to_owned(),
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
        let none = BTreeSet::new();
        assert_eq!(restore(&mut snapshot, &none), None);
        let Input::Loaded(services) = &mut snapshot.api_services else { panic!("no APIServices") };
        services.iter_mut().for_each(|service| service.available = None);
        let remote = crate::model::ServiceReference {
            namespace: "a".to_owned(),
            name: "b".to_owned(),
            port: 443,
        };
        services[1].service = Some(remote);
        let stripped = snapshot.clone();
        let note = restore(&mut snapshot, &BTreeSet::from(["APIService"])).unwrap();
        assert!(note.text.contains("cannot tell whether APIServices are available"));
        let services = snapshot.api_services.loaded().unwrap();
        assert!(services[1].is_not_checked() && services[1].is_available());
        // A single APIService is new if its status is empty. If it has no status, the source omits
        // it.
        for (with_status, lost) in [(none, true), (BTreeSet::from(["APIService"]), false)] {
            let mut alone = stripped.clone();
            let Input::Loaded(services) = &mut alone.api_services else { panic!("none") };
            services.retain(|service| service.service.is_some());
            assert_eq!(restore(&mut alone, &with_status).is_some(), lost);
        }
    }
}
