//! `aggctl lint`: checks APIService manifests.

mod args;
mod context;
mod fix;
mod policy;
mod report;
mod setup;

use super::output::check_format;
use super::source::{Asking, tell_assumptions};
use super::terminal::{Status, Terminal};
use crate::error::Error;
use crate::render::lint::{Lint, Rules};
use crate::render::{Format, ResponseMeta};
use aggctl_lint::{CONFIG_FILE, Rule, rules};
use aggctl_source::Needs;
use aggctl_source::manifests::{self, Configuration};
use kube_aggregation::model::{Minor, Origin, SourceKind};
use kube_aggregation::nearest::did_you_mean;
use kube_aggregation::registry::{Fact, Registry};
use report::{targets, write};
use setup::{check_source, exclude, inputs, run_config, setup, tell_allowed, tell_configs};

pub(super) use args::LintArgs;

/// The error if there was something to check and nothing could be.
const UNSEEN: &str = "nothing was checked: every APIService is in an unrendered template";

impl LintArgs {
    /// Returns the rules and categories that the arguments name, or all rules.
    fn named_rules(&self) -> Result<Vec<&'static Rule>, Error> {
        let names: Vec<_> = self.files.iter().map(|name| name.to_string_lossy()).collect();
        let is_named =
            |rule: &Rule, name: &str| rule.name == name || rule.category.as_str() == name;
        if let Some(wrong) = names.iter().find(|name| !rules::all().any(|one| is_named(one, name)))
        {
            let hint = did_you_mean(wrong, rules::all().map(|rule| rule.name));
            let hint = hint.unwrap_or_else(|| "list them with `aggctl lint --rules`".to_owned());
            return Err(Error::usage(format!("unknown lint rule {wrong:?}")).with_hint(hint));
        }
        let is_wanted = |rule: &Rule| names.iter().any(|name| is_named(rule, name));
        Ok(rules::all().filter(|rule| names.is_empty() || is_wanted(rule)).collect())
    }

    pub(super) fn run(mut self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let targets = targets(&self.format, &self.output_file)?;
        if self.rules {
            let rules = Rules(self.named_rules()?);
            targets.iter().try_for_each(|(format, file)| write(*format, file, &rules, terminal))?;
            return Ok(Status::Ok);
        }
        if let Some(mode) = self.policy {
            return policy::run(&self, mode, terminal);
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
        let vendored = std::mem::take(&mut read.vendored);
        let excluded = exclude(&mut read, &self.exclude)?;
        let mut inputs = inputs(read);
        let config = run_config(&inputs, terminal)?;
        context::add(&mut inputs);
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
        // Even with --quiet: what hides findings or files must not go unnoticed.
        tell_configs(&inputs, &report, &excluded, terminal)?;
        let has_summary = !self.quiet && targets.iter().any(|(format, _)| *format == Format::Table);
        if !has_summary && !self.show_suppressed {
            tell_allowed(&inputs, &report, terminal)?;
        }
        for folder in &vendored {
            terminal.note(&format!("skipped {folder}; name it to check it"))?;
        }
        // The errors are reported instead, and there is nothing to count.
        self.quiet |= report.files == 0 && !errors.is_empty();
        if self.quiet {
            report.findings.retain(|one| (setup.fails)(&one.finding.severity));
        }
        let mut unread: Vec<String> = errors.iter().map(ToString::to_string).collect();
        unread.extend(unseen.then(|| UNSEEN.to_owned()));
        let answer = Lint {
            report: &report,
            inputs: &inputs,
            meta: ResponseMeta::new(&origin, &assumptions),
            show_suppressed: self.show_suppressed,
            summary: !self.quiet,
            fails: setup.fails,
            unread: &unread,
            now: setup.options.now,
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
            let error = Error::source(UNSEEN);
            return Err(error
                .with_hint("render the templates and pipe the result into `aggctl lint -`")
                .into());
        }
        if self.fail_if_empty && report.api_services == 0 {
            terminal.error("the input has no APIService")?;
            return Ok(Status::findings_if(!setup.never));
        }
        Ok(Status::findings_if(failed))
    }
}
