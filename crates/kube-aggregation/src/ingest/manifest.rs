//! The file of a dump that says what was and was not collected.

use serde::{Deserialize, Serialize};

use crate::lenient::lenient;
use crate::model::Cause;

/// Its API version.
pub const API_VERSION: &str = "aggctl/v1";

/// Its name in the dump.
pub const FILE: &str = "aggctl-dump.json";

/// Its kind.
pub const KIND: &str = "DumpManifest";

/// The fields that are read back. Another version of aggctl may have written them.
#[derive(Debug, Deserialize)]
pub struct Manifest {
    pub kind: String,
    #[serde(default, deserialize_with = "lenient")]
    pub collected: Vec<Collected>,
    #[serde(default, deserialize_with = "lenient")]
    pub missing: Vec<Absent>,
}

/// What is written.
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
}

/// A document that came.
#[derive(Debug, Serialize, Deserialize)]
pub struct Collected {
    pub file: String,
    #[serde(default)]
    pub path: String,
    #[serde(default)]
    pub bytes: usize,
}

/// A document that was asked for and did not come.
#[derive(Debug, Serialize, Deserialize)]
pub struct Absent {
    pub file: String,
    #[serde(default)]
    pub path: String,
    #[serde(default)]
    pub what: String,
    /// A [`Cause`] by its word; older dumps call it `state`.
    #[serde(alias = "state")]
    pub cause: String,
    pub why: String,
}

impl Absent {
    pub(crate) fn cause(&self) -> Cause {
        Cause::parse(&self.cause)
    }
}

/// What some command could use and was not asked for.
#[derive(Debug, Serialize)]
pub struct LeftOut {
    pub what: String,
    pub path: String,
    pub why: String,
}
