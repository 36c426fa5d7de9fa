use std::path::PathBuf;

use clap::Args;

use super::cluster::{not_here, one_context, optional_name};
use super::offered::rules_and_categories;
use super::output::{Format, HEADING, formats};
use super::source::{Asking, SourceArgs, tell_assumptions};
use super::terminal::{Status, Terminal};
use crate::error::Error;
use crate::render::{ResponseMeta, lint::Lint};
use aggctl_lint::{self, CONFIG_FILE};
use aggctl_source::Needs;
use aggctl_source::manifests::{self, Configuration};
use kube_aggregation::model::{Minor, Origin, SourceKind};
use kube_aggregation::registry::{Fact, Registry};

mod fix;
mod report;
mod setup;

use report::write;
use setup::{FailOn, inputs, run_config, tell_configs};

const AFTER: &str = "\
Examples:
  aggctl lint deploy/                    all .yaml, .yml and .json below
  helm template . | aggctl lint -
  aggctl lint --dump ./dump api.yaml     as if applied to that cluster
  aggctl lint --diff deploy/             what --fix would change
  aggctl lint -o table --output - -o sarif --output lint.sarif deploy/

A finding is allowed by an annotation on the object (allow.aggctl/RULE: reason),
by a comment (# aggctl: allow RULE -- reason), or in aggctl.toml.

Exit codes:
  0 nothing at or above --fail-on   1 findings   2 usage   3 unreadable input";

/// Check APIService manifests before they break a cluster
///
/// Reports what the API server would refuse, and what it takes although it cannot work. Other
/// kinds in the same input (Service, CRD, EndpointSlice, Deployment, role bindings) are looked at
/// for cross-checks. With --dump the manifests are judged as if applied to that cluster.
#[derive(Debug, Args)]
#[command(
    mut_arg("context", one_context),
    mut_arg("all_contexts", not_here),
    mut_arg("cluster", optional_name),
    after_help = AFTER,
)]
pub struct LintArgs {
    /// Files, directories, patterns, or - for standard input
    #[arg(required_unless_present = "filename", value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The format of the report; may be given several times
    #[arg(short = 'o', long, value_parser = formats(MORE_FORMATS), value_name = "FORMAT", default_value = "table", help_heading = HEADING)]
    format: Vec<Format>,

    /// Output file for the preceding --format; - is standard output
    #[arg(long, value_name = "FILE", help_heading = HEADING)]
    output: Vec<PathBuf>,

    /// The least severity that makes the exit code 1 [default: error]
    #[arg(long, value_enum, value_name = "SEVERITY")]
    fail_on: Option<FailOn>,

    /// Fail where the input has no APIService at all
    #[arg(long, hide_short_help = true)]
    fail_if_empty: bool,

    /// Only these rules or categories, separated by commas
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rules_and_categories(), hide_possible_values = true)]
    select: Vec<String>,

    /// Not these rules or categories, separated by commas
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rules_and_categories(), hide_possible_values = true)]
    ignore: Vec<String>,

    /// Show findings that were allowed, too
    #[arg(long, hide_short_help = true)]
    show_suppressed: bool,

    /// Show only what makes it fail, and no summary
    #[arg(short, long)]
    quiet: bool,

    /// The version of Kubernetes to judge for, such as 1.33 [default: that of the source, or the newest]
    #[arg(long, value_name = "MINOR", hide_short_help = true)]
    kubernetes_version: Option<String>,

    /// How long certificates must still be valid: 30d, 12h, 2w [default: 30d]
    #[arg(long, value_name = "TIME", hide_short_help = true)]
    expires_within: Option<String>,

    /// The configuration file, and no other [default: the nearest aggctl.toml from the working
    /// directory up to the root of the repository; others count for their own folder]
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    config: Option<PathBuf>,

    /// Use no configuration file
    #[arg(long, conflicts_with = "config", hide_short_help = true)]
    no_config: bool,

    /// Fix what is safe and mechanical, in place
    #[arg(long)]
    fix: bool,

    /// Show what --fix would change, and change nothing
    #[arg(long)]
    diff: bool,

    #[command(flatten)]
    source: SourceArgs,
}

const MORE_FORMATS: &[Format] = &[Format::Name, Format::Sarif, Format::Junit, Format::Github];

impl LintArgs {
    pub(super) fn run(mut self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let targets = self.targets()?;
        self.check_source()?;
        let configuration = match (&self.config, self.no_config) {
            (_, true) => Configuration::None,
            (Some(file), _) => Configuration::File(file.clone()),
            (None, _) => Configuration::Found(CONFIG_FILE),
        };
        let mut read = manifests::read(&self.files, &configuration);
        let errors = std::mem::take(&mut read.errors);
        let mut inputs = inputs(read);
        let config = run_config(&inputs, terminal)?;
        let asking = Asking::new(Needs::applying(), Format::Table);
        let named = self.source.is_named();
        let source = named.then(|| self.source.read(&asking, terminal)).transpose()?;
        let snapshot = source.as_ref().map(|source| &source.snapshot);
        let setup = self.setup(&config, snapshot.and_then(|s| s.minor()))?;
        let (cluster, origin, assumptions) = match snapshot {
            Some(snapshot) => {
                let rests_on = [Fact::ApiServices, Fact::Crds, Fact::Services];
                let told = tell_assumptions(&Registry::new(snapshot), &rests_on, terminal)?;
                (snapshot, snapshot.origin.clone(), told)
            }
            None => {
                let minor = Minor::new(setup.options.minor);
                let origin = Origin { kind: SourceKind::Builtin, name: minor.to_string() };
                (kube_aggregation::baseline::server(minor), origin, vec![])
            }
        };
        let mut report = aggctl_lint::run(&inputs, cluster, &setup.options);
        if self.diff {
            fix::show(&report, &inputs, terminal)?;
        } else if self.fix && fix::apply(&report, &mut inputs, terminal)? {
            report = aggctl_lint::run(&inputs, cluster, &setup.options);
        }
        let failed = setup.fail_on.is_some_and(|severity| report.reaches(severity));
        let unseen = report.is_unseen();
        if !self.quiet {
            tell_configs(&inputs, &report, terminal)?;
        }
        // What could not be read is told, and nothing is left to count.
        self.quiet |= report.files == 0 && !errors.is_empty();
        if self.quiet {
            let fails = |severity| setup.fail_on.is_some_and(|least| severity >= least);
            report.findings.retain(|l| fails(l.finding.severity));
        }
        let answer = Lint {
            report: &report,
            inputs: &inputs,
            basis: ResponseMeta::new(&origin, &assumptions),
            show_suppressed: self.show_suppressed,
            summary: !self.quiet,
            fail_on: setup.fail_on,
        };
        for (format, target) in targets {
            if !self.diff || target.is_some() {
                write(format, target, &answer, terminal)?;
            }
        }
        if let Some((last, others)) = errors.split_last() {
            for error in others {
                terminal.error(&error.to_string())?;
            }
            return Err(last.clone().into());
        }
        if unseen {
            let error = Error::source("nothing was checked: every APIService is in a template");
            return Err(error
                .with_hint("render them, and pipe the result into `aggctl lint -`")
                .into());
        }
        if self.fail_if_empty && report.api_services == 0 {
            terminal.error("the input has no APIService")?;
            return Ok(Status::Findings);
        }
        Ok(Status::findings_if(failed))
    }
}
