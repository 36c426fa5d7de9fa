//! One request of a stream. Its formats do not depend on the requests that follow.

use serde::Serialize;

use super::answer::Routed;
use super::json::RouteJson;
use super::peer_hop::PeerHop;
use super::table::row;
use crate::render::format::Format;
use crate::render::{Answer, TextOptions, sanitize};
use kube_aggregation::model::Origin;

/// One request of a stream, and how it is routed.
#[derive(Debug)]
pub struct StreamedRoute<'a> {
    /// The source of `routed.now`, in a what-if.
    pub now: Option<&'a Origin>,
    pub routed: Routed<'a>,
}

impl Answer for StreamedRoute<'_> {
    const MORE_FORMATS: &'static [Format] = &[Format::Wide, Format::Name];

    fn offers(format: Format) -> bool {
        // A stream has no end at which a JSON or YAML document could be closed.
        matches!(format, Format::Table | Format::Wide | Format::Jsonl | Format::Name)
    }

    fn text(&self, _: TextOptions) -> String {
        let Routed { route, now, peers, .. } = &self.routed;
        let mut line = peers.as_ref().map(PeerHop::columns).unwrap_or_default();
        line.push_str(&row(route));
        if let Some(now) = now.as_ref().map(|now| now.route.way()).filter(|way| *way != route.way())
        {
            line.push_str(&format!("  (now: {})", sanitize(&now.to_string())));
        }
        line.push('\n');
        line
    }

    fn json(&self) -> impl Serialize {
        RouteJson::of(&self.routed, self.now)
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        [self.routed.route.handler_name()]
    }
}
