//! The diagnosis of several clusters: one summary, then each of them.

use super::super::output::Reply;
use super::super::source::{Asking, FleetSource};
use super::answer::fails;
use super::args::DoctorArgs;
use super::diagnoses::{diagnose, gaps, probe};
use crate::error::Error;
use crate::render::{DoctorAnswer, FleetAnswer, FleetMember, ResponseMeta};
use aggctl_diagnose::doctor::{self, Probes};
use aggctl_source::live::ClusterError;
use aggctl_source::{SourceError, clock};
use kube_aggregation::registry::Registry;

/// Diagnoses several clusters.
pub(super) fn answer(
    args: &DoctorArgs,
    asking: &Asking,
    reply: &mut Reply<'_, '_>,
) -> anyhow::Result<()> {
    let now = args.now.unwrap_or_else(clock::now);
    let fleet = args.source.read_fleet(asking, reply.terminal)?;
    for FleetSource { name, source } in &fleet {
        if let Some(gaps) = source.as_ref().ok().and_then(|source| gaps(&source.snapshot)) {
            reply.terminal.warn(&format!("{name}: {gaps}"))?;
        }
    }
    let loaded =
        fleet.iter().filter_map(|one| Some((one.name.as_str(), one.source.as_ref().ok()?)));
    let registries: Vec<_> = loaded
        .map(|(name, source)| {
            let registry = Registry::new(&source.snapshot);
            let probes = if args.direct { probe(args, &registry, now) } else { Probes::new() };
            let assumptions = registry.assumptions(&doctor::RESTS_ON);
            let assumptions: Vec<String> = assumptions.iter().map(ToString::to_string).collect();
            (name, source, registry, probes, assumptions, args.source.same_as(source))
        })
        .collect();
    let diagnosed: Vec<_> = registries
        .iter()
        .map(|(name, .., registry, probes, _, same)| {
            (*name, diagnose(args, registry, now, probes, same))
        })
        .collect();
    let mut members = vec![];
    for ((name, source, _, _, assumptions, same), (_, diagnoses)) in
        registries.iter().zip(&diagnosed)
    {
        let slowest = source.slowest.as_ref().map(|slowest| (&*slowest.path, slowest.took));
        let state = diagnoses.as_ref().map_err(ToString::to_string).map(|diagnoses| DoctorAnswer {
            cache: None,
            plane: None,
            one_of_several: false,
            snapshot: &source.snapshot,
            diagnoses,
            all: args.all,
            named: !args.names.is_empty(),
            direct: args.direct,
            same,
            now,
            meta: ResponseMeta::new(&source.snapshot.origin, assumptions),
        });
        members.push(FleetMember { context: name, state, misconfigured: false, slowest });
    }
    for FleetSource { name, source } in &fleet {
        if let Err(error) = source {
            let misconfigured = matches!(
                error.cause(),
                Some(SourceError::Cluster(
                    ClusterError::Kubeconfig(_)
                        | ClusterError::Credentials(_)
                        | ClusterError::Settings { .. }
                ))
            );
            let state = Err(error.to_string());
            members.push(FleetMember { context: name, state, misconfigured, slowest: None });
        }
    }
    let failed = members.iter().filter(|one| one.state.is_err()).count();
    let all = members.len();
    reply.answer(&FleetAnswer::new(members, args.all))?;
    for (_, diagnoses) in &diagnosed {
        reply.fail_if(diagnoses.as_ref().is_ok_and(|found| fails(args, found)));
    }
    if failed > 0 {
        return Err(Error::source(format!("{failed} of {all} clusters gave no answer")).into());
    }
    Ok(())
}
