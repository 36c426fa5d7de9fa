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
    /// Whether the server is the model that is built into aggctl.
    pub is_builtin: bool,
    /// The version that the server emulates, if it is not its own.
    pub emulation: Option<Minor>,
    pub meta: ResponseMeta<'a>,
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

/// Returns versions in order, with those that follow each other as a range: `1.25, 1.28 to 1.37`.
fn ranges(minors: &[Minor]) -> String {
    let mut runs: Vec<(Minor, Minor)> = vec![];
    for minor in minors {
        match runs.last_mut() {
            Some((_, last)) if last.minor + 1 == minor.minor => *last = *minor,
            _ => runs.push((*minor, *minor)),
        }
    }
    let runs = runs.iter().map(|(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first} to {last}"),
    });
    joined(runs, ", ")
}

impl Answer for VersionAnswer<'_> {
    fn text(&self, _: TextOptions) -> String {
        let built_in = ranges(self.embedded);
        let server = match self.server {
            Some(version) => {
                let emulates = self.emulation.map(|minor| format!(", emulates {minor}"));
                let emulates = emulates.unwrap_or_default();
                let model = if self.is_builtin { " (built-in data)" } else { "" };
                format!("server:    {}{emulates}{model}\n", sanitize(version))
            }
            None => String::new(),
        };
        format!("aggctl:    {}\nbuilt-in:  Kubernetes {built_in}\n{server}", self.client)
    }

    fn json(&self) -> impl Serialize {
        let versions = VersionInfoJson {
            client_version: self.client,
            built_in_kubernetes: self.embedded.iter().map(ToString::to_string).collect(),
            server_version: self.server,
            server_emulates: self.emulation.map(|minor| minor.to_string()),
        };
        self.meta.answer("VersionInfo", versions)
    }
}
