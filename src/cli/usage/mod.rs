//! `aggctl usage`: who calls which APIs, from audit logs or metrics.

mod merge;
mod question;

use std::path::PathBuf;

use clap::Args;

use super::audit_logs::{count, require_complete, require_events, tell, whole_verdict};
use super::cluster::{not_here, one_context};
use super::driver::Command;
use super::fail_on::{FailCondition, FailOn, fail_on};
use super::output::{OutputArgs, Reply, offers};
use super::request::any_request;
use super::source::{Asking, SourceArgs, tell_assumptions};
use super::value_parsers::one_of;
use crate::error::Error;
use crate::render::{ResponseMeta, UsageAnswer};
use aggctl_source::ServerDocument;
use aggctl_usage::{Dimension, Partial, UsageQuestion, UsageReport, services};
use kube_aggregation::registry::{Fact, Registry};
use merge::merged;
use question::{on_another, time};

/// Say who uses what, from audit logs
///
/// Sends the requests of audit logs through the chain and counts them, by default by the APIService
/// that leads to a Service or the server that answers. Logs as the API server writes them, or as a
/// platform exports them, plain, gzip or zstd; directories too. Without a log: what the server's
/// /metrics count. With --without, -f or --to: which of these requests would end differently, and
/// whose they are.
#[derive(Debug, Args)]
#[command(
    mut_arg("output", offers::<UsageAnswer<'static>>),
    mut_arg("context", one_context),
    mut_arg("all_contexts", not_here),
    after_help = "\
Examples:
  aggctl usage /var/log/kube-apiserver/audit.log
  aggctl usage audit/ --by client,resource --apiservice v1beta1.metrics.k8s.io
  aggctl usage audit.log --without v1beta1.metrics.k8s.io    whom it would hurt
  aggctl usage audit.log --to 1.37 --fail-on breaks

Exit codes:
  0 nothing reaches --fail-on   1 something does   2 usage   3 unreadable source"
)]
pub struct UsageArgs {
    /// Audit logs: files, directories, -; none for the source's /metrics
    #[arg(value_name = "LOG")]
    logs: Vec<PathBuf>,

    /// What makes a row; several make one together
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = one_of(Dimension::ASKED, Dimension::as_str))]
    by: Vec<Dimension>,

    /// Only clients with this in their name
    #[arg(long, value_name = "TEXT")]
    client: Vec<String>,

    /// Only what this APIService or server of the chain handles
    #[arg(long, value_name = "NAME")]
    apiservice: Vec<String>,

    /// Only requests from that time on: a date, a time, or how long ago, such as 2h
    #[arg(long, value_name = "TIME")]
    since: Option<String>,

    /// Only requests before that time
    #[arg(long, value_name = "TIME", hide_short_help = true)]
    until: Option<String>,

    /// Only the most used rows
    #[arg(long, value_name = "COUNT")]
    top: Option<usize>,

    /// What ends differently on this Kubernetes, or on dump:PATH
    #[arg(long, value_name = "MINOR", conflicts_with_all = ["without", "filename"], help_heading = "What if")]
    to: Option<String>,

    /// Write what was counted for --merge, one line
    #[arg(long, conflicts_with = "merge", hide_short_help = true)]
    partial: bool,

    /// The files are what --partial wrote: add them up
    #[arg(long, conflicts_with_all = ["by", "client", "apiservice", "since", "until", "to", "without", "filename"], hide_short_help = true)]
    merge: bool,

    /// What makes the exit code 1, where ways are compared
    #[arg(long, value_parser = fail_on(FAIL_ON), default_value = "never", value_name = "WHAT")]
    fail_on: FailOn<UsageReport>,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    source: SourceArgs,
}

const FAIL_ON: &[FailCondition<UsageReport>] = &[
    FailCondition {
        name: "breaks",
        help: "A request that works now would not work then",
        fails: |report| report.total.breaks > 0,
    },
    FailCondition {
        name: "changes",
        help: "A request would end differently",
        fails: |report| report.by.contains(&Dimension::Then) && report.total.requests > 0,
    },
    FailCondition::never("Nothing"),
];

impl Command for UsageArgs {
    fn output(&self) -> &OutputArgs {
        &self.output
    }

    fn run(&self, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        if self.merge {
            return self.answer(&merged(&self.logs)?, reply);
        }
        let compares = self.to.is_some() || self.source.selection()?.has_changes();
        let is_verdict = !self.fail_on.is_never();
        if is_verdict && !compares {
            let error = Error::usage("--fail-on needs something to compare with");
            return Err(error.with_hint("add --without NAME, -f FILE or --to 1.37").into());
        }
        let question = self.question(compares)?;
        let mut needs = any_request();
        needs.documents.extend(self.logs.is_empty().then_some(ServerDocument::Metrics));
        let asking = Asking::new(needs).for_verdict(is_verdict);
        let terminal = &mut *reply.terminal;
        let source = self.source.read(&asking, terminal)?;
        let now = source.current();
        let then = match &self.to {
            Some(to) => Some(on_another(now, to, &self.source.selection()?, terminal)?),
            None => source.changed().cloned(),
        };
        let registry = Registry::new(now);
        let facts = [Fact::ApiServices, Fact::Crds, Fact::Version];
        let assumptions = tell_assumptions(&registry.assumptions(&facts), terminal)?;
        let counted = count(&self.logs, &question, now, then.as_ref(), terminal)?;
        require_events(&counted, self.partial)?;
        let partial = Partial {
            origin: now.origin.clone(),
            assumptions,
            question: question.words(),
            by: question.by,
            services: services(&registry),
            interrupted: counted.interrupted,
            tally: counted.tally,
        };
        self.answer(&partial, reply)?;
        Ok(require_complete(&counted.failed)?)
    }
}

impl UsageArgs {
    fn question(&self, compares: bool) -> Result<UsageQuestion, Error> {
        let mut by = match (self.by.is_empty(), compares) {
            (false, _) => self.by.clone(),
            (true, false) => vec![Dimension::ApiService],
            (true, true) => vec![Dimension::Client, Dimension::Verb, Dimension::Path],
        };
        if compares {
            by.extend([Dimension::Now, Dimension::Then]);
        }
        let time_of = |text: &Option<String>| text.as_deref().map(time).transpose();
        Ok(UsageQuestion {
            by,
            clients: self.client.clone(),
            api_services: self.apiservice.clone(),
            since: time_of(&self.since)?,
            until: time_of(&self.until)?,
        })
    }

    fn answer(&self, counted: &Partial, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        if self.partial {
            writeln!(reply.terminal.out, "{}", counted.to_line()?)?;
            return Ok(());
        }
        let report = counted.tally.report(&counted.by, self.top).with_services(&counted.services);
        let interrupted = counted.interrupted;
        tell(&report, interrupted, reply.terminal)?;
        let meta = ResponseMeta::new(&counted.origin, &counted.assumptions);
        reply.answer(&UsageAnswer { report: &report, interrupted, meta })?;
        let fails = self.fail_on.fails(&report);
        if !self.fail_on.is_never() {
            whole_verdict(fails, interrupted)?;
        }
        reply.fail_if(fails);
        Ok(())
    }
}
