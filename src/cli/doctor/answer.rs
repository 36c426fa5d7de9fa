//! The diagnosis of one source.

use super::super::output::Reply;
use super::super::source::{LoadedSource, tell_assumptions};
use super::args::DoctorArgs;
use super::cache;
use super::diagnoses::{diagnose, probe, tell_gaps};
use super::plane;
use crate::render::{DoctorAnswer, ResponseMeta};
use aggctl_diagnose::control_plane::PlaneFinding;
use aggctl_diagnose::doctor::{self, Diagnosis, DoctorVerdict, Probes, Standings};
use aggctl_source::clock;
use kube_aggregation::registry::{Fact, Registry};

/// The control plane of a server that is diagnosed.
pub(super) struct PlaneFacts<'a> {
    pub(super) findings: &'a [PlaneFinding],
    /// Whether other servers are diagnosed too.
    pub(super) several: bool,
}

/// Diagnoses one source, and returns how each APIService is. `plane` has the issues of the control
/// plane, if several servers of one were read.
pub(super) fn answer(
    args: &DoctorArgs,
    source: &LoadedSource,
    plane: Option<&PlaneFacts<'_>>,
    reply: &mut Reply<'_, '_>,
) -> anyhow::Result<Standings> {
    let now = args.now.unwrap_or_else(clock::now);
    let snapshot = &source.snapshot;
    let same = args.source.same_as(source);
    let registry = Registry::new(snapshot);
    tell_gaps(snapshot, reply.terminal)?;
    // The gaps above say what else is missing, with commands. That an APIService is not in the
    // source does not matter if others were asked for.
    let mut rests_on = vec![Fact::Crds, Fact::Freshness];
    rests_on.extend(args.names.is_empty().then_some(Fact::EachApiService));
    tell_assumptions(&registry.assumptions(&rests_on), reply.terminal)?;
    let probes = if args.direct { probe(args, &registry, now) } else { Probes::new() };
    // First, because it needs memory that is free again while the diagnoses are made.
    let own = if plane.is_some() { vec![] } else { plane::findings_of_one(&registry) };
    let diagnoses = diagnose(args, &registry, now, &probes, &same)?;
    let assumptions: Vec<String> =
        registry.assumptions(&doctor::RESTS_ON).iter().map(ToString::to_string).collect();
    if !own.is_empty() {
        plane::tell(&own, None, reply)?;
    }
    // Several servers share one cache, and one of them may know more than another.
    let cache = if plane.is_some() { None } else { cache::note(source, now) };
    let one_of_several = plane.is_some_and(|plane| plane.several);
    let plane = plane.map(|plane| plane.findings);
    reply.answer(&DoctorAnswer {
        cache: cache.as_ref(),
        one_of_several,
        plane: plane.or(Some(&*own).filter(|own| !own.is_empty())),
        snapshot,
        diagnoses: &diagnoses,
        all: args.all,
        named: !args.names.is_empty(),
        direct: args.direct,
        same: &same,
        now,
        meta: ResponseMeta::new(&snapshot.origin, &assumptions),
    })?;
    let warns = plane.is_some_and(plane::warns);
    reply.fail_if(warns && args.fail_on.fails(&DoctorVerdict::Warning));
    reply.fail_if(fails(args, &diagnoses));
    Ok(doctor::standings(&diagnoses))
}

/// Returns whether `--fail-on` makes the exit code 1.
pub(super) fn fails(args: &DoctorArgs, diagnoses: &[Diagnosis<'_>]) -> bool {
    diagnoses.iter().any(|one| args.fail_on.fails(&one.verdict))
}
