//! The report about a pasted text: the knowledge entries that match, with causes ranked by
//! evidence.

use std::collections::BTreeSet;

use super::commands::{CommandNames, SuggestedStep};
use super::lookup::Lookup;
use super::recognize::{About, EntryMatch, Explanation};
use super::refused::Refused;
use crate::doctor::quoted;
use crate::knowledge::{self, KnowledgeEntry};
use kube_aggregation::baseline::{Told, When};
use kube_aggregation::model::{GroupVersion, Minor};

/// Everything to show about a text.
#[derive(Debug)]
pub struct ExplainReport {
    /// What was recognized.
    pub found: Explanation,
    /// What the source knows about the names in the text; empty without a source.
    pub lookups: Vec<Lookup>,
    /// The refusals in the text, looked up.
    pub refused: Vec<Refused>,
    /// The matching entries, the most specific first.
    pub answers: Vec<EntryAnswer>,
    /// When Kubernetes served the missing group versions.
    pub served: Vec<When>,
}

/// The maximum number of causes per answer. Users do not read longer lists.
const MAX_CAUSES: usize = 4;

/// One entry, applied to a text.
#[derive(Debug)]
pub struct EntryAnswer {
    /// What happened, in one sentence, with the name of the server if it is known.
    pub lead: String,
    /// The entry.
    pub entry: &'static KnowledgeEntry,
    /// The matching line, counted from 1, and the matching text.
    pub place: Option<(usize, String)>,
    /// The causes, the likeliest first.
    pub causes: Vec<RankedCause>,
    /// What to run or do next.
    pub next: Vec<SuggestedStep>,
}

/// A cause, and the evidence that makes it likely.
#[derive(Debug, PartialEq, Eq)]
pub struct RankedCause {
    /// One sentence or two.
    pub text: String,
    /// How to confirm or refute it.
    pub confirm: Option<SuggestedStep>,
    /// What makes it likely here.
    pub likely: Option<Likely>,
}

/// The kind of evidence that makes a cause likely.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Likely {
    /// The state of the source.
    Source,
    /// Something else in the text.
    Text,
}

impl ExplainReport {
    /// Builds the report about a text, with the lookups of its names.
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

    /// Adds the refusals in the text. A refusal may show that an extension server serves the group,
    /// which the text alone cannot.
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

    /// Returns whether anything in the text was recognized.
    pub fn is_recognized(&self) -> bool {
        !self.answers.is_empty() || self.found.health.is_some()
    }

    /// Builds the report about an entry, without a text.
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

/// Applies an entry to a text and to the lookups of its names.
fn answer(entry: &'static KnowledgeEntry, found: &Explanation, lookups: &[Lookup]) -> EntryAnswer {
    let in_text = found.matches.iter().map(|one| one.entry.id).chain(found.hints.iter().copied());
    let in_text: BTreeSet<&str> = in_text.collect();
    let likely = |tags: &[&str]| {
        let tags = || tags.iter().map(|tag| tag.trim_start_matches('+'));
        let source = tags().any(|tag| lookups.iter().any(|l| l.evidence.contains(tag)));
        // That the text matches this entry says nothing about which of its causes it is.
        let text = tags().any(|tag| tag != entry.id && in_text.contains(tag));
        if source { Some(Likely::Source) } else { text.then_some(Likely::Text) }
    };
    let holds =
        |tag: &str| in_text.contains(tag) || lookups.iter().any(|l| l.evidence.contains(tag));
    let ruled_out = |tag: &&str| tag.strip_prefix('!').is_some_and(holds);
    let unlikely = |tag: &&str| tag.strip_prefix('~').is_some_and(holds);
    let unproven = |tag: &&str| tag.strip_prefix(['+', '?']).is_some_and(|tag| !holds(tag));
    let excluded = |tag: &&str| ruled_out(tag) || unproven(tag);
    let names = CommandNames::of(found, lookups);
    let mut causes: Vec<(usize, RankedCause)> = vec![];
    for cause in entry.causes.iter().filter(|cause| !cause.evidence.iter().any(excluded)) {
        let likely = likely(&cause.evidence);
        let rank = match likely {
            Some(likely) => likely as usize,
            None if cause.evidence.iter().any(unlikely) => 3,
            None => 2,
        };
        let on = cause.on.iter().find(|(platform, _)| found.hints.contains(platform));
        let text = names.phrase(on.map_or(cause.text.as_str(), |(_, text)| text));
        let confirm = cause.confirm.as_ref().and_then(|step| names.confirm(step));
        causes.push((rank, RankedCause { text, confirm, likely }));
    }
    causes.sort_by_key(|(rank, _)| *rank);
    let mut causes: Vec<RankedCause> = causes.into_iter().map(|(_, cause)| cause).collect();
    if entry.is_about_availability() {
        causes.splice(0..0, holds_now(lookups));
    }
    causes.truncate(MAX_CAUSES);
    let lead = match entry.lead {
        "" => entry.title.to_owned(),
        _ if found.about != Some(About::AggregationLayer) => entry.title.to_owned(),
        lead => names.phrase(lead),
    };
    EntryAnswer { lead, entry, place: None, causes, next: names.steps(entry) }
}

/// Returns what the source shows about the APIServices of the text now, as the first causes.
fn holds_now(lookups: &[Lookup]) -> Vec<RankedCause> {
    let doctor = |one: &Lookup| SuggestedStep {
        command: format!("aggctl doctor {}", quoted(&one.name)),
        what: "",
    };
    let broken = lookups.iter().filter(|one| one.works == Some(false) && !one.diagnosis.is_empty());
    let mut causes: Vec<RankedCause> = broken
        .map(|one| RankedCause {
            text: format!(
                "{} does not work now: {}.",
                one.name,
                one.diagnosis.first().map_or("", String::as_str)
            ),
            confirm: Some(doctor(one)),
            likely: Some(Likely::Source),
        })
        .take(2)
        .collect();
    let flaw = |one: &Lookup| {
        let first = one.diagnosis.first().map_or("", String::as_str);
        if one.brief.is_empty() { first.to_owned() } else { one.brief.clone() }
    };
    let flawed = lookups.iter().filter(|one| one.works == Some(true) && !flaw(one).is_empty());
    if causes.is_empty() {
        causes.extend(flawed.take(2).map(|one| RankedCause {
            text: format!("{} is flawed now: {}.", one.name, flaw(one)),
            confirm: Some(doctor(one)),
            likely: Some(Likely::Source),
        }));
    }
    if let (true, Some(first)) = (causes.is_empty(), lookups.first())
        && lookups.iter().all(|one| {
            one.works == Some(true) && (one.service.is_none() || one.evidence.contains("available"))
        })
    {
        causes.push(RankedCause {
            text: format!("Nothing is wrong now: {} is available in this source.", first.name),
            confirm: Some(doctor(first)),
            likely: Some(Likely::Source),
        });
    }
    causes
}
