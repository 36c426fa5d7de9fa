//! The arguments of `aggctl lint`.

use std::path::PathBuf;

use clap::Args;

use super::super::cluster::{not_here, one_context, optional_name};
use super::super::fail_on::{FailCondition, FailOn, fail_on};
use super::super::output::{Format, HEADING, formats};
use super::super::source::SourceArgs;
use super::super::value_parsers::rules_and_categories;
use crate::render::Answer;
use crate::render::lint::Lint;
use aggctl_lint::Severity;

const AFTER: &str = "\
Examples:
  aggctl lint deploy/                    all .yaml, .yml and .json below
  helm template . | aggctl lint -
  aggctl lint --dump ./dump api.yaml     as if applied to that cluster
  aggctl lint --diff deploy/             what --fix would change
  aggctl lint -o table --output-file - -o sarif --output-file lint.sarif deploy/

A finding is allowed by an annotation on the object (allow.aggctl/RULE: reason),
by a comment (# aggctl: allow RULE -- reason), or in aggctl.toml.

Folders named vendor and node_modules are skipped unless they are named.

Exit codes:
  0 nothing at or above --fail-on   1 findings   2 usage
  3 not everything was checked: a file is unreadable, or all are templates";

/// Check APIService manifests before they break a cluster
///
/// Reports what the API server would refuse, and what it takes although it cannot work. Other
/// kinds in the same input (Service, CRD, EndpointSlice, Deployment, role bindings) are looked at
/// for cross-checks. With --dump the manifests are judged as if applied to that cluster.
#[derive(Debug, Args)]
#[command(
    mut_arg("context", one_context),
    mut_arg("all_contexts", not_here),
    mut_arg("control_plane", not_here),
    mut_arg("all_servers", not_here),
    mut_arg("asked", not_here),
    mut_arg("no_peers", not_here),
    mut_arg("cluster", optional_name),
    after_help = AFTER,
)]
pub struct LintArgs {
    /// Files, directories, patterns, or - for standard input
    #[arg(required_unless_present = "filename", value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,

    /// The format of the report; may be given several times
    #[arg(short = 'o', long, value_parser = formats(Lint::offers), value_name = "FORMAT", default_value = "table", help_heading = HEADING)]
    pub(super) format: Vec<Format>,

    /// The file for the format before it; - is standard output
    #[arg(long, alias = "output", value_name = "FILE", help_heading = HEADING, hide_short_help = true)]
    pub(super) output_file: Vec<PathBuf>,

    /// The least severity that makes the exit code 1 [default: error]
    #[arg(long, value_parser = fail_on(FAIL_ON), value_name = "SEVERITY")]
    pub(super) fail_on: Option<FailOn<Severity>>,

    /// Fail where the input has no APIService at all
    #[arg(long, hide_short_help = true)]
    pub(super) fail_if_empty: bool,

    /// Only these rules or categories, separated by commas
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rules_and_categories(), hide_possible_values = true)]
    pub(super) select: Vec<String>,

    /// Not these rules or categories, separated by commas
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rules_and_categories(), hide_possible_values = true)]
    pub(super) ignore: Vec<String>,

    /// Not these files or folders, such as 'examples/**'; may be given several times
    #[arg(long, value_name = "PATTERN")]
    pub(super) exclude: Vec<String>,

    /// Show findings that were allowed, too
    #[arg(long, hide_short_help = true)]
    pub(super) show_suppressed: bool,

    /// Show only what makes it fail, and no summary
    #[arg(short, long)]
    pub(super) quiet: bool,

    /// The version of Kubernetes to judge for, such as 1.33 [default: that of the source, or the newest]
    #[arg(long, value_name = "MINOR", hide_short_help = true)]
    pub(super) kubernetes_version: Option<String>,

    /// How long certificates must still be valid: 30d, 12h, 2w [default: 30d]
    #[arg(long, value_name = "TIME", hide_short_help = true)]
    pub(super) expires_within: Option<String>,

    /// The configuration file, and no other [default: the nearest aggctl.toml from the working
    /// directory up to the root of the repository; others count for their own folder]
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(super) config: Option<PathBuf>,

    /// Use no configuration file
    #[arg(long, conflicts_with = "config", hide_short_help = true)]
    pub(super) no_config: bool,

    /// Fix what is safe and mechanical, in place
    #[arg(long)]
    pub(super) fix: bool,

    /// Show what --fix would change, and change nothing
    #[arg(long)]
    pub(super) diff: bool,

    #[command(flatten)]
    pub(super) source: SourceArgs,
}

/// What `--fail-on` takes; the result is the severity of a finding.
pub(super) const FAIL_ON: &[FailCondition<Severity>] = &[
    FailCondition { name: "error", help: "Errors only", fails: |one| *one >= Severity::Error },
    FailCondition {
        name: "warning",
        help: "Warnings and errors",
        fails: |one| *one >= Severity::Warning,
    },
    FailCondition { name: "info", help: "Anything", fails: |one| *one >= Severity::Info },
    FailCondition::never("Nothing"),
];
