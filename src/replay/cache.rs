//! Caches serialized documents with their entity tags.

use std::cell::RefCell;
use std::collections::HashMap;

use bytes::Bytes;

use super::message::{Request, Response};

/// Discovery documents by path and version. Their number is bounded: documents that do not exist
/// are not kept.
#[derive(Debug, Default)]
pub(super) struct Documents(
    pub(super) RefCell<HashMap<(String, Option<&'static str>), CachedDocument>>,
);

#[derive(Debug, Clone)]
pub(super) struct CachedDocument {
    etag: String,
    body: Bytes,
}

impl CachedDocument {
    pub(super) fn new(body: Bytes) -> Self {
        Self { etag: etag(&body), body }
    }

    pub(super) fn response(self, request: &Request) -> Response {
        Response::json(200, self.body).tagged(&self.etag, request)
    }
}

/// Returns an entity tag as the server computes it, from the content alone.
fn etag(body: &[u8]) -> String {
    let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA512, body);
    let hex: String = digest.as_ref().iter().map(|byte| format!("{byte:02X}")).collect();
    format!("\"{hex}\"")
}
