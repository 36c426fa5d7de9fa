//! Which aggctl, which Kubernetes versions it knows, which server it speaks to.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Answer, ResponseMeta, TextOptions, joined, sanitise};
use kube_aggregation::model::Minor;

/// Versions of everything.
#[derive(Debug)]
pub struct VersionAnswer<'a> {
    /// Of aggctl.
    pub client: &'a str,
    /// Of the plain Kubernetes servers inside it.
    pub embedded: &'a [Minor],
    /// Of the server, where there is one.
    pub server: Option<&'a str>,
    /// The version that the server emulates, if it is not its own.
    pub emulation: Option<Minor>,
    pub basis: ResponseMeta<'a>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct VersionInfoJson<'a> {
    client_version: &'a str,
    built_in_kubernetes: Vec<String>,
    server_version: Option<&'a str>,
    /// The version whose group versions the server serves, if it is not its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    server_emulates: Option<String>,
}

impl Answer for VersionAnswer<'_> {
    fn text(&self, _: TextOptions) -> String {
        let built_in = joined(self.embedded, ", ");
        let server = match self.server {
            Some(version) => {
                let emulates = self.emulation.map(|minor| format!(", emulates {minor}"));
                format!("server:    {}{}\n", sanitise(version), emulates.unwrap_or_default())
            }
            None => String::new(),
        };
        format!("aggctl:    {}\nbuilt in:  Kubernetes {built_in}\n{server}", self.client)
    }

    fn json(&self) -> impl Serialize {
        let versions = VersionInfoJson {
            client_version: self.client,
            built_in_kubernetes: self.embedded.iter().map(ToString::to_string).collect(),
            server_version: self.server,
            server_emulates: self.emulation.map(|minor| minor.to_string()),
        };
        self.basis.answer("VersionInfo", versions)
    }
}
