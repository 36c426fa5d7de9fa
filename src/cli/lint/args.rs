//! The arguments of `aggctl lint`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::super::cluster::{not_here, one_context, optional_name};
use super::super::fail_on::{FailCondition, FailOn, fail_on};
use super::super::output::{Format, HEADING, formats};
use super::super::source::SourceArgs;
use super::super::value_parsers::rules_and_categories;
use crate::render::Answer;
use crate::render::lint::{Lint, Rules};
use aggctl_lint::Severity;

const AFTER: &str = "\
Examples:
  aggctl lint deploy/
  helm template . | aggctl lint -
  aggctl lint --dump ./dump api.yaml    check against a cluster's objects
  aggctl lint --diff deploy/            show what --fix would change
  aggctl lint -o sarif --output-file lint.sarif deploy/
  aggctl lint --rules                   list the rules

To allow a finding, annotate the object (allow.aggctl/RULE: reason), add a
comment (# aggctl: allow RULE -- reason), or configure it in aggctl.toml.

Exit codes:
  0 nothing at or above --fail-on   1 findings   2 usage   3 unreadable input";

/// Check APIService manifests
///
/// Reports what the API server would reject, and what it accepts although it cannot work. Uses other
/// kinds of the input (Service, CRD, EndpointSlice, Deployment, role bindings) for cross-checks. With
/// --dump, checks the manifests against the objects of that cluster.
///
/// Skips folders called vendor and node_modules unless you name them. Exits with 3 if not everything
/// was checked: a file is unreadable, or all APIServices are in templates.
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
    #[arg(required_unless_present_any = ["filename", "rules", "policy"], value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,

    /// List the lint rules, or those that are named
    #[arg(long, conflicts_with_all = ["fix", "diff", "fail_on"])]
    pub(super) rules: bool,

    /// Print the rules as ValidatingAdmissionPolicies, for the API server to enforce
    ///
    /// Includes the rules that need only the APIService itself. `audit` only records violations.
    #[arg(long, value_enum, value_name = "MODE", num_args = 0..=1, require_equals = true, default_missing_value = "enforce", conflicts_with_all = ["files", "fix", "diff", "fail_on", "rules"], hide_short_help = true)]
    pub(super) policy: Option<PolicyMode>,

    /// Output format (repeatable)
    #[arg(short = 'o', long, value_parser = formats(|format| Lint::offers(format) || Rules::offers(format)), value_name = "FORMAT", default_value = "table", help_heading = HEADING)]
    pub(super) format: Vec<Format>,

    /// File for the preceding format (- for standard output)
    #[arg(long, alias = "output", value_name = "FILE", help_heading = HEADING, hide_short_help = true)]
    pub(super) output_file: Vec<PathBuf>,

    /// Lowest severity that exits with 1 [default: error]
    #[arg(long, value_parser = fail_on(FAIL_ON), value_name = "SEVERITY")]
    pub(super) fail_on: Option<FailOn<Severity>>,

    /// Exit with 1 if the input has no APIService
    #[arg(long, hide_short_help = true)]
    pub(super) fail_if_empty: bool,

    /// Run only these rules or categories
    ///
    /// Separate them with commas, or repeat the option.
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rules_and_categories(), hide_possible_values = true)]
    pub(super) select: Vec<String>,

    /// Skip these rules or categories
    ///
    /// Separate them with commas, or repeat the option.
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rules_and_categories(), hide_possible_values = true)]
    pub(super) ignore: Vec<String>,

    /// Leave out files or folders that match this pattern, such as 'examples/**' (repeatable)
    #[arg(long, value_name = "PATTERN", hide_short_help = true)]
    pub(super) exclude: Vec<String>,

    /// Also show allowed findings
    #[arg(long, hide_short_help = true)]
    pub(super) show_suppressed: bool,

    /// Show only findings that reach --fail-on
    ///
    /// Prints no summary.
    #[arg(short, long)]
    pub(super) quiet: bool,

    /// Kubernetes version to check for [default: the source's, or the newest]
    #[arg(long, value_name = "MINOR", hide_short_help = true)]
    pub(super) kubernetes_version: Option<String>,

    /// Report certificates that expire within this time [default: 30d]
    #[arg(long, value_name = "TIME", hide_short_help = true)]
    pub(super) expires_within: Option<String>,

    /// Use only this configuration file
    ///
    /// By default, aggctl uses the nearest aggctl.toml, from the working directory up to the root of
    /// the repository. An aggctl.toml in a folder below applies to that folder.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(super) config: Option<PathBuf>,

    /// Ignore configuration files
    #[arg(long, conflicts_with = "config", hide_short_help = true)]
    pub(super) no_config: bool,

    /// Apply safe fixes to the files
    #[arg(long)]
    pub(super) fix: bool,

    /// Show what --fix would change
    #[arg(long)]
    pub(super) diff: bool,

    #[command(flatten)]
    pub(super) source: SourceArgs,
}

/// What the policies of `--policy` do about a violation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum PolicyMode {
    /// Reject errors and warn about the rest
    Enforce,
    /// Record violations in the audit log
    Audit,
}

/// What `--fail-on` takes; the result is the severity of a finding.
pub(super) const FAIL_ON: &[FailCondition<Severity>] = &[
    FailCondition { name: "error", help: "Errors", fails: |one| *one >= Severity::Error },
    FailCondition {
        name: "warning",
        help: "Warnings and errors",
        fails: |one| *one >= Severity::Warning,
    },
    FailCondition { name: "info", help: "All findings", fails: |one| *one >= Severity::Info },
    FailCondition::never("Never"),
];
