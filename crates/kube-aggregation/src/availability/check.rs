//! One run of the check, as far as objects tell.

use super::{EndpointKind, Endpoints, Step, Unresolved, resolve};
use crate::model::{Condition, Gap, Service, ServicePort, ServiceReference, ServiceType};

/// What the steps saw for one Service.
#[derive(Debug, Clone)]
pub struct Check<'s> {
    /// The Service that was looked for, and the port.
    pub reference: ServiceReference,
    /// Whether it is there.
    pub service: Lookup<'s>,
    /// The port of it that is meant.
    pub port: Option<&'s ServicePort>,
    /// What lists the addresses behind it.
    pub endpoints: Endpoints<'s>,
}

/// Whether a Service is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lookup<'s> {
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

impl<'s> Lookup<'s> {
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
pub enum Outcome {
    /// It fails before any request is made.
    Fails(Failure),
    /// What the step needs is not in the source; why.
    Unseen(Step, Gap),
    /// It makes its discovery request, and only the cluster knows what comes back.
    Asks,
}

/// What the check fails on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
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

impl Failure {
    /// The reason that the controller writes into the condition.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::ServiceNotFound => "ServiceNotFound",
            Self::PortNotFound => "ServicePortError",
            Self::EndpointsNotFound => "EndpointsNotFound",
            Self::NotReady => "MissingEndpoints",
            Self::Unresolved(_) => "FailedDiscoveryCheck",
        }
    }

    /// The step that a condition's reason stands for; `FailedDiscoveryCheck` stands for several.
    pub fn step_of(reason: &str) -> Option<Step> {
        match reason {
            "ServiceNotFound" => Some(Step::Service),
            "ServicePortError" => Some(Step::Port),
            "EndpointsNotFound" => Some(Step::Endpoints),
            "MissingEndpoints" => Some(Step::Ready),
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

impl Check<'_> {
    /// How the check ends. Mirrors the order of `AvailableConditionController.sync`.
    pub fn outcome(&self) -> Outcome {
        let service = match &self.service {
            Lookup::Found(service) => service,
            Lookup::Missing { .. } => return Outcome::Fails(Failure::ServiceNotFound),
            Lookup::Unseen(gap) => return Outcome::Unseen(Step::Service, gap.clone()),
        };
        if service.kind != ServiceType::ClusterIp {
            return match resolve(&self.reference, service) {
                Err(why @ (Unresolved::NoPort(_) | Unresolved::UnsupportedType(_))) => {
                    Outcome::Fails(Failure::Unresolved(why))
                }
                _ => Outcome::Asks,
            };
        }
        let Some(port) = self.port else { return Outcome::Fails(Failure::PortNotFound) };
        let endpoints = &self.endpoints;
        let failure = match endpoints.slices.as_slice() {
            _ if endpoints.ready(&port.name) => return Outcome::Asks,
            [] => Failure::EndpointsNotFound,
            _ => Failure::NotReady,
        };
        match (&endpoints.gap, failure) {
            (Some(gap), Failure::EndpointsNotFound) => {
                Outcome::Unseen(Step::Endpoints, gap.clone())
            }
            (Some(gap), _) => Outcome::Unseen(Step::Ready, gap.clone()),
            (None, failure) => Outcome::Fails(failure),
        }
    }

    /// The condition that the controller writes for a failure.
    pub fn condition(&self, failure: &Failure) -> Condition {
        let ServiceReference { namespace, name, port } = &self.reference;
        let objects = match self.endpoints.kind {
            EndpointKind::Endpoints => "endpoints",
            EndpointKind::EndpointSlices => "endpointslices",
        };
        let message = match failure {
            Failure::ServiceNotFound => format!("service/{name} in {namespace:?} is not present"),
            Failure::PortNotFound => {
                format!("service/{name} in {namespace:?} is not listening on port {port}")
            }
            Failure::EndpointsNotFound => {
                format!("cannot find {objects} for service/{name} in {namespace:?}")
            }
            Failure::NotReady => {
                let port_name = self.port.map(|p| p.name.as_str()).unwrap_or_default();
                format!(
                    "{objects} for service/{name} in {namespace:?} have no addresses with port name {port_name:?}"
                )
            }
            Failure::Unresolved(Unresolved::UnsupportedType(kind)) => {
                format!("unsupported service type {kind:?}")
            }
            Failure::Unresolved(_) => format!("no service port {port} found for service {name:?}"),
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
            Lookup::Missing { .. } => return Some(Flaw::NotFound),
            Lookup::Unseen(_) => return Some(Flaw::NotSeen),
            Lookup::Found(service) => service,
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
