//! One piece of knowledge, read from its file.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

use super::pattern::Pattern;
use kube_aggregation::availability::AvailabilityStep;
use kube_aggregation::model::{Severity, words};

/// Names and texts of the files of `entries/`, sorted.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/entries.rs"));

/// What is known about a state of the layer or a kind of message.
#[derive(Debug, Default)]
pub struct KnowledgeEntry {
    /// The name of its file, and what `aggctl explain` takes as a code.
    pub id: &'static str,
    /// Other words for it that aggctl prints.
    pub also: Vec<&'static str>,
    /// What happened, as a headline.
    pub title: &'static str,
    /// Which of several entries that match one text says most.
    pub weight: EntryWeight,
    /// Whether it is about the aggregation layer at all.
    pub layer: Layer,
    /// Who else says it, where it may be about something else.
    pub shared: Shared,
    /// Whose log or message it is, where that is easily mistaken.
    pub said_by: &'static str,
    pub(crate) patterns: Vec<Pattern>,
    /// Words, in lower case, that say the contrary.
    pub(crate) unless: Vec<String>,
    /// Entries that this one says better, where both match a statement.
    pub(crate) instead_of: Vec<&'static str>,
    /// Group versions that a message is about without naming them.
    pub(crate) group_versions: Vec<&'static str>,
    /// A phrase for it, with places for what differs.
    pub(crate) says: &'static str,
    /// Why it matters, in a sentence or two, with the same places.
    pub(crate) why: String,
    /// How bad it is; a warning where it does not say.
    pub(crate) severity: Option<Severity>,
    /// Which link of the walk to the extension API server it breaks.
    pub breaks: Option<AvailabilityStep>,
    /// Where to look first, as a sentence.
    pub advice: String,
    /// What it means, in paragraphs.
    pub meaning: Vec<String>,
    /// The usual causes, the most likely first.
    pub causes: Vec<UsualCause>,
    /// What to run or do next.
    pub next: Vec<NextStep>,
}

words! {
    /// How telling an entry is, the most telling first.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub enum EntryWeight {
        /// Nothing else in the same statement counts.
        Alone = "alone",
        /// It says what everything else in the text is about.
        Decisive = "decisive",
        /// A root, such as a certificate that has expired.
        Cause = "cause",
        /// What a client or a condition says because of one.
        #[default]
        Symptom = "symptom",
        /// Words around something that says more.
        Wrapper = "wrapper",
        /// Counts where nothing in the statement says more.
        General = "general",
        /// Says that nothing is wrong, and counts where nothing else in the text is known.
        Routine = "routine",
    }
}

words! {
    /// Whether a message is about the aggregation layer.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Layer {
        /// Only the aggregation layer says this.
        #[default]
        Yes = "yes",
        /// Everything that uses the network or TLS says this.
        Maybe = "maybe",
        /// Something else says this.
        No = "no",
    }
}

words! {
    /// Who says a message too that may be about the aggregation layer.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub enum Shared {
        /// Everything that uses the network or TLS.
        #[default]
        Network = "network",
        /// Clients, of CRDs and built-in resources.
        Resources = "resources",
        /// Other servers that check their callers.
        Servers = "servers",
        /// Nobody, or the entry itself says who.
        Nobody = "nobody",
    }
}

/// A usual cause.
#[derive(Debug)]
pub struct UsualCause {
    /// One sentence or two.
    pub text: String,
    /// Entries, codes and hints that, where they are found too, make it likely; with a `!` in
    /// front, impossible.
    pub evidence: Vec<&'static str>,
}

/// Something to run or do.
#[derive(Debug)]
pub struct NextStep {
    /// A command, or empty.
    pub command: &'static str,
    /// What for.
    pub what: String,
}

/// All entries, in the order of their names.
pub fn entries() -> &'static [KnowledgeEntry] {
    static ENTRIES: OnceLock<Vec<KnowledgeEntry>> = OnceLock::new();
    ENTRIES.get_or_init(|| FILES.iter().map(|(id, text)| read(id, text)).collect())
}

