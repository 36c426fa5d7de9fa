//! The page that shows a cluster in a browser. Pure.
//!
//! [`respond`] answers every request below `/aggctl/`: the page itself, and its JSON API with the
//! same types as `-o json`. The caller owns the connection, the headers and the limits.
//! [`report()`] is the same page as one file, with its answers inside.

mod answers;
mod assets;
mod error;
mod manifest;
mod place;
mod query;
mod report;
mod response;
mod route;
mod routes;
mod site;
mod world;

pub use assets::CONTENT_SECURITY_POLICY;
pub use report::report;
pub use response::PageResponse;
pub use site::Site;

use response::JSON;

/// The path that the page lives below.
pub const ROOT: &str = "/aggctl/";

/// Answers a `GET` of a path below [`ROOT`]. `query` is what follows the question mark, as sent.
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
