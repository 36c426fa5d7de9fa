//! Codec of EndpointSlices, and of the older Endpoints.

use super::metadata::ObjectMeta;
use super::{Typed, codec, object};
use crate::model::{Endpoint, EndpointPort, EndpointSlice, TargetRef};

/// The label that names the Service of an EndpointSlice.
const SERVICE_NAME: &str = "kubernetes.io/service-name";

object! {
    struct EndpointSliceObject {
        metadata: ObjectMeta,
        ports: Vec<EndpointPort>,
        endpoints: Vec<EndpointObject>,
    }
}

object! {
    struct EndpointObject {
        addresses: Vec<String>,
        conditions: EndpointConditions,
        target_ref: Option<TargetRef>,
    }
}

object! {
    struct EndpointConditions {
        ready: Option<bool>,
        terminating: Option<bool>,
    }
}

object! {
    struct EndpointsObject {
        metadata: ObjectMeta,
        subsets: Vec<SubsetObject>,
    }
}

object! {
    struct SubsetObject {
        addresses: Vec<AddressObject>,
        not_ready_addresses: Vec<AddressObject>,
        ports: Vec<EndpointPort>,
    }
}

object! {
    struct AddressObject {
        ip: String,
        target_ref: Option<TargetRef>,
    }
}

codec!(encode EndpointSlice as EndpointSliceObject);

impl From<EndpointSliceObject> for EndpointSlice {
    fn from(object: EndpointSliceObject) -> Self {
        let EndpointSliceObject { mut metadata, ports, endpoints } = object;
        let endpoint = |endpoint: EndpointObject| Endpoint {
            addresses: endpoint.addresses,
            // As in the API server, a missing readiness counts as ready.
            ready: endpoint.conditions.ready.unwrap_or(true),
            terminating: endpoint.conditions.terminating.unwrap_or_default(),
            target: endpoint.target_ref,
        };
        Self {
            namespace: metadata.namespace,
            name: metadata.name,
            service: metadata.labels.remove(SERVICE_NAME).flatten(),
            ports,
            endpoints: endpoints.into_iter().map(endpoint).collect(),
        }
    }
}

impl From<EndpointSlice> for Typed<EndpointSliceObject> {
    fn from(model: EndpointSlice) -> Self {
        let mut metadata = ObjectMeta::new(model.namespace, model.name);
        let label = |service| (SERVICE_NAME.to_owned(), Some(service));
        metadata.labels = model.service.map(label).into_iter().collect();
        let endpoint = |endpoint: Endpoint| EndpointObject {
            addresses: endpoint.addresses,
            conditions: EndpointConditions {
                ready: Some(endpoint.ready),
                terminating: endpoint.terminating.then_some(true),
            },
            target_ref: endpoint.target,
        };
        let endpoints = model.endpoints.into_iter().map(endpoint).collect();
        let object = EndpointSliceObject { metadata, ports: model.ports, endpoints };
        Self { api_version: "discovery.k8s.io/v1", kind: "EndpointSlice", object }
    }
}

impl From<EndpointsObject> for Vec<EndpointSlice> {
    /// Converts each subset to a slice. An object without subsets gets an empty one, to show that
    /// it exists.
    fn from(EndpointsObject { metadata, mut subsets }: EndpointsObject) -> Self {
        if subsets.is_empty() {
            subsets.push(SubsetObject::default());
        }
        let endpoint = |address: AddressObject, ready| Endpoint {
            addresses: vec![address.ip],
            ready,
            terminating: false,
            target: address.target_ref,
        };
        let slice = |subset: SubsetObject| {
            let ready = subset.addresses.into_iter().map(|one| endpoint(one, true));
            let unready = subset.not_ready_addresses.into_iter().map(|one| endpoint(one, false));
            EndpointSlice {
                namespace: metadata.namespace.clone(),
                name: metadata.name.clone(),
                service: Some(metadata.name.clone()),
                ports: subset.ports,
                endpoints: ready.chain(unready).collect(),
            }
        };
        subsets.into_iter().map(slice).collect()
    }
}
