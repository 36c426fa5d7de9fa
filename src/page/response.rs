//! The responses of the page.

use std::borrow::Cow;

pub(super) const JSON: &str = "application/json";

/// A response of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageResponse {
    /// The HTTP status.
    pub status: u16,
    /// The header `Content-Type`.
    pub content_type: &'static str,
    pub body: Cow<'static, str>,
}
