//! Routes a request and builds its response.

use std::borrow::Cow;
use std::fmt::Write;

use super::cache::Documents;
use super::fault::{Fault, Faults};
use super::message::{NOT_COLLECTED, Request, Response};
use super::server::{Call, Replay};
use super::status;
use kube_aggregation::model::ServiceReference;
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::{Decision, Method, Outcome, ProxyRefusal, Route, Router, Target};

/// The header that shows how a request was routed.
pub const ROUTE_HEADER: &str = "x-aggctl-route";

impl<'s> Replay<'s> {
    /// Creates the server of a registry. Its source was read again `read_again` times. The snapshot
    /// must have the faults applied ([`Faults::applied`]).
    pub fn new(registry: &'s Registry<'s>, faults: Faults, read_again: u64) -> Self {
        let replay = Self {
            registry,
            router: Router::new(registry),
            documents: Documents::default(),
            faults,
            revision: registry.snapshot.objects.revision() + read_again,
        };
        replay.prepare();
        replay
    }

    /// Answers a request.
    pub fn respond(&self, request: &Request) -> Response {
        let Some(method) = Method::parse(&request.method) else {
            return status::method_not_allowed();
        };
        let Ok(target) = Target::parse(method, &request.target) else {
            return Response::text(400, "400 Bad Request");
        };
        let route = self.router.route(&target);
        let fault = route.api_service().and_then(|service| self.faults.of(&service.name));
        let proxied = route.outcome == Outcome::Proxied;
        let mut response = match fault {
            Some(Fault::Forbidden) if proxied => status::forbidden(),
            _ => self.routed(Call { request, target: &target, route: &route }),
        };
        if let (Some(Fault::Slow(time)), true) = (fault, proxied) {
            response.delay = time;
        }
        response.with(ROUTE_HEADER, header(&route))
    }

    fn routed(&self, call: Call<'_>) -> Response {
        let Call { request, target, route } = call;
        let reads = matches!(route.method, Method::Get | Method::Head);
        let decision = route.last_hop().map(|hop| hop.decision);
        match (route.outcome, decision) {
            (Outcome::Served | Outcome::Proxied | Outcome::Unknown, _) if !reads => {
                status::read_only(route.method, route.info().as_ref())
            }
            (Outcome::Served, Some(decision)) => self.served(call, decision),
            (Outcome::Proxied, Some(decision)) => self.proxied(call, decision),
            (Outcome::Unavailable, Some(Decision::Refuse(service, ProxyRefusal::NoTransport))) => {
                let why = format!("APIService {}: unable to load root certificates", service.name);
                Response::text(500, &why)
            }
            (Outcome::Unavailable, _) => Response::text(503, "service unavailable"),
            (Outcome::NotFound, Some(Decision::NoRoute(_))) => status::not_found(),
            (Outcome::MethodNotAllowed, _) => status::method_not_allowed(),
            (Outcome::Redirect, _) => redirect(&target.path),
            (Outcome::BadRequest, _) => {
                let why =
                    "failed to create RequestInfo: unable to determine kind and namespace from url";
                let target = request.target.replace(['&', '<', '>'], "");
                Response::text(500, &format!("Internal Server Error: {target:?}: {why}"))
            }
            (Outcome::Unknown, Some(_)) => {
                let why = route.last_hop().map(|hop| hop.reason().to_string()).unwrap_or_default();
                status::unavailable(&format!("aggctl cannot tell from the source: {why}"))
                    .with(NOT_COLLECTED, "all")
            }
            _ => Response::text(404, "404 page not found"),
        }
    }

    /// Answers as one of the three servers.
    fn served(&self, call: Call<'_>, decision: Decision<'_>) -> Response {
        let (request, path) = (call.request, &call.target.path);
        match decision {
            Decision::BuiltIn(gv) => self.resource(call, &gv.to_string(), None),
            Decision::Custom(crd) => {
                let version = call.route.info().map(|info| info.version).unwrap_or_default();
                let api_version = format!("{}/{version}", crd.group);
                self.resource(call, &api_version, Some(crd))
            }
            Decision::GroupDocument | Decision::Document | Decision::CustomDocument => {
                self.discovery(request, path).unwrap_or_else(|| self.other_document(request, path))
            }
            _ => self.other_document(request, path),
        }
    }

    /// Answers as an extension server, if the source has what it would answer.
    fn proxied(&self, call: Call<'_>, decision: Decision<'_>) -> Response {
        let known = match call.route.info() {
            Some(info) if info.resource_request => {
                let api_version = format!("{}/{}", info.group, info.version);
                let kind = self.kind_of(&info, None);
                let known = kind
                    .is_some_and(|kind| self.registry.snapshot.objects.knows(&api_version, &kind));
                known.then(|| self.resource(call, &api_version, None))
            }
            _ => self.collected_list(call.request, &call.target.path),
        };
        known.unwrap_or_else(|| {
            let service = match decision {
                Decision::Proxy(service) => service.service.as_ref().map(ServiceReference::id),
                _ => None,
            };
            let service = service.map_or(Cow::Borrowed("an unknown Service"), Cow::Owned);
            status::unavailable(&format!(
                "error trying to reach service: its answer is not in the source, and aggctl does not ask {service}"
            ))
        })
    }
}

/// Returns the outcome and the hops: `served; kube-aggregator exact, kube-apiserver webservice
/// /api/v1`.
fn header(route: &Route<'_>) -> String {
    let mut text = route.outcome.as_str().to_owned();
    for (index, hop) in route.hops().enumerate() {
        let separator = if index == 0 { "; " } else { ", " };
        // Writing to a string cannot fail.
        let _ = write!(text, "{separator}{hop}");
    }
    text
}

fn redirect(path: &str) -> Response {
    let to: String = percent_encoding::utf8_percent_encode(path, PATH).chain(["/"]).collect();
    Response::html(302, format!("<a href=\"{to}\">Found</a>.\n\n")).with("location", to)
}

/// The characters to escape in the address of a redirect.
const PATH: &percent_encoding::AsciiSet = &percent_encoding::CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'%')
    .add(b'?')
    .add(b'#');
