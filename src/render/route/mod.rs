//! Requests and their ways through the chain.

mod json;
mod passage;
mod peers;
mod table;
mod target;
mod text;

pub use json::RouteJson;
pub(in crate::render) use passage::GrantJson;
pub use peers::{PeerHop, peer_columns};
pub use table::route_row;
pub use target::parse_target;

use std::collections::BTreeSet;

use serde::Serialize;

use super::{Answer, Envelope, Items, ResponseMeta, TextOptions};
use aggctl_diagnose::access::FilterOutcome;
use kube_aggregation::baseline::When;
use kube_aggregation::model::Origin;
use kube_aggregation::routing::{Remarks, Route};

/// Requests, and where they end.
#[derive(Debug)]
pub struct RoutesAnswer<'a> {
    /// Where the facts come from.
    pub origin: &'a Origin,
    /// Where the facts of now come from, where the ways are as they would be.
    pub now: Option<&'a Origin>,
    /// The requests.
    pub requests: &'a [Routed<'a>],
}

/// A request, and where it ends.
#[derive(Debug)]
pub struct Routed<'a> {
    /// Where the facts of the asked server come from.
    pub origin: &'a Origin,
    /// Its way.
    pub route: Route<'a>,
    /// What there is to say about it.
    pub remarks: Remarks<'a>,
    /// What to try instead.
    pub suggestion: Suggestion,
    /// How it passes the filters, where a caller is known.
    pub passage: Option<FilterOutcome<'a, 'a>>,
    /// What the peer proxy does, if that is worth showing.
    pub peers: Option<PeerHop<'a>>,
    /// Its way now, where the other is as it would be.
    pub now: Option<(Route<'a>, Remarks<'a>)>,
}

/// What to do about a request that was not served.
#[derive(Debug, Clone, Default)]
pub struct Suggestion {
    /// A path that was meant, perhaps.
    pub path: Option<String>,
    /// When Kubernetes served what was asked for.
    pub served: Option<When>,
    /// The command that tells more.
    pub next: Option<String>,
}

impl Suggestion {
    /// What it says, a sentence each.
    pub fn hints(&self) -> impl Iterator<Item = String> {
        let path = self.path.as_ref().map(|path| format!("did you mean {path}?"));
        path.into_iter().chain(self.served.as_ref().map(ToString::to_string))
    }
}

impl<'a> RoutesAnswer<'a> {
    fn answers(&self) -> impl Iterator<Item = RouteJson<'a>> {
        self.requests.iter().map(|one| {
            let answer = RouteJson::new(one.origin, &one.route, &one.remarks)
                .suggesting(&one.suggestion)
                .among(one.peers.as_ref())
                .passed(one.passage.as_ref());
            match self.now.zip(one.now.as_ref()) {
                Some((origin, (now, remarks))) => {
                    answer.compared((origin, now, remarks), &one.route)
                }
                None => answer,
            }
        })
    }
}

impl Answer for RoutesAnswer<'_> {
    fn text(&self, page: TextOptions) -> String {
        if let Some(text) = peers::side_by_side(self.requests, page) {
            return text;
        }
        let [one] = self.requests else {
            return match self.now {
                None => table::table(self.requests, page),
                Some(_) => table::comparison(self.requests, page),
            };
        };
        let picture = |route: &Route<'_>, remarks: &Remarks<'_>| {
            text::picture(
                route,
                remarks,
                (one.passage.as_ref(), one.peers.as_ref()),
                one.suggestion.next.as_deref(),
                page,
            )
        };
        let then = picture(&one.route, &one.remarks);
        match &one.now {
            None => then,
            Some((now, _)) if now.way() == one.route.way() => {
                format!("{then}no change: the request goes this way now and then\n")
            }
            Some((now, remarks)) => {
                let strong = |word| page.paint.strong(word);
                let now = picture(now, remarks);
                format!("{}\n{now}\n{}\n{then}", strong("NOW"), strong("THEN"))
            }
        }
    }

    fn json(&self) -> impl Serialize {
        let mut answers: Vec<RouteJson<'_>> = self.answers().collect();
        if answers.len() == 1
            && let Some(only) = answers.pop()
        {
            return DocumentJson::One(Box::new(only));
        }
        let each = answers.iter().flat_map(RouteJson::assumptions).cloned();
        let assumptions: BTreeSet<String> = each.collect();
        let basis = ResponseMeta::new(self.origin, &[]);
        let list = basis.list("RouteList", answers);
        DocumentJson::Several(list.resting_on(assumptions.into_iter().collect()))
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        self.answers()
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        self.requests.iter().map(|one| one.route.handler_name())
    }
}

/// One answer by itself, several as a list.
#[derive(Serialize)]
#[serde(untagged)]
enum DocumentJson<'a> {
    One(Box<RouteJson<'a>>),
    Several(Envelope<'a, Items<RouteJson<'a>>>),
}
