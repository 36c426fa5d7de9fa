//! What-if for availability: predicts the Available condition of changed APIServices from objects.
//!
//! The last step of the check, a discovery request to the Service, is never made here. An
//! APIService that gets that far has the reason [`NOT_CHECKED`].

use std::collections::{BTreeMap, BTreeSet};

use super::{Draft, items};
use crate::availability::{
    AvailabilityCheck, AvailabilityFailure, AvailabilityStep, CheckOutcome, Controller,
    VERIFIES_TLS_SINCE, lacks_transport,
};
use crate::model::{Condition, Input, NOT_CHECKED, Snapshot};
use crate::registry::Registry;

impl Draft {
    /// Re-evaluates every remote APIService that changed, or that has a changed Service.
    pub(super) fn judge(&mut self, registry: &Registry<'_>, applied: Option<&Snapshot>) {
        let before = registry.snapshot;
        let world = self.world(before);
        let now = services_of(&world);
        let mut touched = services_of(before);
        touched.retain(|id| !now.contains(id));
        if let Some(applied) = applied {
            touched.extend(services_of(applied));
            let slices = items(&applied.endpoint_slices).iter().chain(items(&applied.endpoints));
            touched.extend(slices.filter_map(|s| Some((&*s.namespace, s.service.as_deref()?))));
        }
        let applied_services = applied.map(services_of).unwrap_or_default();
        let controller = Controller::new(&world);
        let mut unchecked: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for service in self.api_services.values_mut() {
            let Some(reference) = service.service.clone() else {
                service.available.get_or_insert_with(Condition::local);
                continue;
            };
            let old = registry.api_service(&service.name).map(|(old, _)| old);
            let changed = old.is_none_or(|old| !super::same_backend(old, service));
            if !changed && !touched.contains(&(&*reference.namespace, &*reference.name)) {
                continue;
            }
            let condition = condition(&controller.check(&reference), before, &applied_services);
            let asks = condition.reason == NOT_CHECKED;
            if asks
                && registry.minor >= VERIFIES_TLS_SINCE
                && lacks_transport(service, registry.minor)
            {
                // The check ends before it writes the condition.
                let left = old.and_then(|old| old.available.clone());
                let so = if left.as_ref().is_some_and(|c| c.status == "True") {
                    "would stay available, and every request would get 500"
                } else {
                    "would never be available"
                };
                self.effects.push(format!(
                    "APIService {} {so}: its caBundle has no readable certificate",
                    service.name
                ));
                service.available = left;
                continue;
            }
            if asks {
                let names = unchecked.entry(condition.message.clone()).or_default();
                names.push(service.name.clone());
            } else {
                self.effects.push(format!(
                    "APIService {} would not be available: {}",
                    service.name, condition.message
                ));
            }
            service.available = Some(condition);
        }
        for (why, names) in unchecked {
            self.effects.push(format!("{}: {why}", names.join(", ")));
        }
    }

    /// Returns what the availability controller would see after the change.
    fn world(&self, before: &Snapshot) -> Snapshot {
        Snapshot {
            version: before.version.clone(),
            services: Input::Loaded(self.services.values().cloned().collect()),
            endpoint_slices: Input::Loaded(self.endpoint_slices.values().cloned().collect()),
            endpoints: Input::Loaded(self.endpoints.values().flatten().cloned().collect()),
            listed: before.listed,
            ..Snapshot::empty(before.origin.clone())
        }
    }
}

/// Returns the condition that the controller would write, or the assumed one if that is unknown.
fn condition(
    check: &AvailabilityCheck<'_>,
    before: &Snapshot,
    applied: &BTreeSet<(&str, &str)>,
) -> Condition {
    let reference = &check.reference;
    // For a Service without a selector, no controller creates endpoints, and neither do these
    // manifests.
    let never_listed = || {
        let applied = applied.contains(&(&*reference.namespace, &*reference.name));
        applied && check.service.found().is_some_and(|s| s.selector.is_empty())
    };
    let pods_to_come = || {
        let new = before.service(&reference.namespace, &reference.name).is_none();
        new && check.service.found().is_some_and(|s| !s.selector.is_empty())
    };
    let why = match check.outcome() {
        CheckOutcome::Fails(AvailabilityFailure::EndpointsNotFound) if pods_to_come() => NO_SLICES,
        CheckOutcome::Fails(failure) => return check.condition(&failure),
        CheckOutcome::Unseen(AvailabilityStep::Service, _) => {
            "because the source does not have all Services"
        }
        CheckOutcome::Unseen(AvailabilityStep::Endpoints, _) if never_listed() => {
            return check.condition(&AvailabilityFailure::EndpointsNotFound);
        }
        CheckOutcome::Unseen(..) => NO_SLICES,
        CheckOutcome::Asks => "because only the cluster can tell whether its server answers",
    };
    Condition {
        status: "Unknown".to_owned(),
        reason: NOT_CHECKED.to_owned(),
        message: format!("counts as available, {why}"),
        since: None,
    }
}

const NO_SLICES: &str =
    "although its Service has no EndpointSlices yet: they appear when Pods are ready";

fn services_of(snapshot: &Snapshot) -> BTreeSet<(&str, &str)> {
    items(&snapshot.services).iter().map(|s| (&*s.namespace, &*s.name)).collect()
}
