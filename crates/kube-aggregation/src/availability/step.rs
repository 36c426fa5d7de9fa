//! The steps between an APIService and an answer from behind it.

use crate::model::words;

words! {
    /// The steps, in the order in which the API server takes them.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum AvailabilityStep {
        /// The Service exists.
        Service = "service",
        /// The Service has the port.
        Port = "port",
        /// Something lists the addresses behind the Service.
        Endpoints = "endpoints",
        /// One of those addresses takes traffic on that port.
        Ready = "ready",
        /// There is an address to dial, and it answers.
        Address = "address",
        /// The certificate served there is the one to trust.
        Tls = "tls",
        /// The extension server can tell whose a request is. Not the availability controller's: the
        /// server behind the Service looks at it.
        FrontProxy = "front-proxy",
        /// The extension server may ask the API server back. Its roles and bindings say so.
        Bindings = "bindings",
        /// The discovery document comes back.
        Discovery = "discovery",
        /// The aggregated document has the group version, up to date. Not the availability
        /// controller's: the discovery manager asks for itself.
        Fresh = "fresh",
    }
}
