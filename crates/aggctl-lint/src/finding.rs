//! Findings: the problems that the linter reports.

use super::fix::Fix;
use super::rule::{Confidence, Rule};
pub use kube_aggregation::model::Severity;
use located_document::{Position, Span};
use std::borrow::Cow;

/// A place in the input: a file, by index, and a range of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The index of the file in the input.
    pub file: usize,
    /// The index of the document in the file.
    pub document: usize,
    /// The range of bytes.
    pub span: Span,
}

/// One problem. Every finding has a place.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The rule that found it.
    pub rule: &'static Rule,
    /// The severity, by default the rule's.
    pub severity: Severity,
    /// The confidence, by default the rule's.
    pub confidence: Confidence,
    /// The message, in one sentence.
    pub message: Cow<'static, str>,
    /// The field, as the server writes it, if it concerns one.
    pub field: Option<Cow<'static, str>>,
    /// The place.
    pub place: Place,
    /// The object, as `Kind/name`.
    pub object: Option<String>,
    /// What to do about it.
    pub help: Option<Cow<'static, str>>,
    /// An automatic fix, if that is safe.
    pub fix: Option<Box<Fix>>,
}

impl Finding {
    /// Creates a finding at a place.
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

    /// Sets the field.
    #[must_use]
    pub fn field(mut self, field: impl Into<Cow<'static, str>>) -> Self {
        self.field = Some(bounded(field.into()));
        self
    }

    /// Sets the object.
    #[must_use]
    pub fn object(mut self, object: impl Into<String>) -> Self {
        self.object = Some(bounded(Cow::Owned(object.into())).into_owned());
        self
    }

    /// Sets what to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<Cow<'static, str>>) -> Self {
        self.help = Some(bounded(help.into()));
        self
    }

    /// Uses the remedy of the rule as help, for an error without its own.
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

    /// Overrides the severity.
    #[must_use]
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Overrides the confidence.
    #[must_use]
    pub fn confidence(mut self, confidence: Confidence) -> Self {
        self.confidence = confidence;
        self
    }
}

/// Truncates a text that may quote the input, because a name can be as long as its file.
pub(super) fn bounded(text: Cow<'static, str>) -> Cow<'static, str> {
    const MAX: usize = 1_000;
    if text.len() <= MAX {
        return text;
    }
    let end = (0..=MAX).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    format!("{}...", &text[..end]).into()
}

/// A finding with line numbers, ready to be shown.
#[derive(Debug, Clone)]
pub struct Located {
    /// The finding.
    pub finding: Finding,
    /// Where it starts.
    pub start: Position,
    /// Where it ends.
    pub end: Position,
    /// The suppression, if the finding is allowed.
    pub suppressed: Option<Box<Suppressed>>,
}

impl From<Finding> for Located {
    /// Converts a finding. The lines are computed later, when all findings are sorted.
    fn from(finding: Finding) -> Self {
        let start = Position { line: 1, column: 1 };
        Self { finding, start, end: start, suppressed: None }
    }
}

/// How a finding was allowed, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suppressed {
    /// `annotation`, `comment` or `config`.
    pub by: &'static str,
    /// The given reason.
    pub reason: String,
    /// The index of the input file that allows it.
    pub file: usize,
    /// The line in that file; `None` if the file leaves the rule out as a whole.
    pub line: Option<usize>,
}
