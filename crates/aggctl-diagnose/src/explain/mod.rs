//! What hurts, in plain words. Pure.
//!
//! [`explain`] finds the entries of [`crate::knowledge`] that a text matches and what the text is
//! about; [`look_up`] looks that up in a source; [`ExplainReport`] has the causes in the order of the
//! evidence, and commands that run.

mod answer;
mod commands;
mod kinds;
mod lookup;
mod namespace;
mod refused;
mod statement;
mod subject;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::access::{ANONYMOUS, AccessRefusal};
use crate::health::{self, Health};
use crate::knowledge::{
    self, EntryWeight, Found, KnowledgeEntry, Layer, candidates, cause_of, entries, find, hints,
};
use kube_aggregation::model::{HealthSample, words};

pub use answer::{EntryAnswer, ExplainReport, Likely, RankedCause, SuggestedStep};
pub use lookup::{Deletion, Lookup, look_up};
pub use namespace::{Blocker, NamespaceAnswer, explain_namespace};
pub use refused::{Refused, SaidNo, refused};
use statement::{Statement, statements};
pub use subject::{Subject, state_of};

/// How much of a text is read: a paste, not a log archive.
const MOST_BYTES: usize = 4 << 20;
/// How many entries are suggested for a text that none matches.
const MOST_NEAREST: usize = 3;
/// How many statements are looked through for names.
const MOST_STATEMENTS: usize = 400;
/// How like a message a text must be to be taken for it, of 1.
const LIKE: f64 = 0.5;

/// What a text was recognised as.
#[derive(Debug, Default)]
pub struct Explanation {
    /// Entries that match, the most telling first; empty where nothing is recognised.
    pub matches: Vec<Match>,
    /// Whether it is about the aggregation layer; nothing where nothing is recognised.
    pub about: Option<About>,
    /// What the text is about.
    pub subject: Subject,
    /// What failed, as the end of the message that counts says.
    pub cause: Option<knowledge::Cause>,
    /// Who cannot do what, as the text says.
    pub refusals: Vec<AccessRefusal>,
    /// Entries that come near, where none matches.
    pub nearest: Vec<&'static KnowledgeEntry>,
    /// Whether the text was longer than what is read.
    pub cut: bool,
    /// What the answers of health endpoints in the text come to, line by line.
    pub health: Option<Health>,
    /// Platforms and tools that the text tells of.
    hints: BTreeSet<&'static str>,
}

words! {
    /// Whether a text is about the aggregation layer.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum About {
        /// Nothing else says this.
        AggregationLayer = "aggregation-layer",
        /// Everything that uses the network says this, and nothing around it tells whose words they are.
        Possibly = "possibly",
        /// Something else.
        Elsewhere = "elsewhere",
    }
}

/// An entry that a text matches.
#[derive(Debug)]
pub struct Match {
    /// The entry.
    pub entry: &'static KnowledgeEntry,
    /// The line of the text that matches, counted from 1.
    pub line: usize,
    /// What of it matches.
    pub text: String,
    start: usize,
    score: usize,
    statement: usize,
}

