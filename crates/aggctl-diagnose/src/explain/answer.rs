//! What an entry says about one text: causes in the order of the evidence, commands that run.

use std::collections::BTreeSet;

use super::commands::Names;
use super::lookup::Lookup;
use super::{About, Explanation, Refused};
use crate::knowledge::{self, KnowledgeEntry};
use kube_aggregation::baseline::{Told, When};
use kube_aggregation::model::{GroupVersion, Minor};

/// An explanation with everything that is shown of it.
#[derive(Debug)]
pub struct ExplainReport {
    /// What was recognised.
    pub found: Explanation,
    /// What the source says about it; empty where none was asked.
    pub lookups: Vec<Lookup>,
    /// The refusals that the text tells of, looked up.
    pub refused: Vec<Refused>,
    /// What the entries that match say, the most telling first.
    pub answers: Vec<EntryAnswer>,
    /// When Kubernetes served what is named and not there.
    pub served: Vec<When>,
}

/// What an entry says about one text.
#[derive(Debug)]
pub struct EntryAnswer {
    /// The entry.
    pub entry: &'static KnowledgeEntry,
    /// The line of the text that matches, counted from 1, and what of it does.
    pub place: Option<(usize, String)>,
    /// Causes, the likeliest first.
    pub causes: Vec<RankedCause>,
    /// What to run or do next.
    pub next: Vec<SuggestedStep>,
}

/// A cause, with what makes it likely.
#[derive(Debug, PartialEq, Eq)]
pub struct RankedCause {
    /// One sentence or two.
    pub text: &'static str,
    /// What makes it likely here, if anything does.
    pub likely: Option<Likely>,
}

/// What makes a cause likely.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Likely {
    /// The state of the source.
    Source,
    /// Something else that the text says.
    Text,
}

/// Something to run or do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuggestedStep {
    /// A command, with the names that are known; empty where there is none.
    pub command: String,
    /// What for.
    pub what: &'static str,
}

impl ExplainReport {
    /// What is said about a text, with what the source knows of it.
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

    /// The same, with the refusals that the text tells of, looked up. The text alone cannot tell
    /// that an extension server answers for the group.
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

    /// Whether anything of the text is known.
    pub fn is_recognised(&self) -> bool {
        !self.answers.is_empty() || self.found.health.is_some()
    }

    /// What is said about an entry, and no text in particular.
    pub fn of_entry(entry: &'static KnowledgeEntry) -> Self {
        let found = Explanation::default();
        let answers = vec![answer(entry, &found, &[])];
        Self { answers, found, lookups: vec![], refused: vec![], served: vec![] }
    }
}

/// What the entries that match say.
fn answers(found: &Explanation, lookups: &[Lookup]) -> Vec<EntryAnswer> {
    let answer = |one: &super::Match| EntryAnswer {
        place: Some((one.line, one.text.clone())),
        ..answer(one.entry, found, lookups)
    };
    found.matches.iter().map(answer).collect()
}

/// What an entry says about a text, and about what the source knows of it.
fn answer(entry: &'static KnowledgeEntry, found: &Explanation, lookups: &[Lookup]) -> EntryAnswer {
    let said = found.matches.iter().map(|one| one.entry.id).chain(found.hints.iter().copied());
    let said: BTreeSet<&str> = said.collect();
    let likely = |tags: &[&str]| {
        let source = tags.iter().any(|tag| lookups.iter().any(|l| l.evidence.contains(*tag)));
        let text = tags.iter().any(|tag| said.contains(tag));
        if source { Some(Likely::Source) } else { text.then_some(Likely::Text) }
    };
    let impossible = |tag: &&str| tag.strip_prefix('!').is_some_and(|tag| said.contains(tag));
    let mut causes: Vec<RankedCause> = entry
        .causes
        .iter()
        .filter(|cause| !cause.evidence.iter().any(impossible))
        .map(|cause| RankedCause { text: &cause.text, likely: likely(&cause.evidence) })
        .collect();
    causes.sort_by_key(|cause| cause.likely.map_or(2, |likely| likely as usize));
    let next = Names::of(found, lookups).steps(entry);
    EntryAnswer { entry, place: None, causes, next }
}
