//! Whether expectations hold: for people, for CI.

mod json;
mod junit;
mod text;

pub use junit::verdicts_junit;

pub(in crate::render) use json::{ItemJson, ReportJson};

use serde::Serialize;

use super::answer::{Answer, Page};
use super::json::Basis;
use crate::expectation::Verdict;

/// A file of expectations, with a verdict for each.
pub type Judged<'a> = (String, Vec<Verdict<'a>>);

/// Verdicts, by file.
#[derive(Debug)]
pub struct VerdictsAnswer<'a> {
    /// The files.
    pub files: &'a [Judged<'a>],
    /// Leave out what holds.
    pub only_failures: bool,
    /// What it rests on.
    pub basis: Basis<'a>,
}

impl Answer for VerdictsAnswer<'_> {
    fn text(&self, page: Page) -> String {
        let of =
            |(file, verdicts): &Judged<'_>| text::text(file, verdicts, self.only_failures, page);
        self.files.iter().map(of).collect()
    }

    fn json(&self) -> impl Serialize {
        self.basis.answer("RouteTest", json::ReportJson::new(self.files))
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        let items = json::items(self.files).into_iter();
        items.map(|item| self.basis.answer("RouteTestResult", item))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        let failed = self.files.iter().flat_map(|(_, v)| v).filter(|v| !v.mismatches.is_empty());
        failed.map(|v| format!("{} {}", v.expectation.method, v.expectation.path))
    }
}
