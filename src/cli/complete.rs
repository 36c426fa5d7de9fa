//! Candidates for the shell: APIServices, groups and paths of the source that the command line
//! names.
//!
//! Errors offer nothing, because a prompt has no place for them. Nothing is written to disk.

use std::sync::mpsc::channel;
use std::time::Duration;

use clap::{ArgMatches, FromArgMatches};
use clap_complete::CompletionCandidate;

use super::source::SourceArgs;
use super::typed_line::{CLUSTER_LIMIT, line, parsed, plain};
use crate::error::Error;
use aggctl_source::live::Limits;
use aggctl_source::{Needs, ServerDocument, SourceSelection};
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::Router;

/// How long any source may take: a dump can be large, and a file system slow.
const LIMIT: Duration = Duration::from_secs(3);

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
    use std::ffi::OsString;
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
}
