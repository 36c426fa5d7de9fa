//! APIServices: where each leads, whether it works, what is odd about it.

mod json;
mod text;

pub(in crate::render) use json::ApiServiceJson;

use jiff::Timestamp;
use serde::Serialize;

use super::{Answer, Basis, Page};
use crate::registry::Review;

/// APIServices, in the order of their names.
#[derive(Debug)]
pub struct ApiServicesAnswer<'a> {
    /// Each, looked at from all sides.
    pub reviews: &'a [Review<'a>],
    /// On a terminal: list those too that are built in, available and not odd.
    pub all: bool,
    /// What ages are measured against.
    pub now: Timestamp,
    pub basis: Basis<'a>,
}

impl Answer for ApiServicesAnswer<'_> {
    fn text(&self, page: Page) -> String {
        text::text(self, page)
    }

    fn json(&self) -> impl Serialize {
        let items = self.reviews.iter().map(json::ApiServiceJson::from).collect();
        self.basis.list("APIServiceList", items)
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        let items = self.reviews.iter().map(json::ApiServiceJson::from);
        items.map(|item| self.basis.answer("APIService", item))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        self.reviews.iter().map(|review| format!("apiservice/{}", review.service.name))
    }
}
