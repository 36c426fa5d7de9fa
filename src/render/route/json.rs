//! The JSON of `route`.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;

use super::answer::{Routed, Suggestion};
use super::filters_json::{self, AuthorizationJson, CallerJson, FilterJson, HeaderJson};
use super::peer_hop::PeerHop;
use crate::render::json::{API_VERSION, SourceJson, non_empty};
use aggctl_diagnose::access::FilterOutcome;
use aggctl_diagnose::knowledge::sentence;
use kube_aggregation::model::{Origin, ServiceReference};
use kube_aggregation::registry::Anomaly;
use kube_aggregation::routing::{Decision, Hop, Match, Outcome, Remarks, RequestInfo, Route};

/// How one request is routed.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct RouteJson<'a> {
    api_version: &'static str,
    kind: &'static str,
    source: SourceJson<'a>,
    request: RequestJson<'a>,
    /// The server that was asked, with several servers of a control plane.
    #[serde(skip_serializing_if = "Option::is_none")]
    asked: Option<&'a str>,
    /// The servers that may handle the request: the asked one, or peers. Empty if none does.
    #[serde(skip_serializing_if = "Option::is_none")]
    handled_by: Option<Vec<&'a str>>,
    /// The caller, if one was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    caller: Option<CallerJson<'a>>,
    /// The filters before the chain, if a caller was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    filters: Option<Vec<FilterJson>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    authorization: Option<AuthorizationJson<'a>>,
    hops: Vec<HopJson<'a>>,
    outcome: &'static str,
    /// `namespace/name`
    service: Option<String>,
    status: &'static [u16],
    handler: Option<HandlerJson<'a>>,
    /// The headers that tell an extension server who the caller is.
    #[serde(skip_serializing_if = "Option::is_none")]
    identity: Option<Vec<HeaderJson<'a>>>,
    warnings: Vec<RouteWarningJson>,
    assumptions: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestion: Option<String>,
    /// When Kubernetes served a group version or resource that the source does not have.
    #[serde(skip_serializing_if = "Option::is_none")]
    served: Option<String>,
    /// In a what-if, whether it changes this route.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<bool>,
    /// The present route, if it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<Box<RouteJson<'a>>>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct RequestJson<'a> {
    method: &'static str,
    path: &'a str,
    resource: bool,
    verb: Option<&'a str>,
    group: Option<&'a str>,
    version: Option<&'a str>,
    namespace: Option<&'a str>,
    name: Option<Cow<'a, str>>,
    resource_name: Option<&'a str>,
    subresource: Option<&'a str>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct HopJson<'a> {
    server: &'static str,
    r#match: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pattern: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    api_service: Option<&'a str>,
    decision: &'static str,
    reason: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct HandlerJson<'a> {
    server: &'static str,
    /// A Service as `namespace/name`, a CRD, or the path that matched.
    name: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct RouteWarningJson {
    code: &'static str,
    message: String,
}

impl<'a> RouteJson<'a> {
    /// Returns the document of one request. `now` is the source without the changes, in a what-if.
    pub(in crate::render) fn of(one: &'a Routed<'a>, now: Option<&'a Origin>) -> Self {
        let mut answer = Self::new(one.origin, &one.route, &one.remarks)
            .suggesting(&one.suggestion)
            .among(one.peers.as_ref())
            .passed(one.passage.as_ref());
        if let Some((origin, now)) = now.zip(one.now.as_ref()) {
            let changed = now.route.way() != one.route.way();
            let before = || Self::new(origin, &now.route, &now.remarks);
            let before = || before().among(now.peers.as_ref()).passed(now.passage.as_ref());
            answer.changed = Some(changed);
            answer.before = changed.then(|| Box::new(before()));
        }
        answer
    }

    fn new(origin: &'a Origin, route: &'a Route<'a>, remarks: &Remarks<'_>) -> Self {
        let warning =
            |w: &Anomaly<'_>| RouteWarningJson { code: w.code.as_str(), message: sentence(w) };
        Self {
            api_version: API_VERSION,
            kind: "Route",
            source: origin.into(),
            request: RequestJson::new(route, route.info()),
            asked: None,
            handled_by: None,
            caller: None,
            filters: None,
            authorization: None,
            hops: route.hops().map(HopJson::from).collect(),
            outcome: route.outcome.as_str(),
            service: route.api_service().and_then(|s| s.service.as_ref()).map(|s| s.id()),
            status: route.status,
            handler: HandlerJson::new(route),
            identity: None,
            warnings: remarks.warnings.iter().map(warning).collect(),
            assumptions: remarks.assumptions.iter().map(ToString::to_string).collect(),
            suggestion: None,
            served: None,
            changed: None,
            before: None,
        }
    }

    /// Adds the filters before the chain.
    fn passed(mut self, passage: Option<&'a FilterOutcome<'a, 'a>>) -> Self {
        let Some(passage) = passage else { return self };
        self.caller = Some(CallerJson::new(passage.caller));
        self.filters = Some(filters_json::filters(passage));
        let judged = !passage.is_unauthenticated();
        self.authorization = judged.then(|| AuthorizationJson::new(passage));
        if self.handler.as_ref().is_some_and(|handler| handler.server == "extension") {
            self.identity = Some(filters_json::headers(passage));
        }
        self.assumptions.extend(passage.assumptions().iter().map(ToString::to_string));
        self
    }

    /// Adds what the peer proxy of the asked server does, as the first hop.
    fn among(mut self, peers: Option<&PeerHop<'a>>) -> Self {
        let Some(peers) = peers else { return self };
        self.asked = non_empty(peers.asked);
        self.handled_by = Some(peers.handled_by.clone());
        if peers.decision.is_empty() {
            return self;
        }
        let hop = HopJson {
            server: "peer-proxy",
            r#match: if peers.is_proxied() { "resource" } else { "none" },
            pattern: None,
            api_service: None,
            decision: peers.decision,
            reason: peers.reason.clone(),
        };
        self.hops.insert(0, hop);
        self
    }

    /// Adds what to try if it is not served.
    fn suggesting(mut self, suggestion: &Suggestion) -> Self {
        self.suggestion.clone_from(&suggestion.path);
        self.served = suggestion.served.as_ref().map(ToString::to_string);
        self
    }

    /// Returns the assumptions.
    pub(super) fn assumptions(&self) -> &[String] {
        &self.assumptions
    }
}

impl<'a> RequestJson<'a> {
    pub(super) fn new(route: &Route<'a>, info: Option<RequestInfo<'a>>) -> Self {
        let verb = info.as_ref().and_then(|i| non_empty(i.verb));
        let about = info.filter(|info| info.resource_request);
        let of = about.as_ref();
        Self {
            method: route.method.as_str(),
            path: route.path,
            resource: of.is_some(),
            verb,
            group: of.map(|i| i.group),
            version: of.and_then(|i| non_empty(i.version)),
            namespace: of.and_then(|i| non_empty(i.namespace)),
            resource_name: of.and_then(|i| non_empty(i.resource)),
            subresource: of.and_then(|i| non_empty(i.subresource)),
            name: about.map(|i| i.name).filter(|name| !name.is_empty()),
        }
    }
}

impl<'a> From<&'a Hop<'a>> for HopJson<'a> {
    fn from(hop: &'a Hop<'a>) -> Self {
        let (r#match, pattern) = match hop.matched {
            Match::WebService(root) => ("webservice", Some(root)),
            Match::Exact => ("exact", None),
            Match::Prefix(prefix) => ("prefix", Some(prefix)),
            Match::None => ("none", None),
        };
        let api_service = match hop.decision {
            Decision::Delegate(s) | Decision::Proxy(s) | Decision::Refuse(s, _) => {
                Some(s.name.as_str())
            }
            _ => None,
        };
        Self {
            server: hop.server.as_str(),
            r#match,
            pattern,
            api_service,
            decision: hop.decision.as_str(),
            reason: hop.reason().to_string(),
        }
    }
}

impl<'a> HandlerJson<'a> {
    pub(super) fn new(route: &'a Route<'a>) -> Option<Self> {
        let hop = route.last_hop()?;
        if matches!(route.outcome, Outcome::NotFound | Outcome::BadRequest | Outcome::Unavailable) {
            return None;
        }
        Some(match hop.decision {
            Decision::Proxy(s) => {
                let reference = s.service.as_ref()?;
                let ServiceReference { namespace, name, port } = reference;
                let url = format!("https://{name}.{namespace}.svc:{port}{}", route.path);
                Self { server: "extension", name: reference.id().into(), url: Some(url) }
            }
            Decision::ProxyToUnknownService(_) => {
                Self { server: "extension", name: "unknown".into(), url: None }
            }
            Decision::Custom(crd) | Decision::CustomVerb(crd) => {
                Self { server: hop.server.as_str(), name: (&*crd.name).into(), url: None }
            }
            _ => {
                let pattern = match hop.matched {
                    Match::WebService(pattern) | Match::Prefix(pattern) => pattern,
                    _ => route.path,
                };
                Self { server: hop.server.as_str(), name: pattern.into(), url: None }
            }
        })
    }
}
