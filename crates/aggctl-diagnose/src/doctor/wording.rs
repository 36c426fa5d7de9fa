//! Puts a diagnosis into English. Only this module words facts, and no code parses its sentences.

use std::fmt::{self, Display, Formatter};

use super::age::Age;
use super::agreement::Contradiction;
use super::diagnosis::{Action, Effect, Summary};
use super::fact::{CaSource, Fact};
use super::writer::{ManagedWith, WrittenBy};
use aggctl_certificate::{Certificate, date};
use kube_aggregation::availability::{AvailabilityStep, EndpointKind, NamespaceState, server_name};
use kube_aggregation::model::{Endpoint, EndpointPort, ServicePort, ServiceType, TargetPort};
use kube_aggregation::registry::Backend;

impl Display for Fact<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotInSource(gap) => write!(f, "{gap}"),
            Self::Uncertain(fact, gap) => write!(f, "{fact}, but {gap}"),

            Self::ServiceExists(service) => {
                write!(f, "{}/{} exists (", service.namespace, service.name)?;
                match (&service.kind, service.cluster_ip.as_deref()) {
                    (ServiceType::ExternalName, _) => {
                        let name = service.external_name.as_deref().unwrap_or_default();
                        write!(f, "ExternalName {name})")
                    }
                    (ServiceType::ClusterIp, Some(ip)) => write!(f, "ClusterIP {ip})"),
                    (kind, _) => write!(f, "{})", kind.as_str()),
                }
            }
            Self::ServiceMissing(reference) => {
                write!(f, "Service {} does not exist", reference.id())
            }
            Self::ServiceElsewhere(namespace) => {
                write!(f, "there is a Service of that name in namespace {namespace}")
            }
            Self::Namespace(name, state) => {
                let state = match state {
                    NamespaceState::Exists => "exists",
                    NamespaceState::Terminating => "is being deleted",
                    NamespaceState::Missing => "does not exist either",
                    NamespaceState::Unseen => "is not in the source",
                };
                write!(f, "the namespace {name} {state}")
            }
            Self::NoService => f.write_str("there is no Service to look at"),
            Self::ServiceNotInSource => f.write_str("the Service is not in the source"),

            Self::Port(port) => f.write_str(&describe_port(port)),
            Self::PortMissing(reference) => {
                write!(f, "Service {} has no port {}", reference.id(), reference.port)
            }
            Self::Ports([]) => f.write_str("it has no ports at all"),
            Self::Ports(ports) => {
                let ports: Vec<String> = ports.iter().map(describe_port).collect();
                write!(f, "it has {}", ports.join("; "))
            }
            Self::ExternalNamePort(number) => {
                write!(f, "{number}, as the APIService says: an ExternalName has none of its own")
            }
            Self::ExternalNameHasNone => f.write_str("an ExternalName has none"),

            Self::NoEndpoints(kind) => write!(f, "the Service has no {kind}"),
            Self::EndpointObjects { kind, count, names } => {
                match kind {
                    EndpointKind::EndpointSlices if *count == 1 => f.write_str("1 EndpointSlice")?,
                    kind => write!(f, "{count} {kind}")?,
                }
                let more = if *count > names.len() { ", …" } else { "" };
                write!(f, ": {}{more}", names.join(", "))
            }
            Self::SlicesInstead { count, ready } => write!(
                f,
                "a server of this version looks at Endpoints; the source has {count} EndpointSlices with {ready} ready"
            ),
            Self::NotCheckedForType(kind) => {
                write!(f, "the API server does not check this for type {}", kind.as_str())
            }
            Self::NoEndpointsToCheck => f.write_str("there are no endpoints to look at"),
            Self::NoPortToCheck => f.write_str("there is no port to look for"),
            Self::EndpointsReady { ready, all, port } => {
                write!(f, "{ready} of {all} endpoints ready on {}", named_port(port))
            }
            Self::PortNotOnEndpoints(port) => {
                write!(f, "no endpoint has {}", named_port(port))
            }
            Self::SlicePorts(slice) => {
                let ports: Vec<String> = slice.ports.iter().map(describe_endpoint_port).collect();
                write!(f, "{} has {}", slice.name, ports.join(", "))
            }
            Self::PortNamesMustMatch(port) => write!(
                f,
                "the Service's port {} is {}: names must be equal",
                port.port,
                named_port(&port.name)
            ),
            Self::NoEndpointsOnPort(port) => {
                write!(f, "the Service has no endpoints on {}", named_port(port))
            }
            Self::NoneReady { all: 1, port } => {
                write!(f, "the only endpoint is not ready on {}", named_port(port))
            }
            Self::NoneReady { all, port } => {
                write!(f, "none of {all} endpoints is ready on {}", named_port(port))
            }
            Self::EndpointState(endpoint, port) => write_endpoint(f, endpoint, *port),
            Self::MoreEndpoints(count) => write!(f, "and {count} more"),

            Self::Address(at) => write!(f, "https://{at} ({})", at.from),
            Self::Dialed(url) => write!(f, "{url} (from the condition)"),
            Self::Answers(address) => write!(f, "{address} answers"),
            Self::DialedInstead(url) => write!(
                f,
                "the server's last check dialled {url} instead: it routes to endpoints, or the Service was another then"
            ),
            Self::Unresolved(why) => write!(f, "{why}"),
            Self::ApiServerItself => {
                f.write_str("that is the API server itself: it answers on its loopback connection")
            }
            Self::RoutingRefusesExternalName => {
                f.write_str("with --enable-aggregator-routing the server refuses an ExternalName")
            }
            Self::Routed { at, is_set: true } => {
                write!(f, "--enable-aggregator-routing is set: {at} is dialled instead")
            }
            Self::Routed { at, is_set: false } => {
                write!(f, "with --enable-aggregator-routing it would be {at}")
            }
            Self::CheckReached => f.write_str("the server's own check reached it"),
            Self::AcceptsConnections(address) => {
                write!(f, "from here: {address} accepts connections")
            }

            Self::TlsNotVerified => {
                f.write_str("not verified (insecureSkipTLSVerify): anyone on the way could answer")
            }
            Self::SystemTrust => {
                f.write_str("no caBundle: a CA that the API server's system trusts must have signed")
            }
            Self::CertificateMustBeFor(reference) => {
                write!(f, "the certificate must be for {}", server_name(reference))
            }
            Self::BundleNotBase64 => f.write_str("spec.caBundle is not base64"),
            Self::DecodingError(why) => f.write_str(why),
            Self::BundleWithoutCertificate => {
                f.write_str("spec.caBundle holds no certificate that can be read")
            }
            Self::BundleEncodedTwice => f.write_str("it is PEM that was encoded as base64 twice"),
            Self::BundleNotPem => f.write_str("it is not PEM"),
            Self::BundleBlocks(labels) => write!(f, "it has PEM blocks of {}", labels.join(", ")),
            Self::BundleTrusts { all, invalid_now } => {
                let cas = if *all == 1 { "CA" } else { "CAs" };
                write!(f, "caBundle trusts {all} {cas}")?;
                if *invalid_now > 0 {
                    write!(f, ", {invalid_now} of them not valid now")?;
                }
                f.write_str("; what is served is not in the source")
            }
            Self::BundleCertificate(certificate) => {
                let role = if certificate.ca { "CA" } else { "certificate (no CA)" };
                write!(f, "{role} {}", certificate.subject)?;
                if !certificate.is_self_issued() {
                    write!(f, ", signed by {}", certificate.issuer)?;
                }
                write!(f, ", {}", validity(certificate))
            }
            Self::CaNotValidYet(source, count) => {
                write!(f, "{} of {source} is not valid yet", every_certificate(*count))
            }
            Self::CaExpired { source, count, seconds_ago } => write!(
                f,
                "{} of {source} has expired, {} ago",
                every_certificate(*count),
                Age(*seconds_ago)
            ),
            Self::CaExpiresIn(source, seconds) => {
                write!(f, "{source} expires in {}", Age(*seconds))
            }
            Self::CheckTrusts => f.write_str("the server's own check trusts the certificate"),
            Self::ApiServerTrusts => {
                f.write_str("the API server trusts the certificate: it passed an answer on")
            }
            Self::Served { certificate, is_leaf } => {
                let Certificate { subject, issuer, names, .. } = certificate;
                let role = if *is_leaf { "served" } else { "with it" };
                write!(f, "{role}: {subject}")?;
                match names.as_slice() {
                    _ if !is_leaf => {}
                    [] => f.write_str(" for no names")?,
                    names => write!(f, " for {}", names.join(", "))?,
                }
                write!(f, ", signed by {issuer}, {}", validity(certificate))
            }
            Self::Verified { against, server_name } => {
                write!(f, "from here: verified against {against} for {server_name}")
            }
            Self::TrustedBy(against) => write!(
                f,
                "the certificate served is trusted by {against}, and has the right name"
            ),
            Self::Untrusted(why) => f.write_str(why),
            Self::ServedExpiresIn(certificate, seconds) => write!(
                f,
                "the certificate {} that is served expires in {}",
                certificate.subject,
                Age(*seconds)
            ),

            Self::NoFrontProxyConfig => f.write_str(
                "there is no ConfigMap kube-system/extension-apiserver-authentication: extension servers cannot recognise the API server",
            ),
            Self::NoFrontProxyCa => f.write_str(
                "the API server has no --requestheader-client-ca-file: extension servers cannot tell whose a request is",
            ),
            Self::FrontProxyCaUnreadable => {
                f.write_str("the front-proxy CA holds no certificate that can be read")
            }
            Self::FrontProxyAllows([]) => {
                f.write_str("any certificate of the front-proxy CA is believed")
            }
            Self::FrontProxyAllows(names) => write!(
                f,
                "a certificate of the front-proxy CA for {} is believed",
                names.join(", ")
            ),
            Self::FrontProxyCertificate(certificate) => {
                write!(f, "front-proxy CA {}, {}", certificate.subject, validity(certificate))
            }
            Self::HeadersNotRead(headers) => write!(
                f,
                "kube-aggregator sends {}, which extension servers do not read",
                headers.join(" and ")
            ),

            Self::PodsRunAs(accounts) => f.write_str(&pods_run_as(accounts)),
            Self::AccountsMayAsk(accounts) => {
                write!(f, "{}, which may ask the API server back", pods_run_as(accounts))
            }
            Self::AccountsUnclear(accounts, power) => {
                write!(f, "{}; whether that may {power} is not known", pods_run_as(accounts))
            }
            Self::AccountCannot { namespace, account, power } => {
                write!(f, "service account {namespace}/{account} cannot {power}")
            }
            Self::NoAccountCan { namespace, power } => {
                write!(f, "no service account of namespace {namespace} can {power}")
            }
            Self::ExtensionServersMust(fact) => write!(f, "{fact}, as extension servers must"),
            Self::Granted(power, grant) => write!(f, "{power}: {grant}"),
            Self::RbacIncomplete => {
                f.write_str("the source does not have all roles and bindings")
            }
            Self::AccountNotInSource => f.write_str(
                "which account its Pods run as is not in the source; one of the namespace may",
            ),

            Self::NoAnswerInSource => {
                f.write_str("the source has no answer of the extension API server")
            }
            Self::AnswersDiscovery => f.write_str("answers discovery"),
            Self::AnswersWith(count) => {
                write!(f, "answers discovery with {count} {}", resources(*count))
            }
            Self::NotReached => f.write_str("not reached"),
            Self::AskedForDiscovery(answer) => write!(f, "asked for discovery: {answer}"),
            Self::NotADiscoveryDocument(why) => {
                write!(f, "answers, but not with a discovery document: {why}")
            }
            Self::NoAnswerInTime => f.write_str("no answer came in time"),
            Self::DiscoveryFails(why) => write!(f, "discovery fails: {why}"),
            Self::Status(status) => {
                let usual = match status {
                    401 | 403 => ", as is usual without credentials",
                    _ => "",
                };
                write!(f, "from here: status {status} without credentials{usual}")
            }

            Self::NoAggregatedDiscovery(minor) => {
                write!(f, "Kubernetes {minor} has no aggregated discovery")
            }
            Self::CurrentWithoutResources => {
                f.write_str("the aggregated document lists the group version with no resources")
            }
            Self::AnsweredWithoutGroupVersion => f.write_str(
                "the Service answered its discovery request without this group version",
            ),
            Self::Current(count) => {
                let resources = resources(*count);
                write!(f, "Current in the aggregated document, {count} {resources}")
            }
            Self::StaleWhileUnavailable(count) => write!(
                f,
                "Stale in the aggregated document, {}, as it must be while not available",
                last_known(*count)
            ),
            Self::AvailableButStale => f.write_str("available, yet stale in aggregated discovery"),
            Self::ListedWith(gv, count) => write!(f, "{gv} is listed {}", last_known(*count)),
            Self::NotFetched => {
                f.write_str("what the Service answers to discovery could not be fetched or read")
            }
            Self::NotListed => {
                f.write_str("the aggregated document does not list the group version")
            }

            Self::CheckFound => f.write_str("the server's own check found it right"),
            Self::CheckFoundNo(step) => {
                f.write_str("the server's own check found no ")?;
                f.write_str(match step {
                    AvailabilityStep::Service => "such Service",
                    AvailabilityStep::Port => "such port",
                    AvailabilityStep::Ready => "ready endpoint",
                    _ => "endpoints",
                })
            }
            Self::CheckRequestFailed => {
                f.write_str("the discovery request of the server's own check failed")
            }
            Self::Cause(cause) => f.write_str(&cause.what),
            Self::ProbeFailed(what) => f.write_str(what),
            Self::FromHere(what) => write!(f, "from here: {what}"),
        }
    }
}

