//! What the linter reports.

use super::fix::Fix;
use super::rule::Rule;
pub use kube_aggregation::model::Severity;
use kube_aggregation::model::words;
use located_document::{Position, Span};
use std::borrow::Cow;
use std::fmt;

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

/// Where something stands: a file of the input, by its number, and the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The number of the file in the input.
    pub file: usize,
    /// The number of the document in the file.
    pub document: usize,
    /// The bytes.
    pub span: Span,
}

/// One problem. It cannot be made without a place.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The rule that found it.
    pub rule: &'static Rule,
    /// How bad it is: the rule's, unless it knows better.
    pub severity: Severity,
    /// How sure it is: the rule's, unless it knows better.
    pub confidence: Confidence,
    /// One sentence.
    pub message: Cow<'static, str>,
    /// The field as the server writes it, if it is about one.
    pub field: Option<Cow<'static, str>>,
    /// Where it is.
    pub place: Place,
    /// The object, as `Kind/name`.
    pub object: Option<String>,
    /// What to do about it.
    pub help: Option<Cow<'static, str>>,
    /// How to do it mechanically, where that is safe.
    pub fix: Option<Box<Fix>>,
}

impl Finding {
    /// A problem at a place.
    pub fn new(rule: &'static Rule, place: Place, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            rule,
            severity: rule.severity,
            confidence: rule.confidence,
            message: bounded(message.into()),
            field: None,
            place,
            object: None,
            help: None,
            fix: None,
        }
    }

    /// Says which field it is about.
    #[must_use]
    pub fn field(mut self, field: impl Into<Cow<'static, str>>) -> Self {
        self.field = Some(bounded(field.into()));
        self
    }

    /// Says which object it is about.
    #[must_use]
    pub fn object(mut self, object: impl Into<String>) -> Self {
        self.object = Some(bounded(Cow::Owned(object.into())).into_owned());
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<Cow<'static, str>>) -> Self {
        self.help = Some(bounded(help.into()));
        self
    }

    /// Gives an error that says nothing better what the rule says to do.
    pub(super) fn complete(&mut self) {
        if self.help.is_none() && self.severity == Severity::Error {
            let remedy = &self.rule.docs().remedy;
            let end = remedy.find(". ").unwrap_or(remedy.len());
            let mut sentence = remedy[..end].trim_end_matches('.').to_owned();
            if let Some(first) = sentence.get_mut(..1) {
                first.make_ascii_lowercase();
            }
            self.help = Some(sentence.into());
        }
    }

    /// Lowers or raises the severity for this one.
    #[must_use]
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Lowers or raises the confidence for this one.
    #[must_use]
    pub fn confidence(mut self, confidence: Confidence) -> Self {
        self.confidence = confidence;
        self
    }
}

/// A text that may quote the input, cut where nobody would read on: a name can
/// be as long as its file.
pub(super) fn bounded(text: Cow<'static, str>) -> Cow<'static, str> {
    const MOST: usize = 1_000;
    if text.len() <= MOST {
        return text;
    }
    let end = (0..=MOST).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    format!("{}...", &text[..end]).into()
}

/// A finding with its place spelled out, ready to be shown.
#[derive(Debug, Clone)]
pub struct Located {
    /// The finding.
    pub finding: Finding,
    /// Where it starts.
    pub start: Position,
    /// Where it ends.
    pub end: Position,
    /// Why it is not counted, if somebody allowed it.
    pub suppressed: Option<Box<Suppressed>>,
}

impl From<Finding> for Located {
    /// The lines are worked out when all findings are in order.
    fn from(finding: Finding) -> Self {
        let start = Position { line: 1, column: 1 };
        Self { finding, start, end: start, suppressed: None }
    }
}

/// Who allowed a finding, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suppressed {
    /// `annotation`, `comment` or `config`.
    pub by: &'static str,
    /// The reason that was given.
    pub reason: String,
    /// The number of the file in the input that allows it.
    pub file: usize,
}
