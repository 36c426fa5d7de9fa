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
            Decision::PassOn => f.write_str("nothing here matches: passed on"),
            Decision::Delegate(s) if is_unsure(s) => {
                write!(f, "whether APIService {} is local is not known; if so, passed on", s.name)
            }
            Decision::Delegate(s) => {
                write!(f, "APIService {} is local: passed on", s.name)
            }
            Decision::Proxy(s) => proxied(f, s),
            Decision::ProxyToUnknownService(gv) => {
                write!(
                    f,
                    "{gv} is neither built in nor a CRD's, so an extension API server answers"
                )
            }
            Decision::Refuse(s, why) => refused(f, s, why),
            Decision::GroupDocument => {
                f.write_str("the aggregator writes this document itself, from the APIServices")
            }
            Decision::NonApi if self.0.server == Server::Aggregator => {
                f.write_str("not an API: the aggregator answers it itself")
            }
            Decision::NonApi => f.write_str("not an API: this server answers it itself"),
            Decision::Redirect => f.write_str("redirects to the same path with a slash behind it"),
            Decision::OpenApi(Some(true)) => {
                f.write_str("the OpenAPI document of that group version")
            }
            Decision::OpenApi(Some(false)) => {
                f.write_str("no group version has an OpenAPI document there")
            }
            Decision::OpenApi(None) => {
                f.write_str("an extension API server may have an OpenAPI document there")
            }
            Decision::Document => f.write_str("a document of this server"),
            Decision::BuiltIn(gv) => write!(f, "{gv} is built in, and has this resource"),
            Decision::NoRoute(Some(gv)) => {
                write!(f, "{gv} is built in, but has nothing of this form")
            }
            Decision::NoRoute(None) => {
                f.write_str("claims all paths below it, but has nothing there")
            }
            Decision::WrongMethod(methods) => {
                f.write_str("there is such a path, but only for ")?;
                for (index, method) in methods.iter().enumerate() {
                    write!(f, "{}{method}", if index == 0 { "" } else { ", " })?;
                }
                Ok(())
            }
            Decision::NotWatchable(gv) => {
                write!(f, "{gv} is built in; this resource can be listed, but not watched")
            }
            Decision::RoutesUnknown => f.write_str("built in; which resources it has is not known"),
            Decision::CustomDocument => f.write_str("the CRD handler lists what CRDs serve here"),
            Decision::Custom(crd) => write!(f, "CRD {} serves it", crd.name),
            Decision::CustomVerb(crd) => {
                write!(f, "CRD {} is served here, but not with this verb", crd.name)
            }
            Decision::NoCustom(miss) => missed(f, miss),
            Decision::CustomUnknown => {
                f.write_str("what CRDs serve in this group version is not known")
            }
        }
    }
}

fn proxied(f: &mut fmt::Formatter<'_>, service: &ApiService) -> fmt::Result {
    let Some(reference) = &service.service else { return Ok(()) };
    write!(
        f,
        "APIService {} sends it to Service {}/{}, port {}",
        service.name, reference.namespace, reference.name, reference.port
    )
}

fn refused(f: &mut fmt::Formatter<'_>, service: &ApiService, why: ProxyRefusal) -> fmt::Result {
    let name = &service.name;
    match why {
        ProxyRefusal::NotAvailable => match &service.available {
            Some(c) if !c.reason.is_empty() => {
                write!(f, "APIService {name} is not available ({})", c.reason)
            }
            Some(_) => write!(f, "APIService {name} is not available"),
            None => write!(f, "APIService {name} has no condition Available yet"),
        },
        ProxyRefusal::NoTransport => {
            write!(
                f,
                "APIService {name} has a caBundle without a certificate: no connection can be built"
            )
        }
    }
}

fn missed(f: &mut fmt::Formatter<'_>, miss: CrdLookupFailure<'_>) -> fmt::Result {
    let scope =
        |f: &mut fmt::Formatter<'_>, crd: &Crd, rest: &str| write!(f, "CRD {} {rest}", crd.name);
    match miss {
        CrdLookupFailure::NotAResource => {
            f.write_str("not the path of a group, a version or a resource")
        }
        CrdLookupFailure::NoGroup => f.write_str("no CRD serves this group"),
        CrdLookupFailure::NoGroupVersion => f.write_str("no CRD serves this group version"),
        CrdLookupFailure::NoCrd => {
            f.write_str("CRDs serve this group, but none of them this resource")
        }
        CrdLookupFailure::ClusterScoped(crd) => {
            scope(f, crd, "is cluster-scoped, but the path has a namespace")
        }
        CrdLookupFailure::Namespaced(crd) => {
            scope(f, crd, "is namespaced: without a namespace it can only be listed or watched")
        }
        CrdLookupFailure::NotServed(crd) => {
            let served: Vec<&str> =
                crd.versions.iter().filter(|v| v.served).map(|v| v.name.as_str()).collect();
            write!(f, "CRD {} does not serve this version, only {}", crd.name, served.join(", "))
        }
        CrdLookupFailure::NotAccepted(crd) => {
            scope(f, crd, "is not established: its names are taken by another CRD")
        }
    }
}