impl Display for CaSource {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bundle => "spec.caBundle",
            Self::FrontProxy => "the front-proxy CA",
        })
    }
}

/// Formats a Service port: `443 named "https", target port 8443`.
fn describe_port(port: &ServicePort) -> String {
    let name = match port.name.as_str() {
        "" => "without a name".to_owned(),
        name => format!("named {name:?}"),
    };
    let target =
        port.target_port.as_ref().filter(|target| **target != TargetPort::Number(port.port));
    let target = target.map(|target| format!(", target port {target}")).unwrap_or_default();
    format!("{} {name}{target}", port.port)
}

/// Formats an endpoint port: `"https" (8443)`.
fn describe_endpoint_port(port: &EndpointPort) -> String {
    let name = match port.name.as_str() {
        "" => named_port(""),
        name => format!("{name:?}"),
    };
    port.port.map(|number| format!("{name} ({number})")).unwrap_or(name)
}

fn named_port(name: &str) -> String {
    match name {
        "" => "a port without a name".to_owned(),
        name => format!("a port named {name:?}"),
    }
}

fn write_endpoint(f: &mut Formatter<'_>, endpoint: &Endpoint, port: Option<i32>) -> fmt::Result {
    f.write_str(endpoint.addresses.first().map_or("?", String::as_str))?;
    if let Some(port) = port {
        write!(f, ":{port}")?;
    }
    f.write_str(match (endpoint.ready, endpoint.terminating) {
        (true, _) => " is ready",
        (false, true) => " is shutting down",
        (false, false) => " is not ready",
    })?;
    endpoint.target.as_ref().map_or(Ok(()), |target| write!(f, " ({target})"))
}

