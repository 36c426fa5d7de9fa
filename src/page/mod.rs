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
mod response;
mod route;
mod site;
mod world;

pub use assets::CONTENT_SECURITY_POLICY;
pub use report::report;
pub use response::PageResponse;
pub use site::Site;

use response::JSON;

/// Below this path everything is the page's.
pub const ROOT: &str = "/aggctl/";

/// What a `GET` of a path below [`ROOT`] is answered with; `query` is what follows the question
/// mark, as it was sent.
pub fn respond(site: &Site<'_>, path: &str, query: &str) -> PageResponse {
    let Some(rest) = path.strip_prefix(ROOT) else { return error::no_such_page(path) };
    if let Some(asset) = assets::asset(rest) {
        return asset;
    }
    match rest.strip_prefix("api/") {
        Some(question) => match answers::answer(site, question, query) {
            Ok(body) => PageResponse { status: 200, content_type: JSON, body: body.into() },
            Err(refusal) => refusal.into(),
        },
        None => error::no_such_page(path),
    }
}

#[cfg(test)]
mod tests;
