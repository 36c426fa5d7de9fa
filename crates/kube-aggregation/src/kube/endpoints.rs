//! The codec of Endpoints, which the model has as one EndpointSlice per subset.

use super::endpoint_slice::{EndpointPortObject, TargetRefObject};
use super::metadata::ObjectMeta;
use super::object;
use crate::model::{Endpoint, EndpointPort, EndpointSlice, TargetRef};

object! {
    /// An Endpoints object as the API has it.
    pub(crate) struct EndpointsObject {
        metadata: ObjectMeta,
        subsets: Vec<SubsetObject>,
    }
}

object! {
    pub(crate) struct SubsetObject {
        addresses: Vec<AddressObject>,
        not_ready_addresses: Vec<AddressObject>,
        ports: Vec<EndpointPortObject>,
    }
}

object! {
    pub(crate) struct AddressObject {
        ip: String,
        target_ref: Option<TargetRefObject>,
    }
}

impl From<EndpointsObject> for Vec<EndpointSlice> {
    /// Returns the subsets. An object without any becomes an empty slice, which shows that the
    /// object exists.
    fn from(object: EndpointsObject) -> Self {
        let EndpointsObject { metadata, mut subsets } = object;
        if subsets.is_empty() {
            subsets.push(SubsetObject::default());
        }
        let endpoint = |address: AddressObject, ready| Endpoint {
            addresses: vec![address.ip],
            ready,
            terminating: false,
            target: address.target_ref.map(TargetRef::from),
        };
        let slice = |subset: SubsetObject| {
            let ready = subset.addresses.into_iter().map(|a| endpoint(a, true));
            let unready = subset.not_ready_addresses.into_iter().map(|a| endpoint(a, false));
            EndpointSlice {
                namespace: metadata.namespace.clone(),
                name: metadata.name.clone(),
                service: Some(metadata.name.clone()),
                ports: subset.ports.into_iter().map(EndpointPort::from).collect(),
                endpoints: ready.chain(unready).collect(),
            }
        };
        subsets.into_iter().map(slice).collect()
    }
}

impl From<&[EndpointSlice]> for EndpointsObject {
    /// Puts the subsets of one object together again.
    fn from(model: &[EndpointSlice]) -> Self {
        let addresses = |slice: &EndpointSlice, ready: bool| {
            let endpoints = slice.endpoints.iter().filter(|endpoint| endpoint.ready == ready);
            let address = |endpoint: &Endpoint| AddressObject {
                ip: endpoint.addresses.first().cloned().unwrap_or_default(),
                target_ref: endpoint.target.as_ref().map(TargetRefObject::from),
            };
            endpoints.map(address).collect()
        };
        let subset = |slice: &EndpointSlice| SubsetObject {
            addresses: addresses(slice, true),
            not_ready_addresses: addresses(slice, false),
            ports: slice.ports.iter().map(EndpointPortObject::from).collect(),
        };
        let metadata = model.first().map(|first| ObjectMeta::named(&first.namespace, &first.name));
        Self { metadata: metadata.unwrap_or_default(), subsets: model.iter().map(subset).collect() }
    }
}
