//! Candidates for the shell: contexts, APIServices, groups and paths of the source that the command
//! line names.
//!
//! Errors offer nothing, because a prompt has no place for them. Nothing is written to disk.

use std::ffi::OsString;
use std::sync::mpsc::channel;
use std::time::Duration;

use clap::{ArgMatches, CommandFactory, FromArgMatches};
use clap_complete::CompletionCandidate;

use super::source::SourceArgs;
use super::{Cli, join_version};
use crate::error::Error;
use aggctl_source::live::{ClusterOptions, Found, Limits};
use aggctl_source::{Needs, ServerDocument, SourceSelection};
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::Router;

/// How long a cluster may take. The user is waiting at a prompt.
const CLUSTER_LIMIT: Duration = Duration::from_secs(2);

/// How long any source may take: a dump can be large, and a file system slow.
const LIMIT: Duration = Duration::from_secs(3);

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

/// Returns the names of APIServices, and their groups.
pub(super) fn api_services() -> Vec<CompletionCandidate> {
    named(Needs::new([ServerDocument::ApiServices]), |registry| {
        let names = registry
            .api_services()
            .map(|(service, _)| [service.name.clone(), service.group_version.group.clone()]);
        names.flatten().collect()
    })
}

/// Returns the paths that the server has.
pub(super) fn paths() -> Vec<CompletionCandidate> {
    named(Needs::routing(), |registry| Router::new(registry).known_paths())
}

/// Lists names of the source that the command line names.
fn named(needs: Needs, list: fn(&Registry<'_>) -> Vec<String>) -> Vec<CompletionCandidate> {
    let (word, others) = line();
    // No name begins like an option, so that completing one needs no source.
    let is_option = word.as_encoded_bytes().starts_with(b"-");
    let selection = parsed(others).filter(|_| !is_option).and_then(|typed| selection(&typed));
    let Some(selection) = selection else { return vec![] };
    let (send, names) = channel();
    let read = move || {
        // The receiver is gone if this took too long.
        let _ = send.send(read(&selection, &needs, list));
    };
    if std::thread::Builder::new().spawn(read).is_err() {
        return vec![];
    }
    plain(names.recv_timeout(LIMIT).ok().and_then(Result::ok).unwrap_or_default())
}

fn read(
    selection: &SourceSelection,
    needs: &Needs,
    list: fn(&Registry<'_>) -> Vec<String>,
) -> Result<Vec<String>, Error> {
    let source = selection.resolve(needs)?.load(&mut |_| {})?;
    Ok(list(&Registry::new(&source.snapshot)))
}

/// Keeps the names that mean the same to every shell, quoted or not.
///
/// bash inserts candidates as they are, and a name can come from anybody who may create an
/// APIService or answers discovery: `$(…)` in one would run with the next Enter.
fn plain(names: impl IntoIterator<Item = String>) -> Vec<CompletionCandidate> {
    let mut names: Vec<String> = names.into_iter().filter(|name| is_plain(name)).collect();
    names.sort_unstable();
    names.dedup();
    names.into_iter().map(CompletionCandidate::new).collect()
}

/// Whether a name is `[A-Za-z0-9/][A-Za-z0-9._:/=@+,-]*`.
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
fn line() -> (OsString, Vec<OsString>) {
    let words = std::env::args_os().skip_while(|word| word != "--").skip(1);
    let mut others: Vec<OsString> = words.collect();
    let index = index(&others);
    let word = if index < others.len() { others.remove(index) } else { OsString::new() };
    (word, others)
}

/// Parses words, as far as that is possible, into the arguments of the subcommand.
fn parsed(words: Vec<OsString>) -> Option<ArgMatches> {
    let command = Cli::command().ignore_errors(true);
    let mut matches = command.try_get_matches_from(join_version(words.into_iter())).ok()?;
    matches.remove_subcommand().map(|(_, typed)| typed)
}

/// Returns the source that the command line names. Never standard input: that is the terminal.
fn selection(typed: &ArgMatches) -> Option<SourceSelection> {
    let mut selection = SourceArgs::from_arg_matches(typed).ok()?.selection().ok()?;
    let Limits { request, whole, .. } = selection.cluster.limits;
    selection.cluster.limits = Limits {
        request: request.min(CLUSTER_LIMIT),
        whole: whole.min(CLUSTER_LIMIT),
        ..selection.cluster.limits
    };
    // What manifests would change is not worth reading everything from a cluster.
    let selection = SourceSelection { manifests: vec![], without: vec![], ..selection };
    (!selection.reads_standard_input()).then_some(selection)
}

#[cfg(test)]
mod tests {
    use super::*;
    use aggctl_source::NamedSource;
    use std::path::PathBuf;

    fn of_line(line: &str) -> Option<SourceSelection> {
        selection(&parsed(line.split(' ').map(OsString::from).collect())?)
    }

    #[test]
    fn the_line_names_the_source() {
        let dumps = of_line("aggctl doctor --dump ./a --dump=./b --bogus").unwrap().dumps;
        assert_eq!(dumps, [PathBuf::from("./a"), PathBuf::from("./b")]);
        let selection = of_line("aggctl doctor --context x").unwrap();
        assert!(selection.named() == NamedSource::Cluster && selection.cluster.contexts == ["x"]);
        assert_eq!(selection.cluster.limits.whole, CLUSTER_LIMIT);
        // A version that is built in touches no cluster.
        let selection = of_line("aggctl route --builtin 1.33 GET").unwrap();
        assert!(matches!(selection.named(), NamedSource::Builtin(Some(_))));
        assert_eq!(of_line("aggctl route").unwrap().named(), NamedSource::Nothing);
        assert!(of_line("aggctl route --dump -").is_none());
        assert!(of_line("aggctl").is_none());
    }

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
