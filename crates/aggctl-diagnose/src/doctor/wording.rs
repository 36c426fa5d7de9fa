//! Puts a diagnosis into English. Only this module words facts, and no code parses its sentences.

mod action;

use std::fmt::{self, Display, Formatter};

use super::age::Age;
use super::agreement::Contradiction;
use super::diagnosis::{Effect, Summary};
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
                write!(f, "a Service of that name exists in namespace {namespace}")
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
            Self::NoService => f.write_str("not checked: the Service does not exist"),
            Self::ServiceNotInSource => f.write_str("not checked: the Service is not in the source"),

            Self::Port(port) => f.write_str(&describe_port(port)),
            Self::PortMissing(reference) => {
                write!(f, "Service {} has no port {}", reference.id(), reference.port)
            }
            Self::Ports([]) => f.write_str("it has no ports"),
            Self::Ports(ports) => {
                let ports: Vec<String> = ports.iter().map(describe_port).collect();
                write!(f, "it has {}", ports.join("; "))
            }
            Self::ExternalNamePort(number) => {
                write!(f, "{number}, from the APIService (an ExternalName Service has no ports)")
            }
            Self::ExternalNameHasNone => f.write_str("an ExternalName Service has none"),

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
                "this Kubernetes version checks Endpoints; the source has {count} EndpointSlices with {ready} ready"
            ),
            Self::NotCheckedForType(kind) => {
                write!(f, "the API server does not check this for type {}", kind.as_str())
            }
            Self::NoEndpointsToCheck => f.write_str("not checked: the Service has no endpoints"),
            Self::NoPortToCheck => f.write_str("not checked: the port is unknown"),
            Self::EndpointsReady { ready, all, port } => {
                write!(f, "{ready} of {all} endpoints ready for {}", port_name(port))
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
                "the Service's port {} is {}; the names must match",
                port.port,
                named_port(&port.name)
            ),
            Self::NoEndpointsOnPort(port) => {
                write!(f, "the Service has no endpoints on {}", named_port(port))
            }
            Self::NoneReady { all: 1, port } => {
                write!(f, "the only endpoint for {} is not ready", port_name(port))
            }
            Self::NoneReady { all, port } => {
                write!(f, "none of {all} endpoints for {} is ready", port_name(port))
            }
            Self::EndpointState(endpoint, port) => write_endpoint(f, endpoint, *port),
            Self::MoreEndpoints(count) => write!(f, "and {count} more"),

            Self::Address(at) => write!(f, "https://{at} ({})", at.from),
            Self::Dialed(url) => write!(f, "{url} (from the condition)"),
            Self::Answers(address) => write!(f, "{address} answers"),
            Self::DialedInstead(url) => write!(
                f,
                "the API server's last check dialed {url} instead: it routes to endpoints, or the Service has changed since"
            ),
            Self::Unresolved(why) => write!(f, "{why}"),
            Self::ApiServerItself => {
                f.write_str("this is the API server itself, on its loopback connection")
            }
            Self::RoutingRefusesExternalName => {
                f.write_str("an API server with --enable-aggregator-routing rejects ExternalName Services")
            }
            Self::Routed { at, is_set: true } => {
                write!(f, "--enable-aggregator-routing is set, so the API server dials {at} instead")
            }
            Self::Routed { at, is_set: false } => {
                write!(f, "with --enable-aggregator-routing, the API server would dial {at}")
            }
            Self::CheckReached => f.write_str("the API server's own check reached it"),
            Self::AcceptsConnections(address) => {
                write!(f, "from here: {address} accepts connections")
            }

            Self::TlsNotVerified => {
                f.write_str("not verified (insecureSkipTLSVerify): an attacker on the network could answer")
            }
            Self::SystemTrust => {
                f.write_str("no caBundle: the certificate must be signed by a CA that the API server's host trusts")
            }
            Self::CertificateMustBeFor(reference) => {
                write!(f, "the certificate must be for {}", server_name(reference))
            }
            Self::BundleNotBase64 => f.write_str("spec.caBundle is not base64"),
            Self::DecodingError(why) => f.write_str(why),
            Self::BundleWithoutCertificate => {
                f.write_str("spec.caBundle has no readable certificate")
            }
            Self::BundleEncodedTwice => f.write_str("it is PEM, but base64-encoded twice"),
            Self::BundleNotPem => f.write_str("it is not PEM"),
            Self::BundleBlocks(labels) => write!(f, "it has PEM blocks of {}", labels.join(", ")),
            Self::BundleTrusts { all, invalid_now } => {
                let cas = if *all == 1 { "CA" } else { "CAs" };
                write!(f, "caBundle trusts {all} {cas}")?;
                if *invalid_now > 0 {
                    write!(f, ", {invalid_now} of them not valid now")?;
                }
                f.write_str("; the served certificate is not in the source")
            }
            Self::BundleCertificate(certificate) => {
                let role = if certificate.ca { "CA" } else { "certificate (not a CA)" };
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
            Self::CheckTrusts => f.write_str("the API server's own check trusts the certificate"),
            Self::ApiServerTrusts => {
                f.write_str("the API server trusts the certificate: it forwarded a response")
            }
            Self::Served { certificate, is_leaf } => {
                let Certificate { subject, issuer, names, .. } = certificate;
                let role = if *is_leaf { "served" } else { "with it" };
                write!(f, "{role}: {subject}")?;
                match names.as_slice() {
                    _ if !is_leaf => {}
                    [] => f.write_str(" without names")?,
                    names => write!(f, " for {}", names.join(", "))?,
                }
                write!(f, ", signed by {issuer}, {}", validity(certificate))
            }
            Self::Verified { against, server_name } => {
                write!(f, "from here: verified against {against} for {server_name}")
            }
            Self::TrustedBy(against) => write!(
                f,
                "{against} trusts the served certificate, and its name matches"
            ),
            Self::Untrusted(why) => f.write_str(why),
            Self::ServedExpiresIn(certificate, seconds) => write!(
                f,
                "the served certificate {} expires in {}",
                certificate.subject,
                Age(*seconds)
            ),

            Self::NoFrontProxyConfig => f.write_str(
                "ConfigMap kube-system/extension-apiserver-authentication does not exist, so extension API servers cannot recognize the API server",
            ),
            Self::NoFrontProxyCa => f.write_str(
                "the API server has no --requestheader-client-ca-file, so extension API servers cannot identify callers",
            ),
            Self::FrontProxyCaUnreadable => {
                f.write_str("the front-proxy CA has no readable certificate")
            }
            Self::FrontProxyAllows([]) => {
                f.write_str("any certificate signed by the front-proxy CA is trusted")
            }
            Self::FrontProxyAllows(names) => write!(
                f,
                "a certificate signed by the front-proxy CA for {} is trusted",
                names.join(", ")
            ),
            Self::FrontProxyCertificate(certificate) => {
                write!(f, "front-proxy CA {}, {}", certificate.subject, validity(certificate))
            }
            Self::HeadersNotRead(headers) => write!(
                f,
                "kube-aggregator sends {}, which extension API servers do not read",
                headers.join(" and ")
            ),

            Self::PodsRunAs(accounts) => f.write_str(&pods_run_as(accounts)),
            Self::AccountsMayAsk(accounts) => {
                write!(f, "{}, which can check permissions (auth-delegator)", pods_run_as(accounts))
            }
            Self::AccountsUnclear(accounts, power) => {
                write!(f, "{}; unknown whether that account can {power}", pods_run_as(accounts))
            }
            Self::AccountCannot { namespace, account, power } => {
                write!(f, "service account {namespace}/{account} cannot {power}")
            }
            Self::NoAccountCan { namespace, power } => {
                write!(f, "no service account in namespace {namespace} can {power}")
            }
            Self::ExtensionServersMust(fact) => write!(f, "{fact}, which extension API servers must"),
            Self::Granted(power, grant) => write!(
                f,
                "{power}: {} of {} to {}",
                grant.binding.id(),
                grant.role_name(),
                grant.subject_name()
            ),
            Self::RbacIncomplete => {
                f.write_str("the source lacks some roles and bindings")
            }
            Self::AccountNotInSource => f.write_str(
                "the source does not show the account of its Pods; some account of the namespace has the permissions",
            ),

            Self::NoAnswerInSource => {
                f.write_str("the source has no response of the extension API server")
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
            Self::NoAnswerInTime => f.write_str("timed out"),
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
                "Stale in the aggregated document, {}, as expected while unavailable",
                last_known(*count)
            ),
            Self::AvailableButStale => f.write_str("available but stale in aggregated discovery"),
            Self::ListedWith(gv, count) => write!(f, "{gv} is listed {}", last_known(*count)),
            Self::NotFetched => {
                f.write_str("the API server could not fetch or read its discovery document")
            }
            Self::NotListed => {
                f.write_str("the aggregated document does not list the group version")
            }

            Self::CheckFound => f.write_str("the API server's own check passed"),
            Self::CheckFoundNo(step) => {
                f.write_str("the API server's own check found no ")?;
                f.write_str(match step {
                    AvailabilityStep::Service => "such Service",
                    AvailabilityStep::Port => "such port",
                    AvailabilityStep::Ready => "ready endpoint",
                    _ => "endpoints",
                })
            }
            Self::CheckRequestFailed => {
                f.write_str("the API server's own discovery check failed")
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

fn port_name(name: &str) -> String {
    match name {
        "" => "the unnamed port".to_owned(),
        name => format!("port {name:?}"),
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
        1 => "with the last known resource".to_owned(),
        _ => format!("with the {count} last known resources"),
    }
}

impl Display for Summary<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check(fact) => write!(f, "{fact}"),
            Self::Finding(what) => f.write_str(what),
            Self::NoCondition => f.write_str("has no Available condition, so requests return 503"),
            Self::Unexplained(condition) => write!(
                f,
                "Available={} ({}); the source does not show why",
                condition.status, condition.reason
            ),
            Self::Unknown(reference) => {
                write!(f, "cannot tell whether Service {} responds", reference.id())
            }
            Self::Answers { reference, is_verified } => {
                let note = if *is_verified { "" } else { "; its certificate was not verified" };
                write!(f, "Service {} responds{note}", reference.id())
            }
            Self::Local(Backend::Extensions) => f.write_str("apiextensions-apiserver"),
            Self::Local(Backend::Crd) => f.write_str("custom resources"),
            Self::Local(Backend::Unknown) => {
                f.write_str("local; cannot tell its backend from the source")
            }
            Self::Local(_) => f.write_str("kube-apiserver"),
        }
    }
}

