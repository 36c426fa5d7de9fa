//! The HTTP client for one cluster. It can only send GET, with limits on time and size.

mod build;
mod http;
mod refusal;

pub(super) use http::Client;
