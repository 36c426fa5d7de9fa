//! Describes a rule: its name, category and documentation. The checks are in `rules`.

use aggctl_diagnose::knowledge;
use kube_aggregation::model::{Severity, words};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

words! {
    /// The category of a rule. Also the order in the reference.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Category {
        /// Problems of the file itself.
        Input = "input",
        /// What the API server rejects.
        Server = "server",
        /// The caBundle and TLS.
        Certificates = "certificates",
        /// The Service behind the APIService.
        References = "references",
        /// The order of groups and versions.
        Priorities = "priorities",
        /// Conflicts with others that serve the same.
        Conflicts = "conflicts",
        /// Operating the extension server.
        Operation = "operation",
    }
}

words! {
    /// How certain a finding is, independent of its severity.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Confidence {
        /// There are good reasons to do this on purpose.
        Low = "low",
        /// Something outside the input could explain it.
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

/// A lint rule.
#[derive(Debug)]
pub struct Rule {
    /// Its name, which reads well after "allow".
    pub name: &'static str,
    /// Its category.
    pub category: Category,
    /// The default severity of its findings.
    pub severity: Severity,
    /// The default confidence of its findings.
    pub confidence: Confidence,
    /// Whether `--fix` can fix some of its findings.
    pub fixable: bool,
}

impl Rule {
    /// Returns whether the API server rejects what it finds.
    pub fn server_rejects(&self) -> bool {
        self.category == Category::Server
    }

    /// Returns a one-line summary of what it finds.
    pub fn summary(&self) -> &'static str {
        self.entry().map_or(self.docs().summary, |entry| entry.title)
    }

    /// Returns why that is bad, in Markdown.
    pub fn why(&self) -> Cow<'static, str> {
        match self.entry() {
            Some(entry) => entry.meaning.join("\n\n").into(),
            None => self.docs().why.as_str().into(),
        }
    }

    /// Returns the knowledge entry with its text, if the rule reports a code.
    fn entry(&self) -> Option<&'static knowledge::KnowledgeEntry> {
        if self.docs().summary.is_empty() { knowledge::find(self.name) } else { None }
    }

    /// Returns the rest of its documentation.
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

/// The name, text and example of each file in `docs/`.
const FILES: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/rules.rs"));

/// The documentation of a rule, split by its fixed headings, in Markdown.
#[derive(Debug)]
pub struct Docs {
    /// The summary line; empty if the entry of a code provides the text.
    summary: &'static str,
    /// "What it does".
    pub what: String,
    /// "Why it is bad"; empty if the entry of a code provides the text.
    why: String,
    /// "Example": YAML that triggers the rule.
    pub example: &'static str,
    /// "What to do".
    pub remedy: String,
}

impl Docs {
    /// Parses a file. Missing sections stay empty, and a test reports them.
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
