//! Diagnoses one source, and writes the answer to the terminal or a file.

use std::path::Path;

use jiff::Timestamp;

use super::{DoctorArgs, FailOn, diagnoses, plane};
use crate::cli::output::Format;
use crate::cli::source::{LoadedSource, tell_assumptions};
use crate::cli::terminal::{Status, Terminal};
use crate::error::Error;
use crate::render::{self, DoctorAnswer, ResponseMeta};
use aggctl_diagnose::doctor::{self, Diagnosis, DoctorVerdict, Probes, Standings};
use aggctl_source::files;
use kube_aggregation::registry::{Fact, Registry};

/// Formats beyond the usual ones.
pub(super) const MORE_FORMATS: &[Format] = &[Format::Wide, Format::Name, Format::OpenMetrics];

/// Runs a command, and writes its output to a file only if it succeeds.
pub(super) fn into_file(
    path: &Path,
    terminal: &mut Terminal<'_>,
    run: impl FnOnce(&mut Terminal<'_>) -> anyhow::Result<Status>,
) -> anyhow::Result<Status> {
    let mut text = vec![];
    let mut file = Terminal { width: 80, ..terminal.for_file(&mut text) };
    let status = run(&mut file)?;
    files::put(path, &text).map_err(|error| Error::cannot_write(path.display(), &error))?;
    Ok(status)
}

impl DoctorArgs {
    /// Refuses combinations that metrics cannot express.
    pub(super) fn check_format(&self) -> Result<(), Error> {
        let metrics = self.output == Format::OpenMetrics;
        if metrics && self.security {
            return Err(Error::usage("-o openmetrics is about diagnoses, not about --security"));
        }
        if metrics && self.source.is_several() {
            let error = "-o openmetrics takes one cluster at a time";
            return Err(Error::usage(error).with_hint("name one with --context"));
        }
        Ok(())
    }

    /// Diagnoses one source.
    pub(super) fn answer(
        &self,
        source: &LoadedSource,
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<(Status, Standings)> {
        let now = self.now.unwrap_or_else(Timestamp::now);
        let snapshot = &source.snapshot;
        let registry = Registry::new(snapshot);
        diagnoses::gaps(snapshot, terminal)?;
        // `gaps` reported the other assumptions, with commands. If the user names APIServices, it
        // does not matter that the source lacks others.
        let mut rests_on = vec![Fact::Crds, Fact::Freshness];
        rests_on.extend(self.names.is_empty().then_some(Fact::EachApiService));
        tell_assumptions(&registry, &rests_on, terminal)?;
        let probes = if self.direct { self.probe(&registry, now) } else { Probes::new() };
        let diagnoses = self.diagnose(&registry, now, &probes, &self.source.same_as(source))?;
        let assumptions: Vec<String> =
            registry.assumptions(&doctor::RESTS_ON).iter().map(ToString::to_string).collect();
        let own = match &self.plane {
            Some(_) => vec![],
            None => plane::findings_of_one(&registry),
        };
        if !own.is_empty() && self.output.is_for_people() {
            let text = render::plane_text(&own, terminal.page());
            terminal.print(text)?;
        }
        let answer = DoctorAnswer {
            plane: self.plane.as_deref().or(Some(&*own).filter(|own| !own.is_empty())),
            snapshot,
            diagnoses: &diagnoses,
            all: self.all,
            named: !self.names.is_empty(),
            same: &self.source.same_as(source),
            basis: ResponseMeta::new(&snapshot.origin, &assumptions),
        };
        match self.output {
            Format::OpenMetrics => terminal.print(render::doctor_openmetrics(&answer, now))?,
            format => terminal.answer(format, &answer)?,
        }
        Ok((self.status(&diagnoses), doctor::standings(&diagnoses)))
    }

    fn status(&self, diagnoses: &[Diagnosis<'_>]) -> Status {
        let least = match self.fail_on {
            FailOn::Broken => DoctorVerdict::Broken,
            FailOn::Warning => DoctorVerdict::Warning,
            FailOn::Never => return Status::Ok,
        };
        let plane = least == DoctorVerdict::Warning && self.plane_fails();
        Status::findings_if(plane || diagnoses.iter().any(|d| d.verdict >= least))
    }
}
