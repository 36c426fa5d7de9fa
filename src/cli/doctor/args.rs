//! The arguments of `aggctl doctor`.

use std::time::Duration;

use clap::{Args, ValueEnum};
use clap_complete::ArgValueCandidates;
use jiff::Timestamp;

use super::super::api_service_names::bare_name;
use super::super::cluster::bounded;
use super::super::complete;
use super::super::fail_on::{FailCondition, FailOn, fail_on};
use super::super::output::{OutputArgs, offers_either};
use super::super::source::SourceArgs;
use crate::render::{DoctorAnswer, FlagsAnswer};
use aggctl_diagnose::doctor::DoctorVerdict;

/// Diagnose broken APIServices
///
/// Repeats the checks of the API server for each APIService (Service, port, endpoints, readiness,
/// address, TLS, discovery, aggregated document) and reports the first that fails, its cause and the
/// commands that confirm and fix it. Healthy APIServices are counted; --all lists them. aggctl never
/// changes the cluster: copy the commands to run them.
#[derive(Debug, Args)]
#[command(
    mut_arg("output", offers_either::<DoctorAnswer<'static, 'static>, FlagsAnswer<'static>>),
    mut_arg("output_file", |arg| arg.conflicts_with_all(["watch", "wait_for"])),
    after_help = "\
Examples:
  aggctl doctor
  aggctl doctor v1beta1.metrics.k8s.io --direct    from inside the cluster
  aggctl doctor v1beta1.metrics.k8s.io --wait-for available --timeout 2m
  aggctl doctor --security --dump ./dump           who can hijack an API
  aggctl doctor -o openmetrics --output-file aggctl.prom

Exit codes:
  0 nothing reaches --fail-on   1 something does   2 usage   3 unreadable source"
)]
pub struct DoctorArgs {
    /// APIServices to diagnose in detail, by name or group
    #[arg(value_name = "NAME", value_parser = bare_name, add = ArgValueCandidates::new(complete::api_services))]
    pub(super) names: Vec<String>,

    /// List every APIService, and notes; with --flags, also flags that are not set
    #[arg(long)]
    pub(super) all: bool,

    /// Connect to each Service from this machine
    ///
    /// Shows what is really served there. Run it inside the cluster's network. Opens a TLS connection and requests the discovery
    /// document, without credentials.
    #[arg(long)]
    pub(super) direct: bool,

    /// Find APIs that a namespace editor can redirect
    ///
    /// Needs roles and bindings in the source. Exits with 1 if there are any.
    #[arg(long, conflicts_with_all = ["all", "direct", "watch", "wait_for", "fail_on"])]
    pub(super) security: bool,

    /// Show API server flags that affect aggregation
    ///
    /// Reads them from the Pods of kube-apiserver, a static Pod manifest, or /flagz. If several API
    /// servers differ, shows the difference.
    #[arg(long, conflicts_with_all = ["names", "direct", "security", "watch", "wait_for", "fail_on"])]
    pub(super) flags: bool,

    /// Re-check and print changes
    #[arg(short, long, conflicts_with_all = ["wait_for", "direct"])]
    pub(super) watch: bool,

    /// Wait until the APIServices are available, at most --timeout
    #[arg(long, value_enum, value_name = "STATE", conflicts_with = "direct")]
    pub(super) wait_for: Option<WaitFor>,

    /// Pause between checks
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = bounded, hide_short_help = true)]
    pub(super) interval: Duration,

    /// When to exit with 1
    #[arg(long, value_parser = fail_on(FAIL_ON), default_value = "broken", value_name = "VERDICT")]
    pub(super) fail_on: FailOn<DoctorVerdict>,

    /// Current time for ages and expiry, such as 2026-11-16T12:00:00Z [default: now]
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
        help: "An APIService is broken",
        fails: |verdict| *verdict >= DoctorVerdict::Broken,
    },
    FailCondition {
        name: "warning",
        help: "An APIService is broken or needs attention",
        fails: |verdict| *verdict >= DoctorVerdict::Warning,
    },
    FailCondition::never("Never"),
];
