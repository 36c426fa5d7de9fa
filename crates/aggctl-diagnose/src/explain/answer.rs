//! The report about a text: what the matching entries say, with causes ranked by evidence.

use std::collections::BTreeSet;

use super::commands::{CommandNames, SuggestedStep};
use super::lookup::Lookup;
use super::recognize::{About, EntryMatch, Explanation};
use super::refused::Refused;
use crate::knowledge::{self, KnowledgeEntry};
use kube_aggregation::baseline::{Told, When};
use kube_aggregation::model::{GroupVersion, Minor};

/// Everything that is shown about a text.
#[derive(Debug)]
pub struct ExplainReport {
    /// What was recognized.
    pub found: Explanation,
    /// What the source knows about it; empty without a source.
    pub lookups: Vec<Lookup>,
    /// The refusals in the text, looked up.
    pub refused: Vec<Refused>,
    /// The matching entries, the most specific first.
    pub answers: Vec<EntryAnswer>,
    /// When Kubernetes served the group versions that are missing.
    pub served: Vec<When>,
}

/// One entry, applied to a text.
#[derive(Debug)]
pub struct EntryAnswer {
    /// The entry.
    pub entry: &'static KnowledgeEntry,
    /// The matching line, counted from 1, and the matching text.
    pub place: Option<(usize, String)>,
    /// Causes, the likeliest first.
    pub causes: Vec<RankedCause>,
    /// What to run or do next.
    pub next: Vec<SuggestedStep>,
}

/// A cause, and what makes it likely.
#[derive(Debug, PartialEq, Eq)]
pub struct RankedCause {
    /// One sentence or two.
    pub text: &'static str,
    /// What makes it likely here.
    pub likely: Option<Likely>,
}

/// What makes a cause likely.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Likely {
    /// The state of the source.
    Source,
    /// Something else in the text.
    Text,
}

impl ExplainReport {
    /// Reports about a text, with what the source knows about it.
    pub fn new(mut found: Explanation, lookups: Vec<Lookup>, minor: Option<Minor>) -> Self {
        let there = |gv: &&GroupVersion| {
            let name = gv.api_service_name();
            lookups.iter().any(|one| one.name == name && one.works.is_some())
        };
        let missing = found.subject.group_versions.iter().filter(|gv| !there(gv));
        let served: Vec<When> = missing.flat_map(|gv| found.subject.served(gv, minor)).collect();
        found.hints.extend(served.iter().filter_map(|when| match when.told {
            Told::UpTo(..) => Some("removed"),
            Told::NewIn(_) => Some("not-yet"),
            Told::Served(_) => None,
        }));
        let answers = answers(&found, &lookups);
        Self { found, lookups, refused: vec![], answers, served }
    }

    /// Adds the refusals in the text. They may show that an extension server serves the group, which
    /// the text alone cannot.
    #[must_use]
    pub fn with(mut self, refused: Vec<Refused>) -> Self {
        if refused.iter().any(|one| one.by.is_aggregated()) {
            self.found.about = Some(About::AggregationLayer);
            for one in self.found.matches.iter_mut().filter(|one| one.entry.id == "rbac") {
                one.entry = knowledge::find("rbac-aggregated").unwrap_or(one.entry);
            }
            self.answers = answers(&self.found, &self.lookups);
        }
        Self { refused, ..self }
    }

    /// Whether anything in the text was recognized.
    pub fn is_recognised(&self) -> bool {
        !self.answers.is_empty() || self.found.health.is_some()
    }

    /// Reports about an entry, without a text.
    pub fn of_entry(entry: &'static KnowledgeEntry) -> Self {
        let found = Explanation::default();
        let answers = vec![answer(entry, &found, &[])];
        Self { answers, found, lookups: vec![], refused: vec![], served: vec![] }
    }
}

/// Applies all matching entries.
fn answers(found: &Explanation, lookups: &[Lookup]) -> Vec<EntryAnswer> {
    let answer = |one: &EntryMatch| EntryAnswer {
        place: Some((one.line, one.text.clone())),
        ..answer(one.entry, found, lookups)
    };
    found.matches.iter().map(answer).collect()
}

/// Applies an entry to a text, and to what the source knows about it.
fn answer(entry: &'static KnowledgeEntry, found: &Explanation, lookups: &[Lookup]) -> EntryAnswer {
    let in_text = found.matches.iter().map(|one| one.entry.id).chain(found.hints.iter().copied());
    let in_text: BTreeSet<&str> = in_text.collect();
    let likely = |tags: &[&str]| {
        let source = tags.iter().any(|tag| lookups.iter().any(|l| l.evidence.contains(*tag)));
        let text = tags.iter().any(|tag| in_text.contains(tag));
        if source { Some(Likely::Source) } else { text.then_some(Likely::Text) }
    };
    let impossible = |tag: &&str| tag.strip_prefix('!').is_some_and(|tag| in_text.contains(tag));
    let mut causes: Vec<RankedCause> = entry
        .causes
        .iter()
        .filter(|cause| !cause.evidence.iter().any(impossible))
        .map(|cause| RankedCause { text: &cause.text, likely: likely(&cause.evidence) })
        .collect();
    causes.sort_by_key(|cause| cause.likely.map_or(2, |likely| likely as usize));
    let next = CommandNames::of(found, lookups).steps(entry);
    EntryAnswer { entry, place: None, causes, next }
}
