//! Describes a rule: its name, its category and its documentation. `rules` has the checks.

use aggctl_diagnose::knowledge;
use kube_aggregation::model::{Severity, words};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

words! {
    /// What a rule is about; also the order of the reference.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Category {
        /// The file itself.
        Input = "input",
        /// What the API server refuses.
        Server = "server",
        /// caBundle and TLS.
        Certificates = "certificates",
        /// The Service behind the APIService.
        References = "references",
        /// Which group and version come first.
        Priorities = "priorities",
        /// Others that serve the same.
        Conflicts = "conflicts",
        /// Running it.
        Operation = "operation",
    }
}

words! {
    /// How sure it is that it is true. That is another thing than how bad it is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Confidence {
        /// There are good reasons to do this on purpose.
        Low = "low",
        /// Something that is not in the input could explain it.
        Medium = "medium",
        /// It follows from the input alone.
        High = "high",
    }
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A rule.
#[derive(Debug)]
pub struct Rule {
    /// Its name, which reads well after "allow".
    pub name: &'static str,
    /// What it is about.
    pub category: Category,
    /// How bad its findings usually are.
    pub severity: Severity,
    /// How sure its findings usually are.
    pub confidence: Confidence,
    /// Whether `--fix` can put some of its findings right.
    pub fixable: bool,
}

impl Rule {
    /// Whether the API server refuses what it finds.
    pub fn server_rejects(&self) -> bool {
        self.category == Category::Server
    }

    /// What it finds, in one line.
    pub fn summary(&self) -> &'static str {
        self.entry().map_or(self.docs().summary, |entry| entry.title)
    }

    /// Why that is bad, in Markdown.
    pub fn why(&self) -> Cow<'static, str> {
        match self.entry() {
            Some(entry) => entry.meaning.join("\n\n").into(),
            None => self.docs().why.as_str().into(),
        }
    }

    /// The entry that has its words, where it stands for a code.
    fn entry(&self) -> Option<&'static knowledge::KnowledgeEntry> {
        if self.docs().summary.is_empty() { knowledge::find(self.name) } else { None }
    }

    /// The rest of its documentation.
    pub fn docs(&self) -> &'static Docs {
        static ALL: LazyLock<HashMap<&str, Docs>> = LazyLock::new(|| {
            FILES.iter().map(|(name, text, example)| (*name, Docs::read(text, example))).collect()
        });
        static NONE: Docs = Docs {
            summary: "",
            what: String::new(),
            why: String::new(),
            example: "",
            remedy: String::new(),
        };
        ALL.get(self.name).unwrap_or(&NONE)
    }
}

/// The names of the files of `docs/`, their texts, and an example for each.
const FILES: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/rules.rs"));

/// The documentation of a rule, under fixed headings, in Markdown.
#[derive(Debug)]
pub struct Docs {
    /// One line; empty where the entry of a code has the words.
    summary: &'static str,
    /// "What it does".
    pub what: String,
    /// "Why it is bad"; empty where the entry of a code has the words.
    why: String,
    /// "Example": YAML that makes the rule fire.
    pub example: &'static str,
    /// "What to do".
    pub remedy: String,
}

impl Docs {
    /// Reads a file; what it lacks stays empty, and a test complains.
    fn read(text: &'static str, example: &'static str) -> Self {
        let section = |heading: &str| {
            let below = text.split("## ").find_map(|section| section.strip_prefix(heading));
            let lines: Vec<&str> = below.unwrap_or_default().trim().lines().collect();
            lines.join(" ")
        };
        let title = text.lines().next().and_then(|line| line.strip_prefix("# "));
        Self {
            summary: title.unwrap_or_default(),
            what: section("What it does"),
            why: section("Why it is bad"),
            example,
            remedy: section("What to do"),
        }
    }
}
