//! Reads the kubeconfig, and merges its files as kubectl does.
//!
//! `$KUBECONFIG` may list several files. For each name, and for the current context, the first file
//! that sets it wins. Missing files are skipped. Paths are relative to the file that contains them.

mod error;
mod file;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::bounded;
pub use error::{KubeconfigError, MalformedKubeconfig};
use file::File;
pub(super) use file::{Cluster, Context, Exec, User};

/// The merged kubeconfig files.
#[derive(Debug, Default)]
pub(super) struct Kubeconfig {
    pub(super) current_context: String,
    pub(super) clusters: BTreeMap<String, Cluster>,
    /// In file order.
    pub(super) contexts: Vec<(String, Context)>,
    pub(super) users: BTreeMap<String, User>,
}

impl Kubeconfig {
    /// Reads the given file, or else those that kubectl would read.
    pub(super) fn load(explicit: Option<&Path>, limit: Duration) -> Result<Self, KubeconfigError> {
        let (paths, must_exist) = match explicit {
            Some(path) => (vec![path.to_owned()], true),
            None => (default_paths(), false),
        };
        let mut merged = Self::default();
        let mut found = false;
        for path in &paths {
            match bounded::read(path, MAX_BYTES, limit) {
                Ok(text) => {
                    found = true;
                    merged.add(parse(path, &text).map_err(|why| malformed(path, why))?);
                }
                Err(error) if !must_exist && error.is_not_found() => {}
                Err(error) => {
                    return Err(malformed(path, MalformedKubeconfig::Unreadable(error)));
                }
            }
        }
        // The variable names a cluster, so using another source would mislead.
        if let Some(list) = from_environment().filter(|_| explicit.is_none() && !found) {
            return Err(KubeconfigError::Missing(list.to_string_lossy().into_owned()));
        }
        Ok(merged)
    }

    /// Parses the bytes of one file.
    pub(super) fn of_bytes(bytes: &[u8]) -> Result<Self, KubeconfigError> {
        let mut config = Self::default();
        config.add(File::parse(bytes).map_err(|why| malformed(Path::new("-"), why))?);
        Ok(config)
    }

    fn add(&mut self, file: File) {
        if self.current_context.is_empty() {
            self.current_context = file.current_context;
        }
        for named in file.clusters {
            self.clusters.entry(named.name).or_insert(named.cluster);
        }
        for named in file.users {
            self.users.entry(named.name).or_insert(named.user);
        }
        let mut known: BTreeSet<String> = self.context_names().into_iter().collect();
        for named in file.contexts {
            if known.insert(named.name.clone()) {
                self.contexts.push((named.name, named.context));
            }
        }
    }

    /// Returns the context with this name.
    pub(super) fn context(&self, name: &str) -> Option<&Context> {
        self.contexts.iter().find(|(known, _)| known == name).map(|(_, context)| context)
    }

    /// Returns the names of all contexts.
    pub(super) fn context_names(&self) -> Vec<String> {
        self.contexts.iter().map(|(name, _)| name.clone()).collect()
    }
}

fn malformed(path: &Path, why: MalformedKubeconfig) -> KubeconfigError {
    KubeconfigError::File { path: path.to_owned(), why }
}

fn from_environment() -> Option<std::ffi::OsString> {
    std::env::var_os("KUBECONFIG").filter(|list| !list.is_empty())
}

/// Returns the files of `$KUBECONFIG`, or the one in the home directory.
fn default_paths() -> Vec<PathBuf> {
    if let Some(list) = from_environment() {
        return std::env::split_paths(&list).filter(|path| !path.as_os_str().is_empty()).collect();
    }
    let home = std::env::home_dir().filter(|home| !home.as_os_str().is_empty());
    home.map(|home| home.join(".kube").join("config")).into_iter().collect()
}

/// The maximum size of a file. A kubeconfig with a few hundred clusters is below one megabyte.
const MAX_BYTES: usize = 16 << 20;

