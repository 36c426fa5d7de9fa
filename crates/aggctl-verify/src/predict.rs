//! Predicts how a request ends, and what its answer must show.

use super::evidence::Evidence;
use super::probe::{Form, Probe};
use kube_aggregation::peers::ControlPlane;
use kube_aggregation::routing::{Decision, Method, Outcome, ProxyRefusal, Route, Server, Target};

/// What the answer to a request must show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expected {
    /// A document of this kind; any document if it is empty.
    Document(&'static str),
    /// That no server of the chain has a handler.
    NoHandler,
    /// That there is no such OpenAPI document.
    NoDocument,
    /// That a web service has no such route.
    NoRoute,
    /// That a handler looked for an object of this group.
    NoObject(String),
    /// That a handler refused the name.
    BadRequest,
    /// That a handler exists, for other methods.
    WrongMethod,
    /// A redirect.
    Redirect,
    /// That the aggregator does not try to reach the Service.
    Refused,
    /// That the aggregator cannot build a connection to the Service.
    NoTransport,
    /// That the path cannot be parsed.
    Unparsed,
    /// The answer of a backend: any, but not that the aggregator refused.
    Backend,
    /// Nothing that can be compared: the facts do not decide it.
    Unknown,
}

/// The prediction for one request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prediction {
    /// How it ends.
    pub outcome: Outcome,
    /// The server of the chain that answers, if any.
    pub server: Option<Server>,
    /// The servers that it passes, with what matched there.
    pub hops: Vec<String>,
    /// The APIService that determines the route, if one matched.
    pub api_service: Option<String>,
    /// What the answer must show.
    pub expected: Expected,
}

impl Prediction {
    /// Predicts how a request to a member of a control plane ends.
    pub fn new(plane: &ControlPlane<'_, '_>, asked: usize, probe: &Probe) -> Self {
        let target = Target::parse(Method::Get, &probe.path).ok();
        let routed = target.as_ref().and_then(|target| plane.route(asked, target));
        let Some(routed) = routed else {
            return Self {
                outcome: Outcome::Unknown,
                server: None,
                hops: vec![],
                api_service: None,
                expected: Expected::Unknown,
            };
        };
        let route = &routed.route;
        // A peer that the facts do not show may answer instead.
        let is_sure = routed.assumptions.is_empty() && !routed.is_proxied();
        Self {
            outcome: route.outcome,
            server: route.last_hop().map(|hop| hop.server),
            hops: route.hops().map(ToString::to_string).collect(),
            api_service: route.api_service().map(|service| service.name.clone()),
            expected: if is_sure { expected(route, probe) } else { Expected::Unknown },
        }
    }
}

fn expected(route: &Route<'_>, probe: &Probe) -> Expected {
    let Some(decision) = route.last_hop().map(|hop| hop.decision) else {
        return match route.outcome {
            Outcome::BadRequest => Expected::Unparsed,
            _ => Expected::Unknown,
        };
    };
    let group = || route.info().map(|info| info.group.to_owned()).unwrap_or_default();
    match (route.outcome, decision) {
        (Outcome::Served, Decision::BuiltIn(_) | Decision::Custom(_)) => match route.status {
            [400] => Expected::BadRequest,
            // Not stored, but computed: older servers answer 500 to an unknown name.
            _ if route.info().is_some_and(|info| info.resource == "componentstatuses") => {
                Expected::Unknown
            }
            status if status.contains(&404) => Expected::NoObject(group()),
            _ => Expected::Unknown,
        },
        // Below a prefix, a handler decides which paths exist.
        (Outcome::Served, Decision::NonApi) if route.status != [200] => Expected::Unknown,
        (Outcome::Served, _) => Expected::Document(kind(route.path, probe.form)),
        (Outcome::Proxied, _) => Expected::Backend,
        (Outcome::Unavailable, Decision::Refuse(_, ProxyRefusal::NoTransport)) => {
            Expected::NoTransport
        }
        (Outcome::Unavailable, _) => Expected::Refused,
        (Outcome::NotFound, Decision::NoRoute(_)) => Expected::NoRoute,
        (Outcome::NotFound, Decision::OpenApi(_)) => Expected::NoDocument,
        (Outcome::NotFound, _) => Expected::NoHandler,
        (Outcome::MethodNotAllowed, _) => Expected::WrongMethod,
        (Outcome::Redirect, _) => Expected::Redirect,
        _ => Expected::Unknown,
    }
}

/// Returns the kind of the document at a path; empty if it has none, or any.
fn kind(path: &str, form: Form) -> &'static str {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    match (parts.as_slice(), form) {
        ([_], Form::Aggregated) => "APIGroupDiscoveryList",
        (["api"], _) => "APIVersions",
        (["apis"], _) => "APIGroupList",
        (["apis", _], _) => "APIGroup",
        (["api", _] | ["apis", _, _], _) => "APIResourceList",
        _ => "",
    }
}

impl Expected {
    /// Returns whether an answer shows it; `None` if the answer does not decide that.
    pub(crate) fn admits(&self, status: u16, evidence: &Evidence) -> Option<bool> {
        Some(match self {
            Self::Document(kind) => match evidence {
                Evidence::Document(found) => kind.is_empty() || found == kind,
                Evidence::Success => kind.is_empty(),
                _ => false,
            },
            Self::NoHandler => *evidence == Evidence::NoHandler,
            Self::NoDocument => matches!(evidence, Evidence::Silence | Evidence::NoHandler),
            Self::NoRoute => *evidence == Evidence::NoRoute,
            Self::NoObject(group) => match evidence {
                // Some handlers leave the group out. The scale of an object that does not exist is
                // missing in the group of the kind Scale, in older servers.
                Evidence::NoObject(found) => {
                    found.is_empty() || found == group || found == "autoscaling"
                }
                _ => false,
            },
            Self::BadRequest => *evidence == Evidence::BadRequest,
            Self::WrongMethod => *evidence == Evidence::WrongMethod,
            Self::Redirect => *evidence == Evidence::Redirect,
            Self::Refused => *evidence == Evidence::Refused,
            Self::NoTransport => *evidence == Evidence::NoTransport,
            Self::Unparsed => *evidence == Evidence::Unparsed,
            Self::Backend => match evidence {
                Evidence::Refused => false,
                Evidence::Unreachable => true,
                // Only the backend knows which of its paths exist.
                _ if status < 300 => true,
                _ => return None,
            },
            Self::Unknown => return None,
        })
    }

    /// Returns the word that the JSON output uses.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Document(_) => "document",
            Self::NoHandler => "no-handler",
            Self::NoDocument => "no-document",
            Self::NoRoute => "no-route",
            Self::NoObject(_) => "no-object",
            Self::BadRequest => "bad-request",
            Self::WrongMethod => "method-not-allowed",
            Self::Redirect => "redirect",
            Self::Refused => "refused",
            Self::NoTransport => "no-transport",
            Self::Unparsed => "unparsed",
            Self::Backend => "backend",
            Self::Unknown => "unknown",
        }
    }

    /// Returns the status; `None` if it is not known.
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::Document(_) => Some(200),
            Self::NoHandler | Self::NoDocument | Self::NoRoute | Self::NoObject(_) => Some(404),
            Self::BadRequest => Some(400),
            Self::WrongMethod => Some(405),
            Self::Redirect => Some(302),
            Self::Refused => Some(503),
            Self::NoTransport | Self::Unparsed => Some(500),
            Self::Backend | Self::Unknown => None,
        }
    }
}
