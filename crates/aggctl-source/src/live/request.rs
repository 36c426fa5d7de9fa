//! One GET request and its response.

use reqwest::header::HeaderValue;

/// The header with which `aggctl serve` marks a response that stands in for data that its source does
/// not have: an empty list, for example, which other clients need. Its value is `some` if only some
/// objects of a list are missing.
pub(super) const NOT_COLLECTED_HEADER: &str = "x-aggctl-not-collected";

/// A GET request, the only kind that is ever sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Get {
    /// The escaped path, starting with a slash.
    pub(super) path: String,
    /// The query without a question mark; may be empty.
    pub(super) query: String,
    pub(super) accept: &'static str,
}

/// The response to a request whose status is not known in advance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnyAnswer {
    /// The status code.
    pub status: u16,
    /// The body; `None` if it was not to be read.
    pub body: Option<String>,
}

/// The response to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) body: String,
    /// The entity tag, if any.
    pub(super) tag: Option<HeaderValue>,
    /// Whether it is a list of `aggctl serve`, whose source has only some of the objects.
    pub(super) is_partial: bool,
}