/// Recognises a text: an error, a log, a condition, with any noise around it.
pub fn explain(text: &str) -> Explanation {
    let (kept, cut) = cut_to(text, MOST_BYTES);
    let lower = kept.to_ascii_lowercase();
    let contradicted: BTreeSet<&'static str> = entries()
        .iter()
        .filter(|entry| entry.unless.iter().any(|word| lower.contains(word)))
        .map(|entry| entry.id)
        .collect();
    let statements = statements(kept);
    let mut matches: Vec<Match> = vec![];
    let mut subject = Subject::default();
    let mut hints: BTreeSet<&'static str> = hints(&lower).collect();
    let mut said = vec![];
    for (index, statement) in statements.iter().enumerate() {
        let (reading, found) = said_by(&contradicted, statement, &mut hints);
        said.extend(found.into_iter().map(|(entry, found)| (index, reading, entry, found)));
    }
    if said.iter().any(|(_, _, entry, _)| entry.weight != EntryWeight::Routine) {
        said.retain(|(_, _, entry, _)| entry.weight != EntryWeight::Routine);
    }
    for (index, reading, entry, found) in said {
        if entry.layer != Layer::No {
            subject.add_captures(&found.captures);
            for gv in &entry.group_versions {
                subject.add_line(gv);
            }
            // What stands before the message is the program's own noise.
            if !subject.add_line(reading.get(found.start..).unwrap_or(reading)) {
                subject.add_line(reading);
            }
            subject.add_kinds(reading);
            subject.add_typed(reading);
        }
        let Found { text, start, score, .. } = found;
        let line = statements.get(index).map_or(1, |statement| statement.line);
        let new = Match { entry, line, text, start, score, statement: index };
        // The first place is shown, but a sentence says more than a single word, such as a reason.
        match matches.iter_mut().find(|one| one.entry.id == entry.id) {
            Some(known) if known.text.contains(' ') || known.score >= score => {}
            Some(known) => *known = new,
            None => matches.push(new),
        }
    }
    let health = health_of(kept);
    let about = about(&matches, &lower).or(health.as_ref().map(|_| About::AggregationLayer));
    if about != Some(About::Elsewhere) {
        complete(&mut subject, kept, &lower, &statements, &matches);
    }
    let mut best: BTreeMap<usize, usize> = BTreeMap::new();
    for one in &matches {
        let score = best.entry(one.statement).or_default();
        *score = one.score.max(*score);
    }
    // What is about the layer before what is not; then the most specific statement, and in it what
    // stands first: clients put their own words before those of the server, and causes come last,
    // but have more weight.
    let elsewhere = about == Some(About::Elsewhere);
    matches.sort_by_key(|one| {
        let other = (one.entry.layer == Layer::No) != elsewhere;
        let best = best.get(&one.statement).copied().unwrap_or_default();
        let place = (one.line, one.start);
        (other, one.entry.weight, Reverse(best), place, Reverse(one.score), one.entry.id)
    });
    let first = matches.first().filter(|first| !matches!(first.entry.weight, EntryWeight::Alone));
    let cause = first.and_then(|first| cause_of(&statements.get(first.statement)?.text));
    let unknown = matches.is_empty() && health.is_none();
    let nearest = if unknown { nearest(kept) } else { vec![] };
    if subject.owners().len() > 1 {
        hints.insert("several");
    }
    if subject.is_built_in() {
        hints.insert("built-in");
    }
    let refusals = refusals(&statements);
    if !refusals.is_empty() && refusals.iter().all(|refusal| refusal.user != ANONYMOUS) {
        hints.insert("known-user");
    }
    Explanation { matches, about, subject, cause, refusals, nearest, cut, health, hints }
}

/// How many refusals of a text are looked at: logs repeat them for every resource.
const MOST_REFUSALS: usize = 5;

/// The refusals that a text tells of, each once.
fn refusals(statements: &[Statement]) -> Vec<AccessRefusal> {
    let mut found: Vec<AccessRefusal> = vec![];
    for statement in statements {
        let mut said = AccessRefusal::find_all(&statement.text);
        if let (true, Some(tight)) = (said.is_empty(), &statement.tight) {
            said = AccessRefusal::find_all(tight);
        }
        said.retain(|one| !found.contains(one));
        found.extend(said);
    }
    found.truncate(MOST_REFUSALS);
    found
}

/// What a text comes to that has answers of health endpoints.
fn health_of(text: &str) -> Option<Health> {
    let bodies = health::bodies(text).ok()?;
    // A bare "ok" is anybody's.
    bodies.iter().any(|body| body.endpoint.is_some() || !body.checks.is_empty()).then(|| {
        let sample = HealthSample { endpoint: None, body: Ok(text.to_owned()) };
        health::judge(&[vec![sample]], None, None)
    })
}

/// Whether the matches are about the aggregation layer.
fn about(matches: &[Match], lower: &str) -> Option<About> {
    let has = |layer: Layer| matches.iter().any(|one| one.entry.layer == layer);
    Some(match (has(Layer::Yes), has(Layer::Maybe), has(Layer::No)) {
        (true, ..) => About::AggregationLayer,
        (false, _, true) => About::Elsewhere,
        (false, true, false) if tells_of_the_layer(lower) => About::AggregationLayer,
        (false, true, false) => About::Possibly,
        (false, false, false) => return None,
    })
}

/// Whether the words around a message say that it is about an APIService.
fn tells_of_the_layer(lower: &str) -> bool {
    let words = [
        "apiservice",
        "aggregation layer",
        "aggregated api",
        "extension api server",
        "extension-apiserver",
        "front-proxy",
        "requestheader",
        "request-header",
    ];
    words.iter().any(|word| lower.contains(word))
        || lower.split_whitespace().any(|w| subject::of_api_service(w.trim_matches('"')).is_some())
}

