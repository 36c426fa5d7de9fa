//! One kubeconfig file, in the form that kubectl writes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::super::secret::Secret;
use kube_aggregation::ingest::lenient;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub(super) struct File {
    #[serde(deserialize_with = "lenient")]
    pub current_context: String,
    #[serde(deserialize_with = "lenient")]
    pub clusters: Vec<NamedCluster>,
    #[serde(deserialize_with = "lenient")]
    pub contexts: Vec<NamedContext>,
    #[serde(deserialize_with = "lenient")]
    pub users: Vec<NamedUser>,
}

#[derive(Debug, Deserialize)]
pub(super) struct NamedCluster {
    pub name: String,
    #[serde(default, deserialize_with = "lenient")]
    pub cluster: Cluster,
}

#[derive(Debug, Deserialize)]
pub(super) struct NamedContext {
    pub name: String,
    #[serde(default, deserialize_with = "lenient")]
    pub context: Context,
}

#[derive(Debug, Deserialize)]
pub(super) struct NamedUser {
    pub name: String,
    #[serde(default, deserialize_with = "lenient")]
    pub user: User,
}

/// How to reach an API server.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub(in crate::live) struct Cluster {
    /// There may be a password in it.
    #[serde(deserialize_with = "lenient")]
    pub server: Secret,
    pub tls_server_name: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub insecure_skip_tls_verify: bool,
    pub certificate_authority: Option<PathBuf>,
    pub certificate_authority_data: Option<String>,
    pub proxy_url: Option<Secret>,
    #[serde(deserialize_with = "lenient")]
    pub disable_compression: bool,
    #[serde(deserialize_with = "lenient")]
    pub extensions: Vec<Extension>,
}

/// Something that a tool keeps in the file; exec plugins can ask for theirs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(in crate::live) struct Extension {
    #[serde(deserialize_with = "lenient")]
    pub name: String,
    pub extension: Value,
}

/// Which cluster, as whom.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(in crate::live) struct Context {
    #[serde(deserialize_with = "lenient")]
    pub cluster: String,
    #[serde(deserialize_with = "lenient")]
    pub user: String,
}

/// Who is asking, and how that is proven.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub(in crate::live) struct User {
    pub client_certificate: Option<PathBuf>,
    pub client_certificate_data: Option<String>,
    pub client_key: Option<PathBuf>,
    pub client_key_data: Option<Secret>,
    pub token: Option<Secret>,
    #[serde(rename = "tokenFile")]
    pub token_file: Option<PathBuf>,
    pub username: Option<String>,
    pub password: Option<Secret>,
    #[serde(rename = "as")]
    pub impersonate: Option<String>,
    #[serde(rename = "as-uid")]
    pub impersonate_uid: Option<String>,
    #[serde(rename = "as-groups", deserialize_with = "lenient")]
    pub impersonate_groups: Vec<String>,
    #[serde(rename = "as-user-extra", deserialize_with = "lenient")]
    pub impersonate_extra: BTreeMap<String, Vec<String>>,
    pub exec: Option<Exec>,
    pub auth_provider: Option<AuthProvider>,
}

/// A program that prints credentials.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(in crate::live) struct Exec {
    #[serde(deserialize_with = "lenient")]
    pub api_version: String,
    #[serde(deserialize_with = "lenient")]
    pub command: String,
    #[serde(deserialize_with = "lenient")]
    pub args: Vec<Secret>,
    #[serde(deserialize_with = "lenient")]
    pub env: Vec<Variable>,
    #[serde(deserialize_with = "lenient")]
    pub install_hint: String,
    #[serde(deserialize_with = "lenient")]
    pub provide_cluster_info: bool,
    pub interactive_mode: Option<String>,
}

/// A variable of an exec plugin's environment.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(in crate::live) struct Variable {
    #[serde(deserialize_with = "lenient")]
    pub name: String,
    #[serde(deserialize_with = "lenient")]
    pub value: Secret,
}

/// The way of providers that were part of kubectl once. Only its name is of use.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(in crate::live) struct AuthProvider {
    #[serde(deserialize_with = "lenient")]
    pub name: String,
}

