//! One GET request and its answer.

use reqwest::header::HeaderValue;

/// A request. Only GET is ever sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Get {
    /// Starts with a slash, and is escaped.
    pub(super) path: String,
    /// Without a question mark; may be empty.
    pub(super) query: String,
    pub(super) accept: &'static str,
}

/// The answer to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) body: String,
    /// The entity tag, if there is one.
    pub(super) tag: Option<HeaderValue>,
}
