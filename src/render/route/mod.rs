//! Requests and their ways through the chain.

mod json;
mod lines;
mod passage;
mod table;
mod text;

pub use json::RouteJson;
pub use lines::RouteLines;
pub(in crate::render) use passage::GrantJson;
pub use table::route_row;

use std::collections::BTreeSet;

use serde::Serialize;

use super::{Answer, Basis, Envelope, Items, Page};
use crate::access::Passage;
use crate::baseline::When;
use crate::model::Origin;
use crate::routing::{Remarks, Route};

/// Requests, and where they end.
#[derive(Debug)]
pub struct RoutesAnswer<'a> {
    /// Where the facts come from.
    pub origin: &'a Origin,
    /// The ways.
    pub routes: &'a [Route<'a>],
    /// What there is to say about each.
    pub remarks: &'a [Remarks],
    /// What to try instead, for each.
    pub suggestions: &'a [Suggestion],
    /// How each passes the filters, where a caller is known.
    pub passages: &'a [Option<Passage<'a, 'a>>],
    /// How it is now, where the ways are as they would be.
    pub now: Option<Now<'a>>,
}

/// How requests go before a change.
#[derive(Debug, Clone, Copy)]
pub struct Now<'a> {
    /// Where the facts come from.
    pub origin: &'a Origin,
    /// The ways.
    pub routes: &'a [Route<'a>],
    /// What there is to say about each.
    pub remarks: &'a [Remarks],
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
    fn passage(&self, index: usize) -> Option<&'a Passage<'a, 'a>> {
        self.passages.get(index)?.as_ref()
    }

    fn answers(&self) -> Vec<RouteJson<'a>> {
        let each = self.routes.iter().zip(self.remarks).zip(self.suggestions).enumerate();
        let answer = |(index, ((route, remarks), suggestion)): (usize, _)| {
            let answer = RouteJson::new(self.origin, route, remarks)
                .suggesting(suggestion)
                .passed(self.passage(index));
            let now = self.now.and_then(|now| {
                Some((now.origin, now.routes.get(index)?, now.remarks.get(index)?))
            });
            match now {
                Some(now) => answer.compared(now, route),
                None => answer,
            }
        };
        each.map(answer).collect()
    }
}

impl Answer for RoutesAnswer<'_> {
    fn text(&self, page: Page) -> String {
        let picture = |route: &Route<'_>, remarks: &[Remarks], next: Option<&str>| {
            text::picture(route, remarks.first(), self.passage(0), next, page)
        };
        let (now, then) = (self.now.map(|now| (now.routes, now.remarks)), self.remarks);
        match (now, self.routes) {
            (None, [route]) => {
                let next = self.suggestions.first().and_then(|s| s.next.as_deref());
                picture(route, then, next)
            }
            (None, _) => table::table(self, page),
            (Some(([now], _)), [route]) if now.way() == route.way() => {
                let text = picture(route, then, None);
                format!("{text}no change: the request goes this way now and then\n")
            }
            (Some(([now], before)), [route]) => {
                let (before, after) = (picture(now, before, None), picture(route, then, None));
                let strong = |word| page.paint.strong(word);
                format!("{}\n{before}\n{}\n{after}", strong("NOW"), strong("THEN"))
            }
            (Some((now, _)), routes) => table::comparison(now, routes, page),
        }
    }

    fn json(&self) -> impl Serialize {
        let mut answers = self.answers();
        if answers.len() == 1
            && let Some(only) = answers.pop()
        {
            return DocumentJson::One(Box::new(only));
        }
        let each = answers.iter().flat_map(RouteJson::assumptions).cloned();
        let assumptions: BTreeSet<String> = each.collect();
        let basis = Basis::new(self.origin, &[]);
        let list = basis.list("RouteList", answers);
        DocumentJson::Several(list.resting_on(assumptions.into_iter().collect()))
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        self.answers()
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        self.routes.iter().map(Route::handler_name)
    }
}

/// One answer by itself, several as a list.
#[derive(Serialize)]
#[serde(untagged)]
enum DocumentJson<'a> {
    One(Box<RouteJson<'a>>),
    Several(Envelope<'a, Items<RouteJson<'a>>>),
}