/// The entries that a text, in lower case, can match, in the order of their names: one pass finds
/// the words that patterns have, where trying each on every line of a log takes seconds.
pub(crate) fn candidates(lower: &str) -> impl Iterator<Item = &'static KnowledgeEntry> {
    static WORDS: OnceLock<(Option<AhoCorasick>, Vec<usize>)> = OnceLock::new();
    let (words, owners) = WORDS.get_or_init(|| {
        let patterns = entries().iter().enumerate().flat_map(|(index, entry)| {
            entry.patterns.iter().map(move |pattern| (pattern.longest_literal(), index))
        });
        let (words, owners): (Vec<_>, Vec<_>) = patterns.unzip();
        (AhoCorasick::new(words).ok(), owners)
    });
    let found: BTreeSet<usize> = match words {
        Some(words) => words
            .find_overlapping_iter(lower)
            .filter_map(|found| owners.get(found.pattern().as_usize()).copied())
            .collect(),
        // Too large to be built, which no set of entries comes near.
        None => owners.iter().copied().collect(),
    };
    found.into_iter().filter_map(|index| entries().get(index))
}

/// The entry of that name.
pub fn find(id: &str) -> Option<&'static KnowledgeEntry> {
    let all = entries();
    all.iter().find(|entry| entry.id == id).or_else(|| all.iter().find(|e| e.also.contains(&id)))
}

/// Reads a file; what it lacks stays empty, and a test complains.
fn read(id: &'static str, text: &'static str) -> KnowledgeEntry {
    let mut entry = KnowledgeEntry { id, ..KnowledgeEntry::default() };
    let mut section = "";
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("# ") {
            entry.title = title.trim();
        } else if let Some(heading) = line.strip_prefix("## ") {
            section = heading.trim();
        } else if !line.trim().is_empty() {
            entry.add(section, line.trim());
        } else if section == "What it means" && entry.meaning.last().is_some_and(|p| !p.is_empty())
        {
            entry.meaning.push(String::new());
        }
    }
    entry.meaning.retain(|paragraph| !paragraph.is_empty());
    entry
}

impl KnowledgeEntry {
    fn add(&mut self, section: &str, line: &'static str) {
        let item = line.strip_prefix("- ");
        match section {
            "Weight" => self.weight = EntryWeight::from_word(line).unwrap_or_default(),
            "Layer" => self.layer = Layer::from_word(line).unwrap_or_default(),
            "Shared with" => self.shared = Shared::from_word(line).unwrap_or_default(),
            "Said by" => self.said_by = line,
            "Also called" => self.also.extend(item),
            "Group versions" => self.group_versions.extend(item),
            "Patterns" => self.patterns.extend(item.map(Pattern::new)),
            "Instead of" => self.instead_of.extend(item),
            "Unless" => self.unless.extend(item.map(str::to_ascii_lowercase)),
            "Says" => self.says = line,
            "Why" => append(&mut self.why, line),
            "Severity" => self.severity = Severity::from_word(line),
            "Breaks" => self.breaks = AvailabilityStep::from_word(line),
            "What to do" => append(&mut self.advice, line),
            "What it means" => match self.meaning.last_mut() {
                Some(paragraph) => append(paragraph, line),
                None => self.meaning.push(line.to_owned()),
            },
            "Usual causes" => {
                let text =
                    line.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches(". ");
                let (text, evidence) = match text.rsplit_once(" [") {
                    Some((text, tags)) => (text, tags.trim_end_matches(']').split(", ").collect()),
                    None => (text, vec![]),
                };
                self.causes.push(UsualCause { text: text.to_owned(), evidence });
            }
            "What to run" => {
                let text = item.unwrap_or(line);
                let (command, what) =
                    match text.strip_prefix('`').and_then(|rest| rest.split_once('`')) {
                        Some((command, what)) => (command, what.trim()),
                        None => ("", text),
                    };
                self.next.push(NextStep { command, what: what.to_owned() });
            }
            _ => {}
        }
    }
}

fn append(paragraph: &mut String, line: &str) {
    if !paragraph.is_empty() {
        paragraph.push(' ');
    }
    paragraph.push_str(line);
}
