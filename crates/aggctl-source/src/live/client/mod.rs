//! The HTTP client for one cluster. It only sends GET requests, with limits on time and size.

mod build;
mod http;
mod refusal;

pub(super) use http::Client;
