//! The answer of `version`: aggctl, its built-in data, and the server.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Answer, ResponseMeta, TextOptions, joined, sanitize};
use kube_aggregation::model::Minor;

/// The versions of aggctl, its built-in data, and the server.
#[derive(Debug)]
pub struct VersionAnswer<'a> {
    pub client: &'a str,
    /// The built-in minors.
    pub embedded: &'a [Minor],
    /// The server, if there is one.
    pub server: Option<&'a str>,
    pub meta: ResponseMeta<'a>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct VersionInfoJson<'a> {
    client_version: &'a str,
    built_in_kubernetes: Vec<String>,
    server_version: Option<&'a str>,
}

impl Answer for VersionAnswer<'_> {
    fn text(&self, _: TextOptions) -> String {
        let built_in = joined(self.embedded, ", ");
        let server = match self.server {
            Some(version) => format!("server:    {}\n", sanitize(version)),
            None => String::new(),
        };
        format!("aggctl:    {}\nbuilt in:  Kubernetes {built_in}\n{server}", self.client)
    }

    fn json(&self) -> impl Serialize {
        let versions = VersionInfoJson {
            client_version: self.client,
            built_in_kubernetes: self.embedded.iter().map(ToString::to_string).collect(),
            server_version: self.server,
        };
        self.meta.answer("VersionInfo", versions)
    }
}
