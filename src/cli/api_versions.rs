//! `aggctl api-versions`: which Kubernetes versions serve which group versions and resources.

use clap::Args;
use clap_complete::ArgValueCandidates;

use super::complete;
use super::driver::Command;
use super::output::{OutputArgs, Reply, offers};
use crate::error::Error;
use crate::render::HistoryAnswer;
use kube_aggregation::baseline;
use kube_aggregation::nearest::did_you_mean;

/// Show which Kubernetes versions serve which APIs
///
/// Rows are group versions and their resources, columns the built-in Kubernetes versions. A cell
/// shows whether an API server of that version serves it by default. SERVED is the first and the
/// last version that serves it, if both are known.
#[derive(Debug, Args)]
#[command(
    mut_arg("output", offers::<HistoryAnswer<'static>>),
    after_help = "\
Examples:
  aggctl api-versions policy
  aggctl api-versions flowcontrol.apiserver.k8s.io autoscaling
  aggctl api-versions core
  aggctl api-versions -o markdown > versions.md"
)]
pub struct ApiVersionsArgs {
    /// Show only these groups, resources or kinds (core for the group without a name)
    #[arg(value_name = "GROUP|RESOURCE", add = ArgValueCandidates::new(complete::known_groups))]
    groups: Vec<String>,

    #[command(flatten)]
    output: OutputArgs,
}

impl Command for ApiVersionsArgs {
    fn output(&self) -> &OutputArgs {
        &self.output
    }

    fn run(&self, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        let (mut groups, mut resources) = (vec![], vec![]);
        let known = || {
            let all = baseline::history().keys().chain(baseline::optional().keys());
            all.map(|gv| gv.group.as_str())
        };
        for typed in &self.groups {
            let group = group_of(typed);
            if known().any(|one| one == group) {
                groups.push(group);
            } else {
                resources.push(resource_of(typed).ok_or_else(|| unknown(typed, known()))?);
            }
        }
        let mut rows = if groups.is_empty() && !resources.is_empty() {
            vec![]
        } else {
            baseline::rows(&groups)
        };
        if !resources.is_empty() {
            let all = baseline::rows(&[]).into_iter();
            rows.extend(all.filter(|row| {
                !groups.contains(&row.group_version.group.as_str())
                    && row.resource.as_ref().is_some_and(|one| resources.contains(one))
            }));
        }
        reply.answer(&HistoryAnswer { rows: &rows, explain: !self.groups.is_empty() })
    }
}

/// Returns the resource of a plural, a singular or a kind.
fn resource_of(typed: &str) -> Option<String> {
    let word = typed.to_lowercase();
    let stem = word.strip_suffix('y').unwrap_or(&word);
    let plurals = [word.clone(), format!("{word}s"), format!("{word}es"), format!("{stem}ies")];
    let mut all = baseline::history().values().flat_map(|resources| resources.keys());
    all.find(|resource| plurals.contains(resource)).cloned()
}

fn unknown<'k>(typed: &str, groups: impl Iterator<Item = &'k str>) -> Error {
    let resources = baseline::history().values().flat_map(|resources| resources.keys());
    let names: Vec<&str> = groups.chain(resources.map(String::as_str)).collect();
    let hint = did_you_mean(typed, names);
    let hint =
        hint.unwrap_or_else(|| "list all groups with `aggctl api-versions -o name`".to_owned());
    Error::usage(format!("unknown API group or resource {typed:?}")).with_hint(hint)
}

/// Returns the group of an argument, which may be a group version.
fn group_of(group: &str) -> &str {
    match group.split_once('/') {
        Some((group, _)) => group,
        None if matches!(group, "core" | "v1") => "",
        None => group,
    }
}
