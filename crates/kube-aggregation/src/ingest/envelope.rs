//! What tells one JSON document from another, with its parts left unread.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::kube::lenient;

/// The fields by which a reader checks that an answer is what it requested.
#[derive(Debug, Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
#[expect(missing_docs, reason = "the names are those of the API")]
pub struct Envelope<'a> {
    #[serde(borrow, deserialize_with = "lenient")]
    pub kind: Cow<'a, str>,
    #[serde(borrow, deserialize_with = "lenient")]
    pub api_version: Cow<'a, str>,
    #[serde(borrow)]
    pub items: Option<&'a RawValue>,
    #[serde(borrow)]
    pub paths: Option<&'a RawValue>,
    #[serde(borrow)]
    pub git_version: Option<&'a RawValue>,
    #[serde(borrow)]
    pub swagger: Option<&'a RawValue>,
    #[serde(borrow)]
    pub openapi: Option<&'a RawValue>,
}
