//! The steps from an APIService to its discovery document, in the order in which they are checked.

use crate::model::words;

words! {
    /// One availability check. The order is the order in which the checks run.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum AvailabilityStep {
        /// The Service exists.
        Service = "service",
        /// The Service has the port.
        Port = "port",
        /// Endpoints or EndpointSlices exist for the Service.
        Endpoints = "endpoints",
        /// An endpoint is ready on that port.
        Ready = "ready",
        /// The Service resolves to an address, and the address answers.
        Address = "address",
        /// The serving certificate is trusted.
        Tls = "tls",
        /// The extension server can authenticate requests that kube-apiserver forwards. The
        /// extension server checks this, not the availability controller.
        FrontProxy = "front-proxy",
        /// The extension server may call kube-apiserver, because roles and bindings allow it.
        Bindings = "bindings",
        /// The extension server returns its discovery document.
        Discovery = "discovery",
        /// The aggregated document lists the group version and is up to date. The discovery manager
        /// fetches it on its own, independent of the availability controller.
        Fresh = "fresh",
    }
}
