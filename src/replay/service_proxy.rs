//! Answers requests to the proxy of a Service, as far as the server does so itself.

use super::message::Response;
use super::object::ObjectRequest;
use super::server::Replay;
use super::status;
use kube_aggregation::model::Minor;

/// The first minor that looks for EndpointSlices. Before that, a request without Endpoints is 404.
const BY_ENDPOINT_SLICES: Minor = Minor::new(37);

impl Replay<'_> {
    /// Returns why the server cannot reach the Service, or that the source does not have its
    /// answer. Only a port number makes the server look for the Service itself.
    pub(super) fn service_proxy(&self, asked: &ObjectRequest<'_>) -> Response {
        let (namespace, id) = (&asked.info.namespace, &*asked.info.name);
        let (name, port) = service_and_port(id);
        let snapshot = self.registry.snapshot;
        let no_service = snapshot.services.loaded().is_some_and(|services| {
            !services.iter().any(|s| s.namespace == *namespace && s.name == name)
        });
        let no_slices = snapshot.endpoint_slices.loaded().is_some_and(|slices| {
            let is_own = |service: &Option<String>| service.as_deref() == Some(name);
            !slices.iter().any(|s| s.namespace == *namespace && is_own(&s.service))
        });
        let by_slices = self.registry.minor >= BY_ENDPOINT_SLICES;
        let wants_service = port.parse::<i64>().is_ok() || !by_slices;
        if no_service && wants_service {
            return status::no_object("", "services", name);
        }
        if no_slices && by_slices {
            return status::unavailable(&format!("no endpoints available for service {name:?}"));
        }
        status::unavailable(&format!("the proxy of services {name} is not in the source"))
    }
}

/// Splits `name`, `name:port` or `scheme:name:port` into name and port.
fn service_and_port(id: &str) -> (&str, &str) {
    match *id.split(':').collect::<Vec<_>>() {
        [name, port] | [_, name, port] => (name, port),
        _ => (id, ""),
    }
}
