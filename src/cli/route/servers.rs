//! The way of a request through the filters, the peer proxy and the chain of an API server.

use super::super::caller::Handlers;
use super::super::source::Members;
use crate::render::{PeerHop, RoutedNow};
use aggctl_diagnose::access::{Caller, FilterOutcome};
use kube_aggregation::peers::ControlPlane;
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::{Remarks, Route, Router, Target};

/// The API servers of a source: one, or those of a control plane.
pub(super) struct Servers<'r, 's> {
    handlers: &'r [Handlers<'s, 's>],
    pub(super) plane: ControlPlane<'r, 's>,
    named: bool,
    with_peers: bool,
}

/// The way of one request.
pub(super) struct Way<'a, 's> {
    pub(super) route: Route<'a>,
    pub(super) passage: Option<FilterOutcome<'a, 's>>,
    pub(super) peers: Option<PeerHop<'a>>,
    pub(super) remarks: Remarks<'a>,
}

impl<'a> Way<'a, 'a> {
    /// Returns the way as the one without the changes of a what-if.
    pub(super) fn into_now(self) -> RoutedNow<'a> {
        let Self { route, passage, peers, remarks } = self;
        RoutedNow { route, remarks, passage, peers }
    }
}

/// Returns the filters and the chain of every server.
pub(super) fn handlers<'s>(
    registries: &'s [Registry<'s>],
    caller: Option<&Caller>,
) -> Vec<Handlers<'s, 's>> {
    registries.iter().map(|registry| Handlers::new(registry, caller)).collect()
}

impl<'r, 's> Servers<'r, 's> {
    pub(super) fn new(members: &Members<'r>, handlers: &'r [Handlers<'s, 's>]) -> Self {
        let routers = handlers.iter().map(|handlers| &handlers.router);
        let plane = ControlPlane::new(members.names.iter().copied().zip(routers));
        Self { handlers, plane, named: members.are_named(), with_peers: members.with_peers }
    }

    /// Returns the chain of one server.
    pub(super) fn router(&self, server: usize) -> Option<&'r Router<'s>> {
        self.plane.router(server)
    }

    /// Sends a request to a server. `None` if there is no such server.
    pub(super) fn way<'a>(&'a self, asked: usize, target: &'a Target<'_>) -> Option<Way<'a, 's>> {
        let first = self.handlers.get(asked)?;
        let passage = first.filters(target);
        let before = || self.named.then(|| PeerHop::before(&self.plane, asked));
        if let Some((outcome, status)) = passage.as_ref().and_then(FilterOutcome::end) {
            let route = first.router.route(target).ending(outcome, status);
            let remarks = first.router.remarks(&route, false);
            return Some(Way { route, passage, peers: before(), remarks });
        }
        if !self.with_peers {
            let route = first.router.route(target);
            let remarks = first.router.remarks(&route, false);
            return Some(Way { route, passage, peers: before(), remarks });
        }
        let found = self.plane.route(asked, target)?;
        let hop = (self.named || found.is_proxied()).then(|| PeerHop::new(&self.plane, &found));
        let handler = found.handled_by().first().and_then(|peer| self.handlers.get(*peer));
        // A peer authorizes again, the user that the asked server names.
        let again = handler.filter(|_| found.is_proxied());
        let again = again.and_then(|handler| handler.filters_of_proxied(target));
        let end = again.as_ref().and_then(FilterOutcome::end);
        let route = match end {
            Some((outcome, status)) => found.route.ending(outcome, status),
            None => found.route,
        };
        let mut remarks = match handler {
            Some(handler) => handler.router.remarks(&route, false),
            None => Remarks::default(),
        };
        remarks.assumptions.extend(found.assumptions);
        let passage = again.filter(|_| end.is_some()).or(passage);
        Some(Way { route, passage, peers: hop, remarks })
    }
}
