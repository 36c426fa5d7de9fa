//! `aggctl doctor`: diagnoses APIServices, once or repeatedly.

mod answer;
mod diagnoses;
mod plane;
mod rounds;
mod watch;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use clap_complete::ArgValueCandidates;
use jiff::Timestamp;

use super::apiservices::bare;
use super::cluster::bounded;
use super::complete;
use super::output::{Format, HEADING, formats};
use super::security;
use super::source::{Asking, SourceArgs, read};
use super::terminal::{Status, Terminal};
use crate::error::Error;
use aggctl_diagnose::control_plane::PlaneFinding;
use aggctl_source::{Needs, Resources, ServerDocument};

/// Say why APIServices do not work, and what to do
///
/// For each APIService, the first broken link of the walk that the API server makes: Service,
/// port, endpoints, ready, address, TLS, discovery, aggregated document. Built-in ones and those of CRDs are counted, the
/// others have a line each (√ works, ‼ look at it, × broken); what is broken follows at length, and
/// what is to be looked at where that is little, or with -v.
/// Commands are there to be copied; nothing is ever changed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aggctl doctor --fail-on warning --dump ./dump
  aggctl doctor v1beta1.metrics.k8s.io --direct    from inside the cluster
  aggctl doctor v1beta1.metrics.k8s.io --wait-for available --timeout 2m
  aggctl doctor --security --dump ./dump           who can take an API over
  aggctl doctor -o openmetrics --output-file /var/lib/node_exporter/aggctl.prom

Exit codes:
  0 nothing reaches --fail-on   1 something does   2 usage   3 unreadable source")]
pub struct DoctorArgs {
    /// Only these, each at length: a name, or a group for all of its versions
    #[arg(value_name = "NAME", add = ArgValueCandidates::new(complete::api_services))]
    names: Vec<String>,

    /// Show built-in APIServices and those of CRDs one by one, and notes too
    #[arg(long)]
    all: bool,

    /// Connect to each Service's address from here, and show what is really served there
    ///
    /// For use inside the cluster's network. Opens a TLS connection and asks for the discovery
    /// document; sends no credentials.
    #[arg(long)]
    direct: bool,

    /// Look for privilege paths instead: who may edit a namespace, and so answer for an API
    ///
    /// Needs roles and bindings in the source. Exits with 1 if there are any.
    #[arg(long, conflicts_with_all = ["all", "direct", "watch", "wait_for", "fail_on"])]
    security: bool,

    /// Look again and again, and tell what changes
    #[arg(short, long, conflicts_with_all = ["wait_for", "direct"])]
    watch: bool,

    /// Look again until all that are named, or all, are so; --timeout says how long
    #[arg(long, value_enum, value_name = "STATE", conflicts_with = "direct")]
    wait_for: Option<WaitFor>,

    /// How long to pause between looks
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = bounded, hide_short_help = true)]
    interval: Duration,

    /// What makes the exit code 1
    #[arg(long, value_enum, default_value_t = FailOn::Broken, value_name = "VERDICT")]
    fail_on: FailOn,

    /// The time to measure ages and expiry against, such as 2026-11-16T12:00:00Z; now if not given
    #[arg(long, value_name = "TIME", hide_short_help = true)]
    now: Option<Timestamp>,

    /// How to write the answer
    #[arg(short, long, value_parser = formats(answer::MORE_FORMATS), default_value = "table", value_name = "FORMAT", help_heading = HEADING)]
    output: Format,

    /// Write the answer to a file, whole or not at all
    #[arg(long, value_name = "FILE", conflicts_with_all = ["watch", "wait_for"], help_heading = HEADING, hide_short_help = true)]
    output_file: Option<PathBuf>,

    #[command(flatten)]
    source: SourceArgs,

    /// The issues of the control plane, if one is named.
    #[arg(skip)]
    plane: Option<Vec<PlaneFinding>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum WaitFor {
    /// Available=True
    Available,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// Something does not work
    Broken,
    /// Something does not work, or should be looked at
    Warning,
    /// Nothing does
    Never,
}

impl DoctorArgs {
    pub(super) fn run(mut self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        if let Some(path) = self.output_file.take() {
            return answer::into_file(&path, terminal, |file| self.run(file));
        }
        self.check_format()?;
        let again = if self.watch { "--watch" } else { "--wait-for" };
        if (self.watch || self.wait_for.is_some()) && self.source.is_several() {
            return Err(Error::usage(format!("{again} takes one cluster at a time")).into());
        }
        if self.watch && !self.output.is_for_people() {
            let error = "--watch tells changes line by line, so that -o must be table or wide";
            return Err(Error::usage(error).into());
        }
        self.names.iter_mut().for_each(|name| *name = bare(name).to_owned());
        if self.security {
            return security::run(&self.names, &self.source, self.output, terminal);
        }
        let mut needs = Needs::diagnosis();
        if self.wait_for.is_some() {
            // Only the condition matters.
            needs = needs.with(Resources::None);
        } else if !self.watch {
            // Roles and bindings are many, and rarely change.
            needs.documents.extend(Needs::ACCESS);
            needs.documents.extend(Needs::PEERS);
            // To measure how long they take.
            needs.documents.insert(ServerDocument::OpenApiV3);
            needs.openapi_documents = true;
        }
        let asking = Asking::new(needs, self.output).for_verdict(true);
        if let Some(loaded) = self.source.load_members(&asking, terminal)? {
            let members = loaded.members();
            self.plane = Some(plane::findings(&members));
            self.tell_plane(terminal)?;
            return self.source.each_member(&loaded, self.output, terminal, |source, terminal| {
                self.answer(source, terminal).map(|answered| answered.0)
            });
        }
        if !self.watch && self.wait_for.is_none() {
            return self.source.each(terminal, &asking, |source, terminal| {
                self.answer(source, terminal).map(|answered| answered.0)
            });
        }
        let resolved = self.source.resolve(&asking, terminal)?.caching();
        if !resolved.is_live() {
            let error = "needs a live cluster: a dump or a plain Kubernetes does not change";
            return Err(Error::usage(format!("{again} {error}")).into());
        }
        let mut rounds = self.rounds(&resolved, terminal);
        if self.wait_for.is_some() {
            return rounds.wait();
        }
        let source = read(&resolved, rounds.terminal)?;
        let (status, first) = self.answer(&source, rounds.terminal)?;
        rounds.watch(&source.snapshot, first)?;
        Ok(status)
    }
}
