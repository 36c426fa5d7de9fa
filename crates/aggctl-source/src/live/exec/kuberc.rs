//! The policy of kubectl's `kuberc` for exec plugins: which ones a user allows to run.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use super::error::{PluginError, PluginProblem};
use crate::live::bounded;
use crate::live::kubeconfig::Exec;

/// The maximum size of the file.
const MAX_BYTES: usize = 1 << 20;

/// The preferences that concern plugins.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Preferences {
    credential_plugin_policy: String,
    credential_plugin_allowlist: Option<Vec<AllowedPlugin>>,
}

/// A plugin that may run, by its command or path. Older files call it `name`.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
struct AllowedPlugin {
    command: String,
    name: String,
}

impl AllowedPlugin {
    fn command(&self) -> &str {
        if self.command.is_empty() { &self.name } else { &self.command }
    }
}

/// Refuses a plugin that the user's kuberc does not allow.
pub(super) fn check(exec: &Exec, limit: Duration) -> Result<(), PluginError> {
    let variable = std::env::var_os("KUBERC").filter(|value| !value.is_empty());
    let (path, explicit) = match variable {
        Some(value) if value == "off" => return Ok(()),
        Some(path) => (PathBuf::from(path), true),
        None => match std::env::home_dir().filter(|home| !home.as_os_str().is_empty()) {
            Some(home) => (home.join(".kube").join("kuberc"), false),
            None => return Ok(()),
        },
    };
    if !explicit && !path.exists() {
        return Ok(());
    }
    let refuse = |problem| PluginError::new(exec, problem);
    let unusable = |why: String| refuse(PluginProblem::Kuberc(path.clone(), why));
    let text = bounded::read(&path, MAX_BYTES, limit).map_err(|why| unusable(why.to_string()))?;
    let preferences = parse(&text).map_err(unusable)?;
    let allowed = allows(&preferences, &exec.command, find_program).map_err(unusable)?;
    if allowed { Ok(()) } else { Err(refuse(PluginProblem::NotAllowed(path.clone()))) }
}

/// Returns the first document that is a Preference. Other documents are other versions of it.
fn parse(text: &[u8]) -> Result<Preferences, String> {
    for document in located_document::parse(text) {
        let value = document.map_err(|error| error.message)?.to_json_value();
        if value["kind"] == "Preference" {
            return serde_json::from_value(value).map_err(|why| why.to_string());
        }
    }
    Err("it has no Preference".to_owned())
}

/// Returns whether the preferences allow a command.
///
/// # Errors
/// If they contradict themselves. kubectl then runs no plugin either.
fn allows(
    preferences: &Preferences,
    command: &str,
    find: impl Fn(&str) -> Option<PathBuf>,
) -> Result<bool, String> {
    let (policy, list) =
        (&*preferences.credential_plugin_policy, &preferences.credential_plugin_allowlist);
    match (policy, list) {
        ("" | "AllowAll", None) => Ok(true),
        ("DenyAll", None) => Ok(false),
        ("" | "AllowAll" | "DenyAll", Some(_)) => {
            Err(format!("credentialPluginPolicy {policy:?} takes no credentialPluginAllowlist"))
        }
        ("Allowlist", Some(list)) if !list.is_empty() => {
            if list.iter().any(|entry| entry.command().is_empty()) {
                return Err("credentialPluginAllowlist has an empty entry".to_owned());
            }
            let found = find(command);
            Ok(list.iter().any(|entry| {
                entry.command() == command || found.is_some() && find(entry.command()) == found
            }))
        }
        ("Allowlist", _) => Err("credentialPluginAllowlist is empty".to_owned()),
        _ => Err(format!("unknown credentialPluginPolicy {policy:?}")),
    }
}

/// Returns the path of a command, searched for in `PATH` if it is a bare name.
fn find_program(command: &str) -> Option<PathBuf> {
    if command.contains(std::path::is_separator) {
        return Some(PathBuf::from(command)).filter(|path| path.is_file());
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(command)).find(|path| is_program(path))
}

fn is_program(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
    }
    #[cfg(not(unix))]
    path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(yaml: &str, command: &str) -> Result<bool, String> {
        let find = |name: &str| match name {
            "aws" | "/usr/bin/aws" => Some(PathBuf::from("/usr/bin/aws")),
            "gone" => None,
            other => Some(PathBuf::from(format!("/bin/{other}"))),
        };
        let text = format!("apiVersion: kubectl.config.k8s.io/v1beta1\nkind: Preference\n{yaml}");
        allows(&parse(text.as_bytes())?, command, find)
    }

    #[test]
    fn the_policy_decides() {
        let list = "credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist:\n";
        for (yaml, command, want) in [
            ("", "aws", Ok(true)),
            ("credentialPluginPolicy: AllowAll", "aws", Ok(true)),
            ("credentialPluginPolicy: DenyAll", "aws", Ok(false)),
            (&format!("{list}- name: aws"), "aws", Ok(true)),
            (&format!("{list}- command: aws"), "/usr/bin/aws", Ok(true)),
            (&format!("{list}- command: /usr/bin/aws"), "aws", Ok(true)),
            (&format!("{list}- command: aws"), "evil", Ok(false)),
            (&format!("{list}- command: gone"), "evil", Ok(false)),
            (&format!("{list}- command: other"), "gone", Ok(false)),
            (&format!("{list}- {{}}"), "aws", Err("credentialPluginAllowlist has an empty entry")),
            ("credentialPluginPolicy: Allowlist", "aws", Err("credentialPluginAllowlist is empty")),
            (
                "credentialPluginPolicy: Maybe",
                "aws",
                Err("unknown credentialPluginPolicy \"Maybe\""),
            ),
            (
                "credentialPluginPolicy: DenyAll\ncredentialPluginAllowlist: []",
                "aws",
                Err("credentialPluginPolicy \"DenyAll\" takes no credentialPluginAllowlist"),
            ),
        ] {
            assert_eq!(decide(yaml, command), want.map_err(str::to_owned), "{yaml}");
        }
    }

    #[test]
    fn other_documents_are_skipped() {
        let text = b"kind: Other\n---\nkind: Preference\ncredentialPluginPolicy: DenyAll\n";
        assert_eq!(parse(text).unwrap().credential_plugin_policy, "DenyAll");
        assert_eq!(parse(b"kind: Other").unwrap_err(), "it has no Preference");
    }
}