fn every_certificate(count: usize) -> &'static str {
    if count == 1 { "the only certificate" } else { "every certificate" }
}

fn validity(certificate: &Certificate) -> String {
    format!("valid {} to {}", date(certificate.not_before), date(certificate.not_after))
}

fn pods_run_as(accounts: &[&str]) -> String {
    format!("its Pods run as {}", accounts.join(", "))
}

fn resources(count: usize) -> &'static str {
    if count == 1 { "resource" } else { "resources" }
}

fn last_known(count: usize) -> String {
    match count {
        0 => "with no resources".to_owned(),
        _ => format!("with the {count} last known resources"),
    }
}

impl Display for Summary<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check(fact) => write!(f, "{fact}"),
            Self::Finding(what) => f.write_str(what),
            Self::NoCondition => f.write_str("has no condition Available, so requests are refused"),
            Self::Unexplained(condition) => write!(
                f,
                "Available={} ({}), and nothing in the source shows why",
                condition.status, condition.reason
            ),
            Self::Unknown(reference) => {
                write!(f, "whether Service {} answers is not known", reference.id())
            }
            Self::Answers { reference, is_verified } => {
                let note = if *is_verified { "" } else { ", its certificate was not checked" };
                write!(f, "Service {} answers{note}", reference.id())
            }
            Self::Local(Backend::Extensions) => f.write_str("apiextensions-apiserver"),
            Self::Local(Backend::Crd) => f.write_str("custom resources"),
            Self::Local(Backend::Unknown) => {
                f.write_str("local; what stands behind it cannot be told from the source")
            }
            Self::Local(_) => f.write_str("kube-apiserver"),
        }
    }
}

