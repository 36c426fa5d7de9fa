//! What a rule is: its name, its documentation and its check, together.

use super::api_service::ApiService;
use super::finding::{Confidence, Finding, Severity};
use super::scope::Scope;
use super::server::Refusal;
use crate::availability::Flaw;
use crate::knowledge;
use crate::registry::Code;
use std::borrow::Cow;

/// What a rule is about; also the order of the reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// The file itself.
    Input,
    /// What the API server refuses.
    Server,
    /// caBundle and TLS.
    Certificates,
    /// The Service behind the APIService.
    References,
    /// Which group and version come first.
    Priorities,
    /// Others that serve the same.
    Conflicts,
    /// Running it.
    Operation,
}

impl Category {
    /// All of them, in order.
    pub const ALL: [Self; 7] = [
        Self::Input,
        Self::Server,
        Self::Certificates,
        Self::References,
        Self::Priorities,
        Self::Conflicts,
        Self::Operation,
    ];

    /// The word for people and machines.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Server => "server",
            Self::Certificates => "certificates",
            Self::References => "references",
            Self::Priorities => "priorities",
            Self::Conflicts => "conflicts",
            Self::Operation => "operation",
        }
    }
}

/// The documentation of a rule, under fixed headings, in Markdown.
#[derive(Debug, Clone, Copy)]
pub struct Docs {
    /// "What it does".
    pub what: &'static str,
    /// "Why it is bad".
    pub why: &'static str,
    /// "Example": YAML that makes the rule fire.
    pub example: &'static str,
    /// "What to do".
    pub remedy: &'static str,
}

/// How a rule looks for its findings.
#[derive(Clone, Copy)]
pub enum Check {
    /// At what the API server refuses about each.
    Refused(Refusal),
    /// At what is wrong with the Service behind each.
    Service(Flaw),
    /// At what is odd about each, once it is applied.
    Odd(Code),
    /// At one APIService at a time.
    Each(fn(&ApiService<'_>, &Scope<'_>, &mut Vec<Finding>)),
    /// At all of them together, once.
    Together(fn(&Scope<'_>, &mut Vec<Finding>)),
    /// The engine reports it while it reads, or at the end.
    Engine,
}

impl std::fmt::Debug for Check {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Refused(_) => "Refused",
            Self::Service(_) => "Service",
            Self::Odd(_) => "Odd",
            Self::Each(_) => "Each",
            Self::Together(_) => "Together",
            Self::Engine => "Engine",
        })
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
    /// Whether the API server refuses what it finds.
    pub server_rejects: bool,
    /// Whether `--fix` can put some of its findings right.
    pub fixable: bool,
    /// One line; that of its entry where it stands for a code.
    pub(super) summary: &'static str,
    /// The rest.
    pub docs: Docs,
    /// The check.
    pub check: Check,
}

impl Rule {
    /// What it finds, in one line.
    pub fn summary(&self) -> &'static str {
        self.entry().map_or(self.summary, |entry| entry.title)
    }

    /// Why that is bad, in Markdown.
    pub fn why(&self) -> Cow<'static, str> {
        match self.entry() {
            Some(entry) => entry.meaning.join("\n\n").into(),
            None => self.docs.why.into(),
        }
    }

    /// The entry that has its words, where it stands for a code.
    fn entry(&self) -> Option<&'static knowledge::Entry> {
        match self.check {
            Check::Odd(code) => knowledge::find(code.as_str()),
            _ => None,
        }
    }
}
