//! Edits that keep everything else as it is.

use crate::document::Span;

/// A replacement of bytes, and what the document must then say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What it does, for `--diff` and the summary.
    pub title: String,
    /// The bytes to replace.
    pub span: Span,
    /// What to write instead.
    pub replacement: String,
    /// What the edit means.
    pub intent: Intent,
}

/// What an edit means, so that the result can be checked against it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Intent {
    /// The value at this place becomes this string.
    Set(Span, String),
    /// The entry whose key stands at this place goes.
    Remove(Span),
}
