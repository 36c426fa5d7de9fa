//! The manifest of a dump: the file that lists which documents were collected and which were not.

use serde::{Deserialize, Serialize};

use crate::lenient::lenient;
use crate::model::Cause;

/// The API version of a manifest.
pub const API_VERSION: &str = "aggctl/v1";

/// The file name of a manifest.
pub const FILE: &str = "aggctl-dump.json";

/// The kind of a manifest.
pub const KIND: &str = "DumpManifest";

/// A manifest with the fields that are read back. Another version of aggctl may have written it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    pub kind: String,
    #[serde(default, deserialize_with = "lenient")]
    pub collected: Vec<Collected>,
    #[serde(default, deserialize_with = "lenient")]
    pub missing: Vec<Absent>,
    /// Whether `/openapi/v2` was served as protobuf.
    #[serde(default, deserialize_with = "lenient")]
    pub openapi_protobuf: bool,
}

/// A manifest with all fields, for writing.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Written<'a> {
    pub api_version: &'a str,
    pub kind: &'a str,
    pub aggctl: &'a str,
    pub cluster: &'a str,
    pub collected_at: String,
    pub r#for: &'a str,
    pub schemas: &'a str,
    pub collected: Vec<Collected>,
    pub missing: Vec<Absent>,
    pub left_out: Vec<LeftOut>,
    /// Whether `/openapi/v2` was served as protobuf.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub openapi_protobuf: bool,
}

/// A document that was collected.
#[derive(Debug, Serialize, Deserialize)]
pub struct Collected {
    pub file: String,
    #[serde(default)]
    pub path: String,
    #[serde(default)]
    pub bytes: usize,
    /// The header ETag, if an answer depends on it.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "lenient")]
    pub etag: Option<String>,
}

/// A document that was requested and could not be read.
#[derive(Debug, Serialize, Deserialize)]
pub struct Absent {
    pub file: String,
    #[serde(default)]
    pub path: String,
    #[serde(default)]
    pub what: String,
    /// The word of a [`Cause`]. Older dumps have it in the field `state`.
    #[serde(alias = "state")]
    pub cause: String,
    pub why: String,
}

impl Absent {
    pub(crate) fn cause(&self) -> Cause {
        Cause::parse(&self.cause)
    }
}

/// A document that some command could use, but that was not requested.
#[derive(Debug, Serialize)]
pub struct LeftOut {
    pub what: String,
    pub path: String,
    pub why: String,
}
