//! The OpenAPI documents of a cluster, and requests for them that were slow.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::{GroupVersion, Input};

/// The OpenAPI documents of a cluster, as far as collected.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpenApi {
    /// `/openapi/v2`, as served.
    pub v2: Input<Arc<str>>,
    /// Whether `/openapi/v2` is also served as protobuf.
    pub protobuf: Input<()>,
    /// Each fetched copy of the index `/openapi/v3`: the URL of each document, by key.
    pub indexes: Vec<BTreeMap<String, String>>,
    /// Documents in the index, by key.
    pub documents: BTreeMap<String, Input<V3Document>>,
    /// Slow requests for these documents.
    pub slow: Vec<SlowDocument>,
}

/// One OpenAPI v3 document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct V3Document {
    /// The text, as served.
    pub text: Arc<str>,
    /// Its entity tag, without quotes.
    pub etag: Option<String>,
}

/// A slow request for an OpenAPI document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlowDocument {
    /// The requested path.
    pub path: String,
    /// The duration; `None` if the request timed out.
    pub took: Option<Duration>,
}

impl fmt::Display for SlowDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.took {
            Some(took) => write!(f, "{} took {} seconds", self.path, took.as_secs()),
            None => write!(f, "{} was not answered in time", self.path),
        }
    }
}

/// Requests that take longer than this count as slow.
pub const SLOW_OPENAPI: Duration = Duration::from_secs(5);

impl OpenApi {
    /// Returns the request for a group version's document if it was slow.
    pub fn slow_document(&self, gv: &GroupVersion) -> Option<&SlowDocument> {
        self.slow.iter().find(|one| one.path == format!("/openapi/v3{}", gv.root_path()))
    }

    /// Returns the request for the index if it was slow.
    pub fn slow_index(&self) -> Option<&SlowDocument> {
        self.slow.iter().find(|one| one.path == "/openapi/v3")
    }

    /// Returns the URL of a document according to the index.
    pub fn address(&self, key: &str) -> Option<&str> {
        self.indexes.first()?.get(key).map(String::as_str)
    }
}
