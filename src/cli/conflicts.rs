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

/// Find conflicting group versions and names
///
/// Reports APIServices that shadow CRDs, CRDs in built-in groups or with names already in use, and
/// names that several groups share, with the one that `kubectl get NAME` picks and why. All of these
/// can be available and healthy, so `doctor` does not report them.
#[derive(Debug, Args)]
#[command(
    mut_arg("output", offers::<ConflictsAnswer<'static>>),
    alias = "conflict",
    after_help = "\
Examples:
  aggctl conflicts --dump ./dump
  aggctl conflicts backups --dump ./dump        what `kubectl get backups` picks
  aggctl conflicts --dump ./dump -f new.yaml    conflicts after applying it"
)]
pub struct ConflictsArgs {
    /// Names to check, as for `kubectl get`
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Include names that only built-in groups share, such as events
    #[arg(long)]
    all: bool,

    /// When to exit with 1
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
    FailCondition { name: "conflict", help: "There is a conflict", fails: |conflict| *conflict },
    FailCondition::never("Never"),
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
        let unknown = [listed.without_resources, listed.silent].concat();
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
            "use a plural, singular or short name, as for `kubectl get`".to_owned()
        });
        Error::usage(format!("no resource in the source is named {name:?}")).with_hint(hint)
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
        .with_hint(format!("add the output of `kubectl get {collect} -o json` to the dump"))),
        None => Ok(()),
    }
}
