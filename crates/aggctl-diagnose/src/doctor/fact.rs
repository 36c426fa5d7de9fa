//! Every statement that a check can make, as data.
//!
//! The modules that collect evidence create facts, `fold` chooses among them, and `wording` puts
//! them into English. Decisions depend on variants, never on sentences.

use aggctl_certificate::Certificate;
use kube_aggregation::availability::{
    Address, AvailabilityStep, EndpointKind, NamespaceState, Unresolved,
};
use kube_aggregation::model::{
    Endpoint, EndpointSlice, Gap, GroupVersion, Minor, Service, ServicePort, ServiceReference,
    ServiceType,
};

use crate::access::{Grant, Power};
use crate::knowledge::FailureCause;

/// One statement about one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fact<'r> {
    /// The source lacks what the check needs.
    NotInSource(Gap),
    /// The source shows a problem, but has a gap that could explain it.
    Uncertain(Box<Fact<'r>>, Gap),

    // service
    ServiceExists(&'r Service),
    ServiceMissing(&'r ServiceReference),
    /// Another namespace has a Service with that name.
    ServiceElsewhere(&'r str),
    Namespace(&'r str, NamespaceState),
    /// The Service does not exist, so there is nothing to check.
    NoService,
    ServiceNotInSource,

    // port
    Port(&'r ServicePort),
    PortMissing(&'r ServiceReference),
    Ports(&'r [ServicePort]),
    /// An ExternalName Service has no ports, so the APIService's port counts.
    ExternalNamePort(i32),
    /// An ExternalName Service has no endpoints, ready or not.
    ExternalNameHasNone,

    // endpoints, ready
    NoEndpoints(EndpointKind),
    EndpointObjects {
        kind: EndpointKind,
        count: usize,
        /// At most the first few.
        names: Vec<&'r str>,
    },
    /// The server (1.33 or older) reads Endpoints, but the source has EndpointSlices.
    SlicesInstead {
        count: usize,
        ready: usize,
    },
    NotCheckedForType(&'r ServiceType),
    NoEndpointsToCheck,
    NoPortToCheck,
    EndpointsReady {
        ready: usize,
        all: usize,
        port: &'r str,
    },
    PortNotOnEndpoints(&'r str),
    SlicePorts(&'r EndpointSlice),
    PortNamesMustMatch(&'r ServicePort),
    NoEndpointsOnPort(&'r str),
    NoneReady {
        all: usize,
        port: &'r str,
    },
    EndpointState(&'r Endpoint, Option<i32>),
    MoreEndpoints(usize),

    // address
    Address(Address),
    /// The URL that the server's last check dialed, taken from its message.
    Dialed(&'r str),
    /// The boxed address answers.
    Answers(Box<Fact<'r>>),
    /// The server's last check dialed a different address than the Service has now.
    DialedInstead(&'r str),
    Unresolved(Unresolved),
    ApiServerItself,
    RoutingRefusesExternalName,
    /// The endpoint that the server dials with `--enable-aggregator-routing`. `is_set` is false if
    /// it is unknown whether the flag is set.
    Routed {
        at: String,
        is_set: bool,
    },
    CheckReached,
    AcceptsConnections(&'r str),

    // tls
    TlsNotVerified,
    SystemTrust,
    CertificateMustBeFor(&'r ServiceReference),
    BundleNotBase64,
    DecodingError(String),
    BundleWithoutCertificate,
    BundleEncodedTwice,
    BundleNotPem,
    BundleBlocks(Vec<String>),
    BundleTrusts {
        all: usize,
        invalid_now: usize,
    },
    BundleCertificate(Box<Certificate>),
    CaNotValidYet(CaSource, usize),
    CaExpired {
        source: CaSource,
        count: usize,
        seconds_ago: i64,
    },
    CaExpiresIn(CaSource, i64),
    CheckTrusts,
    /// The API server passed on a response, which it does only after verifying the certificate.
    ApiServerTrusts,
    Served {
        certificate: &'r Certificate,
        is_leaf: bool,
    },
    Verified {
        against: &'static str,
        server_name: &'r str,
    },
    TrustedBy(&'static str),
    Untrusted(&'r str),
    ServedExpiresIn(&'r Certificate, i64),

    // front proxy
    NoFrontProxyConfig,
    NoFrontProxyCa,
    FrontProxyCaUnreadable,
    FrontProxyAllows(&'r [String]),
    FrontProxyCertificate(Box<Certificate>),
    HeadersNotRead(Vec<&'static str>),

    // bindings
    PodsRunAs(Vec<&'r str>),
    AccountsMayAsk(Vec<&'r str>),
    AccountsUnclear(Vec<&'r str>, Power),
    AccountCannot {
        namespace: &'r str,
        account: &'r str,
        power: Power,
    },
    NoAccountCan {
        namespace: &'r str,
        power: Power,
    },
    /// The boxed fact states what an extension server needs and lacks.
    ExtensionServersMust(Box<Fact<'r>>),
    Granted(Power, Grant<'r>),
    RbacIncomplete,
    AccountNotInSource,

    // discovery
    NoAnswerInSource,
    AnswersDiscovery,
    AnswersWith(usize),
    NotReached,
    /// The API server's answer to the request for the discovery document.
    AskedForDiscovery(&'r str),
    NotADiscoveryDocument(&'r str),
    NoAnswerInTime,
    DiscoveryFails(&'r str),
    Status(u16),

    // fresh
    NoAggregatedDiscovery(Minor),
    CurrentWithoutResources,
    AnsweredWithoutGroupVersion,
    Current(usize),
    StaleWhileUnavailable(usize),
    AvailableButStale,
    ListedWith(&'r GroupVersion, usize),
    NotFetched,
    NotListed,

    // the server's own check, and direct connections
    CheckFound,
    CheckFoundNo(AvailabilityStep),
    CheckRequestFailed,
    Cause(Box<FailureCause>),
    ProbeFailed(&'r str),
    /// What a direct connection found.
    FromHere(&'r str),
}

/// The origin of CA certificates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaSource {
    /// `spec.caBundle` of the APIService.
    Bundle,
    /// The ConfigMap with the CA by which extension servers recognize the API server.
    FrontProxy,
}

impl Fact<'_> {
    /// Returns whether this is an address about which nothing else is known.
    pub(super) fn is_address(&self) -> bool {
        matches!(self, Self::Address(_) | Self::Dialed(_))
    }

    /// Returns whether this states that a connection from the API server succeeded.
    /// Returns whether the server's check got no answer in time.
    pub(super) fn is_timeout(&self) -> bool {
        matches!(self, Self::Cause(cause) if cause.code == "timeout")
    }

    pub(super) fn is_reached(&self) -> bool {
        matches!(self, Self::Answers(_) | Self::CheckReached)
    }
}