impl Display for Contradiction<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::PassesNow => f.write_str("what it names holds now")?,
            Self::LaterIsBroken(fact) => {
                write!(f, "what it names holds now; broken is: {fact}")?;
            }
            Self::EarlierIsBroken(fact) => write!(f, "an earlier link is broken now: {fact}")?,
            Self::BrokenNow(fact) => write!(f, "broken now: {fact}")?,
            Self::CheckCannotConnect => {
                return f.write_str(
                    "the server's own check cannot build a connection, and leaves the condition as it was",
                );
            }
            Self::CheckSkipsTls => {
                return f.write_str(
                    "up to Kubernetes 1.35 the server's own check does not verify TLS, the requests of clients do",
                );
            }
            Self::CheckReadsNoAnswer => {
                return f.write_str(
                    "the server's own check takes any answer with a status of 2xx for right, and does not read it",
                );
            }
        }
        f.write_str(
            " (the server checks again every 30 s, and parts of a source may be of different moments)",
        )
    }
}

impl Display for Effect<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unavailable(gv) => {
                write!(f, "Every request under {} gets 503 service unavailable.", gv.root_path())
            }
            Self::RequestsFail(gv) => {
                write!(f, "Requests under {} are tried and fail with 503 or 500.", gv.root_path())
            }
            Self::RequestsNotSent(gv) => {
                write!(f, "Every request under {} gets 500, and is not sent.", gv.root_path())
            }
            Self::Anonymous(gv) => write!(
                f,
                "Requests under {} are passed on, and answered as those of system:anonymous: 401 or 403.",
                gv.root_path()
            ),
            Self::Stale(gv) => write!(
                f,
                "Clients of aggregated discovery see {gv} as stale and report it as failed; requests themselves are still passed on."
            ),
            Self::Undiscovered(gv) => write!(
                f,
                "Clients cannot tell what {gv} has: kubectl does not find its resources."
            ),
            Self::ResourceMetrics => {
                f.write_str("kubectl top and autoscaling on CPU and memory get no data.")
            }
            Self::CustomMetrics => f.write_str("Autoscaling on custom metrics gets no data."),
            Self::ExternalMetrics => f.write_str("Autoscaling on external metrics gets no data."),
            Self::StuckNamespace(name) => {
                write!(f, "Namespace {name} is stuck in Terminating because of it.")
            }
            Self::NamespaceDeletion => f.write_str(
                "Namespaces stay in Terminating, with NamespaceDeletionDiscoveryFailure, until discovery is complete.",
            ),
            Self::GarbageCollection => f.write_str(
                "garbage collection and quota lag for kinds of the group versions that cannot be listed.",
            ),
            Self::CompleteDiscovery => f.write_str(
                "clients that insist on complete discovery stop: kubectl api-resources up to 1.31 ends with an error, some versions of Helm and some controllers refuse to work at all.",
            ),
        }
    }
}

