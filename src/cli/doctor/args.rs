//! The arguments of `aggctl doctor`.

use std::time::Duration;

use clap::{Args, ValueEnum};
use clap_complete::ArgValueCandidates;
use jiff::Timestamp;

use super::super::api_service_names::bare_name;
use super::super::cluster::bounded;
use super::super::complete;
use super::super::fail_on::{FailCondition, FailOn, fail_on};
use super::super::output::{OutputArgs, offers};
use super::super::source::SourceArgs;
use crate::render::DoctorAnswer;
use aggctl_diagnose::doctor::DoctorVerdict;

/// Say why APIServices do not work, and what to do
///
/// For each APIService, the first broken link of the walk that the API server makes: Service,
/// port, endpoints, ready, address, TLS, discovery, aggregated document. Built-in ones and those of CRDs are counted, the
/// others have a line each (√ works, ‼ look at it, × broken); what is broken follows at length, and
/// what is to be looked at where that is little, or with -v.
/// Commands are there to be copied; nothing is ever changed.
#[derive(Debug, Args)]
#[command(
    mut_arg("output", offers::<DoctorAnswer<'static, 'static>>),
    mut_arg("output_file", |arg| arg.conflicts_with_all(["watch", "wait_for"])),
    after_help = "\
Examples:
  aggctl doctor --fail-on warning --dump ./dump
  aggctl doctor v1beta1.metrics.k8s.io --direct    from inside the cluster
  aggctl doctor v1beta1.metrics.k8s.io --wait-for available --timeout 2m
  aggctl doctor --security --dump ./dump           who can take an API over
  aggctl doctor -o openmetrics --output-file /var/lib/node_exporter/aggctl.prom

Exit codes:
  0 nothing reaches --fail-on   1 something does   2 usage   3 unreadable source"
)]
pub struct DoctorArgs {
    /// Only these, each at length: a name, or a group for all of its versions
    #[arg(value_name = "NAME", value_parser = bare_name, add = ArgValueCandidates::new(complete::api_services))]
    pub(super) names: Vec<String>,

    /// Show built-in APIServices and those of CRDs one by one, and notes too
    #[arg(long)]
    pub(super) all: bool,

    /// Connect to each Service's address from here, and show what is really served there
    ///
    /// For use inside the cluster's network. Opens a TLS connection and asks for the discovery
    /// document; sends no credentials.
    #[arg(long)]
    pub(super) direct: bool,

    /// Look for privilege paths instead: who may edit a namespace, and so answer for an API
    ///
    /// Needs roles and bindings in the source. Exits with 1 if there are any.
    #[arg(long, conflicts_with_all = ["all", "direct", "watch", "wait_for", "fail_on"])]
    pub(super) security: bool,

    /// Look again and again, and tell what changes
    #[arg(short, long, conflicts_with_all = ["wait_for", "direct"])]
    pub(super) watch: bool,

    /// Look again until all that are named, or all, are so; --timeout says how long
    #[arg(long, value_enum, value_name = "STATE", conflicts_with = "direct")]
    pub(super) wait_for: Option<WaitFor>,

    /// How long to pause between looks
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = bounded, hide_short_help = true)]
    pub(super) interval: Duration,

    /// What makes the exit code 1
    #[arg(long, value_parser = fail_on(FAIL_ON), default_value = "broken", value_name = "VERDICT")]
    pub(super) fail_on: FailOn<DoctorVerdict>,

    /// The time to measure ages and expiry against, such as 2026-11-16T12:00:00Z; now if not given
    #[arg(long, value_name = "TIME", hide_short_help = true)]
    pub(super) now: Option<Timestamp>,

    #[command(flatten)]
    pub(super) output: OutputArgs,

    #[command(flatten)]
    pub(super) source: SourceArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum WaitFor {
    /// Available=True
    Available,
}

/// What `--fail-on` takes; the result is the verdict on one APIService.
const FAIL_ON: &[FailCondition<DoctorVerdict>] = &[
    FailCondition {
        name: "broken",
        help: "Something does not work",
        fails: |verdict| *verdict >= DoctorVerdict::Broken,
    },
    FailCondition {
        name: "warning",
        help: "Something does not work, or should be looked at",
        fails: |verdict| *verdict >= DoctorVerdict::Warning,
    },
    FailCondition::never("Nothing does"),
];
