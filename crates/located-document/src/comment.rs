//! The comments of a document that are kept: those that mention aggctl.

use super::node::{Node, Span};

/// A comment that mentions aggctl.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// The text after the `#`, trimmed.
    pub text: String,
    /// The location, including the `#`.
    pub span: Span,
}

/// A parsed document and its comments.
pub(super) type Parsed<'a> = (Node<'a>, Vec<Comment>);
