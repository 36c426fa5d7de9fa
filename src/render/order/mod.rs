//! Groups and versions in their order.

mod json;
mod text;

pub(in crate::render) use json::{OrderJson, PlacedJson};

use serde::Serialize;

use super::{Answer, Basis, Page};
use crate::priority::{OrderedGroup, Precedence};

/// Groups in the order of one endpoint.
#[derive(Debug)]
pub struct OrderAnswer<'a> {
    /// Whose order: `legacy`, `aggregated` or `openapi-v2`.
    pub form: &'a str,
    /// First comes first.
    pub groups: &'a [OrderedGroup<'a>],
    pub basis: Basis<'a>,
}

impl Answer for OrderAnswer<'_> {
    fn text(&self, page: Page) -> String {
        text::table(self.groups, page)
    }

    fn json(&self) -> impl Serialize {
        self.basis.answer("Order", json::OrderJson::new(self.form, self.groups))
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        let placed = json::PlacedJson::all(self.form, self.groups);
        placed.map(|group| self.basis.answer("OrderedGroup", group))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        self.groups.iter().map(|group| group.name.to_owned())
    }
}

/// Why one of two groups comes first; each with its place.
pub fn group_order(
    (place, first): (usize, &str),
    (later, second): (usize, &str),
    why: &Precedence<'_>,
) -> String {
    format!("{first} (#{place}) comes before {second} (#{later}): {why}.")
}

/// Why one of two versions of a group comes first.
pub fn version_order(group: &str, first: &str, second: &str, why: &Precedence<'_>) -> String {
    format!("{group}/{first} comes before {group}/{second}: {why}.")
}
