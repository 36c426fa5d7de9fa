//! Versions as the JSON contract has them.

use schemars::JsonSchema;
use serde::Serialize;

use super::VersionAnswer;

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct VersionInfoJson<'a> {
    client_version: &'a str,
    built_in_kubernetes: Vec<String>,
    server_version: Option<&'a str>,
}

impl<'a> VersionInfoJson<'a> {
    pub(super) fn new(answer: &VersionAnswer<'a>) -> Self {
        Self {
            client_version: answer.client,
            built_in_kubernetes: answer.embedded.iter().map(ToString::to_string).collect(),
            server_version: answer.server,
        }
    }
}
