use clap::Args;

use super::output::{Format, HEADING, formats};
use super::terminal::{Status, Terminal};
use crate::error::Error;
use crate::render::{HistoryAnswer, history_markdown};
use kube_aggregation::baseline;
use kube_aggregation::nearest::did_you_mean;

/// Show when Kubernetes served which group versions and resources
///
/// Rows are group versions with their resources, columns the minors that are built in: what a
/// plain API server of that minor serves by default. SERVED is from the first minor to the last,
/// where they are known; what is not over has no last.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aggctl versions policy
  aggctl versions flowcontrol.apiserver.k8s.io autoscaling
  aggctl versions core
  aggctl versions -o markdown > versions.md")]
pub struct VersionsArgs {
    /// Only these groups; core is the one without a name
    #[arg(value_name = "GROUP")]
    groups: Vec<String>,

    /// How to write the answer
    #[arg(short, long, value_parser = formats(MORE_FORMATS), default_value = "table", value_name = "FORMAT", help_heading = HEADING)]
    output: Format,
}

const MORE_FORMATS: &[Format] = &[Format::Name, Format::Markdown];

impl VersionsArgs {
    pub(super) fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let groups: Vec<&str> = self.groups.iter().map(|group| named(group)).collect();
        let known = || baseline::history().keys().map(|gv| gv.group.as_str());
        if let Some(wrong) = groups.iter().find(|group| !known().any(|one| one == **group)) {
            let error = Error::usage(format!("no Kubernetes that is known had a group {wrong:?}"));
            let hint = did_you_mean(wrong, known());
            return Err(error
                .with_hint(hint.unwrap_or_else(|| "aggctl versions -o name lists all".to_owned()))
                .into());
        }
        let rows = baseline::rows(&groups);
        match self.output {
            Format::Markdown => terminal.print(history_markdown(&rows))?,
            format => {
                let answer = HistoryAnswer { rows: &rows, explain: !groups.is_empty() };
                terminal.answer(format, &answer)?;
            }
        }
        Ok(Status::Ok)
    }
}

/// The group that is meant, also by one of its group versions.
fn named(group: &str) -> &str {
    match group.split_once('/') {
        Some((group, _)) => group,
        None if matches!(group, "core" | "v1") => "",
        None => group,
    }
}
