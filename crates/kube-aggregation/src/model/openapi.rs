use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::{GroupVersion, Input};

/// What is known of the OpenAPI documents.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpenApi {
    /// `/openapi/v2`, as the server wrote it.
    pub v2: Input<Arc<str>>,
    /// Whether `/openapi/v2` comes as protobuf too.
    pub protobuf: Input<()>,
    /// The index `/openapi/v3`, each time it was asked for: where each document is, by key.
    pub indexes: Vec<BTreeMap<String, String>>,
    /// Documents of the index, by key.
    pub documents: BTreeMap<String, Input<V3Document>>,
    /// The requests for these that took long.
    pub slow: Vec<SlowDocument>,
}

/// A document of the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct V3Document {
    /// As the server wrote it.
    pub text: Arc<str>,
    /// Its entity tag, without quotes.
    pub etag: Option<String>,
}

/// A request for a document that took long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlowDocument {
    /// What was asked for.
    pub path: String,
    /// How long it took; none if nothing came in time.
    pub took: Option<Duration>,
}

impl fmt::Display for SlowDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.took {
            Some(took) => write!(f, "{} took {} seconds", self.path, took.as_secs()),
            None => write!(f, "{} does not come in time", self.path),
        }
    }
}

/// What took longer than this is slow.
pub const SLOW_OPENAPI: Duration = Duration::from_secs(5);

impl OpenApi {
    /// The request for a group version's document, if it took long.
    pub fn slow_document(&self, gv: &GroupVersion) -> Option<&SlowDocument> {
        self.slow.iter().find(|one| one.path == format!("/openapi/v3{}", gv.root_path()))
    }

    /// The request for the index, if it took long.
    pub fn slow_index(&self) -> Option<&SlowDocument> {
        self.slow.iter().find(|one| one.path == "/openapi/v3")
    }

    /// Where the document of a key is, as the index has it.
    pub fn address(&self, key: &str) -> Option<&str> {
        self.indexes.first()?.get(key).map(String::as_str)
    }
}
