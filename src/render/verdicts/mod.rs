//! Whether expectations hold: for people, for CI.

mod json;
mod junit;
mod text;

pub use junit::verdicts_junit;

pub(in crate::render) use json::{ItemJson, ReportJson};

use serde::Serialize;

use super::{Answer, Basis, Page};
use crate::expectation::{Mismatch, Verdict};

/// A file of expectations, with a verdict for each.
pub type Judged<'a> = (String, Vec<Verdict<'a>>);

/// Verdicts, by file.
#[derive(Debug)]
pub struct VerdictsAnswer<'a> {
    /// The files.
    pub files: &'a [Judged<'a>],
    /// Leave out what holds.
    pub only_failures: bool,
    pub basis: Basis<'a>,
}

impl Answer for VerdictsAnswer<'_> {
    fn text(&self, page: Page) -> String {
        text::text(self, page)
    }

    fn json(&self) -> impl Serialize {
        self.basis.answer("RouteTest", ReportJson::new(self))
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        self.all().map(|one| self.basis.answer("RouteTestResult", ItemJson::from(one)))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        let failed = self.all().filter(|(_, verdict)| !verdict.mismatches.is_empty());
        failed.map(|(_, v)| format!("{} {}", v.expectation.method, v.expectation.path))
    }
}

impl<'a> VerdictsAnswer<'a> {
    /// Every verdict, with its file.
    fn all(&self) -> impl Iterator<Item = (&'a str, &'a Verdict<'a>)> + use<'a> {
        let files = self.files.iter();
        files.flat_map(|(file, verdicts)| verdicts.iter().map(move |verdict| (&**file, verdict)))
    }
}

/// What is not as expected, in words.
fn mismatch(Mismatch { field, expected, got }: &Mismatch) -> String {
    format!("{field}: expected {expected}, got {got}")
}
