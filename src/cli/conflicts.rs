use clap::{Args, ValueEnum};

use super::output::{Format, HEADING, formats};
use super::source::{Asking, LoadedSource, SourceArgs, tell_assumptions};
use super::terminal::{Status, Terminal};
use crate::error::Error;
use crate::render::{ConflictsAnswer, ResponseMeta};
use aggctl_diagnose::conflict;
use aggctl_source::{Needs, Resources, ServerDocument};
use kube_aggregation::model::Snapshot;
use kube_aggregation::names;
use kube_aggregation::nearest::did_you_mean;
use kube_aggregation::registry::{Fact, Fallback, Registry};

/// Show what fights over a group version or a name
///
/// Who fights, and who gets it: APIServices that take a group version away from CRDs, CRDs in built-in groups or with names that
/// are taken, and names that several groups have: which one `kubectl get NAME` picks, and why.
/// Everything shown here may be Available and healthy; that is why it is not a part of doctor.
#[derive(Debug, Args)]
#[command(
    alias = "conflict",
    after_help = "\
Examples:
  aggctl conflicts --dump ./dump
  aggctl conflicts backups --dump ./dump        what `kubectl get backups` picks
  aggctl conflicts --dump ./dump -f new.yaml    what would clash with it applied"
)]
pub struct ConflictsArgs {
    /// Only these names, as one would type them after kubectl get
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Also names that only built-in groups share, such as events
    #[arg(long)]
    all: bool,

    /// What makes the exit code 1
    #[arg(long, value_enum, default_value_t = FailOn::Never, value_name = "WHAT")]
    fail_on: FailOn,

    /// The same as --fail-on conflict
    #[arg(long, hide = true, conflicts_with = "fail_on")]
    check: bool,

    /// How to write the answer
    #[arg(short, long, value_parser = formats(&[]), default_value = "table", value_name = "FORMAT", help_heading = HEADING)]
    output: Format,

    #[command(flatten)]
    source: SourceArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// Something fights
    Conflict,
    /// Nothing does
    Never,
}

impl ConflictsArgs {
    fn is_check(&self) -> bool {
        self.check || self.fail_on == FailOn::Conflict
    }

    pub(super) fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let mut needs = Needs::registration().with(Resources::OfServices);
        needs.documents.extend([ServerDocument::AggregatedGroups, ServerDocument::AggregatedCore]);
        let asking = Asking::new(needs, self.output).for_verdict(self.is_check());
        self.source.each(terminal, &asking, |source, terminal| self.answer(source, terminal))
    }

    fn answer(&self, source: &LoadedSource, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let snapshot = &source.snapshot;
        let registry = Registry::new(snapshot);
        // What is stale, kubectl does not see.
        let rests_on = [Fact::ApiServices, Fact::Crds, Fact::Version, Fact::Freshness];
        let mut assumptions = tell_assumptions(&registry, &rests_on, terminal)?;
        let (mut conflicts, names) = if self.names.is_empty() {
            (conflict::conflicts(&registry), names::name_conflicts(&registry, self.all))
        } else {
            let picked = self.names.iter().map(|name| {
                names::pick(&registry, name).ok_or_else(|| {
                    let known = names::names(&registry);
                    let hint = did_you_mean(name, known).unwrap_or_else(|| {
                        "a plural, a singular or a short name, as kubectl get takes it".to_owned()
                    });
                    Error::usage(format!("no resource that the source knows is called {name:?}"))
                        .with_hint(hint)
                })
            });
            (vec![], picked.collect::<Result<Vec<_>, _>>()?)
        };
        let listed = kube_aggregation::discovery::aggregated(&registry);
        let unknown = [listed.without_resources, listed.silent].concat();
        if !unknown.is_empty() {
            let one = registry.without_lists(unknown, Fallback::NamesLeftOut);
            terminal.warn(&format!("{one:.*}", terminal.most_names()))?;
            assumptions.push(one.to_string());
        }
        let same = &self.source.same_as(source);
        for command in conflicts.iter_mut().filter_map(|one| one.command.as_mut()) {
            *command = same.complete(command);
        }
        let basis = ResponseMeta::new(&snapshot.origin, &assumptions);
        let answer = ConflictsAnswer { conflicts: &conflicts, names: &names, basis };
        terminal.answer(self.output, &answer)?;
        let fights = !conflicts.is_empty()
            || names.iter().any(|n| n.candidates.len() + n.left_out.len() > 1);
        if self.is_check() && !fights {
            could_look(snapshot)?;
        }
        Ok(Status::findings_if(self.is_check() && fights))
    }
}

/// Refuses to call clean what could not be looked at.
fn could_look(snapshot: &Snapshot) -> Result<(), Error> {
    let known = [
        ("APIServices", "apiservices", snapshot.api_services.is_loaded()),
        ("CRDs", "crds", snapshot.crds.is_loaded()),
    ];
    match known.iter().find(|(_, _, known)| !known) {
        Some((what, collect, _)) => Err(Error::source(format!(
            "cannot tell whether names conflict: no {what} in the source"
        ))
        .with_hint(format!("kubectl get {collect} -o json"))),
        None => Ok(()),
    }
}
