//! Predicts whether an APIService would be available, by running the availability controller's
//! checks once over a snapshot. Pure.
//!
//! Mirrors `AvailableConditionController.sync`. The controller looks up the Service. For type
//! ClusterIP it also checks the port, that Endpoints or EndpointSlices exist, and that one endpoint
//! is ready on that port. It then sends a discovery request to the resolved address. The condition
//! reports the first failure. The discovery request is never made here: an [`AvailabilityCheck`]
//! that gets that far ends as [`CheckOutcome::Asks`].
//!
//! Each step reports what it found. Data missing from the source is a gap, never a failure.

mod address;
mod check;
mod endpoints;
mod step;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::ca_bundle::has_certificate;
use crate::model::{
    ApiService, EndpointSlice, Gap, Input, Minor, Namespace, ServiceReference, Snapshot,
    SnapshotPart, SourceKind,
};

pub use address::{Address, Unresolved, host_port, resolve};
pub use check::{
    AvailabilityCheck, AvailabilityFailure, CheckOutcome, Flaw, NamespaceState, ServiceLookup,
};
pub use endpoints::{EndpointKind, Endpoints};
pub use step::AvailabilityStep;

/// The first version with an availability check that verifies TLS as the proxy does. Older versions
/// accept any certificate there.
pub const VERIFIES_TLS_SINCE: Minor = Minor::new(36);

/// The first version that treats a caBundle without a certificate as an error. Older servers then
/// trusted no CA and failed when connecting to the Service.
const BUNDLES_ARE_READ: Minor = Minor::new(22);

/// Returns whether the server cannot even build a connection, because the caBundle contains no
/// certificate. The proxy then answers 500. A check that verifies TLS gives up and leaves the
/// condition unchanged.
pub fn lacks_transport(service: &ApiService, minor: Minor) -> bool {
    minor >= BUNDLES_ARE_READ
        && !service.insecure_skip_tls_verify
        && service.ca_bundle.as_deref().is_some_and(|field| !has_certificate(field))
}

/// Returns the DNS name that the certificate of a Service's server must contain.
pub fn server_name(reference: &ServiceReference) -> String {
    format!("{}.{}.svc", reference.name, reference.namespace)
}

/// The availability controller's caches, indexed for lookup.
#[derive(Debug)]
pub struct Controller<'s> {
    snapshot: &'s Snapshot,
    kind: EndpointKind,
    slices: HashMap<(&'s str, &'s str), Vec<&'s EndpointSlice>>,
    slice_coverage: Coverage<'s>,
    service_coverage: Coverage<'s>,
    /// The namespaces that have a Service, by the Service's name.
    by_name: HashMap<&'s str, Vec<&'s str>>,
    namespaces: BTreeMap<&'s str, &'s Namespace>,
}

impl<'s> Controller<'s> {
    /// Indexes a snapshot.
    pub fn new(snapshot: &'s Snapshot) -> Self {
        let kind = EndpointKind::of(snapshot);
        let (input, listed) = match kind {
            EndpointKind::Endpoints => (&snapshot.endpoints, snapshot.listed.endpoints),
            EndpointKind::EndpointSlices => {
                (&snapshot.endpoint_slices, snapshot.listed.endpoint_slices)
            }
        };
        let built_in = snapshot.origin.kind == SourceKind::Builtin;
        let mut slices: HashMap<_, Vec<_>> = HashMap::new();
        for slice in input.items() {
            if let Some(service) = &slice.service {
                slices.entry((&*slice.namespace, &**service)).or_default().push(slice);
            }
        }
        let mut by_name: HashMap<_, Vec<_>> = HashMap::new();
        let services = &snapshot.services;
        for service in services.items() {
            by_name.entry(&*service.name).or_default().push(&*service.namespace);
        }
        Self {
            snapshot,
            kind,
            slices,
            slice_coverage: Coverage::new(kind.part(), input, (listed, built_in), |s| &s.namespace),
            service_coverage: Coverage::new(
                SnapshotPart::Services,
                services,
                (snapshot.listed.services, built_in),
                |s| &s.namespace,
            ),
            by_name,
            namespaces: snapshot.namespaces.items().iter().map(|n| (&*n.name, n)).collect(),
        }
    }

    /// Runs the check for the Service that an APIService names. The snapshot does not need to
    /// contain such an APIService.
    pub fn check(&self, reference: &ServiceReference) -> AvailabilityCheck<'s> {
        let ServiceReference { namespace, name, port } = reference;
        let service = match self.snapshot.service(namespace, name) {
            Some(service) => ServiceLookup::Found(service),
            None => match self.service_coverage.gap(namespace) {
                Some(gap) => ServiceLookup::Unseen(gap),
                None => ServiceLookup::Missing {
                    elsewhere: self.by_name.get(&**name).and_then(|all| all.first().copied()),
                    namespace: self.namespace(namespace),
                },
            },
        };
        let slices = self.slices.get(&(&**namespace, &**name)).cloned().unwrap_or_default();
        let gap = self.slice_coverage.gap(namespace);
        AvailabilityCheck {
            reference: reference.clone(),
            port: service.found().and_then(|s| s.ports.iter().find(|p| p.port == *port)),
            service,
            endpoints: Endpoints { kind: self.kind, slices, gap },
        }
    }

    fn namespace(&self, name: &str) -> NamespaceState {
        match self.namespaces.get(name) {
            Some(namespace) if namespace.is_terminating() => NamespaceState::Terminating,
            Some(_) => NamespaceState::Exists,
            None if self.snapshot.listed.namespaces && self.snapshot.namespaces.is_loaded() => {
                NamespaceState::Missing
            }
            None => NamespaceState::Unseen,
        }
    }
}

/// The namespaces for which a source contains all objects of a kind. An object that is absent from
/// such a namespace does not exist.
#[derive(Debug)]
struct Coverage<'s> {
    /// Why objects may be missing; `None` if all were collected.
    gap: Option<Gap>,
    /// The namespaces with at least one collected object.
    listed: BTreeSet<&'s str>,
}

impl<'s> Coverage<'s> {
    fn new<T>(
        part: SnapshotPart,
        input: &'s Input<Vec<T>>,
        (listed, all): (bool, bool),
        namespace: impl Fn(&'s T) -> &'s str,
    ) -> Self {
        let has = if listed { input.items() } else { &[] };
        Self { gap: Gap::of(part, input, all), listed: has.iter().map(namespace).collect() }
    }

    /// Returns why objects of one namespace may be missing. A namespace counts as complete if the
    /// list has an object in it, or in `default`. Every cluster has objects in `default`, and a
    /// list of another single namespace has none of them.
    fn gap(&self, namespace: &str) -> Option<Gap> {
        let covered = self.listed.contains(namespace) || self.listed.contains("default");
        self.gap.clone().filter(|_| !covered)
    }
}
