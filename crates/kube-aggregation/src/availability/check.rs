//! One run of the check, as far as objects tell.

use super::{AvailabilityStep, EndpointKind, Endpoints, Unresolved, resolve};
use crate::model::{Condition, Gap, Service, ServicePort, ServiceReference, ServiceType};

/// What the steps saw for one Service.
#[derive(Debug, Clone)]
pub struct AvailabilityCheck<'s> {
    /// The Service that was looked for, and the port.
    pub reference: ServiceReference,
    /// Whether it is there.
    pub service: ServiceLookup<'s>,
    /// The port of it that is meant.
    pub port: Option<&'s ServicePort>,
    /// What lists the addresses behind it.
    pub endpoints: Endpoints<'s>,
}

/// Whether a Service is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServiceLookup<'s> {
    /// It is.
    Found(&'s Service),
    /// It is not.
    Missing {
        /// A namespace that has a Service of that name.
        elsewhere: Option<&'s str>,
        /// Whether at least its namespace is there.
        namespace: NamespaceState,
    },
    /// It is not in the source, which does not have all; why.
    Unseen(Gap),
}

impl<'s> ServiceLookup<'s> {
    /// The Service.
    pub fn found(&self) -> Option<&'s Service> {
        match self {
            Self::Found(service) => Some(service),
            _ => None,
        }
    }
}

/// Whether a namespace is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamespaceState {
    /// It is.
    Exists,
    /// It is being deleted.
    Terminating,
    /// It is not.
    Missing,
    /// The source does not have all namespaces.
    Unseen,
}

/// How the check ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckOutcome {
    /// It fails before any request is made.
    Fails(AvailabilityFailure),
    /// What the step needs is not in the source; why.
    Unseen(AvailabilityStep, Gap),
    /// It makes its discovery request, and only the cluster knows what comes back.
    Asks,
}

/// What the check fails on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AvailabilityFailure {
    /// There is no such Service.
    ServiceNotFound,
    /// The Service has no such port.
    PortNotFound,
    /// Nothing lists its endpoints.
    EndpointsNotFound,
    /// No endpoint is ready on the port.
    NotReady,
    /// The Service leads to no address, with or without `--enable-aggregator-routing`.
    Unresolved(Unresolved),
}

impl AvailabilityFailure {
    /// The reason that the controller writes into the condition.
    pub(crate) fn reason(&self) -> &'static str {
        match self {
            Self::ServiceNotFound => "ServiceNotFound",
            Self::PortNotFound => "ServicePortError",
            Self::EndpointsNotFound => "EndpointsNotFound",
            Self::NotReady => "MissingEndpoints",
            Self::Unresolved(_) => "FailedDiscoveryCheck",
        }
    }

    /// The step that a condition's reason stands for; `FailedDiscoveryCheck` stands for several.
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

/// What is wrong or odd about the Service behind an APIService.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    /// The cluster has no such Service.
    NotFound,
    /// The source has no such Service, but not all of them either.
    NotSeen,
    /// It has no such port.
    PortNotFound,
    /// Nothing lists its endpoints.
    NoEndpoints,
    /// Endpoints are ready, but on ports of other names.
    PortNameMismatch,
    /// None of its endpoints is ready.
    NotReady,
    /// `clusterIP: None`.
    Headless,
    /// It is an ExternalName.
    ExternalName,
    /// It is the API server's own.
    ApiServer,
}

impl AvailabilityCheck<'_> {
    /// How the check ends. Mirrors the order of `AvailableConditionController.sync`.
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

    /// The condition that the controller writes for a failure.
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

    /// Whether it is the API server's own Service, which it reaches without dialling.
    pub fn is_api_server(&self) -> bool {
        (self.reference.namespace.as_str(), self.reference.name.as_str())
            == ("default", "kubernetes")
    }

    /// What is wrong or odd about the Service, in the order of the steps.
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

    /// What the first step fails on that does.
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
