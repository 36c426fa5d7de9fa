//! `aggctl api-versions`: which Kubernetes versions serve which group versions and resources.

use clap::Args;

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
    /// Show only these groups (core for the group without a name)
    #[arg(value_name = "GROUP")]
    groups: Vec<String>,

    #[command(flatten)]
    output: OutputArgs,
}

impl Command for ApiVersionsArgs {
    fn output(&self) -> &OutputArgs {
        &self.output
    }

    fn run(&self, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        let groups: Vec<&str> = self.groups.iter().map(|group| group_of(group)).collect();
        let known = || baseline::history().keys().map(|gv| gv.group.as_str());
        if let Some(wrong) = groups.iter().find(|group| !known().any(|one| one == **group)) {
            let error = Error::usage(format!("unknown API group {wrong:?}"));
            let hint = did_you_mean(wrong, known());
            let hint =
                hint.unwrap_or_else(|| "list them with `aggctl api-versions -o name`".to_owned());
            return Err(error.with_hint(hint).into());
        }
        let rows = baseline::rows(&groups);
        reply.answer(&HistoryAnswer { rows: &rows, explain: !groups.is_empty() })
    }
}

/// Returns the group of an argument, which may be a group version.
fn group_of(group: &str) -> &str {
    match group.split_once('/') {
        Some((group, _)) => group,
        None if matches!(group, "core" | "v1") => "",
        None => group,
    }
}
