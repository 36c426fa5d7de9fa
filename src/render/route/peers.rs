//! The peer proxy of a control plane, as a hop before the chain.

use std::fmt::Write as _;

use super::Routed;
use super::text::{self, SERVER_WIDTH, beside};
use crate::render::{TextBuilder, TextOptions, joined, sanitise};
use kube_aggregation::peers::{ControlPlane, LocalReason, PeerRoute, PeerStep};
use kube_aggregation::routing::Outcome;

/// What the peer proxy of the asked server does with a request.
#[derive(Debug, Clone)]
pub struct PeerHop<'a> {
    /// The server that was asked; empty if the source is of one server.
    pub asked: &'a str,
    /// The servers that may handle the request.
    pub handled_by: Vec<&'a str>,
    /// One word for it, as the JSON contract has it.
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
                let who = joined(names(peers), ", ");
                ("refuse", format!("only {who} has this resource, and does not answer"))
            }
            PeerStep::WithoutAddress(peers) => {
                let who = joined(names(peers), ", ");
                let reason = format!(
                    "only {who} has this resource, and its address has expired; this lasts until its Lease is collected, an hour or more"
                );
                ("refuse", reason)
            }
        };
        let handled_by = names(way.handled_by());
        Self { asked: plane.name(way.asked), handled_by, decision, reason }
    }

    /// Whether the request leaves the asked server, or would.
    pub fn is_proxied(&self) -> bool {
        self.decision != "pass-on"
    }

    /// The lines of the picture: the peer proxy, and the server whose chain follows.
    pub(super) fn lines(&self, sheet: &mut TextBuilder) {
        let paint = sheet.page.paint;
        let name = format!("{:SERVER_WIDTH$}", "peer proxy");
        let (mark, name) = match self.decision {
            "proxy" => (paint.away("→"), paint.strong(name)),
            "refuse" => (paint.bad("×"), paint.strong(name)),
            _ => (paint.faint("│"), paint.faint(name)),
        };
        let rest = format!("    {:1$}  ", "", beside(sheet.page.width));
        sheet.paragraph(format_args!("  {mark} {name}  "), &rest, sanitise(&self.reason));
        if self.decision == "proxy" && !self.handled_by.is_empty() {
            let who = joined(self.handled_by.iter().map(|name| sanitise(name)), " or ");
            sheet.line(format_args!("    {}", paint.faint(format!("then the chain of {who}:"))));
        }
    }
}

/// The columns of a stream that say which server was asked and which handles the request.
pub fn peer_columns(hop: &PeerHop<'_>) -> String {
    let to = if hop.is_proxied() {
        format!(" → {}", joined(&hop.handled_by, "|"))
    } else {
        String::new()
    };
    format!("{:<16}  ", sanitise(&format!("{}{to}", hop.asked)))
}

/// One request to several servers: how many serve it, then each way once.
pub(super) fn side_by_side(requests: &[Routed<'_>], page: TextOptions) -> Option<String> {
    let first = requests.first()?;
    let same = |one: &Routed<'_>| {
        one.route.path == first.route.path && one.route.method == first.route.method
    };
    let names: Vec<&str> = requests.iter().filter_map(asked).collect();
    if requests.len() < 2 || names.len() < requests.len() || !requests.iter().all(same) {
        return None;
    }
    // Servers that do the same are shown once.
    let mut ways: Vec<(&Routed<'_>, Vec<&str>)> = vec![];
    for (one, name) in requests.iter().zip(names) {
        let alike = |known: &(&Routed<'_>, Vec<&str>)| {
            let proxied = |one: &Routed<'_>| one.peers.as_ref().is_some_and(PeerHop::is_proxied);
            known.0.route.way() == one.route.way()
                && proxied(known.0) == proxied(one)
                && (!proxied(one) || handled_by(known.0) == handled_by(one))
        };
        match ways.iter_mut().find(|known| alike(known)) {
            Some((_, names)) => names.push(name),
            None => ways.push((one, vec![name])),
        }
    }
    let mut sheet = TextBuilder::new(page);
    sheet.paragraph("", "", summary(requests));
    for (one, names) in &ways {
        sheet.gap();
        let names = joined(names.iter().map(|name| sanitise(name)), ", ");
        sheet.line(format_args!("{}", page.paint.strong(format!("==> {names} <=="))));
        let both = (one.passage.as_ref(), one.peers.as_ref());
        let next = one.suggestion.next.as_deref();
        sheet.push(&text::picture(&one.route, &one.remarks, both, next, page));
    }
    Some(sheet.into_text())
}

fn handled_by<'r>(one: &'r Routed<'_>) -> Option<&'r [&'r str]> {
    one.peers.as_ref().map(|hop| hop.handled_by.as_slice())
}

fn asked<'a>(one: &Routed<'a>) -> Option<&'a str> {
    one.peers.as_ref().map(|peers| peers.asked)
}

/// How many servers serve a request, and what the others answer.
fn summary(requests: &[Routed<'_>]) -> String {
    let all = requests.len();
    let mut groups: Vec<(String, Vec<&str>)> = vec![];
    let mut served = 0;
    for one in requests {
        let name = asked(one).unwrap_or_default();
        let status = one.route.status.first().copied().unwrap_or_default();
        let words = match one.route.outcome {
            Outcome::Served | Outcome::Proxied | Outcome::Redirect => {
                served += 1;
                continue;
            }
            Outcome::Unknown => "cannot be predicted".to_owned(),
            _ => format!("returns {status}"),
        };
        match groups.iter_mut().find(|(known, _)| *known == words) {
            Some((_, names)) => names.push(name),
            None => groups.push((words, vec![name])),
        }
    }
    let mut text = match served {
        0 => format!("none of {all} servers serves this"),
        _ if served == all => format!("all {all} servers serve this"),
        1 => format!("1 of {all} servers serves this"),
        _ => format!("{served} of {all} servers serve this"),
    };
    for (words, names) in groups {
        let words = if names.len() > 1 { words.replace("returns", "return") } else { words };
        let _ = write!(text, "; {} {words}", sanitise(&joined(names, ", ")));
    }
    let by_peers =
        requests.iter().filter(|one| one.peers.as_ref().is_some_and(|hop| hop.decision == "proxy"));
    let by_peers: Vec<&str> = by_peers.filter_map(asked).collect();
    if !by_peers.is_empty() {
        let verb = if by_peers.len() == 1 { "sends" } else { "send" };
        let _ = write!(text, "; {} {verb} it to a peer", sanitise(&joined(by_peers, ", ")));
    }
    text
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
