//! Selects the APIServices to diagnose, and reports what the source lacks.

use std::time::Duration;

use jiff::Timestamp;

use super::super::api_service_names::check_names;
use super::super::terminal::Terminal;
use super::args::DoctorArgs;
use crate::error::Error;
use crate::render::SourceFlags;
use aggctl_diagnose::doctor::{self, Diagnosis, Probes, matches_name};
use aggctl_source::direct::{self, Target};
use kube_aggregation::model::{ApiService, Gap, Snapshot, SnapshotPart};
use kube_aggregation::registry::Registry;

/// The time limit of one direct connection: the same as the API server's for discovery.
const DIRECT_LIMIT: Duration = Duration::from_secs(5);

/// Returns the results of direct connections to the selected APIServices that have an address.
pub(super) fn probe(args: &DoctorArgs, registry: &Registry<'_>, now: Timestamp) -> Probes {
    let wanted = |s: &&ApiService| wants(args, &s.name);
    let services = registry.api_services.iter().filter(wanted);
    let targets: Vec<Target> =
        services.filter_map(|service| Target::of(registry, service)).collect();
    direct::probe_all(&targets, DIRECT_LIMIT, now).into_iter().collect()
}

/// Returns the diagnoses of the selected APIServices.
pub(super) fn diagnose<'r>(
    args: &DoctorArgs,
    registry: &'r Registry<'_>,
    now: Timestamp,
    probes: &'r Probes,
    same: &SourceFlags,
) -> Result<Vec<Diagnosis<'r>>, Error> {
    let mut diagnoses = doctor::diagnose_all(registry, now, probes);
    if diagnoses.is_empty() {
        return Err(nothing(registry.snapshot));
    }
    check_names(&args.names, diagnoses.iter().map(|d| &*d.service.name), same)?;
    diagnoses.retain(|d| wants(args, &d.service.name));
    Ok(diagnoses)
}

/// Returns whether the arguments select an APIService.
pub(super) fn wants(args: &DoctorArgs, name: &str) -> bool {
    args.names.is_empty() || args.names.iter().any(|wanted| matches_name(wanted, name))
}

/// Reports once what is missing for a full diagnosis.
pub(super) fn tell_gaps(snapshot: &Snapshot, terminal: &mut Terminal<'_>) -> anyhow::Result<()> {
    Ok(gaps(snapshot).map_or(Ok(()), |text| terminal.warn(&text))?)
}

/// Describes what is missing for a full diagnosis.
pub(super) fn gaps(snapshot: &Snapshot) -> Option<String> {
    let missing: Vec<String> = [
        Gap::of(SnapshotPart::Services, &snapshot.services, true),
        Gap::of(SnapshotPart::EndpointSlices, &snapshot.endpoint_slices, true),
        Gap::of(SnapshotPart::Version, &snapshot.version, true),
    ]
    .iter()
    .flatten()
    .map(Gap::with_command)
    .collect();
    let missing = missing.join("; ");
    (!missing.is_empty())
        .then(|| format!("input is incomplete; the diagnosis may be less precise: {missing}"))
}

pub(super) fn nothing(snapshot: &Snapshot) -> Error {
    let gap = Gap::of(SnapshotPart::ApiServices, &snapshot.api_services, true);
    let why = gap.as_ref().map(Gap::with_command);
    let why = why.unwrap_or_else(|| "the source has no APIServices".to_owned());
    Error::source(format!("nothing to diagnose: {why}"))
}
