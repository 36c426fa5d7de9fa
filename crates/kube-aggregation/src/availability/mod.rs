//! Whether an APIService would be available: the availability controller's steps, taken once over
//! a snapshot. Pure.
//!
//! Mirrors `AvailableConditionController.sync`: the Service, and for the type ClusterIP its port,
//! something that lists endpoints, a ready one with that port; then a discovery request to the
//! address that the Service resolves to. The first failure is what the condition says. The last
//! step is never taken here: a [`AvailabilityCheck`] that comes so far is [`CheckOutcome::Asks`].
//!
//! Every step says what it saw; what the source does not have is a gap, never a failure.

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

/// The first version whose check verifies TLS as the proxy does; before it any certificate passes.
pub const VERIFIES_TLS_SINCE: Minor = Minor::new(36);

/// Since when a caBundle without a certificate is an error by itself. Before, the server trusted
/// nobody then, and failed on the way to the Service.
const BUNDLES_ARE_READ: Minor = Minor::new(22);

/// Whether the server cannot even build a connection, for the caBundle holds no certificate. The
/// proxy answers 500 then; a check that verifies TLS gives up and leaves the condition as it was.
pub fn lacks_transport(service: &ApiService, minor: Minor) -> bool {
    minor >= BUNDLES_ARE_READ
        && !service.insecure_skip_tls_verify
        && service.ca_bundle.as_deref().is_some_and(|field| !has_certificate(field))
}

/// The name that must be in the certificate that a Service serves.
pub fn server_name(reference: &ServiceReference) -> String {
    format!("{}.{}.svc", reference.name, reference.namespace)
}

/// What the controller has in its caches, ready to be looked up.
#[derive(Debug)]
pub struct Controller<'s> {
    snapshot: &'s Snapshot,
    kind: EndpointKind,
    slices: HashMap<(&'s str, &'s str), Vec<&'s EndpointSlice>>,
    slice_coverage: Coverage<'s>,
    service_coverage: Coverage<'s>,
    /// The namespaces that have a Service of a name.
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

    /// Takes the steps for the Service that an APIService names, whether or not the snapshot has
    /// such an APIService.
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

/// Of which namespaces an input has all objects of a kind, so that one that is not there is missing.
#[derive(Debug)]
struct Coverage<'s> {
    /// Why objects may be missing; none where all there are were collected.
    gap: Option<Gap>,
    /// The namespaces that a list has objects of.
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

    /// Why objects of one namespace may be missing. A list has those of a namespace where it has
    /// one of them, or one of `default`, where every cluster has some, and which a list of another
    /// namespace alone lacks.
    fn gap(&self, namespace: &str) -> Option<Gap> {
        let covered = self.listed.contains(namespace) || self.listed.contains("default");
        self.gap.clone().filter(|_| !covered)
    }
}
