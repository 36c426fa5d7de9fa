//! One piece of knowledge, read from its file.

use std::sync::OnceLock;

use super::pattern::Pattern;

/// Names and texts of the files of `entries/`, sorted.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/entries.rs"));

/// What is known about a kind of message.
#[derive(Debug)]
pub struct Entry {
    /// The name of its file, and what `aggctl explain` takes as a code.
    pub id: &'static str,
    /// Other words for it that aggctl prints.
    pub also: Vec<&'static str>,
    /// What happened, as a headline.
    pub title: &'static str,
    /// Which of several entries that match one text says most.
    pub weight: Weight,
    pub(crate) patterns: Vec<Pattern>,
    /// Group versions that a message is about without naming them.
    pub(crate) about: Vec<&'static str>,
    /// What it means, in paragraphs.
    pub meaning: Vec<String>,
    /// The usual causes, the most likely first.
    pub causes: Vec<UsualCause>,
    /// What to run or do next.
    pub next: Vec<NextStep>,
}

/// How telling an entry is, the most telling first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// It says what everything else in the text is about.
    Decisive,
    /// A root, such as a certificate that has expired.
    Cause,
    /// Nothing else in the same line counts: the message is about something else.
    Alone,
    /// What a client or a condition says because of one.
    Symptom,
    /// Words around something that says more.
    Wrapper,
    /// Counts where the line has no cause that says more.
    General,
}

/// A usual cause.
#[derive(Debug)]
pub struct UsualCause {
    /// One sentence or two.
    pub text: String,
    /// Entries and oddities that, where they are found too, speak for it.
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
pub fn entries() -> &'static [Entry] {
    static ENTRIES: OnceLock<Vec<Entry>> = OnceLock::new();
    ENTRIES.get_or_init(|| FILES.iter().map(|(id, text)| read(id, text)).collect())
}

/// The entry of that name.
pub fn find(id: &str) -> Option<&'static Entry> {
    let all = entries();
    all.iter().find(|entry| entry.id == id).or_else(|| all.iter().find(|e| e.also.contains(&id)))
}

/// Reads a file; what it lacks stays empty, and a test complains.
fn read(id: &'static str, text: &'static str) -> Entry {
    let mut entry = Entry {
        id,
        also: vec![],
        title: "",
        weight: Weight::Symptom,
        patterns: vec![],
        about: vec![],
        meaning: vec![],
        causes: vec![],
        next: vec![],
    };
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
    // Stress is for readers of the file.
    entry.meaning.iter_mut().for_each(|paragraph| *paragraph = paragraph.replace('*', ""));
    entry.causes.iter_mut().for_each(|cause| cause.text = cause.text.replace('*', ""));
    entry
}

impl Entry {
    fn add(&mut self, section: &str, line: &'static str) {
        match section {
            "Weight" => {
                self.weight = match line {
                    "alone" => Weight::Alone,
                    "decisive" => Weight::Decisive,
                    "cause" => Weight::Cause,
                    "general" => Weight::General,
                    "wrapper" => Weight::Wrapper,
                    _ => Weight::Symptom,
                }
            }
            "Also called" => self.also.extend(line.strip_prefix("- ")),
            "About" => self.about.extend(line.strip_prefix("- ")),
            "Patterns" => self.patterns.extend(line.strip_prefix("- ").map(Pattern::new)),
            "What it means" => match self.meaning.last_mut() {
                Some(paragraph) if !paragraph.is_empty() => {
                    paragraph.push(' ');
                    paragraph.push_str(line);
                }
                Some(paragraph) => paragraph.push_str(line),
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
                let text = line.trim_start_matches("- ");
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
