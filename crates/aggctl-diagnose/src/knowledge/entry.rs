//! A knowledge entry, parsed from its Markdown file.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

use super::mechanism::mechanism;
use super::pattern::Pattern;
use kube_aggregation::availability::AvailabilityStep;
use kube_aggregation::model::{Severity, words};

/// The names and texts of the files in `entries/`, sorted.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/entries.rs"));

/// Knowledge about one state of the layer or one kind of message.
#[derive(Debug, Default)]
pub struct KnowledgeEntry {
    /// The name of its file, which is also its code for `aggctl explain`.
    pub id: &'static str,
    /// Other codes that aggctl prints for it.
    pub also: Vec<&'static str>,
    /// What happened, as a headline.
    pub title: &'static str,
    /// The headline if a known server is behind the APIService, with `{backend}`; may be empty.
    pub lead: &'static str,
    /// How it ranks among several entries that match one text.
    pub weight: EntryWeight,
    /// Whether it is about the aggregation layer.
    pub layer: Layer,
    /// What else prints such messages.
    pub shared: SharedWith,
    /// The program that prints the message, if that is easily mistaken.
    pub said_by: &'static str,
    pub(crate) patterns: Vec<Pattern>,
    /// Words, in lower case, that rule the entry out.
    pub(crate) unless: Vec<String>,
    /// Entries that this one replaces if both match a statement.
    pub(crate) instead_of: Vec<&'static str>,
    /// Group versions that its messages concern without naming them.
    pub(crate) group_versions: Vec<&'static str>,
    /// A phrase that describes it, with placeholders.
    pub(crate) says: &'static str,
    /// Why it matters, in a sentence or two, with the same placeholders.
    pub(crate) why: String,
    /// The severity; a warning if not set.
    pub(crate) severity: Option<Severity>,
    /// The availability step that it breaks.
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
    /// How specific an entry is, the most specific first.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub enum EntryWeight {
        /// It hides all other entries of the statement.
        Alone = "alone",
        /// It explains everything else in the text.
        Decisive = "decisive",
        /// A root cause, such as an expired certificate.
        Cause = "cause",
        /// What a client or a condition reports because of a cause.
        #[default]
        Symptom = "symptom",
        /// Words around a more specific message.
        Wrapper = "wrapper",
        /// Counts only if nothing in the statement is more specific.
        General = "general",
        /// Nothing is wrong. Counts only if nothing else in the text is recognized.
        Routine = "routine",
    }
}

words! {
    /// Whether a message is about the aggregation layer.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Layer {
        /// Only the aggregation layer causes it.
        #[default]
        Yes = "yes",
        /// Anything that uses the network or TLS may print it.
        Maybe = "maybe",
        /// It is about something else.
        No = "no",
    }
}

words! {
    /// What else prints messages that may be about the aggregation layer.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub enum SharedWith {
        /// Anything that uses the network or TLS.
        #[default]
        Network = "network",
        /// Clients of CRDs and built-in resources.
        Resources = "resources",
        /// Other servers that authenticate their clients.
        Servers = "servers",
        /// Nothing else, or only what the entry itself names.
        NotShared = "nothing",
    }
}

/// A usual cause.
#[derive(Debug)]
pub struct UsualCause {
    /// The cause, in one or two sentences.
    pub text: String,
    /// What to say instead on a platform: its hint, and the text.
    pub on: &'static [(&'static str, &'static str)],
    /// A command that confirms or refutes it.
    pub confirm: Option<NextStep>,
    /// Entries, codes and hints that make it likely if they are also found. A leading `!` rules the
    /// cause out, a leading `~` ranks it last, and a leading `+` is required. A leading `?` is
    /// required, but does not make it likely.
    pub evidence: Vec<&'static str>,
}

/// Something to run or do.
#[derive(Debug, Clone)]
pub struct NextStep {
    /// The command; empty if there is none.
    pub command: &'static str,
    /// What the step is for.
    pub what: String,
}

/// Returns all entries, sorted by name.
pub fn entries() -> &'static [KnowledgeEntry] {
    static ENTRIES: OnceLock<Vec<KnowledgeEntry>> = OnceLock::new();
    ENTRIES.get_or_init(|| FILES.iter().map(|(id, text)| parse(id, text)).collect())
}

/// Returns the entries that a text can match, sorted by name. The text must be in lower case. One
/// pass finds the literals of all patterns; trying every pattern on every line of a log would take
/// seconds.
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
        // The automaton would be too large, which never happens with our entries.
        None => owners.iter().copied().collect(),
    };
    found.into_iter().filter_map(|index| entries().get(index))
}

/// Finds an entry by its name, or by another code for it.
pub fn find(id: &str) -> Option<&'static KnowledgeEntry> {
    let all = entries();
    all.iter().find(|entry| entry.id == id).or_else(|| all.iter().find(|e| e.also.contains(&id)))
}

/// Parses a file. Missing sections stay empty; a test reports them.
fn parse(id: &'static str, text: &'static str) -> KnowledgeEntry {
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
    /// Returns whether it describes an APIService that is or was unavailable.
    pub(crate) fn is_about_availability(&self) -> bool {
        self.breaks.is_some() || self.causes.iter().any(|cause| !cause.on.is_empty())
    }

    fn add(&mut self, section: &str, line: &'static str) {
        let item = line.strip_prefix("- ");
        match section {
            "Lead" => self.lead = line,
            "Weight" => self.weight = EntryWeight::from_word(line).unwrap_or_default(),
            "Layer" => self.layer = Layer::from_word(line).unwrap_or_default(),
            "Shared with" => self.shared = SharedWith::from_word(line).unwrap_or_default(),
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
                if let (Some(command), Some(cause)) =
                    (line.strip_prefix("confirm: "), self.causes.last_mut())
                {
                    cause.confirm = Some(step(command));
                    return;
                }
                let text =
                    line.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches(". ");
                let (text, evidence) = match text.rsplit_once(" [") {
                    Some((text, tags)) => (text, tags.trim_end_matches(']').split(", ").collect()),
                    None => (text, vec![]),
                };
                self.causes.push(match text.strip_prefix('@').and_then(mechanism) {
                    Some(shared) => UsualCause {
                        text: shared.text.to_owned(),
                        on: shared.on,
                        confirm: Some(NextStep {
                            command: shared.confirm.0,
                            what: shared.confirm.1.to_owned(),
                        }),
                        evidence: shared.evidence.iter().copied().chain(evidence).collect(),
                    },
                    None => UsualCause { text: text.to_owned(), on: &[], confirm: None, evidence },
                });
            }
            "What to run" => {
                self.next.push(step(item.unwrap_or(line)));
            }
            _ => {}
        }
    }
}

/// Parses "`command` what for".
fn step(text: &'static str) -> NextStep {
    match text.strip_prefix('`').and_then(|rest| rest.split_once('`')) {
        Some((command, what)) => NextStep { command, what: what.trim().to_owned() },
        None => NextStep { command: "", what: text.to_owned() },
    }
}

fn append(paragraph: &mut String, line: &str) {
    if !paragraph.is_empty() {
        paragraph.push(' ');
    }
    paragraph.push_str(line);
}
