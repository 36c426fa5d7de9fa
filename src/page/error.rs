//! The errors of the page's JSON API.

use super::response::{JSON, PageResponse};
use crate::error::Error;
use crate::render::{self, ErrorJson, ResponseMeta};
use kube_aggregation::what_if::Unknown;

/// An error with its HTTP status.
#[derive(Debug)]
pub(super) struct Refusal {
    status: u16,
    error: Error,
}

impl Refusal {
    /// Returns an error of the user's input. It is an answer of the page, which a browser must not
    /// log as a failed request while the user is typing.
    pub(super) fn input(error: Error) -> Self {
        Self { status: 200, error }
    }

    /// Returns a 404.
    pub(super) fn not_found(error: Error) -> Self {
        Self { status: 404, error }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self { status: 400, error }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        refusal.error
    }
}

impl From<Unknown> for Refusal {
    fn from(unknown: Unknown) -> Self {
        Self::not_found(unknown.into())
    }
}

impl From<serde_json::Error> for Refusal {
    fn from(error: serde_json::Error) -> Self {
        Self { status: 500, error: Error::source(error.to_string()) }
    }
}

impl From<Refusal> for PageResponse {
    fn from(Refusal { status, error }: Refusal) -> Self {
        let said = ErrorJson { message: error.to_string(), hint: error.hint() };
        let body = render::line(&ResponseMeta::none().answer("Error", said)).unwrap_or_default();
        Self { status, content_type: JSON, body: body.into() }
    }
}

/// Returns the 404 for an unknown path.
pub(super) fn no_such_page(path: &str) -> PageResponse {
    let error = Error::usage(format!("the page has no {path:?}"));
    Refusal::not_found(error.with_hint("it begins at /aggctl/")).into()
}
