//! Candidates for the shell: APIServices, groups and paths of the source that the command line
//! names.
//!
//! Errors offer nothing, because a prompt has no place for them. Nothing is written to disk.

use std::sync::mpsc::channel;
use std::time::Duration;

use clap::{ArgMatches, CommandFactory, FromArgMatches};
use clap_complete::CompletionCandidate;

use super::Cli;
use super::source::SourceArgs;
use super::typed_line::{CLUSTER_LIMIT, line, parsed, plain};
use crate::error::Error;
use crate::render;
use aggctl_source::live::Limits;
use aggctl_source::{Needs, ServerDocument, SourceSelection};
use kube_aggregation::baseline;
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

/// Returns the API groups.
pub(super) fn groups() -> Vec<CompletionCandidate> {
    named(Needs::new([ServerDocument::ApiServices, ServerDocument::Crds]), |registry| {
        registry.api_services().map(|(service, _)| service.group_version.group.clone()).collect()
    })
}

/// Returns the paths of discovery documents.
pub(super) fn documents() -> Vec<CompletionCandidate> {
    named(Needs::new([ServerDocument::ApiServices, ServerDocument::Crds]), |registry| {
        let services = registry.api_services();
        let documents = services.map(|(service, _)| service.group_version.root_path());
        documents.chain(["/api".to_owned(), "/apis".to_owned()]).collect()
    })
}

/// Returns the namespaces.
pub(super) fn namespaces() -> Vec<CompletionCandidate> {
    named(Needs::new([ServerDocument::Namespaces]), |registry| {
        let namespaces = registry.snapshot.namespaces.items().iter();
        namespaces.map(|namespace| namespace.name.clone()).collect()
    })
}

/// Returns the Kubernetes versions that are built in.
pub(super) fn minors() -> Vec<CompletionCandidate> {
    baseline::MINORS.iter().rev().map(|minor| CompletionCandidate::new(minor.to_string())).collect()
}

/// Returns the built-in sources of `diff`. The shell completes the paths of dumps.
pub(super) fn builtin_sources() -> Vec<CompletionCandidate> {
    let minors = baseline::MINORS.iter().rev();
    minors.map(|minor| CompletionCandidate::new(format!("builtin:{minor}"))).collect()
}

/// Returns the groups of all Kubernetes versions that are built in.
pub(super) fn known_groups() -> Vec<CompletionCandidate> {
    plain(baseline::history().keys().map(|gv| match gv.group.as_str() {
        "" => "core".to_owned(),
        group => group.to_owned(),
    }))
}

/// Returns the commands of aggctl.
pub(super) fn commands() -> Vec<CompletionCandidate> {
    let mut cli = Cli::command();
    cli.build();
    let shown = cli.get_subcommands().filter(|one| !one.is_hide_set());
    plain(shown.map(|command| command.get_name().to_owned()))
}

/// Returns the kinds of documents that have a schema.
pub(super) fn schema_kinds() -> Vec<CompletionCandidate> {
    plain(render::schema_kinds().chain(render::INPUT_SCHEMAS).map(str::to_owned))
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
