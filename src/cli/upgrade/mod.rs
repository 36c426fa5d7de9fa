//! `aggctl upgrade`: what a newer Kubernetes would break.

mod manifests;
mod rolling;

use std::path::PathBuf;

use clap::Args;
use clap_complete::ArgValueCandidates;

use super::audit_logs::{
    CountedLogs, count, require_complete, require_events, tell, whole_verdict,
};
use super::complete;
use super::driver::{Command, Facts, each_source};
use super::fail_on::{FailCondition, FailOn, fail_on};
use super::output::{OutputArgs, Reply, offers};
use super::source::{Asking, Members, SourceArgs, known, kubernetes, running};
use super::terminal::Terminal;
use crate::error::Error;
use crate::render::{ResponseMeta, UpgradeAnswer};
use aggctl_source::Needs;
use aggctl_usage::{Dimension, UsageQuestion, UsageReport};
use kube_aggregation::baseline;
use kube_aggregation::model::{Input, Minor, ServerVersion, Snapshot};
use kube_aggregation::upgrade::{Upgrade, UpgradeImpact, upgrade};
use kube_aggregation::what_if;

/// Show what a Kubernetes upgrade would break
///
/// Reports removed APIs and their replacements, CRDs and APIServices that collide with new built-in
/// APIs, stricter availability checks, changed preferred versions and orders, and new APIs, the worst
/// first. With --builtin MINOR, shows what changes in every cluster.
#[derive(Debug, Args)]
#[command(
    mut_arg("output", offers::<UpgradeAnswer<'static>>),
    after_help = "\
Examples:
  aggctl upgrade 1.37
  aggctl upgrade --to 1.37 --dump ./dump
  aggctl upgrade --to 1.37 --builtin 1.33
  aggctl upgrade --to 1.37 --dump ./dump -o markdown > ticket.md
  aggctl upgrade --to 1.37 --fail-on risks --context prod
  aggctl upgrade --to 1.37 --dump ./dump --audit audit.log -o markdown
  aggctl upgrade --to 1.37 --rolling --control-plane ./servers

Exit codes:
  0 nothing reaches --fail-on   1 something does   2 usage   3 unreadable source"
)]
pub struct UpgradeArgs {
    /// Kubernetes version to upgrade to
    #[arg(value_name = "MINOR", required_unless_present = "to", add = ArgValueCandidates::new(complete::minors))]
    minor: Option<String>,

    /// Same as MINOR
    #[arg(long, value_name = "MINOR", conflicts_with = "minor", add = ArgValueCandidates::new(complete::minors))]
    to: Option<String>,

    /// Kubernetes version to upgrade from, if the source does not show it
    #[arg(long, value_name = "MINOR", add = ArgValueCandidates::new(complete::minors))]
    from: Option<String>,

    /// Also show which requests of this audit log would change (repeatable)
    #[arg(long, value_name = "LOG")]
    audit: Vec<PathBuf>,

    /// Simulate the upgrade or rollback one API server at a time
    ///
    /// Shows APIServices, discovery and requests after each step. With --control-plane, the servers
    /// are those of the dumps, sorted by name.
    #[arg(long)]
    rolling: bool,

    /// When to exit with 1
    #[arg(long, value_parser = fail_on(FAIL_ON), default_value = "breaks", value_name = "WEIGHT")]
    fail_on: FailOn<UpgradeImpact>,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    source: SourceArgs,
}

/// What `--fail-on` takes. The worst impact is the least.
const FAIL_ON: &[FailCondition<UpgradeImpact>] = &[
    FailCondition {
        name: "breaks",
        help: "Something that works now would fail",
        fails: |impact| *impact <= UpgradeImpact::Breaks,
    },
    FailCondition {
        name: "risks",
        help: "Something that works now may fail",
        fails: |impact| *impact <= UpgradeImpact::Risks,
    },
    FailCondition {
        name: "changes",
        help: "Clients would see a difference",
        fails: |impact| *impact <= UpgradeImpact::Changes,
    },
    FailCondition::never("Never"),
];

impl Command for UpgradeArgs {
    fn output(&self) -> &OutputArgs {
        &self.output
    }