/// Looks for names in the rest of the text, where the messages have none.
fn complete(
    subject: &mut Subject,
    text: &str,
    lower: &str,
    statements: &[Statement],
    matches: &[Match],
) {
    subject.add_manifest(text);
    let names =
        |subject: &Subject| !subject.group_versions.is_empty() || !subject.groups.is_empty();
    if !names(subject) {
        for statement in statements.iter().take(MOST_STATEMENTS) {
            subject.add_line(&statement.text);
        }
    }
    if !names(subject) && !matches.is_empty() {
        subject.add_components(lower);
    }
    if !subject.groups.is_empty() {
        let lines = statements.iter().take(MOST_STATEMENTS);
        subject.add_versions(lines.map(|statement| statement.text.as_str()));
    }
    subject.complete();
    if subject.is_empty() && !matches.is_empty() {
        let told = matches.iter().filter_map(|one| statements.get(one.statement));
        told.for_each(|statement| subject.add_reasons(&statement.text));
        subject.states.extend(state_of(text.trim()));
    }
}

/// The entries that a statement matches, with where, and the reading of it that they match; those
/// that the whole text contradicts left out.
fn said_by<'s>(
    contradicted: &BTreeSet<&'static str>,
    statement: &'s Statement,
    evidence: &mut BTreeSet<&'static str>,
) -> (&'s str, Vec<(&'static KnowledgeEntry, Found)>) {
    let in_reading = |text: &str| {
        let lower = text.to_ascii_lowercase();
        let entries = candidates(&lower).filter(|entry| !contradicted.contains(entry.id));
        let found = entries.filter_map(|entry| Some((entry, entry.find(text, &lower)?)));
        found.collect::<Vec<_>>()
    };
    let mut reading = statement.text.as_str();
    let mut said = in_reading(reading);
    if let Some(tight) = &statement.tight {
        let other = in_reading(tight);
        let sum =
            |said: &[(&KnowledgeEntry, Found)]| said.iter().map(|(_, f)| f.score).sum::<usize>();
        if sum(&other) > sum(&said) {
            (reading, said) = (tight, other);
        }
    }
    let better: BTreeSet<&str> =
        said.iter().flat_map(|(entry, _)| entry.instead_of.iter().copied()).collect();
    said.retain(|(entry, _)| !better.contains(entry.id));
    // What is not told of itself makes causes likely all the same.
    evidence.extend(said.iter().map(|(entry, _)| entry.id));
    // What failed may be told by more than the words: a redirect, for one.
    let alone = said.iter().any(|(entry, _)| entry.weight == EntryWeight::Alone);
    if let (Some((_, known)), false) = (said.first(), alone)
        && let Some(entry) = cause_of(reading).and_then(|cause| find(cause.code))
        && said.iter().all(|(one, _)| one.id != entry.id)
    {
        let found = Found { captures: vec![], ..known.clone() };
        said.push((entry, found));
    }
    let layer = said.iter().any(|(entry, _)| entry.layer == Layer::Yes);
    said.retain(|(entry, _)| !layer || entry.layer != Layer::No);
    let has = |weight: EntryWeight| said.iter().any(|(entry, _)| entry.weight == weight);
    let (alone, cause) =
        (has(EntryWeight::Alone), has(EntryWeight::Cause) || has(EntryWeight::Decisive));
    said.retain(|(entry, _)| match entry.weight {
        EntryWeight::Alone => true,
        EntryWeight::General => !cause && !alone,
        _ => !alone || entry.layer == Layer::Yes,
    });
    (reading, said)
}

/// The entries whose messages come nearest to a text.
fn nearest(text: &str) -> Vec<&'static KnowledgeEntry> {
    let line =
        text.lines().map(str::trim).max_by_key(|line| line.len().min(400)).unwrap_or_default();
    let (line, _) = cut_to(line, 400);
    let line = line.to_ascii_lowercase();
    // A code is near as any other name is; a message if most of its pairs of letters are.
    let code =
        kube_aggregation::nearest::nearest(&line.replace(' ', "-"), entries().iter().map(|e| e.id));
    let likeness = |entry: &KnowledgeEntry| {
        let each = entry.patterns.iter().map(|p| strsim::sorensen_dice(&p.literal(), &line));
        each.fold(if code == Some(entry.id) { 1.0 } else { 0.0 }, f64::max)
    };
    let mut all: Vec<(f64, &KnowledgeEntry)> =
        entries().iter().map(|entry| (likeness(entry), entry)).collect();
    all.retain(|(likeness, _)| *likeness > LIKE);
    all.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.id.cmp(b.1.id)));
    all.into_iter().take(MOST_NEAREST).map(|(_, entry)| entry).collect()
}

fn cut_to(text: &str, most: usize) -> (&str, bool) {
    if text.len() <= most {
        return (text, false);
    }
    let end = (0..=most).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    (text.get(..end).unwrap_or_default(), true)
}

#[cfg(test)]
mod tests;
