//! Parses one kubeconfig file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::error::MalformedKubeconfig;
use crate::live::secret::Secret;
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

/// The address and TLS settings of an API server.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub(in crate::live) struct Cluster {
    /// May contain a password.
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

/// Data of another tool. Exec plugins receive their own.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(in crate::live) struct Extension {
    #[serde(deserialize_with = "lenient")]
    pub name: String,
    pub extension: Value,
}

/// A cluster and a user, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(in crate::live) struct Context {
    #[serde(deserialize_with = "lenient")]
    pub cluster: String,
    #[serde(deserialize_with = "lenient")]
    pub user: String,
    #[serde(deserialize_with = "lenient")]
    pub namespace: String,
}

/// The user's credentials, and the user to impersonate.
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

/// A provider that was once part of kubectl. Only its name is used, in an error.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(in crate::live) struct AuthProvider {
    #[serde(deserialize_with = "lenient")]
    pub name: String,
}

impl File {
    /// Parses a file. The last of duplicate keys wins, as in kubectl.
    pub(super) fn parse(text: &[u8]) -> Result<Self, MalformedKubeconfig> {
        let Some(first) = located_document::parse(text).into_iter().next() else {
            return Ok(Self::default());
        };
        // The parser's message may quote what it could not parse, which may be a password.
        let document = first.map_err(|error| {
            MalformedKubeconfig::Syntax(error.position.line, error.position.column)
        })?;
        match document.to_json_value() {
            Value::Null => Ok(Self::default()),
            value @ Value::Object(_) => {
                if let Some(field) = not_text(&value) {
                    return Err(MalformedKubeconfig::NotText(field.to_owned()));
                }
                let file: Self = serde_json::from_value(value)
                    .map_err(|error| MalformedKubeconfig::WrongType(expected(&error)))?;
                file.without_duplicates()
            }
            _ => Err(MalformedKubeconfig::NotAKubeconfig),
        }
    }

    /// Rejects duplicate names, as kubectl does.
    fn without_duplicates(self) -> Result<Self, MalformedKubeconfig> {
        fn once<'a>(
            entry: &'static str,
            names: impl Iterator<Item = &'a String>,
        ) -> Result<(), MalformedKubeconfig> {
            let mut known = BTreeSet::new();
            match names.into_iter().find(|name| !known.insert(*name)) {
                Some(name) => Err(MalformedKubeconfig::Duplicate(entry, name.clone())),
                None => Ok(()),
            }
        }
        once("cluster", self.clusters.iter().map(|named| &named.name))?;
        once("context", self.contexts.iter().map(|named| &named.name))?;
        once("user", self.users.iter().map(|named| &named.name))?;
        Ok(self)
    }

    /// Resolves relative paths against the directory of the file.
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
            // A bare command is looked up in PATH; one with a slash is a path.
            if let Some(exec) =
                named.user.exec.as_mut().filter(|e| e.command.contains(std::path::MAIN_SEPARATOR))
            {
                exec.command = directory.join(&exec.command).display().to_string();
            }
        }
    }
}

/// Fields that are strings or lists of strings. YAML parses `0123` as a number. kubectl rejects
/// that, so that a password is not changed silently.
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

/// Returns a field that should be a string but is not.
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
                // Data of other tools may have any type.
                "extensions" => None,
                key if text && wrong => Some(key),
                _ => not_text(value),
            }
        }),
        Value::Array(items) => items.iter().find_map(not_text),
        _ => None,
    }
}

/// Returns the type that serde expected. The rest of its message quotes the value, which may be a
/// password and may itself contain `expected`.
fn expected(error: &serde_json::Error) -> Option<String> {
    let text = error.to_string();
    text.rsplit_once("expected ").map(|(_, expected)| expected.to_owned())
}