impl Display for Contradiction<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::PassesNow => f.write_str("the reported problem is gone now")?,
            Self::LaterIsBroken(fact) => {
                write!(f, "the reported problem is gone now, but {fact}")?;
            }
            Self::EarlierIsBroken(fact) => write!(f, "an earlier check fails now: {fact}")?,
            Self::BrokenNow(fact) => write!(f, "broken now: {fact}")?,
            Self::CheckCannotConnect => {
                return f.write_str(
                    "the API server's own check cannot build a connection and leaves the condition unchanged",
                );
            }
            Self::CheckSkipsTls => {
                return f.write_str(
                    "up to Kubernetes 1.35, the API server's own check does not verify TLS, but client requests do",
                );
            }
            Self::CheckReadsNoAnswer => {
                return f.write_str(
                    "the API server's own check accepts any 2xx response without reading it",
                );
            }
        }
        f.write_str(" (the API server re-checks every 30 s, and a dump is not taken at one moment)")
    }
}

impl Display for Effect<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unavailable(gv) => {
                write!(f, "Every request under {} returns 503.", gv.root_path())
            }
            Self::RequestsFail(gv) => {
                write!(f, "Requests under {} are proxied and fail with 503 or 500.", gv.root_path())
            }
            Self::RequestsNotSent(gv) => {
                write!(f, "Every request under {} returns 500 without being proxied.", gv.root_path())
            }
            Self::Anonymous(gv) => write!(
                f,
                "Requests under {} are treated as system:anonymous and return 401 or 403.",
                gv.root_path()
            ),
            Self::Stale(gv) => write!(
                f,
                "Clients of aggregated discovery see {gv} as stale and report an error. Requests still work."
            ),
            Self::Undiscovered(gv) => write!(
                f,
                "Clients cannot discover {gv}: kubectl does not find its resources."
            ),
            Self::ResourceMetrics => {
                f.write_str("kubectl top and autoscaling on CPU and memory get no data.")
            }
            Self::CustomMetrics => f.write_str("Autoscaling on custom metrics gets no data."),
            Self::ExternalMetrics => f.write_str("Autoscaling on external metrics gets no data."),
            Self::StuckNamespace(name) => {
                write!(f, "Namespace {name} is stuck in Terminating.")
            }
            Self::NamespaceDeletion => f.write_str(
                "Namespaces stay in Terminating (NamespaceDeletionDiscoveryFailure).",
            ),
            Self::GarbageCollection => f.write_str(
                "garbage collection and quota lag for kinds that cannot be listed.",
            ),
            Self::CompleteDiscovery => f.write_str(
                "clients that require complete discovery fail: kubectl api-resources up to 1.31, some versions of Helm, some controllers.",
            ),
        }
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
            ManagedWith::Olm => "Operator Lifecycle Manager, owner",
            ManagedWith::CertManager => "caBundle injected by cert-manager from certificate",
            ManagedWith::CertManagerSecret => "caBundle injected by cert-manager from secret",
            ManagedWith::OpenShiftServiceCa => "caBundle injected by OpenShift's service CA",
        };
        write!(f, "{tool} {value}")
    }
}