impl File {
    /// Reads a file's text. The last of duplicate keys wins, as in kubectl.
    pub(super) fn parse(text: &[u8]) -> Result<Self, String> {
        let Some(first) = located_document::parse(text).into_iter().next() else {
            return Ok(Self::default());
        };
        // The parser's own words may repeat what it could not read, and that may be a password.
        let document = first.map_err(|error| {
            let (line, column) = (error.position.line, error.position.column);
            format!("{line}:{column}: it is neither YAML nor JSON")
        })?;
        match document.to_json_value() {
            Value::Null => Ok(Self::default()),
            value @ Value::Object(_) => {
                if let Some(field) = not_text(&value) {
                    return Err(format!("{field} is not text: quote what looks like a number"));
                }
                let file: Self = serde_json::from_value(value)
                    .map_err(|error| without_values(&error.to_string()))?;
                file.without_twins()
            }
            _ => Err("it is not a kubeconfig".to_owned()),
        }
    }

    /// As kubectl does, refuses a file in which a name means two things.
    fn without_twins(self) -> Result<Self, String> {
        fn once<'a>(what: &str, names: impl Iterator<Item = &'a String>) -> Result<(), String> {
            let mut known = BTreeSet::new();
            match names.into_iter().find(|name| !known.insert(*name)) {
                Some(name) => Err(format!("{what} {name:?} is in it twice")),
                None => Ok(()),
            }
        }
        once("cluster", self.clusters.iter().map(|named| &named.name))?;
        once("context", self.contexts.iter().map(|named| &named.name))?;
        once("user", self.users.iter().map(|named| &named.name))?;
        Ok(self)
    }

    /// Makes relative paths what they mean: relative to the file that they stand in.
    pub(super) fn resolve_paths(&mut self, directory: &Path) {
        let resolve = |path: &mut Option<PathBuf>| {
            if let Some(path) = path.as_mut().filter(|p| !p.as_os_str().is_empty()) {
                *path = directory.join(&path);
            }
        };
        for named in &mut self.clusters {
            resolve(&mut named.cluster.certificate_authority);
        }
        for named in &mut self.users {
            resolve(&mut named.user.client_certificate);
            resolve(&mut named.user.client_key);
            resolve(&mut named.user.token_file);
            // A bare command is looked up in PATH, one with a slash is a path.
            if let Some(exec) =
                named.user.exec.as_mut().filter(|e| e.command.contains(std::path::MAIN_SEPARATOR))
            {
                exec.command = directory.join(&exec.command).display().to_string();
            }
        }
    }
}

/// Fields that are text, or lists of it. YAML reads `0123` as a number, and kubectl refuses it: a
/// password must not become another one.
const TEXT: [&str; 21] = [
    "apiVersion",
    "args",
    "as",
    "as-groups",
    "as-uid",
    "certificate-authority-data",
    "client-certificate-data",
    "client-key-data",
    "cluster",
    "command",
    "current-context",
    "name",
    "namespace",
    "password",
    "proxy-url",
    "server",
    "tls-server-name",
    "token",
    "user",
    "username",
    "value",
];

/// A field that should be text and is none.
fn not_text(value: &Value) -> Option<&str> {
    match value {
        Value::Object(entries) => entries.iter().find_map(|(key, value)| {
            let text = TEXT.contains(&key.as_str());
            let other = |value: &Value| matches!(value, Value::Number(_) | Value::Bool(_));
            let wrong = match value {
                Value::Array(items) => items.iter().any(other),
                value => other(value),
            };
            match key.as_str() {
                // What tools keep for themselves stays as it is.
                "extensions" => None,
                key if text && wrong => Some(key),
                _ => not_text(value),
            }
        }),
        Value::Array(items) => items.iter().find_map(not_text),
        _ => None,
    }
}

/// serde quotes the value that it did not like, and that value may be a password.
fn without_values(error: &str) -> String {
    // The last one is serde's own, whatever stands in the value before it.
    match error.rsplit_once("expected ") {
        Some((_, expected)) => format!("a value of the wrong type, expected {expected}"),
        None => "it has not the form of a kubeconfig".to_owned(),
    }
}
