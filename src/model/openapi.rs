use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::Input;

/// What is known of the OpenAPI documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenApi {
    /// `/openapi/v2`, as the server wrote it.
    pub v2: Input<Arc<str>>,
    /// Whether `/openapi/v2` comes as protobuf too.
    pub protobuf: Input<()>,
    /// The index `/openapi/v3`, each time it was asked for: where each document is, by key.
    pub indexes: Vec<BTreeMap<String, String>>,
    /// Documents of the index, by key.
    pub documents: BTreeMap<String, Input<V3Document>>,
    /// The requests for these that took longest, and how long.
    pub slow: Vec<(String, Duration)>,
}

/// A document of the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct V3Document {
    /// As the server wrote it.
    pub text: Arc<str>,
    /// Its entity tag, without quotes.
    pub etag: Option<String>,
}

/// What took longer than this is slow.
pub const SLOW_OPENAPI: Duration = Duration::from_secs(5);

impl OpenApi {
    /// Of which nothing is known yet.
    pub fn empty() -> Self {
        Self {
            v2: Input::Absent,
            protobuf: Input::Absent,
            indexes: vec![],
            documents: BTreeMap::new(),
            slow: vec![],
        }
    }

    /// Where the document of a key is, as the index has it.
    pub fn address(&self, key: &str) -> Option<&str> {
        self.indexes.first()?.get(key).map(String::as_str)
    }
}
