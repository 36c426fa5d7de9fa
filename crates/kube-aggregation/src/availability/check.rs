//! One run of the availability check on the objects of a snapshot: what each step found, how the
//! check ends, and the condition that the controller would write.

use super::{AvailabilityStep, EndpointKind, Endpoints, Unresolved, resolve};
use crate::model::{Condition, Gap, Service, ServicePort, ServiceReference, ServiceType};

/// The availability check of one Service, with what each step found.
#[derive(Debug, Clone)]
pub struct AvailabilityCheck<'s> {
    /// The Service and port that the APIService names.
    pub reference: ServiceReference,
    /// Whether the Service exists.
    pub service: ServiceLookup<'s>,
    /// The Service port that the reference names, if the Service has it.
    pub port: Option<&'s ServicePort>,
    /// The endpoints of the Service.
    pub endpoints: Endpoints<'s>,
}

/// Whether a Service exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServiceLookup<'s> {
    /// The Service exists.
    Found(&'s Service),
    /// The Service does not exist.
    Missing {
        /// Another namespace that has a Service with this name.
        elsewhere: Option<&'s str>,
        /// The state of the namespace that should contain the Service.
        namespace: NamespaceState,
    },
    /// The Service is not in the source, but the source is incomplete for this reason.
    Unseen(Gap),
}

impl<'s> ServiceLookup<'s> {
    /// Returns the Service if it exists.
    pub fn found(&self) -> Option<&'s Service> {
        match self {
            Self::Found(service) => Some(service),
            _ => None,
        }
    }
}

/// Whether a namespace exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamespaceState {
    /// The namespace exists.
    Exists,
    /// The namespace is being deleted.
    Terminating,
    /// The namespace does not exist.
    Missing,
    /// Unknown: the source does not contain all namespaces.
    Unseen,
}

/// How the check ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckOutcome {
    /// The check fails before it makes a request.
    Fails(AvailabilityFailure),
    /// This step needs data that the source lacks, for this reason.
    Unseen(AvailabilityStep, Gap),
    /// The check sends its discovery request. Only a live cluster can show the response.
    Asks,
}

/// Why the check fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AvailabilityFailure {
    /// The Service does not exist.
    ServiceNotFound,
    /// The Service does not have the port.
    PortNotFound,
    /// No Endpoints or EndpointSlice belongs to the Service.
    EndpointsNotFound,
    /// No endpoint is ready on the port.
    NotReady,
    /// The Service has no address to dial, with or without `--enable-aggregator-routing`.
    Unresolved(Unresolved),
}

impl AvailabilityFailure {
    /// Returns the reason that the controller writes into the condition.
    pub(crate) fn reason(&self) -> &'static str {
        match self {
            Self::ServiceNotFound => "ServiceNotFound",
            Self::PortNotFound => "ServicePortError",
            Self::EndpointsNotFound => "EndpointsNotFound",
            Self::NotReady => "MissingEndpoints",
            Self::Unresolved(_) => "FailedDiscoveryCheck",
        }
    }

    /// Returns the step that fails with a condition's reason. `FailedDiscoveryCheck` has several
    /// steps, so it returns `None`.
    pub fn step_of(reason: &str) -> Option<AvailabilityStep> {
        match reason {
            "ServiceNotFound" => Some(AvailabilityStep::Service),
            "ServicePortError" => Some(AvailabilityStep::Port),
            "EndpointsNotFound" => Some(AvailabilityStep::Endpoints),
            "MissingEndpoints" => Some(AvailabilityStep::Ready),
            _ => None,
        }
    }
}

/// A problem or peculiarity of the Service behind an APIService.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    /// The Service does not exist.
    NotFound,
    /// The Service is not in the source, but the source is incomplete.
    NotSeen,
    /// The Service does not have the port.
    PortNotFound,
    /// No Endpoints or EndpointSlice belongs to the Service.
    NoEndpoints,
    /// Endpoints are ready, but only on ports with other names.
    PortNameMismatch,
    /// No endpoint is ready.
    NotReady,
    /// `clusterIP: None`.
    Headless,
    /// The Service is of type ExternalName.
    ExternalName,
    /// The Service is kube-apiserver's own (`default/kubernetes`).
    ApiServer,
}

