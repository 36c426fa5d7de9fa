//! The responses of the page.

use std::borrow::Cow;

pub(super) const JSON: &str = "application/json";

/// What is sent back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageResponse {
    /// The status of HTTP.
    pub status: u16,
    /// The header `Content-Type`.
    pub content_type: &'static str,
    /// The text.
    pub body: Cow<'static, str>,
}
