//! What differs between two sources: for people, for programs, for a pull request.

mod fields;
mod json;
mod markdown;
mod summary;
mod text;

pub use markdown::diff_markdown;

pub(in crate::render) use json::{ComparedJson, DiffJson, LineJson, SummaryJson};

use serde::Serialize;

use super::{Answer, TextOptions};
use kube_aggregation::diff::Diff;
use kube_aggregation::model::Origin;

/// A diff of two sources.
#[derive(Debug)]
pub struct DiffAnswer<'a> {
    /// The first source.
    pub from: &'a Origin,
    /// The second source.
    pub to: &'a Origin,
    /// What differs.
    pub diff: &'a Diff,
}

impl Answer for DiffAnswer<'_> {
    fn text(&self, page: TextOptions) -> String {
        text::text(self, page)
    }

    fn json(&self) -> impl Serialize {
        self.whole()
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        self.each()
    }
}

/// A diff in the lines that people read, as a value.
pub fn diff_summary(answer: &DiffAnswer<'_>) -> impl Serialize {
    answer.summary()
}
