//! What the shell offers for a word: contexts, APIServices, groups and paths of the source that the
//! line names. Nothing is said where nothing can be found: a shell has no place for errors.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use clap_complete::CompletionCandidate;

use crate::error::Error;
use aggctl_source::Needs;
use aggctl_source::SourceSelection;
use aggctl_source::live::{ClusterOptions, Found, Limits};
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::Router;

/// How long a cluster may take: somebody waits at a prompt.
const LIMIT: Duration = Duration::from_secs(2);

/// How long what a cluster answered is offered again.
const FRESH: Duration = Duration::from_secs(60);

/// The contexts of the kubeconfig.
pub(super) fn contexts() -> Vec<CompletionCandidate> {
    let options = ClusterOptions { all_contexts: true, contexts: vec![], ..selection().cluster };
    let Ok(Found::Clusters(clusters, _)) = options.find() else { return vec![] };
    let names = clusters.into_iter().flatten().map(|connection| connection.name);
    names.map(CompletionCandidate::new).collect()
}

/// The names of APIServices, and their groups.
pub(super) fn api_services() -> Vec<CompletionCandidate> {
    candidates(|line| !line.starts_with('/'))
}

/// Paths that the server has.
pub(super) fn paths() -> Vec<CompletionCandidate> {
    candidates(|line| line.starts_with('/'))
}

fn candidates(wanted: fn(&str) -> bool) -> Vec<CompletionCandidate> {
    let lines = known(&selection()).unwrap_or_default();
    lines.lines().filter(|line| wanted(line)).map(CompletionCandidate::new).collect()
}

/// All that can be offered, a line each: APIServices and groups, then paths.
fn known(selection: &SourceSelection) -> Result<String, Error> {
    let resolved = selection.resolve(&Needs::routing())?;
    let kept = resolved.is_live().then(|| cache(selection)).flatten();
    if let Some(text) = kept.as_ref().and_then(fresh) {
        return Ok(text);
    }
    let source = resolved.load(&mut |_| {})?;
    let registry = Registry::new(&source.snapshot);
    let mut lines: Vec<String> = vec![];
    for (service, _) in registry.api_services() {
        lines.extend([service.name.clone(), service.group_version.group.clone()]);
    }
    lines.extend(Router::new(&registry).known_paths());
    lines.retain(|line| !line.is_empty() && !line.chars().any(char::is_control));
    lines.sort_unstable();
    lines.dedup();
    let text = lines.join("\n");
    if let Some(path) = kept {
        // A cache that cannot be written is only slow.
        let _ = path.parent().map(std::fs::create_dir_all);
        let _ = std::fs::write(path, &text);
    }
    Ok(text)
}

fn fresh(path: &PathBuf) -> Option<String> {
    let written = std::fs::metadata(path).ok()?.modified().ok()?;
    let age = SystemTime::now().duration_since(written).ok()?;
    if age < FRESH { std::fs::read_to_string(path).ok() } else { None }
}

/// Where the answer of a cluster is kept: by kubeconfig and context.
fn cache(selection: &SourceSelection) -> Option<PathBuf> {
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let root = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(home)?;
    let options = &selection.cluster;
    let file =
        options.kubeconfig.clone().or_else(|| std::env::var_os("KUBECONFIG").map(Into::into));
    let name = format!("{} {}", file.unwrap_or_default().display(), options.contexts.join(" "));
    let name: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    let name: String = name.chars().take(200).collect();
    Some(root.join("aggctl").join("completions").join(name))
}

/// The source that the line names so far.
fn selection() -> SourceSelection {
    let words: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    of_line(&words)
}

fn of_line(words: &[String]) -> SourceSelection {
    let all = |name: &str| -> Vec<String> {
        let separate =
            words.windows(2).filter(|pair| matches!(pair, [option, _] if option == name));
        let separate = separate.filter_map(|pair| pair.get(1).cloned());
        let joined = words.iter().filter_map(|word| word.strip_prefix(name)?.strip_prefix('='));
        separate.chain(joined.map(str::to_owned)).collect()
    };
    let (contexts, kubeconfig) = (all("--context"), all("--kubeconfig").pop().map(PathBuf::from));
    let dumps: Vec<PathBuf> = all("--dump").into_iter().map(PathBuf::from).collect();
    let limits = Limits { request: LIMIT, whole: LIMIT, ..Limits::default() };
    SourceSelection {
        dumps,
        cluster: ClusterOptions { contexts, kubeconfig, limits, ..ClusterOptions::default() },
        ..SourceSelection::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_names_the_source() {
        let words: Vec<String> =
            ["aggctl", "doctor", "--dump", "./a", "--dump=./b"].map(str::to_owned).to_vec();
        assert_eq!(of_line(&words).dumps, [PathBuf::from("./a"), PathBuf::from("./b")]);
        let words: Vec<String> = ["aggctl", "doctor", "--context", "x"].map(str::to_owned).to_vec();
        let selection = of_line(&words);
        assert!(selection.is_given() && selection.cluster.contexts == ["x"]);
        assert!(!of_line(&[]).is_given());
    }
}
