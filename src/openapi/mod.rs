//! The OpenAPI documents: who publishes what, and what kube-aggregator makes of it. Pure.
//!
//! `/openapi/v2` is one document, merged from those of the local servers and of every Service
//! behind an APIService ([`merge`]). `/openapi/v3` is an index of documents, which are proxied.

mod document;
mod filter;
mod kinds;
mod merge;
mod merged;
mod names;
mod node;
mod shape;
#[cfg(test)]
mod tests;
mod walk;
mod write;

pub use document::{Base, Document, Published};
pub use merge::{Borrowed, Contribution, Failure, NotProtobuf, Part, Renamed, merge};
pub use merged::{Merged, Owner, etag};
pub use node::Node;
