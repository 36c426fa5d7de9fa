//! `aggctl lint --policy`: the rules as admission policies.

use super::super::output::check_format;
use super::super::terminal::{Status, Terminal};
use super::args::{LintArgs, PolicyMode};
use super::report::{targets, write};
use super::setup::setup;
use crate::render::counted;
use crate::render::lint::Policies;
use aggctl_lint::policy::{PolicyForm, PolicyParameters, form};
use aggctl_lint::{Config, rules};
use kube_aggregation::baseline;
use kube_aggregation::model::Minor;
use kube_aggregation::registry::Registry;

pub(super) fn run(
    args: &LintArgs,
    mode: PolicyMode,
    terminal: &mut Terminal<'_>,
) -> anyhow::Result<Status> {
    let targets = targets(&args.format, &args.output_file)?;
    targets.iter().try_for_each(|(format, _)| check_format::<Policies>(*format))?;
    let options = setup(args, &Config::default(), None)?.options;
    let minor = Minor::new(options.minor);
    let rules: Vec<_> = rules::all().filter(|rule| rules::enabled(&options, rule)).collect();
    let is_check = |rule: &&&aggctl_lint::Rule| matches!(form(rule), PolicyForm::Check { .. });
    let left_out = rules.len() - rules.iter().filter(is_check).count();
    if left_out > 0 {
        let rules = counted(left_out, "rule");
        terminal.note(&format!("{rules} cannot be a policy (docs/policy.md says why)"))?;
    }
    let server = baseline::server(minor);
    let parameters = PolicyParameters::new(&Registry::new(server));
    let policies = Policies { rules, parameters, minor, audit: mode == PolicyMode::Audit };
    targets.iter().try_for_each(|(format, file)| write(*format, file, &policies, terminal))?;
    Ok(Status::Ok)
}
