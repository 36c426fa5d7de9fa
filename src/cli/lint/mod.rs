//! `aggctl lint`: checks APIService manifests.

mod args;
mod fix;
mod report;
mod setup;

use super::output::check_format;
use super::source::{Asking, tell_assumptions};
use super::terminal::{Status, Terminal};
use crate::error::Error;
use crate::render::ResponseMeta;
use crate::render::lint::{Lint, Rules};
use aggctl_lint::{CONFIG_FILE, rules};
use aggctl_source::Needs;
use aggctl_source::manifests::{self, Configuration};
use kube_aggregation::model::{Minor, Origin, SourceKind};
use kube_aggregation::registry::{Fact, Registry};
use report::{targets, write};
use setup::{check_source, inputs, run_config, setup, tell_configs};

pub(super) use args::LintArgs;

impl LintArgs {
    pub(super) fn run(mut self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let targets = targets(&self.format, &self.output_file)?;
        if self.rules {
            let rules = Rules(rules::all().collect());
            targets.iter().try_for_each(|(format, file)| write(*format, file, &rules, terminal))?;
            return Ok(Status::Ok);
        }
        targets.iter().try_for_each(|(format, _)| check_format::<Lint<'_>>(*format))?;
        check_source(&self)?;
        let configuration = match (&self.config, self.no_config) {
            (_, true) => Configuration::None,
            (Some(file), _) => Configuration::File(file.clone()),
            (None, _) => Configuration::Found(CONFIG_FILE),
        };
        let mut read = manifests::read(&self.files, &configuration);
        let errors = std::mem::take(&mut read.errors);
        let mut inputs = inputs(read);
        let config = run_config(&inputs, terminal)?;
        let asking = Asking::new(Needs::applying());
        let named = self.source.is_named();
        let source = named.then(|| self.source.read(&asking, terminal)).transpose()?;
        let snapshot = source.as_ref().map(|source| &source.snapshot);
        let setup = setup(&self, &config, snapshot.and_then(|s| s.minor()))?;
        let (cluster, origin, assumptions) = match snapshot {
            Some(snapshot) => {
                let rests_on = [Fact::ApiServices, Fact::Crds, Fact::Services];
                let told =
                    tell_assumptions(&Registry::new(snapshot).assumptions(&rests_on), terminal)?;
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
        let failed = report.findings.iter().any(|one| (setup.fails)(&one.finding.severity));
        let unseen = report.is_unseen();
        if !self.quiet {
            tell_configs(&inputs, &report, terminal)?;
        }
        // The errors are reported instead, and there is nothing to count.
        self.quiet |= report.files == 0 && !errors.is_empty();
        if self.quiet {
            report.findings.retain(|one| (setup.fails)(&one.finding.severity));
        }
        let answer = Lint {
            report: &report,
            inputs: &inputs,
            meta: ResponseMeta::new(&origin, &assumptions),
            show_suppressed: self.show_suppressed,
            summary: !self.quiet,
            fails: setup.fails,
        };
        for (format, target) in targets {
            if !self.diff || target.path().is_some() {
                write(format, &target, &answer, terminal)?;
            }
        }
        if let Some((last, others)) = errors.split_last() {
            for error in others {
                terminal.error(&error.to_string())?;
            }
            return Err(last.clone().into());
        }
        if unseen {
            let error =
                Error::source("nothing was checked: every APIService is in an unrendered template");
            return Err(error
                .with_hint("render the templates and pipe the result into `aggctl lint -`")
                .into());
        }
        if self.fail_if_empty && report.api_services == 0 {
            terminal.error("the input has no APIService")?;
            return Ok(Status::Findings);
        }
        Ok(Status::findings_if(failed))
    }
}
