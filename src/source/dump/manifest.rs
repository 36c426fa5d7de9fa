//! The file of a dump that says what was and was not collected.

use serde::{Deserialize, Serialize};

use crate::model::Cause;
use crate::source::facts::wire;

/// Its name in the dump.
pub(in crate::source) const FILE: &str = "aggctl-dump.json";

/// Its kind.
pub(in crate::source) const KIND: &str = "DumpManifest";

/// What is read of it again. Whoever wrote it may have been another version.
#[derive(Debug, Deserialize)]
pub(in crate::source) struct Manifest {
    pub(in crate::source) kind: String,
    #[serde(default, deserialize_with = "wire::lenient")]
    pub(in crate::source) collected: Vec<Collected>,
    #[serde(default, deserialize_with = "wire::lenient")]
    pub(in crate::source) missing: Vec<Absent>,
}

/// What is written.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Written<'a> {
    pub(super) api_version: &'a str,
    pub(super) kind: &'a str,
    pub(super) aggctl: &'a str,
    pub(super) cluster: &'a str,
    pub(super) collected_at: String,
    pub(super) r#for: &'a str,
    pub(super) schemas: &'a str,
    pub(super) collected: Vec<Collected>,
    pub(super) missing: Vec<Absent>,
    pub(super) left_out: Vec<LeftOut>,
}

/// A document that came.
#[derive(Debug, Serialize, Deserialize)]
pub(in crate::source) struct Collected {
    pub(in crate::source) file: String,
    #[serde(default)]
    pub(super) path: String,
    #[serde(default)]
    pub(super) bytes: usize,
}

/// A document that was asked for and did not come.
#[derive(Debug, Serialize, Deserialize)]
pub(in crate::source) struct Absent {
    pub(in crate::source) file: String,
    #[serde(default)]
    pub(super) path: String,
    #[serde(default)]
    pub(super) what: String,
    /// A [`Cause`] by its word; older dumps call it `state`.
    #[serde(alias = "state")]
    pub(super) cause: String,
    pub(in crate::source) why: String,
}

impl Absent {
    pub(in crate::source) fn cause(&self) -> Cause {
        Cause::parse(&self.cause)
    }
}

/// What some command could use and was not asked for.
#[derive(Debug, Serialize)]
pub(super) struct LeftOut {
    pub(super) what: String,
    pub(super) path: String,
    pub(super) why: String,
}