impl Display for Action<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::RestoreService => {
                "If its component is to run, bring the Service back, or point the APIService at the right one."
            }
            Self::DeleteIfRemovedForGood => {
                "If the component was removed for good, delete the registration; nothing else is deleted with it."
            }
            Self::MatchOnlyPort(port) => {
                return write!(f, "Make the two agree: the Service's only port is {port}.");
            }
            Self::MatchPorts => {
                "Make spec.service.port of the APIService and the Service's ports agree."
            }
            Self::MatchPortNames => {
                "Give the Service's port the name that its EndpointSlices have, or the other way round."
            }
            Self::CheckPods => "See why no Pod behind the Service is ready.",
            Self::FindEndpointWriter(kind) => {
                return write!(
                    f,
                    "The Service has no selector, so its {kind} are written by hand or by a controller: find out by which."
                );
            }
            Self::InspectService => "See what is behind the Service.",
            Self::InspectAnswer => "See what answers there: it is no API server, or a broken one.",
            Self::FixBundle => {
                "Make spec.caBundle and the certificate that is served fit: the CA that signed it, the name, the dates."
            }
            Self::ReadLogs => "Look at what the extension API server says.",
            Self::FindHang => {
                "The extension API server accepts connections and does not answer: see whether it hangs, is overloaded, or waits for something else. The network is not the cause."
            }
            Self::FromEntry(advice) => advice,
            Self::ConfigureFrontProxy => {
                "Set --requestheader-client-ca-file and --requestheader-*-headers of kube-apiserver, or renew the front-proxy CA and its client certificate; then restart the extension servers, which keep what they read."
            }
            Self::CompareDiscovery => {
                "Compare what the extension API server answers to the two discovery requests of the aggregator."
            }
            Self::ConnectDirectly => {
                "From inside the cluster's network, see what is really served there."
            }
            Self::LookAgain => "Look again: the server checks every 30 s.",
            Self::CompareWithCrds => {
                "See what would answer without it; if the CRDs are meant to, delete the registration."
            }
            Self::RenewCa(fact) => return write!(f, "Renew the CA in time: {fact}."),
            Self::BindRoles => {
                "Bind the roles that every extension server needs to the account of its Pods."
            }
            Self::DeleteOrInstallCrds => {
                "If nothing is to serve it any more, delete the registration; otherwise install its CRDs."
            }
            Self::RenameCrd(name) => {
                return write!(f, "Give CRD {name} another name, or delete the one that has it.");
            }
            Self::FinishCrdDeletion(name) => {
                return write!(f, "See what keeps CRD {name} from being deleted.");
            }
            Self::EstablishCrd(name) => {
                return write!(f, "See why CRD {name} is not established.");
            }
        })
    }
}

impl Display for WrittenBy<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (tool, value) = match self {
            Self::Manager(name) => return f.write_str(name),
            Self::Tool(tool, value) => (tool, value),
        };
        let tool = match tool {
            ManagedWith::Helm => "Helm release",
            ManagedWith::ArgoCd => "Argo CD",
            ManagedWith::ArgoCdApplication => "Argo CD application",
            ManagedWith::Flux => "Flux kustomization",
            ManagedWith::Olm => "operator lifecycle manager, owner",
            ManagedWith::CertManager => "caBundle injected by cert-manager from certificate",
            ManagedWith::CertManagerSecret => "caBundle injected by cert-manager from secret",
            ManagedWith::OpenShiftServiceCa => "caBundle injected by OpenShift's service CA",
        };
        write!(f, "{tool} {value}")
    }
}
