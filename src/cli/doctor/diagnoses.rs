//! Selects the APIServices to diagnose, and reports what the source lacks.

use std::time::Duration;

use jiff::Timestamp;

use super::DoctorArgs;
use crate::cli::apiservices::check_names;
use crate::cli::terminal::Terminal;
use crate::error::Error;
use crate::render::SourceFlags;
use aggctl_diagnose::doctor::{self, Diagnosis, Probes, matches_name};
use aggctl_source::direct::{self, Target};
use kube_aggregation::model::{ApiService, Gap, Snapshot, SnapshotPart};
use kube_aggregation::registry::Registry;

/// The time limit of one direct connection: the same as the API server's for discovery.
const DIRECT_LIMIT: Duration = Duration::from_secs(5);

impl DoctorArgs {
    /// Connects directly to every selected APIService that has an address.
    pub(super) fn probe(&self, registry: &Registry<'_>, now: Timestamp) -> Probes {
        let wanted = |s: &&ApiService| self.wants(&s.name);
        let services = registry.api_services.iter().filter(wanted);
        let targets: Vec<Target> =
            services.filter_map(|service| Target::of(registry, service)).collect();
        direct::probe_all(&targets, DIRECT_LIMIT, now).into_iter().collect()
    }

    /// Diagnoses the selected APIServices.
    pub(super) fn diagnose<'r>(
        &self,
        registry: &'r Registry<'_>,
        now: Timestamp,
        probes: &'r Probes,
        same: &SourceFlags,
    ) -> Result<Vec<Diagnosis<'r>>, Error> {
        let mut diagnoses = doctor::diagnose_all(registry, now, probes);
        if diagnoses.is_empty() {
            return Err(nothing(registry.snapshot));
        }
        check_names(&self.names, diagnoses.iter().map(|d| &*d.service.name), same)?;
        diagnoses.retain(|d| self.wants(&d.service.name));
        Ok(diagnoses)
    }

    /// Whether an APIService is selected.
    pub(super) fn wants(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|wanted| matches_name(wanted, name))
    }
}

/// Warns about what the source lacks for a full diagnosis.
pub(super) fn gaps(snapshot: &Snapshot, terminal: &mut Terminal<'_>) -> anyhow::Result<()> {
    let missing: Vec<String> = [
        Gap::of(SnapshotPart::Services, &snapshot.services, true),
        Gap::of(SnapshotPart::EndpointSlices, &snapshot.endpoint_slices, true),
        Gap::of(SnapshotPart::Version, &snapshot.version, true),
    ]
    .iter()
    .flatten()
    .map(Gap::with_command)
    .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let missing = missing.join("; ");
    Ok(terminal.warn(&format!("the diagnosis rests on less than it could: {missing}"))?)
}

pub(super) fn nothing(snapshot: &Snapshot) -> Error {
    let gap = Gap::of(SnapshotPart::ApiServices, &snapshot.api_services, true);
    let why = gap.as_ref().map(Gap::with_command);
    let why = why.unwrap_or_else(|| "the source has no APIServices".to_owned());
    Error::source(format!("nothing to diagnose: {why}"))
}
