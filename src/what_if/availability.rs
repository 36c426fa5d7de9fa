//! Whether an APIService would be available, as far as that follows from objects.
//!
//! Mirrors the availability controller: the first failure wins. Its last check, a discovery
//! request to the Service, is never made here; an APIService that gets that far is
//! [`NOT_CHECKED`].

use std::collections::BTreeMap;

use super::Draft;
use crate::model::{
    Condition, Input, Minor, NOT_CHECKED, Service, ServiceReference, ServiceType, Snapshot,
    SourceKind,
};

impl Draft {
    /// Judges every remote APIService that was changed, or whose Service was.
    pub(super) fn judge(&mut self, before: &Snapshot, applied: Option<&Snapshot>) {
        let known = before.api_services.loaded().map(Vec::as_slice).unwrap_or_default();
        let facts = Facts {
            services: &self.services,
            slices: &self.endpoint_slices,
            services_complete: is_whole(
                before,
                before.listed.services,
                before.services.is_loaded(),
            ),
            slices_complete: is_whole(
                before,
                before.listed.endpoint_slices,
                before.endpoint_slices.is_loaded(),
            ),
            applied,
            before,
        };
        let mut unchecked: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for service in &mut self.api_services {
            let Some(reference) = service.service.clone() else {
                service.available.get_or_insert_with(Condition::local);
                continue;
            };
            let old = known.iter().find(|s| s.name == service.name);
            let touched = service.available.is_none() && old.is_none_or(|old| old != service);
            if !touched && !facts.touches(&reference) {
                continue;
            }
            let condition = facts.condition(&reference);
            if condition.reason == NOT_CHECKED {
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
            self.effects.push(format!("{why}: {}", names.join(", ")));
        }
    }
}

struct Facts<'d> {
    services: &'d [Service],
    slices: &'d [crate::model::EndpointSlice],
    /// Whether the source had Services to look at, so that one that is not there is missing.
    services_complete: bool,
    slices_complete: bool,
    applied: Option<&'d Snapshot>,
    before: &'d Snapshot,
}

impl Facts<'_> {
    /// Whether the Service itself, or one of its slices, was applied or removed.
    fn touches(&self, reference: &ServiceReference) -> bool {
        let is = |namespace: &str, name: Option<&str>| {
            namespace == reference.namespace && name == Some(&reference.name)
        };
        let applied = self.applied.is_some_and(|applied| {
            let services = items(&applied.services).iter().any(|s| is(&s.namespace, Some(&s.name)));
            services
                || items(&applied.endpoint_slices)
                    .iter()
                    .any(|s| is(&s.namespace, s.service.as_deref()))
        });
        let was = self.before.service(&reference.namespace, &reference.name).is_some();
        applied || (was && self.service(reference).is_none())
    }

    fn service(&self, reference: &ServiceReference) -> Option<&Service> {
        self.services
            .iter()
            .find(|s| s.namespace == reference.namespace && s.name == reference.name)
    }

    fn condition(&self, reference: &ServiceReference) -> Condition {
        let ServiceReference { namespace, name, port } = reference;
        let broken = |reason: &str, message: String| Condition {
            status: "False".to_owned(),
            reason: reason.to_owned(),
            message,
            since: None,
        };
        let unknown = |why: &str| Condition {
            status: "Unknown".to_owned(),
            reason: NOT_CHECKED.to_owned(),
            message: format!("taken as available, {why}"),
            since: None,
        };
        let Some(service) = self.service(reference) else {
            return if self.services_complete {
                broken("ServiceNotFound", format!("service/{name} in {namespace:?} is not present"))
            } else {
                unknown("for the source does not have all Services")
            };
        };
        let unchecked =
            || unknown("for only the cluster can tell whether the server behind it answers");
        if service.kind != ServiceType::ClusterIp {
            return unchecked();
        }
        let Some(found) = service.ports.iter().find(|p| p.port == *port) else {
            return broken(
                "ServicePortError",
                format!("service/{name} in {namespace:?} is not listening on port {port}"),
            );
        };
        let slices: Vec<_> = (self.slices.iter())
            .filter(|s| s.namespace == *namespace && s.service.as_deref() == Some(name))
            .collect();
        // Up to 1.33 the controller looked at Endpoints, and its messages say so.
        let minor = self.before.minor().unwrap_or(crate::baseline::LATEST);
        let objects = if minor <= Minor::new(33) { "endpoints" } else { "endpointslices" };
        let new = self.before.service(namespace, name).is_none();
        if slices.is_empty() {
            return if self.slices_complete && (!new || service.selector.is_empty()) {
                broken(
                    "EndpointsNotFound",
                    format!("cannot find {objects} for service/{name} in {namespace:?}"),
                )
            } else {
                unknown(
                    "though its Service has no EndpointSlices yet: only pods that get ready make them",
                )
            };
        }
        let reached = slices.iter().any(|s| s.ready() > 0 && s.port_names().contains(&found.name));
        if !reached {
            let port_name = &found.name;
            let message = format!(
                "{objects} for service/{name} in {namespace:?} have no addresses with port name {port_name:?}"
            );
            return broken("MissingEndpoints", message);
        }
        unchecked()
    }
}

/// Whether objects that are not there are missing, and not only left out of the source.
fn is_whole(snapshot: &Snapshot, listed: bool, loaded: bool) -> bool {
    loaded && (listed || snapshot.origin.kind == SourceKind::Builtin)
}

fn items<T>(input: &Input<Vec<T>>) -> &[T] {
    input.loaded().map(Vec::as_slice).unwrap_or_default()
}
