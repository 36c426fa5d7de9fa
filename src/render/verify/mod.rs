//! The answer of `verify`: how many answers of a live server are as predicted, and which differ.

mod json;
mod text;

pub(in crate::render) use json::VerificationJson;

use serde::Serialize;

use super::format::Format;
use super::table::Grid;
use super::{Answer, ResponseMeta, SourceFlags, Table, TextOptions};
use aggctl_verify::{Judged, Verdict};
use kube_aggregation::discovery::Difference;

/// The result of verifying one server.
#[derive(Debug)]
pub struct Verification {
    /// How many requests were asked for.
    pub samples: usize,
    pub seed: u64,
    /// Every request, in the order in which they were sent.
    pub judged: Vec<Judged>,
    /// How many group versions were asked about, of how many.
    pub coverage: (usize, usize),
    /// How many requests were sent again, because their answer differed.
    pub repeated: usize,
    /// How `/apis` differs from what the registered objects give, with the form of the document.
    pub documents: Vec<(&'static str, Difference)>,
}

impl Verification {
    /// Returns how many answers are as predicted.
    pub fn agreeing(&self) -> usize {
        self.judged.iter().filter(|one| one.verdict == Verdict::Agrees).count()
    }

    /// Returns the answers that are not as predicted.
    pub fn differing(&self) -> Vec<&Judged> {
        self.judged.iter().filter(|one| one.verdict == Verdict::Differs).collect()
    }

    /// Returns how many answers could be compared.
    pub fn compared(&self) -> usize {
        self.agreeing() + self.differing().len()
    }

    /// Returns whether anything is not as predicted.
    pub fn differs(&self) -> bool {
        !self.differing().is_empty() || !self.documents.is_empty()
    }
}

/// The result for one server.
#[derive(Debug)]
pub struct VerificationAnswer<'a> {
    /// The name of the server; empty if it is the only one.
    pub server: &'a str,
    pub verification: &'a Verification,
    /// The options that select the cluster again.
    pub same: SourceFlags,
    pub meta: ResponseMeta<'a>,
}

impl Answer for VerificationAnswer<'_> {
    const MORE_FORMATS: &'static [Format] =
        &[Format::Wide, Format::Name, Format::Csv, Format::Markdown];

    fn text(&self, options: TextOptions) -> String {
        text::text(self, options)
    }

    fn json(&self) -> impl Serialize {
        self.meta.answer("Verification", VerificationJson::new(self.server, self.verification))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        self.verification.differing().into_iter().map(|one| one.probe.path.clone())
    }

    fn table(&self, options: TextOptions) -> Option<Grid> {
        let table = Table::new(&self.verification.judged, options)
            .column("VERDICT", |one| one.verdict.as_str())
            .column("CLASS", |one| one.probe.class.as_str())
            .column("PATH", |one| &one.probe.path)
            .column("PREDICTED", |one| text::predicted(&one.prediction))
            .column("OBSERVED", |one| text::observed(&one.observed));
        Some(table.grid())
    }
}