fn parse(path: &Path, text: &[u8]) -> Result<File, MalformedKubeconfig> {
    let mut file = File::parse(text)?;
    let directory = std::path::absolute(path).ok();
    file.resolve_paths(directory.as_deref().and_then(Path::parent).unwrap_or(Path::new("")));
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(20);

    fn merged(files: &[&str]) -> Kubeconfig {
        let mut all = Kubeconfig::default();
        for text in files {
            all.add(File::parse(text.as_bytes()).unwrap());
        }
        all
    }

    #[test]
    fn the_first_file_wins_name_by_name() {
        let all = merged(&[
            "clusters: [{name: a, cluster: {server: https://first}}]\nusers:\n",
            "current-context: b\nclusters: [{name: a, cluster: {server: https://second}}, {name: b}]",
            "current-context: c\ncontexts: [{name: c, context: {cluster: b, user: u}}]",
        ]);
        assert_eq!(all.clusters["a"].server.expose(), "https://first");
        assert_eq!(all.clusters["b"], Cluster::default());
        assert_eq!(all.current_context, "b");
        assert_eq!(all.context("c").unwrap().user, "u");
    }

    #[test]
    fn accepts_what_kubectl_accepts() {
        let all = merged(&[
            "",
            "---\n",
            "current-context: x\ncurrent-context: z\npreferences: {}\nunknown: [1]\n",
            r#"{"clusters":null,"contexts":[{"name":"n","context":null}]}"#,
        ]);
        assert_eq!(all.current_context, "z");
        assert_eq!(all.context_names(), ["n"]);
    }

    #[test]
    fn refuses_unquoted_numbers_as_kubectl_does() {
        let check = |text: &str, field: &str| {
            let want = format!("{field} is not a string; quote values that look like numbers");
            assert_eq!(File::parse(text.as_bytes()).unwrap_err().to_string(), want, "{text}");
        };
        check("users: [{name: a, user: {token: 0123}}]", "token");
        check("users: [{name: a, user: {username: x, password: 1e3}}]", "password");
        check("users: [{name: a, user: {exec: {args: [a, yes]}}}]", "args");
        check("contexts: [{name: 7, context: {}}]", "name");
        // Data of other tools and unknown fields may have any type.
        let fine = "users: [{name: a, user: {token: '0123', exec: {provideClusterInfo: true}}}]\n\
                    clusters: [{name: a, cluster: {server: x, extensions: [{name: x, extension: 7}], port: 8}}]";
        assert!(File::parse(fine.as_bytes()).is_ok());
    }

    #[test]
    fn errors_quote_no_values() {
        for text in [
            "users: [{name: a, user: {token: [hunter2]}}]",
            "users: hunter2",
            "users: expected hunter2",
            "users: [{name: a, user: {token: *hunter2}}]",
            "users: [{name: a, user: {token: !hunter2 [}}]",
            "users: [{name: a, user: {token: \"\\hunter2\"}}]",
            "users: [{name: a, user: hunter2}]",
        ] {
            let error = File::parse(text.as_bytes()).unwrap_err().to_string();
            assert!(!error.contains("hunter2"), "{error}");
        }
        let twice = "users: [{name: a, user: {token: hunter2}}, {name: a}]";
        let error = |text: &str| File::parse(text.as_bytes()).unwrap_err().to_string();
        assert_eq!(error(twice), "duplicate user \"a\"");
        assert_eq!(error("- a"), "it is not a kubeconfig");
        assert!(error("a: [").starts_with("1:"));
    }

    #[test]
    fn paths_are_relative_to_their_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("config");
        let text = "clusters: [{name: a, cluster: {certificate-authority: ca.crt}}]\n\
                    users: [{name: u, user: {tokenFile: /abs/token, client-key: k, exec: {command: ./bin/x}}},\n\
                            {name: v, user: {exec: {command: x}}}]";
        std::fs::write(&path, text).unwrap();
        let config = Kubeconfig::load(Some(&path), LIMIT).unwrap();
        let ca = Some(directory.path().join("ca.crt"));
        assert_eq!(config.clusters["a"].certificate_authority, ca);
        let user = &config.users["u"];
        assert_eq!(user.token_file, Some("/abs/token".into()));
        assert_eq!(user.client_key, Some(directory.path().join("k")));
        assert!(Path::new(&user.exec.as_ref().unwrap().command).is_absolute());
        assert_eq!(config.users["v"].exec.as_ref().unwrap().command, "x");
    }

    #[test]
    fn an_explicit_file_must_exist() {
        let error = Kubeconfig::load(Some(Path::new("nowhere/config")), LIMIT).unwrap_err();
        assert_eq!(error.to_string(), "cannot read kubeconfig nowhere/config: no such file");
    }
}