impl AvailabilityCheck<'_> {
    /// Returns how the check ends. Mirrors the order of `AvailableConditionController.sync`.
    pub(crate) fn outcome(&self) -> CheckOutcome {
        let service = match &self.service {
            ServiceLookup::Found(service) => service,
            ServiceLookup::Missing { .. } => {
                return CheckOutcome::Fails(AvailabilityFailure::ServiceNotFound);
            }
            ServiceLookup::Unseen(gap) => {
                return CheckOutcome::Unseen(AvailabilityStep::Service, gap.clone());
            }
        };
        if service.kind != ServiceType::ClusterIp {
            return match resolve(&self.reference, service) {
                Err(why @ (Unresolved::NoPort(_) | Unresolved::UnsupportedType(_))) => {
                    CheckOutcome::Fails(AvailabilityFailure::Unresolved(why))
                }
                _ => CheckOutcome::Asks,
            };
        }
        let Some(port) = self.port else {
            return CheckOutcome::Fails(AvailabilityFailure::PortNotFound);
        };
        let endpoints = &self.endpoints;
        let failure = match endpoints.slices.as_slice() {
            _ if endpoints.ready(&port.name) => return CheckOutcome::Asks,
            [] => AvailabilityFailure::EndpointsNotFound,
            _ => AvailabilityFailure::NotReady,
        };
        match (&endpoints.gap, failure) {
            (Some(gap), AvailabilityFailure::EndpointsNotFound) => {
                CheckOutcome::Unseen(AvailabilityStep::Endpoints, gap.clone())
            }
            (Some(gap), _) => CheckOutcome::Unseen(AvailabilityStep::Ready, gap.clone()),
            (None, failure) => CheckOutcome::Fails(failure),
        }
    }

    /// Returns the condition that the controller writes for a failure.
    pub(crate) fn condition(&self, failure: &AvailabilityFailure) -> Condition {
        let ServiceReference { namespace, name, port } = &self.reference;
        let objects = match self.endpoints.kind {
            EndpointKind::Endpoints => "endpoints",
            EndpointKind::EndpointSlices => "endpointslices",
        };
        let message = match failure {
            AvailabilityFailure::ServiceNotFound => {
                format!("service/{name} in {namespace:?} is not present")
            }
            AvailabilityFailure::PortNotFound => {
                format!("service/{name} in {namespace:?} is not listening on port {port}")
            }
            AvailabilityFailure::EndpointsNotFound => {
                format!("cannot find {objects} for service/{name} in {namespace:?}")
            }
            AvailabilityFailure::NotReady => {
                let port_name = self.port.map(|p| p.name.as_str()).unwrap_or_default();
                format!(
                    "{objects} for service/{name} in {namespace:?} have no addresses with port name {port_name:?}"
                )
            }
            AvailabilityFailure::Unresolved(Unresolved::UnsupportedType(kind)) => {
                format!("unsupported service type {kind:?}")
            }
            AvailabilityFailure::Unresolved(_) => {
                format!("no service port {port} found for service {name:?}")
            }
        };
        Condition {
            status: "False".to_owned(),
            reason: failure.reason().to_owned(),
            message,
            since: None,
        }
    }

    /// Returns whether this is kube-apiserver's own Service, which it reaches without dialing.
    pub fn is_api_server(&self) -> bool {
        (self.reference.namespace.as_str(), self.reference.name.as_str())
            == ("default", "kubernetes")
    }

    /// Returns the problems and peculiarities of the Service, in the order of the steps.
    pub fn flaws(&self) -> Vec<Flaw> {
        let headless = self
            .service
            .found()
            .is_some_and(|service| service.kind == ServiceType::ClusterIp && service.is_headless());
        let odd = [
            self.is_api_server().then_some(Flaw::ApiServer),
            headless.then_some(Flaw::Headless),
            self.first_flaw(),
        ];
        odd.into_iter().flatten().collect()
    }

    /// Returns the flaw of the first step that fails.
    fn first_flaw(&self) -> Option<Flaw> {
        let service = match &self.service {
            ServiceLookup::Missing { .. } => return Some(Flaw::NotFound),
            ServiceLookup::Unseen(_) => return Some(Flaw::NotSeen),
            ServiceLookup::Found(service) => service,
        };
        if service.kind == ServiceType::ExternalName {
            return Some(Flaw::ExternalName);
        }
        let Some(port) = self.port else { return Some(Flaw::PortNotFound) };
        if service.kind != ServiceType::ClusterIp || self.endpoints.ready(&port.name) {
            return None;
        }
        match (&self.endpoints.gap, self.endpoints.slices.as_slice()) {
            (None, []) => Some(Flaw::NoEndpoints),
            (Some(_), []) => None,
            _ if self.endpoints.misnamed(&port.name) => Some(Flaw::PortNameMismatch),
            _ => Some(Flaw::NotReady),
        }
    }
}
