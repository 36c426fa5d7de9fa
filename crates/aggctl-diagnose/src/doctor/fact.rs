//! Everything that a check can state, as data.
//!
//! The modules that collect evidence make these, `fold` chooses among them, and `wording` puts
//! them into English. Decisions look at variants, never at sentences.

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
    /// What the check needs is missing from the source.
    NotInSource(Gap),
    /// What the source shows is broken, but the source has a gap.
    Uncertain(Box<Fact<'r>>, Gap),

    // service
    ServiceExists(&'r Service),
    ServiceMissing(&'r ServiceReference),
    /// Another namespace has a Service of that name.
    ServiceElsewhere(&'r str),
    Namespace(&'r str, NamespaceState),
    /// The Service does not exist, so that there is nothing to check.
    NoService,
    ServiceNotInSource,

    // port
    Port(&'r ServicePort),
    PortMissing(&'r ServiceReference),
    Ports(&'r [ServicePort]),
    /// An ExternalName has no ports: the APIService's counts.
    ExternalNamePort(i32),
    /// An ExternalName has neither endpoints nor ready ones.
    ExternalNameHasNone,

    // endpoints, ready
    NoEndpoints(EndpointKind),
    EndpointObjects {
        kind: EndpointKind,
        count: usize,
        /// The first few.
        names: Vec<&'r str>,
    },
    /// A server up to 1.33 reads Endpoints, and the source has EndpointSlices instead.
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
    /// The URL that the server's last check dialed, which its message names.
    Dialed(&'r str),
    /// The address in the box answers.
    Answers(Box<Fact<'r>>),
    /// The server's last check dialed another address than that of the Service now.
    DialedInstead(&'r str),
    Unresolved(Unresolved),
    ApiServerItself,
    RoutingRefusesExternalName,
    /// The endpoint that `--enable-aggregator-routing` dials, or would dial.
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
    /// The API server passed an answer on, which it does after verifying.
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
    /// The box states what an extension server needs and does not have.
    ExtensionServersMust(Box<Fact<'r>>),
    Granted(Power, Grant<'r>),
    RbacIncomplete,
    AccountNotInSource,

    // discovery
    NoAnswerInSource,
    AnswersDiscovery,
    AnswersWith(usize),
    NotReached,
    /// What the API server answered to the request for the discovery document.
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

/// Where CA certificates come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaSource {
    /// `spec.caBundle` of the APIService.
    Bundle,
    /// The ConfigMap by which extension servers recognize the API server.
    FrontProxy,
}

impl Fact<'_> {
    /// Whether it is an address that could be dialed, and about which nothing else is known.
    pub(super) fn is_address(&self) -> bool {
        matches!(self, Self::Address(_) | Self::Dialed(_))
    }

    /// Whether it states that a connection from the API server succeeded.
    pub(super) fn is_reached(&self) -> bool {
        matches!(self, Self::Answers(_) | Self::CheckReached)
    }
}
