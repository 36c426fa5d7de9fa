//! The command line that a shell wants completed, and the contexts that fit into it.

use std::ffi::OsString;
use std::time::Duration;

use clap::{ArgMatches, CommandFactory};
use clap_complete::CompletionCandidate;

use super::{Cli, join_version};
use aggctl_source::live::{ClusterOptions, Found, Limits};

/// How long a cluster may take. The user is waiting at a prompt.
pub(super) const CLUSTER_LIMIT: Duration = Duration::from_secs(2);

/// Returns the contexts of the kubeconfig.
pub(super) fn contexts() -> Vec<CompletionCandidate> {
    let typed = parsed(line().1);
    let kubeconfig =
        typed.and_then(|typed| typed.try_get_one("kubeconfig").ok().flatten().cloned());
    // The kubeconfig may be a pipe.
    let limits = Limits { whole: CLUSTER_LIMIT, ..Limits::default() };
    let options =
        ClusterOptions { kubeconfig, all_contexts: true, limits, ..ClusterOptions::default() };
    let Ok(Found::Clusters(clusters, _)) = options.find() else { return vec![] };
    plain(clusters.into_iter().flatten().map(|connection| connection.name))
}

/// Keeps the names that mean the same to every shell, quoted or not.
///
/// bash inserts candidates as they are. Any user who may create an APIService, and any server that
/// answers discovery, can choose a name, and `$(…)` in it would run with the next Enter.
pub(super) fn plain(names: impl IntoIterator<Item = String>) -> Vec<CompletionCandidate> {
    let mut names: Vec<String> = names.into_iter().filter(|name| is_plain(name)).collect();
    names.sort_unstable();
    names.dedup();
    names.into_iter().map(CompletionCandidate::new).collect()
}

/// Returns whether a name is `[A-Za-z0-9/][A-Za-z0-9._:/=@+,-]*`.
fn is_plain(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphanumeric() || first == b'/')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"._:/=@+,-".contains(&byte))
}

/// Returns the index of the word to complete: the last one unless the shell says otherwise.
pub(super) fn index(words: &[OsString]) -> usize {
    let given = std::env::var("_CLAP_COMPLETE_INDEX").ok().and_then(|index| index.parse().ok());
    given.unwrap_or(words.len().saturating_sub(1)).min(words.len())
}

/// Splits the command line into the word to complete and the others.
pub(super) fn line() -> (OsString, Vec<OsString>) {
    let words = std::env::args_os().skip_while(|word| word != "--").skip(1);
    let mut others: Vec<OsString> = words.collect();
    let index = index(&others);
    let word = if index < others.len() { others.remove(index) } else { OsString::new() };
    (word, others)
}

/// Parses words, as far as that is possible, into the arguments of the subcommand.
pub(super) fn parsed(words: Vec<OsString>) -> Option<ArgMatches> {
    let command = Cli::command().ignore_errors(true);
    let mut matches = command.try_get_matches_from(join_version(words.into_iter())).ok()?;
    matches.remove_subcommand().map(|(_, typed)| typed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_names_are_offered() {
        for name in [
            "v1.apps",
            "kubernetes-admin@kubernetes",
            "gke_project_zone_name",
            "arn:aws:eks:eu-west-1:1234:cluster/prod",
            "/apis/apps/v1",
            "a=b+c,d",
        ] {
            assert!(is_plain(name), "{name}");
        }
        for name in ["", "-o", "--help", ".", "~", "=x", "a b", "a;b", "a\n", "ä", "v1.evil$(x)"] {
            assert!(!is_plain(name), "{name:?}");
        }
    }
}
