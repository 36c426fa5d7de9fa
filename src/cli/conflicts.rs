//! `aggctl conflicts`: group versions and names that several owners claim.

use clap::Args;

use super::driver::{Answered, CommonArgs, Facts, SourceCommand, offers};
use super::fail_on::{FailCondition, FailOn, fail_on};
use crate::error::Error;
use crate::render::{Answer, ConflictsAnswer};
use aggctl_diagnose::conflict;
use aggctl_source::{Needs, Resources, ServerDocument};
use kube_aggregation::model::Snapshot;
use kube_aggregation::names;
use kube_aggregation::nearest::did_you_mean;
use kube_aggregation::registry::{Assumption, Fact, Fallback, Registry};

/// Show what fights over a group version or a name
///
/// Who fights, and who gets it: APIServices that take a group version away from CRDs, CRDs in built-in groups or with names that
/// are taken, and names that several groups have: which one `kubectl get NAME` picks, and why.
/// Everything shown here may be Available and healthy; that is why it is not a part of doctor.
#[derive(Debug, Args)]
#[command(
    mut_arg("output", offers::<ConflictsAnswer<'static>>),
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
    #[arg(long, value_parser = fail_on(FAIL_ON), default_value = "never", value_name = "WHAT")]
    fail_on: FailOn<bool>,

    /// The same as --fail-on conflict
    #[arg(long, hide = true, conflicts_with = "fail_on")]
    check: bool,

    #[command(flatten)]
    common: CommonArgs,
}

/// What `--fail-on` takes; the result is whether there is a conflict.
const FAIL_ON: &[FailCondition<bool>] = &[
    FailCondition { name: "conflict", help: "Something fights", fails: |conflict| *conflict },
    FailCondition::never("Nothing does"),
];

impl SourceCommand for ConflictsArgs {
    /// kubectl does not see resources of a stale group version.
    const RESTS_ON: &'static [Fact] =
        &[Fact::ApiServices, Fact::Crds, Fact::Version, Fact::Freshness];

    fn args(&self) -> &CommonArgs {
        &self.common
    }

    fn needs(&self) -> Needs {
        let mut needs = Needs::registration().with(Resources::OfServices);
        needs.documents.extend([ServerDocument::AggregatedGroups, ServerDocument::AggregatedCore]);
        needs
    }

    fn is_verdict(&self) -> bool {
        self.check || !self.fail_on.is_never()
    }

    fn assumptions(&self, registry: &Registry<'_>) -> Vec<Assumption> {
        let listed = kube_aggregation::discovery::aggregated(registry);
        let unknown = listed.without_resources;
        let mut assumptions = registry.assumptions(Self::RESTS_ON);
        if !unknown.is_empty() {
            assumptions.push(registry.without_lists(unknown, Fallback::NamesLeftOut));
        }
        assumptions
    }

    fn answer(&self, facts: &Facts<'_>) -> anyhow::Result<Answered<impl Answer>> {
        let registry = &facts.registry;
        let (mut conflicts, names) = if self.names.is_empty() {
            (conflict::conflicts(registry), names::name_conflicts(registry, self.all))
        } else {
            let picked = self.names.iter().map(|name| pick(registry, name));
            (vec![], picked.collect::<Result<Vec<_>, _>>()?)
        };
        for command in conflicts.iter_mut().filter_map(|one| one.command.as_mut()) {
            *command = facts.same.complete(command);
        }
        let fights = !conflicts.is_empty()
            || names.iter().any(|n| n.candidates.len() + n.left_out.len() > 1);
        let fails = fights && self.check || self.fail_on.fails(&fights);
        let looked =
            if self.is_verdict() && !fights { could_look(facts.snapshot()) } else { Ok(()) };
        let answer = ConflictsAnswer { conflicts, names, meta: facts.meta() };
        Ok(Answered::from(answer).failing(looked.map(|()| fails)))
    }
}

/// Returns what `kubectl get NAME` picks.
fn pick(registry: &Registry<'_>, name: &str) -> Result<names::NameConflict, Error> {
    names::pick(registry, name).ok_or_else(|| {
        let hint = did_you_mean(name, names::names(registry)).unwrap_or_else(|| {
            "a plural, a singular or a short name, as kubectl get takes it".to_owned()
        });
        Error::usage(format!("no resource that the source knows is called {name:?}"))
            .with_hint(hint)
    })
}

/// Refuses to report no conflicts for a source that lacks APIServices or CRDs.
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
