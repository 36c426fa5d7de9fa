//! Requests and their ways through the chain.

mod json;
mod passage;
mod table;
mod text;

pub use json::RouteJson;
pub(in crate::render) use passage::GrantJson;
pub use table::route_row;

use std::collections::BTreeSet;

use serde::Serialize;

use super::answer::{Answer, Page};
use super::json::{Basis, Envelope, Items};
use crate::access::Passage;
use crate::baseline::When;
use crate::routing::{Route, Router};

/// Requests, and where they end.
#[derive(Debug)]
pub struct RoutesAnswer<'a> {
    /// Who routed them.
    pub router: &'a Router<'a>,
    /// The ways.
    pub routes: &'a [Route<'a>],
    /// What to try instead, for each.
    pub suggestions: &'a [Suggestion],
    /// How each passes the filters, where a caller is known.
    pub passages: &'a [Option<Passage<'a, 'a>>],
    /// How it is now, where the ways are as they would be.
    pub now: Option<(&'a Router<'a>, &'a [Route<'a>])>,
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
        let routes = self.routes.iter().zip(self.suggestions).enumerate();
        let answer = |(index, (route, suggestion)): (usize, (&'a Route<'a>, &Suggestion))| {
            let answer = RouteJson::new(self.router, route, suggestion.path.clone())
                .served(suggestion.served.as_ref())
                .passed(self.passage(index));
            match self.now.and_then(|(router, now)| Some((router, now.get(index)?))) {
                Some((router, now)) => answer.compared(router, now, route),
                None => answer,
            }
        };
        routes.map(answer).collect()
    }
}

impl Answer for RoutesAnswer<'_> {
    fn text(&self, page: Page) -> String {
        let picture = |router: &Router<'_>, route: &Route<'_>, suggestion: &Suggestion| {
            let (path, next) = (suggestion.path.as_deref(), suggestion.next.as_deref());
            text::picture(router, route, self.passage(0), (path, next), page)
        };
        let none = Suggestion::default();
        match (self.now, self.routes) {
            (None, [route]) => {
                picture(self.router, route, self.suggestions.first().unwrap_or(&none))
            }
            (None, _) => table::table(self, page),
            (Some((_, [now])), [then]) if now.way() == then.way() => {
                let text = picture(self.router, then, &none);
                format!("{text}no change: the request goes this way now and then\n")
            }
            (Some((router, [now])), [then]) => {
                let (before, after) =
                    (picture(router, now, &none), picture(self.router, then, &none));
                let strong = |word| page.paint.strong(word);
                format!("{}\n{before}\n{}\n{after}", strong("NOW"), strong("THEN"))
            }
            (Some((_, now)), then) => table::comparison(now, then, page),
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
        let basis = Basis::new(&self.router.registry().snapshot.origin, &[]);
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
