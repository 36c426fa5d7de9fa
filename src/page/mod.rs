//! The page: a cluster to look around in, in a browser. Pure.
//!
//! [`respond`] is everything below `/aggctl/`: the page itself, and the answers that it asks for,
//! of the same types as `-o json`. Whoever serves it owns the connection, the headers and the
//! limits. [`report()`] is the same page as one file, with its answers inside.

mod answers;
mod assets;
mod error;
mod manifest;
mod place;
mod query;
mod report;
mod route;
mod world;

use std::borrow::Cow;

use jiff::Timestamp;

use crate::render::SourceFlags;
use kube_aggregation::model::Snapshot;

pub use assets::CONTENT_SECURITY_POLICY;
pub use report::report;

/// What is looked at.
#[derive(Debug, Clone, Copy)]
pub struct Site<'s> {
    /// The facts.
    pub snapshot: &'s Snapshot,
    /// What they are compared with, where that was asked for: how it was before.
    pub other: Option<&'s Snapshot>,
    /// What a user should know about how the facts came to be, a sentence each.
    pub notes: &'s [String],
    /// How commands name the source again.
    pub same: &'s SourceFlags,
    /// What ages are measured against.
    pub now: Timestamp,
}

/// What is sent back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// The status of HTTP.
    pub status: u16,
    /// The header `Content-Type`.
    pub content_type: &'static str,
    /// The text.
    pub body: Cow<'static, str>,
}

/// Below this path everything is the page's.
pub const ROOT: &str = "/aggctl/";

/// What a `GET` of a path below [`ROOT`] is answered with; `query` is what follows the question
/// mark, as it was sent.
pub fn respond(site: &Site<'_>, path: &str, query: &str) -> Response {
    let Some(rest) = path.strip_prefix(ROOT) else { return error::no_such_page(path) };
    if let Some(asset) = assets::asset(rest) {
        return asset;
    }
    match rest.strip_prefix("api/") {
        Some(question) => match answers::answer(site, question, query) {
            Ok(body) => Response { status: 200, content_type: JSON, body: body.into() },
            Err(refusal) => refusal.into(),
        },
        None => error::no_such_page(path),
    }
}

const JSON: &str = "application/json";

#[cfg(test)]
mod tests;
