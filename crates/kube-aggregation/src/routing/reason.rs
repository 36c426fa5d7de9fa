//! Describes why a server handled a request the way it did.

use std::fmt;

use super::outcome::{CrdLookupFailure, Decision, Hop, ProxyRefusal, Server};
use crate::model::{ApiService, Crd};

impl Decision<'_> {
    /// Returns the word used in the JSON output.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::PassOn => "pass-on",
            Self::Delegate(service) if is_unsure(service) => "unknown",
            Self::Delegate(_) => "delegate",
            Self::Proxy(_) | Self::ProxyToUnknownService(_) => "proxy",
            Self::Refuse(..) => "refuse",
            Self::Redirect => "redirect",
            Self::NoRoute(_) | Self::NoCustom(_) | Self::OpenApi(Some(false)) => "not-found",
            Self::WrongMethod(_) | Self::NotWatchable(_) | Self::CustomVerb(_) => {
                "method-not-allowed"
            }
            Self::RoutesUnknown | Self::CustomUnknown | Self::OpenApi(None) => "unknown",
            _ => "serve",
        }
    }
}

impl Hop<'_> {
    /// Describes why this server did what it did.
    pub fn reason(&self) -> impl fmt::Display {
        Reason(self)
    }
}

struct Reason<'a>(&'a Hop<'a>);

/// Returns whether an APIService is only assumed to be local: it is not in the source, and not
/// managed by the CRD controller.
fn is_unsure(service: &ApiService) -> bool {
    service.inferred && service.automanaged.is_none()
}

impl fmt::Display for Reason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.decision {
            Decision::PassOn => f.write_str("no match; passed to the next server"),
            Decision::Delegate(s) if is_unsure(s) => {
                write!(
                    f,
                    "unknown whether APIService {} is local; if so, passed to the next server",
                    s.name
                )
            }
            Decision::Delegate(s) => {
                write!(f, "APIService {} is local; passed to the next server", s.name)
            }
            Decision::Proxy(s) => proxied(f, s),
            Decision::ProxyToUnknownService(gv) => {
                write!(
                    f,
                    "proxied to an extension API server: {gv} is neither built in nor served by a CRD"
                )
            }
            Decision::Refuse(s, why) => refused(f, s, why),
            Decision::GroupDocument => {
                f.write_str("kube-aggregator builds this document from the APIServices")
            }
            Decision::NonApi if self.0.server == Server::Aggregator => {
                f.write_str("not an API path; kube-aggregator serves it itself")
            }
            Decision::NonApi => f.write_str("not an API path; this server serves it itself"),
            Decision::Redirect => f.write_str("redirects to the same path with a trailing slash"),
            Decision::OpenApi(Some(true)) => {
                f.write_str("the OpenAPI document of this group version")
            }
            Decision::OpenApi(Some(false)) => {
                f.write_str("no group version has an OpenAPI document at this path")
            }
            Decision::OpenApi(None) => {
                f.write_str("an extension API server may have an OpenAPI document at this path")
            }
            Decision::Document => {
                f.write_str("exact match; this server writes the document itself")
            }
            Decision::BuiltIn(gv) => write!(f, "built-in {gv} serves this resource"),
            Decision::NoRoute(Some(gv)) => {
                write!(f, "built-in {gv} has nothing at this path")
            }
            Decision::NoRoute(None) => {
                f.write_str("claims all paths below this one, but has nothing here")
            }
            Decision::WrongMethod(methods) => {
                f.write_str("this path exists, but only for ")?;
                for (index, method) in methods.iter().enumerate() {
                    write!(f, "{}{method}", if index == 0 { "" } else { ", " })?;
                }
                Ok(())
            }
            Decision::NotWatchable(gv) => {
                write!(f, "built-in {gv} can list this resource, but not watch it")
            }
            Decision::RoutesUnknown => {
                f.write_str("built in; unknown whether it serves this resource")
            }
            Decision::CustomDocument => {
                f.write_str("the CRD handler lists what CRDs serve at this path")
            }
            Decision::Custom(crd) => write!(f, "CRD {} serves this resource", crd.name),
            Decision::CustomVerb(crd) => {
                write!(f, "CRD {} does not support this verb", crd.name)
            }
            Decision::NoCustom(miss) => missed(f, miss),
            Decision::CustomUnknown => f.write_str("unknown what CRDs serve in this group version"),
        }
    }
}

fn proxied(f: &mut fmt::Formatter<'_>, service: &ApiService) -> fmt::Result {
    let Some(reference) = &service.service else { return Ok(()) };
    write!(
        f,
        "APIService {}; proxied to Service {}/{}:{}",
        service.name, reference.namespace, reference.name, reference.port
    )
}

fn refused(f: &mut fmt::Formatter<'_>, service: &ApiService, why: ProxyRefusal) -> fmt::Result {
    let name = &service.name;
    match why {
        ProxyRefusal::NotAvailable => match &service.available {
            Some(c) if !c.reason.is_empty() => {
                write!(f, "APIService {name} is unavailable ({})", c.reason)
            }
            Some(_) => write!(f, "APIService {name} is unavailable"),
            None => write!(f, "APIService {name} has no Available condition yet"),
        },
        ProxyRefusal::NoTransport => {
            write!(
                f,
                "APIService {name} has a caBundle without a certificate, so kube-aggregator cannot connect"
            )
        }
    }
}

fn missed(f: &mut fmt::Formatter<'_>, miss: CrdLookupFailure<'_>) -> fmt::Result {
    let scope =
        |f: &mut fmt::Formatter<'_>, crd: &Crd, rest: &str| write!(f, "CRD {} {rest}", crd.name);
    match miss {
        CrdLookupFailure::NotAResource => {
            f.write_str("not the path of a group, version or resource")
        }
        CrdLookupFailure::NoGroup => f.write_str("no CRD serves this group"),
        CrdLookupFailure::NoGroupVersion => f.write_str("no CRD serves this group version"),
        CrdLookupFailure::NoCrd => f.write_str("CRDs serve this group, but not this resource"),
        CrdLookupFailure::ClusterScoped(crd) => {
            scope(f, crd, "is cluster-scoped, but the path has a namespace")
        }
        CrdLookupFailure::Namespaced(crd) => {
            scope(f, crd, "is namespaced; without a namespace, it can only be listed or watched")
        }
        CrdLookupFailure::NotServed(crd) => {
            let served: Vec<&str> =
                crd.versions.iter().filter(|v| v.served).map(|v| v.name.as_str()).collect();
            write!(
                f,
                "CRD {} does not serve this version (served: {})",
                crd.name,
                served.join(", ")
            )
        }
        CrdLookupFailure::NotAccepted(crd) => {
            scope(f, crd, "is not established; another CRD has its names")
        }
    }
}
