//! The peer proxy of a control plane, as a hop before the chain.

use std::fmt::Write as _;

use super::filters::{Names, PEER_PROXY};
use crate::render::{TextBuilder, joined, sanitize};
use kube_aggregation::peers::{ControlPlane, LocalReason, PeerRoute, PeerStep};

/// What the peer proxy of the asked server does with a request.
#[derive(Debug, Clone)]
pub struct PeerHop<'a> {
    /// The server that was asked; empty if the source is of one server.
    pub asked: &'a str,
    /// The servers that may handle the request.
    pub handled_by: Vec<&'a str>,
    /// One word for it, as the JSON contract has it. Empty if the request does not get that far, or
    /// peers are left out: only the server that was asked is shown then.
    pub decision: &'static str,
    /// Why, as a sentence.
    pub reason: String,
}

impl<'a> PeerHop<'a> {
    /// Describes the peer step of a route.
    pub fn new(plane: &ControlPlane<'a, '_>, way: &PeerRoute<'_>) -> Self {
        let names = |members: &[usize]| -> Vec<&'a str> {
            members.iter().map(|member| plane.name(*member)).collect()
        };
        let (decision, reason) = match &way.step {
            PeerStep::Local(reason) => ("pass-on", local(*reason).to_owned()),
            PeerStep::Proxied(peers) => {
                let mut reason = format!("only {} has this resource", joined(names(peers), ", "));
                if peers.len() > 1 {
                    reason = reason.replace(" has ", " have ");
                    let _ = write!(reason, "; one of them gets each request, at random");
                }
                ("proxy", reason)
            }
            PeerStep::ProxiedElsewhere => {
                ("proxy", "a server that is not in the source has this resource".to_owned())
            }
            PeerStep::Unreachable(peers) => {
                let who = match peers.is_empty() {
                    true => "a server that is not in the source".to_owned(),
                    false => joined(names(peers), ", "),
                };
                ("refuse", format!("only {who} has this resource, and does not answer"))
            }
            PeerStep::WithoutAddress(peers) => {
                let who = match peers.is_empty() {
                    true => "only a server that is not in the source has this resource".to_owned(),
                    false => format!("only {} has this resource", joined(names(peers), ", ")),
                };
                let reason = format!(
                    "{who}; it was killed, and its address has expired. After another server starts or stops, or its Lease is deleted, the answer is 404"
                );
                ("refuse", reason)
            }
        };
        let handled_by = names(way.handled_by());
        Self { asked: plane.name(way.asked), handled_by, decision, reason }
    }

    /// Returns the server that was asked, for a request that does not reach its peer proxy.
    pub fn before(plane: &ControlPlane<'a, '_>, asked: usize) -> Self {
        let asked = plane.name(asked);
        Self { asked, handled_by: vec![asked], decision: "", reason: String::new() }
    }

    /// Returns the columns of a stream: which server was asked, and which one handles the request.
    pub(super) fn columns(&self) -> String {
        let to = if self.is_proxied() {
            format!(" → {}", joined(&self.handled_by, "|"))
        } else {
            String::new()
        };
        format!("{:<16}  ", sanitize(&format!("{}{to}", self.asked)))
    }

    /// Returns whether the request leaves the asked server, or would leave it.
    pub fn is_proxied(&self) -> bool {
        !matches!(self.decision, "" | "pass-on")
    }

    /// Draws the peer proxy, and the name of the server that handles the request.
    pub(super) fn lines(&self, sheet: &mut TextBuilder, column: Names) {
        if self.decision.is_empty() {
            return;
        }
        let paint = sheet.page.paint;
        let (mark, leaves) = match self.decision {
            "proxy" => (paint.away("→"), true),
            "refuse" => (paint.bad("✗"), true),
            _ => (paint.faint("│"), false),
        };
        column.lines(sheet, (mark, PEER_PROXY, leaves), &[sanitize(&self.reason)]);
        if self.decision == "proxy" && !self.handled_by.is_empty() {
            let who = joined(self.handled_by.iter().map(|name| sanitize(name)), " or ");
            sheet.line(format_args!("    {}", paint.faint(format!("then through {who}:"))));
        }
    }
}

fn local(reason: LocalReason) -> &'static str {
    match reason {
        LocalReason::NoProxy => "this server does not proxy to its peers",
        LocalReason::NotAResource => "only requests for resources go to a peer",
        LocalReason::OwnResource => "this server has the resource itself",
        LocalReason::Excluded => "a CRD or a Service serves the group version: no peer is asked",
        LocalReason::NoPeer => "no peer has this resource",
    }
}
