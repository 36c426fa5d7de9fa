use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::control_plane::Members;
use super::output::{Format, HEADING, formats};
use super::source::{Asking, LoadedSource, SourceArgs, known, kubernetes, running};
use super::terminal::{Status, Terminal};
use super::usage_logs::{Counted, complete, count, some_event, tell};
use crate::error::Error;
use crate::render::{ResponseMeta, UpgradeAnswer, upgrade_markdown};
use aggctl_source::Needs;
use aggctl_usage::{Dimension, UsageQuestion, UsageReport};
use kube_aggregation::baseline;
use kube_aggregation::model::{Minor, Snapshot};
use kube_aggregation::upgrade::{UpgradeImpact, upgrade};
use kube_aggregation::what_if;

/// Say what a newer Kubernetes does to this cluster
///
/// What goes, and what has it instead; CRDs and APIServices of the cluster's own that collide with
/// what becomes built in; availability checks that become stricter; preferred versions and orders
/// that change; what comes. The worst first. With --builtin MINOR, what it does to every cluster.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aggctl upgrade --to 1.37
  aggctl upgrade --to 1.37 --dump ./dump
  aggctl upgrade --to 1.37 --builtin 1.33
  aggctl upgrade --to 1.37 --dump ./dump -o markdown > ticket.md
  aggctl upgrade --to 1.37 --fail-on risks --context prod
  aggctl upgrade --to 1.37 --dump ./dump --audit audit.log -o markdown
  aggctl upgrade --to 1.37 --rolling --control-plane ./servers

Exit codes:
  0 nothing reaches --fail-on   1 something does   2 usage   3 unreadable source")]
pub struct UpgradeArgs {
    /// The minor version to upgrade to
    #[arg(long, value_name = "MINOR")]
    to: String,

    /// Also which requests of these audit logs would end differently, and whose they are
    #[arg(long, value_name = "LOG")]
    audit: Vec<PathBuf>,

    /// Play the upgrade or rollback server by server
    ///
    /// Shows what the APIServices, discovery and requests are after each server. With
    /// --control-plane, the servers are those of the dumps, in the order of their names.
    #[arg(long)]
    rolling: bool,

    /// What makes the exit code 1
    #[arg(long, value_enum, default_value_t = FailOn::Breaks, value_name = "WEIGHT")]
    fail_on: FailOn,

    /// How to write the answer
    #[arg(short, long, value_parser = formats(&[Format::Markdown]), default_value = "table", value_name = "FORMAT", help_heading = HEADING)]
    pub(super) output: Format,

    #[command(flatten)]
    source: SourceArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// Something that works now does not work then
    Breaks,
    /// It may not
    Risks,
    /// Clients see something else
    Changes,
    /// Nothing
    Never,
}

impl FailOn {
    /// The least bad that fails.
    fn weight(self) -> Option<UpgradeImpact> {
        match self {
            Self::Breaks => Some(UpgradeImpact::Breaks),
            Self::Risks => Some(UpgradeImpact::Risks),
            Self::Changes => Some(UpgradeImpact::Changes),
            Self::Never => None,
        }
    }
}

impl UpgradeArgs {
    pub(super) fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let to = self.target()?;
        let asking = Asking::new(Needs::everything(), self.output).for_verdict(true);
        if !self.rolling {
            return self
                .source
                .each(terminal, &asking, |source, terminal| self.answer(source, to, terminal));
        }
        if let Some(loaded) = self.source.load_members(&asking, terminal)? {
            let status = self.answer_rolling(&loaded.members(), to, terminal)?;
            return loaded.finish(status);
        }
        self.source.each(terminal, &asking, |source, terminal| {
            self.answer_rolling(&Members::one(source), to, terminal)
        })
    }

    pub(super) fn fails_on_breaks(&self) -> bool {
        self.fail_on != FailOn::Never
    }

    fn target(&self) -> Result<Minor, Error> {
        let to = kubernetes(&self.to)?;
        known(to)?;
        Ok(to)
    }

    fn answer(
        &self,
        source: &LoadedSource,
        to: Minor,
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<Status> {
        let snapshot = &source.snapshot;
        let from = running(snapshot)?;
        if let Some(binary) = snapshot.minor().filter(|binary| *binary != from) {
            terminal.note(&format!(
                "the server runs {binary} and emulates {from}: it serves the group versions of {from}"
            ))?;
        }
        if to < from {
            let error = Error::usage(format!("{} runs {from}: {to} is older", snapshot.origin));
            let hint = format!("aggctl diff builtin:{from} builtin:{to} compares any two");
            return Err(error.with_hint(hint).into());
        }
        let upgrade = upgrade(snapshot, from, to);
        let assumptions: Vec<String> =
            upgrade.assumptions.iter().map(ToString::to_string).collect();
        let basis = ResponseMeta::new(&snapshot.origin, &assumptions);
        let counted = self.requests(snapshot, [from, to], terminal)?;
        let requests = counted.as_ref().map(|(report, counted)| (report, counted.interrupted));
        let answer = UpgradeAnswer { origin: &snapshot.origin, upgrade: &upgrade, requests, basis };
        match self.output {
            Format::Markdown => terminal.print(upgrade_markdown(&answer))?,
            format => terminal.answer(format, &answer)?,
        }
        complete(counted.as_ref().map_or(&[], |(_, counted)| &counted.failed))?;
        let breaks = counted.is_some_and(|(report, _)| report.total.breaks > 0);
        let fails = self.fail_on.weight().is_some_and(|least| {
            breaks || upgrade.findings.iter().any(|finding| finding.weight <= least)
        });
        Ok(Status::findings_if(fails))
    }

    /// Which requests of audit logs would end differently, where there are logs.
    pub(super) fn requests(
        &self,
        snapshot: &Snapshot,
        versions: [Minor; 2],
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<Option<(UsageReport, Counted)>> {
        if self.audit.is_empty() {
            return Ok(None);
        }
        let [from, to] = versions.map(baseline::server);
        let then = what_if::upgraded(snapshot, from, to).snapshot;
        let by =
            [Dimension::Client, Dimension::Verb, Dimension::Path, Dimension::Now, Dimension::Then];
        let question = UsageQuestion { by: by.to_vec(), ..UsageQuestion::default() };
        let counted = count(&self.audit, &question, snapshot, Some(&then), terminal)?;
        some_event(&counted, false)?;
        let report = counted.tally.report(&by, None);
        tell(&report, counted.interrupted, terminal)?;
        Ok(Some((report, counted)))
    }
}