    fn run(&self, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        let to = kubernetes(self.to.as_ref().or(self.minor.as_ref()).map_or("", String::as_str))?;
        known(to)?;
        let asking = Asking::new(Needs::everything()).for_verdict(true);
        if self.rolling {
            if let Some(loaded) = self.source.load_members(&asking, reply.terminal)? {
                rolling::answer(self, &loaded.members(), to, reply)?;
                return Ok(loaded.finish()?);
            }
            return each_source(&self.source, &asking, reply, &mut |facts, reply| {
                rolling::answer(self, &Members::one(facts.source), to, reply)
            });
        }
        each_source(&self.source, &asking, reply, &mut |facts, reply| {
            self.answer(&facts, to, reply)
        })
    }
}

/// Refuses to pass an upgrade of a cluster of which too little is known.
fn require_registrations(upgrade: &Upgrade, fails: bool) -> Result<(), Error> {
    let gaps = upgrade.unchecked();
    let Some(first) = gaps.first().filter(|_| !fails) else { return Ok(()) };
    let error = Error::source(format!("cannot tell whether the upgrade breaks something: {first}"));
    Err(error.with_hint("use a source that has them, or --fail-on never"))
}

impl UpgradeArgs {
    fn answer(
        &self,
        facts: &Facts<'_>,
        to: Minor,
        reply: &mut Reply<'_, '_>,
    ) -> anyhow::Result<()> {
        let stated = self.from.as_deref().map(kubernetes).transpose()?;
        let renamed = stated.map(|minor| {
            let version = ServerVersion {
                minor: Some(minor),
                git_version: format!("v{minor}"),
                emulation: None,
            };
            Snapshot { version: Input::Loaded(version), ..facts.snapshot().clone() }
        });
        let snapshot = renamed.as_ref().unwrap_or_else(|| facts.snapshot());
        let from = running(snapshot)?;
        if let Some(binary) = snapshot.minor().filter(|binary| *binary != from) {
            reply.terminal.note(&format!(
                "the server runs {binary} and emulates {from}; it serves the group versions of {from}"
            ))?;
        }
        if to < from {
            let error = Error::usage(format!("{} runs {from}; {to} is older", snapshot.origin));
            let hint =
                format!("compare any two versions with `aggctl diff builtin:{from} builtin:{to}`");
            return Err(error.with_hint(hint).into());
        }
        let mut upgrade = upgrade(snapshot, from, to);
        upgrade.add(manifests::removed(&self.source.what_if.filename, to));
        let assumptions: Vec<String> =
            upgrade.assumptions.iter().map(ToString::to_string).collect();
        let meta = ResponseMeta::new(&snapshot.origin, &assumptions);
        let counted = self.requests(snapshot, [from, to], reply.terminal)?;
        let requests = counted.as_ref().map(|(report, counted)| (report, counted.interrupted));
        let origin = &snapshot.origin;
        reply.answer(&UpgradeAnswer { origin, upgrade: &upgrade, requests, meta })?;
        require_complete(counted.as_ref().map_or(&[], |(_, counted)| &counted.failed))?;
        let interrupted = counted.as_ref().is_some_and(|(_, counted)| counted.interrupted);
        let breaks = counted.is_some_and(|(report, _)| report.total.breaks > 0);
        let requests = breaks.then_some(UpgradeImpact::Breaks);
        let mut impacts = upgrade.findings.iter().map(|one| one.weight).chain(requests);
        let fails = impacts.any(|impact| self.fail_on.fails(&impact));
        if !self.fail_on.is_never() {
            whole_verdict(fails, interrupted)?;
            require_registrations(&upgrade, fails)?;
        }
        reply.fail_if(fails);
        Ok(())
    }

    /// Counts the requests of the audit logs that would end differently.
    fn requests(
        &self,
        snapshot: &Snapshot,
        versions: [Minor; 2],
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<Option<(UsageReport, CountedLogs)>> {
        if self.audit.is_empty() {
            return Ok(None);
        }
        let [from, to] = versions.map(baseline::server);
        let then = what_if::upgraded(snapshot, from, to).snapshot;
        let by =
            [Dimension::Client, Dimension::Verb, Dimension::Path, Dimension::Now, Dimension::Then];
        let question = UsageQuestion { by: by.to_vec(), ..UsageQuestion::default() };
        let counted = count(&self.audit, &question, snapshot, Some(&then), terminal)?;
        require_events(&counted, false)?;
        let report = counted.tally.report(&by, None);
        tell(&report, counted.interrupted, terminal)?;
        Ok(Some((report, counted)))
    }
}
