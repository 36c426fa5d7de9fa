//! What hurts, in plain words. Pure.
//!
//! [`explain`] finds the entries of [`crate::knowledge`] that a text matches and what the text is
//! about; [`look_up`] looks that up in a source, which then decides the order of the causes.

mod lookup;
mod namespace;
mod subject;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::knowledge::{self, Entry, Found, Weight, cause_of, entries, find};
use crate::lint::{Rule, rules};

pub use lookup::{Looked, look_up};
pub use namespace::{Blocker, NamespaceAnswer, explain_namespace};
pub use subject::{Subject, state_of};

/// How much of a text is read: a paste, not a log archive.
const MOST_BYTES: usize = 4 << 20;
/// How much of one line is read.
const LONGEST_LINE: usize = 16 << 10;
/// How many entries are suggested for a text that none matches.
const MOST_NEAREST: usize = 3;

/// How like a message a text must be to be taken for it, of 1.
const LIKE: f64 = 0.45;

/// What a text was recognised as.
#[derive(Debug)]
pub struct Explanation {
    /// Entries that match, the most telling first; empty where nothing is recognised.
    pub matches: Vec<Match>,
    /// What the text is about.
    pub subject: Subject,
    /// What failed, as the end of the message that counts says.
    pub cause: Option<knowledge::Cause>,
    /// Entries that come near, where none matches.
    pub nearest: Vec<&'static Entry>,
    /// Whether the text was longer than what is read.
    pub cut: bool,
}

/// An entry that a text matches.
#[derive(Debug)]
pub struct Match {
    /// The entry.
    pub entry: &'static Entry,
    /// The line of the text that matches, counted from 1.
    pub line: usize,
    /// What of it matches.
    pub text: String,
    start: usize,
    score: usize,
}

/// Recognises a text: an error, a log, a condition, with any noise around it.
pub fn explain(text: &str) -> Explanation {
    let (kept, cut) = cut_to(text, MOST_BYTES);
    let mut matches: Vec<Match> = vec![];
    let mut subject = Subject::default();
    let mut told = BTreeSet::new();
    for (index, line) in kept.lines().enumerate() {
        let (line, _) = cut_to(line, LONGEST_LINE);
        let lower = line.to_ascii_lowercase();
        let said = said_by(line, &lower);
        for (entry, found) in said {
            subject.add_captures(&found.captures);
            entry.about.iter().for_each(|gv| subject.add_line(gv));
            if entry.weight != Weight::Alone {
                subject.add_line(line);
            }
            if told.insert(entry.id) {
                let Found { text, start, score, .. } = found;
                matches.push(Match { entry, line: index + 1, text, start, score });
            }
        }
    }
    if matches.is_empty() {
        // What it is about may still be read off it.
        kept.lines().take(100).for_each(|line| subject.add_line(cut_to(line, LONGEST_LINE).0));
    }
    if subject.is_empty() && !matches.is_empty() {
        let lines = matches.iter().filter_map(|one| kept.lines().nth(one.line - 1));
        lines.for_each(|line| subject.add_reasons(cut_to(line, LONGEST_LINE).0));
        subject.states.extend(state_of(kept.trim()));
    }
    let mut best: BTreeMap<usize, usize> = BTreeMap::new();
    for one in &matches {
        let score = best.entry(one.line).or_default();
        *score = one.score.max(*score);
    }
    // The most specific line, and in it what stands first: clients put their own words before
    // those of the server, and causes come last, but have more weight.
    matches.sort_by_key(|one| {
        let line = best.get(&one.line).copied().unwrap_or_default();
        (one.entry.weight, Reverse(line), one.line, one.start, Reverse(one.score), one.entry.id)
    });
    let first = matches.first().filter(|first| has_a_cause(first.entry.weight));
    let line = first.and_then(|first| kept.lines().nth(first.line - 1));
    let cause = line.and_then(|line| cause_of(cut_to(line, LONGEST_LINE).0));
    let nearest = if matches.is_empty() { nearest(kept) } else { vec![] };
    Explanation { matches, subject, cause, nearest, cut }
}

/// The lint rule of that name. Rules say `builtin`, everything else that is printed `built-in`:
/// both are taken.
pub fn find_rule(name: &str) -> Option<&'static Rule> {
    rules::find(name).or_else(|| rules::find(&name.replace("built-in", "builtin")))
}

/// The entries that a line matches, with where.
fn said_by(line: &str, lower: &str) -> Vec<(&'static Entry, Found)> {
    let mut said: Vec<(&Entry, Found)> = vec![];
    for entry in entries() {
        let found = entry.patterns.iter().filter_map(|pattern| pattern.find(line, lower));
        said.extend(found.max_by_key(|found| found.score).map(|found| (entry, found)));
    }
    let has = |weight: Weight| said.iter().any(|(entry, _)| entry.weight == weight);
    let (alone, cause) = (has(Weight::Alone), has(Weight::Cause));
    said.retain(|(entry, _)| match entry.weight {
        Weight::Alone => true,
        Weight::General => !cause && !alone,
        _ => !alone,
    });
    // What failed may be told by more than the words: a redirect, for one.
    if let Some((_, known)) = said.first()
        && !alone
        && let Some(cause) = cause_of(line)
        && let Some(entry) = find(cause.code)
        && said.iter().all(|(one, _)| one.id != entry.id)
    {
        let found = Found { captures: vec![], ..known.clone() };
        said.push((entry, found));
    }
    said
}

/// Whether what failed is something on the way to an extension API server.
fn has_a_cause(weight: Weight) -> bool {
    !matches!(weight, Weight::Alone | Weight::Decisive)
}

/// The entries whose messages come nearest to a text.
fn nearest(text: &str) -> Vec<&'static Entry> {
    let line =
        text.lines().map(str::trim).max_by_key(|line| line.len().min(400)).unwrap_or_default();
    let (line, _) = cut_to(line, 400);
    let line = line.to_ascii_lowercase();
    // A code is near as any other name is; a message if most of its pairs of letters are.
    let code = crate::nearest::nearest(&line.replace(' ', "-"), entries().iter().map(|e| e.id));
    let likeness = |entry: &Entry| {
        let each = entry.patterns.iter().map(|p| strsim::sorensen_dice(&p.literal(), &line));
        each.fold(if code == Some(entry.id) { 1.0 } else { 0.0 }, f64::max)
    };
    let mut all: Vec<(f64, &Entry)> =
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
