//! The answer of `route`: requests and how the chain routes them.

mod answer;
mod filters;
mod filters_json;
mod json;
mod peer_hop;
mod side_by_side;
mod stream;
mod table;
mod target;
mod text;

pub use answer::{Routed, RoutedNow, RoutesAnswer, Suggestion};
pub(in crate::render) use filters_json::GrantJson;
pub(in crate::render) use json::RouteJson;
pub use peer_hop::PeerHop;
pub use stream::StreamedRoute;
pub use target::parse_target;

use std::collections::BTreeSet;

use serde::Serialize;

use super::format::Format;
use super::table::Grid;
use super::{Answer, Items, JsonEnvelope, ResponseMeta, TextOptions};

impl<'a> RoutesAnswer<'a> {
    fn documents(&self) -> impl Iterator<Item = RouteJson<'a>> {
        self.requests.iter().map(|one| RouteJson::of(one, self.now))
    }
}

impl Answer for RoutesAnswer<'_> {
    const MORE_FORMATS: &'static [Format] =
        &[Format::Wide, Format::Name, Format::Csv, Format::Markdown];

    fn text(&self, page: TextOptions) -> String {
        if let Some(text) = side_by_side::side_by_side(self.requests, page) {
            return text;
        }
        let [one] = self.requests else {
            return match self.now {
                None => table::table(self.requests, page),
                Some(_) => table::comparison(self.requests, page),
            };
        };
        let next = one.suggestion.next.as_deref();
        let before = (one.passage.as_ref(), one.peers.as_ref());
        let then = text::picture(&one.route, &one.remarks, before, next, page);
        match &one.now {
            None => then,
            Some(now) if now.route.way() == one.route.way() => {
                format!("{then}No change: the what-if does not affect this request.\n")
            }
            Some(now) => {
                let strong = |word| page.paint.strong(word);
                let before = (now.passage.as_ref(), now.peers.as_ref());
                let now = text::picture(&now.route, &now.remarks, before, next, page);
                format!("{}\n{now}\n{}\n{then}", strong("NOW"), strong("WHAT IF"))
            }
        }
    }

    fn json(&self) -> impl Serialize {
        let mut answers: Vec<RouteJson<'_>> = self.documents().collect();
        if answers.len() == 1
            && let Some(only) = answers.pop()
        {
            return RouteDocumentJson::One(Box::new(only));
        }
        let each = answers.iter().flat_map(RouteJson::assumptions).cloned();
        let assumptions: BTreeSet<String> = each.collect();
        let meta = ResponseMeta::new(self.origin, &[]);
        let list = meta.list("RouteList", answers);
        RouteDocumentJson::Several(list.resting_on(assumptions.into_iter().collect()))
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        self.documents()
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        self.requests.iter().map(|one| one.route.handler_name())
    }

    fn table(&self, options: TextOptions) -> Option<Grid> {
        Some(match self.now {
            None => table::grid(self.requests, options),
            Some(_) => table::compared_grid(self.requests, options),
        })
    }
}

/// One route by itself, or a list of several.
#[derive(Serialize)]
#[serde(untagged)]
enum RouteDocumentJson<'a> {
    One(Box<RouteJson<'a>>),
    Several(JsonEnvelope<'a, Items<RouteJson<'a>>>),
}
