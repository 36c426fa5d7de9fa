//! `aggctl usage`: who calls which APIs, from audit logs or metrics.

mod merge;
mod question;

use std::path::PathBuf;

use clap::Args;

use super::api_service_names::check_names;
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
use aggctl_usage::{Dimension, Partial, UNKNOWN, UsageQuestion, UsageReport, services};
use kube_aggregation::registry::{Fact, Registry};
use kube_aggregation::routing::Server;
use merge::merged;
use question::{on_another, time};

/// Show who calls which APIs
///
/// Routes the requests of audit logs and counts them, by default per APIService with a Service or per
/// server. Reads logs as the API server or a cloud platform writes them: files or directories, plain,
/// gzip or zstd. Without a log, uses the counters of the server's /metrics. With --without, -f or
/// --to, shows which requests would have another outcome, and who sends them.
#[derive(Debug, Args)]
#[command(
    mut_arg("output", offers::<UsageAnswer<'static>>),
    mut_arg("context", one_context),
    mut_arg("all_contexts", not_here),
    after_help = "\
Examples:
  aggctl usage /var/log/kube-apiserver/audit.log
  aggctl usage audit/ --by client,resource --apiservice v1beta1.metrics.k8s.io
  aggctl usage audit.log --without v1beta1.metrics.k8s.io    who breaks
  aggctl usage audit.log --to 1.37 --fail-on breaks

Exit codes:
  0 nothing reaches --fail-on   1 something does   2 usage   3 unreadable source"
)]
pub struct UsageArgs {
    /// Audit logs: files, directories, or - (none: the server's /metrics)
    #[arg(value_name = "LOG")]
    logs: Vec<PathBuf>,

    /// Group rows by these keys
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = one_of(Dimension::ASKED, Dimension::as_str))]
    by: Vec<Dimension>,

    /// Count only clients whose name contains this text
    #[arg(long, value_name = "TEXT")]
    client: Vec<String>,

    /// Count only requests that this APIService or server handles
    #[arg(long, value_name = "NAME")]
    apiservice: Vec<String>,

    /// Count only requests since this date, time or age, such as 2h
    #[arg(long, value_name = "TIME")]
    since: Option<String>,

    /// Count only requests before this time
    #[arg(long, value_name = "TIME", hide_short_help = true)]
    until: Option<String>,

    /// Show only the rows with the most requests
    #[arg(long, value_name = "COUNT")]
    top: Option<usize>,

    /// Compare with this Kubernetes version, or with dump:PATH
    #[arg(long, value_name = "MINOR", conflicts_with_all = ["without", "filename"], help_heading = "What if")]
    to: Option<String>,

    /// Write the counts as one line for --merge
    #[arg(long, conflicts_with = "merge", hide_short_help = true)]
    partial: bool,

    /// Add up files that --partial wrote
    #[arg(long, conflicts_with_all = ["by", "client", "apiservice", "since", "until", "to", "without", "filename"], hide_short_help = true)]
    merge: bool,

    /// When a comparison exits with 1
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
        help: "A request that succeeds now would fail",
        fails: |report| report.total.breaks > 0,
    },
    FailCondition {
        name: "changes",
        help: "A request would have another outcome",
        fails: |report| report.by.contains(&Dimension::Then) && report.total.requests > 0,
    },
    FailCondition::never("Never"),
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
            let error = Error::usage("--fail-on needs a comparison");
            return Err(error.with_hint("add --without NAME, -f FILE or --to 1.37").into());
        }
        let question = self.question(compares)?;
        let mut needs = any_request();
        needs.documents.extend(self.logs.is_empty().then_some(ServerDocument::Metrics));
        // Built-in data has no metrics, so without logs it must not stand in for a cluster.
        let asking = Asking::new(needs).for_verdict(is_verdict || self.logs.is_empty());
        let terminal = &mut *reply.terminal;
        let source = self.source.read(&asking, terminal)?;
        let now = source.current();
        let then = match &self.to {
            Some(to) => Some(on_another(now, to, &self.source.selection()?, terminal)?),
            None => source.changed().cloned(),
        };
        let registry = Registry::new(now);
        let servers = [Server::Aggregator, Server::KubeApiserver, Server::Extensions];
        let handlers = registry.api_services().map(|(service, _)| &*service.name);
        let handlers = handlers.chain(servers.map(Server::as_str)).chain([UNKNOWN]);
        check_names(&self.apiservice, handlers, &self.source.same_as(&source))?;
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
