//! The codec of EndpointSlices, group `discovery.k8s.io`.

use super::metadata::ObjectMeta;
use super::{Typed, object};
use crate::model::{Endpoint, EndpointPort, EndpointSlice, TargetRef};

/// The label that names the Service of a slice.
const SERVICE_NAME: &str = "kubernetes.io/service-name";

object! {
    /// An EndpointSlice as the API has it.
    pub struct EndpointSliceObject {
        metadata: ObjectMeta,
        ports: Vec<EndpointPortObject>,
        endpoints: Vec<EndpointObject>,
    }
}

object! {
    pub struct EndpointPortObject {
        name: Option<String>,
        port: Option<i32>,
    }
}

object! {
    pub struct EndpointObject {
        addresses: Vec<String>,
        conditions: EndpointConditions,
        target_ref: Option<TargetRefObject>,
    }
}

object! {
    pub struct EndpointConditions {
        ready: Option<bool>,
        terminating: Option<bool>,
    }
}

object! {
    pub struct TargetRefObject {
        kind: String,
        name: String,
    }
}

impl From<EndpointSliceObject> for EndpointSlice {
    fn from(object: EndpointSliceObject) -> Self {
        let EndpointSliceObject { mut metadata, ports, endpoints } = object;
        // The API counts an endpoint that does not say as ready.
        let endpoint = |endpoint: EndpointObject| Endpoint {
            addresses: endpoint.addresses,
            ready: endpoint.conditions.ready.unwrap_or(true),
            terminating: endpoint.conditions.terminating.unwrap_or(false),
            target: endpoint.target_ref.map(TargetRef::from),
        };
        Self {
            namespace: metadata.namespace,
            name: metadata.name,
            service: metadata.labels.remove(SERVICE_NAME),
            ports: ports.into_iter().map(EndpointPort::from).collect(),
            endpoints: endpoints.into_iter().map(endpoint).collect(),
        }
    }
}

impl From<&EndpointSlice> for EndpointSliceObject {
    fn from(model: &EndpointSlice) -> Self {
        let mut metadata = ObjectMeta::named(&model.namespace, &model.name);
        let service = model.service.iter();
        metadata.labels = service.map(|name| (SERVICE_NAME.to_owned(), name.clone())).collect();
        let endpoint = |endpoint: &Endpoint| EndpointObject {
            addresses: endpoint.addresses.clone(),
            conditions: EndpointConditions {
                ready: Some(endpoint.ready),
                terminating: endpoint.terminating.then_some(true),
            },
            target_ref: endpoint.target.as_ref().map(TargetRefObject::from),
        };
        Self {
            metadata,
            ports: model.ports.iter().map(EndpointPortObject::from).collect(),
            endpoints: model.endpoints.iter().map(endpoint).collect(),
        }
    }
}

impl From<EndpointPortObject> for EndpointPort {
    fn from(object: EndpointPortObject) -> Self {
        Self { name: object.name.unwrap_or_default(), port: object.port }
    }
}

impl From<&EndpointPort> for EndpointPortObject {
    fn from(model: &EndpointPort) -> Self {
        Self { name: Some(model.name.clone()), port: model.port }
    }
}

impl From<TargetRefObject> for TargetRef {
    fn from(object: TargetRefObject) -> Self {
        Self { kind: object.kind, name: object.name }
    }
}

impl From<&TargetRef> for TargetRefObject {
    fn from(model: &TargetRef) -> Self {
        Self { kind: model.kind.clone(), name: model.name.clone() }
    }
}

impl EndpointSliceObject {
    /// Adds the kind.
    pub fn typed(self) -> Typed<Self> {
        Typed { api_version: "discovery.k8s.io/v1", kind: "EndpointSlice", object: self }
    }
}
