//! `aggctl versions`: when Kubernetes served which group versions and resources.

use clap::Args;

use super::driver::Command;
use super::output::{OutputArgs, Reply, offers};
use crate::error::Error;
use crate::render::HistoryAnswer;
use kube_aggregation::baseline;
use kube_aggregation::nearest::did_you_mean;

/// Show when Kubernetes served which group versions and resources
///
/// Rows are group versions with their resources, columns the minors that are built in: what a
/// plain API server of that minor serves by default. SERVED is from the first minor to the last,
/// where they are known; what is not over has no last.
#[derive(Debug, Args)]
#[command(
    mut_arg("output", offers::<HistoryAnswer<'static>>),
    after_help = "\
Examples:
  aggctl versions policy
  aggctl versions flowcontrol.apiserver.k8s.io autoscaling
  aggctl versions core
  aggctl versions -o markdown > versions.md"
)]
pub struct VersionsArgs {
    /// Only these groups; core is the one without a name
    #[arg(value_name = "GROUP")]
    groups: Vec<String>,

    #[command(flatten)]
    output: OutputArgs,
}

impl Command for VersionsArgs {
    fn output(&self) -> &OutputArgs {
        &self.output
    }

    fn run(&self, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        let groups: Vec<&str> = self.groups.iter().map(|group| group_of(group)).collect();
        let known = || {
            let all = baseline::history().keys().chain(baseline::optional().keys());
            all.map(|gv| gv.group.as_str())
        };
        if let Some(wrong) = groups.iter().find(|group| !known().any(|one| one == **group)) {
            let error = Error::usage(format!("no Kubernetes that is known had a group {wrong:?}"));
            let hint = did_you_mean(wrong, known());
            let hint = hint.unwrap_or_else(|| "aggctl versions -o name lists all".to_owned());
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
