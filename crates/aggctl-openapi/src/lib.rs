//! The OpenAPI documents: who publishes what, and what kube-aggregator makes of it. Pure.
//!
//! `/openapi/v2` is one document, merged from those of the local servers and of every Service
//! behind an APIService ([`merge()`]). `/openapi/v3` is an index of documents, which are proxied.

mod client;
mod code;
mod contribution;
mod definition;
mod document;
mod filter;
mod keys;
mod kinds;
mod local;
mod merge;
mod merged;
mod names;
mod published;
mod review;
mod shape;
mod split;
#[cfg(test)]
mod tests;
mod transcript;
mod value;
mod write;

pub use client::{Reads, Use, uses};
pub use code::{Code, OpenApiFinding};
pub use contribution::{Borrowed, Contribution, MergeFailure, NotProtobuf, Owner, Renamed};
pub use definition::{Definition, definition, definition_names};
pub use document::{Base, OpenApiDocument, Published};
pub use merge::{MergePart, merge};
pub use merged::{Merged, etag};
pub use published::{Given, GivenDocument};
pub use review::{
    Form, Item, Listed, OpenApiReview, ReviewRequest, Served, State, V2, V3, review, served,
};
pub use value::Value;
