//! Comments of a document.

use super::node::{Node, Span};

/// A comment that mentions this program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// The text after the `#`, trimmed.
    pub text: String,
    /// Its location, including the `#`.
    pub span: Span,
}

/// A parsed document and its comments.
pub(super) type Parsed<'a> = (Node<'a>, Vec<Comment>);
