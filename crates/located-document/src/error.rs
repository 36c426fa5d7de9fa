//! Why a document could not be parsed.

use std::fmt;

use super::Position;

/// A document that could not be parsed, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentError {
    /// What kind of problem it is.
    pub kind: DocumentErrorKind,
    /// What is wrong, as a lowercase phrase without a location.
    pub message: String,
    /// The byte at which it was noticed.
    pub offset: usize,
    /// The line and column of that byte.
    pub position: Position,
    /// The bytes of the file that could not be parsed.
    pub document: std::ops::Range<usize>,
}

/// What kind of problem a document has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DocumentErrorKind {
    /// The file is not UTF-8 text, or too large.
    NotText,
    /// The document exceeds a limit on nesting, values or aliases.
    Limit,
    /// A quoted string continues further left than YAML 1.2 allows.
    Unindented,
    /// The document is neither YAML nor JSON.
    Syntax,
}

impl fmt::Display for DocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.position.line, self.position.column, self.message)
    }
}

impl std::error::Error for DocumentError {}

/// An error whose line is not known yet.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) kind: DocumentErrorKind,
    pub(super) message: String,
    pub(super) offset: usize,
}

impl Fault {
    pub(super) fn new(message: impl Into<String>, offset: usize) -> Self {
        Self { kind: DocumentErrorKind::Syntax, message: message.into(), offset }
    }

    pub(super) fn limit(message: impl Into<String>, offset: usize) -> Self {
        Self { kind: DocumentErrorKind::Limit, ..Self::new(message, offset) }
    }

    pub(super) fn not_text(message: impl Into<String>, offset: usize) -> Self {
        Self { kind: DocumentErrorKind::NotText, ..Self::new(message, offset) }
    }
}
