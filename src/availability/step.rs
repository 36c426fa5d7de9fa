//! The steps between an APIService and an answer from behind it.

/// The steps, in the order in which the API server takes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// The Service exists.
    Service,
    /// The Service has the port.
    Port,
    /// Something lists the addresses behind the Service.
    Endpoints,
    /// One of those addresses takes traffic on that port.
    Ready,
    /// There is an address to dial, and it answers.
    Address,
    /// The certificate served there is the one to trust.
    Tls,
    /// The extension server can tell whose a request is. Not the availability controller's: the
    /// server behind the Service looks at it.
    FrontProxy,
    /// The extension server may ask the API server back. Its roles and bindings say so.
    Bindings,
    /// The discovery document comes back.
    Discovery,
    /// The aggregated document has the group version, up to date. Not the availability
    /// controller's: the discovery manager asks for itself.
    Fresh,
}

impl Step {
    /// All of them, in order.
    pub const ALL: [Self; 10] = [
        Self::Service,
        Self::Port,
        Self::Endpoints,
        Self::Ready,
        Self::Address,
        Self::Tls,
        Self::FrontProxy,
        Self::Bindings,
        Self::Discovery,
        Self::Fresh,
    ];

    /// One word for it, as the JSON contract has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Service => "service",
            Self::Port => "port",
            Self::Endpoints => "endpoints",
            Self::Ready => "ready",
            Self::Address => "address",
            Self::Tls => "tls",
            Self::FrontProxy => "front-proxy",
            Self::Bindings => "bindings",
            Self::Discovery => "discovery",
            Self::Fresh => "fresh",
        }
    }
}
