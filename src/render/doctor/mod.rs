//! Writes diagnoses: as text, JSON and OpenMetrics.

mod cache;
mod details;
mod group;
mod json;
mod openmetrics;
mod plane;
mod text;

pub use cache::CacheNote;
pub(in crate::render) use json::{DiagnosesJson, DiagnosisJson};
pub use plane::plane_text;

use colored::ColoredString;
use jiff::Timestamp;
use serde::Serialize;

use super::format::Format;
use super::table::Grid;
use super::{Answer, Paint, ResponseMeta, SourceFlags, Table, TextOptions, as_sentence, hang};
use aggctl_diagnose::control_plane::PlaneFinding;
use aggctl_diagnose::doctor::{
    CheckState, Diagnosis, DoctorVerdict, HealthSummary, SuggestedCommand, quoted,
};
use kube_aggregation::model::Snapshot;

/// Diagnoses, and how much of them to show.
#[derive(Debug)]
pub struct DoctorAnswer<'a, 'r> {
    /// The snapshot that was diagnosed.
    pub snapshot: &'a Snapshot,
    /// Sorted by name.
    pub diagnoses: &'a [Diagnosis<'r>],
    /// Whether to list local APIServices one by one, and findings that are only information.
    pub all: bool,
    /// Whether the user named APIServices, which are shown in full.
    pub named: bool,
    /// Whether the backends were connected to, which suggested commands then repeat.
    pub direct: bool,
    /// The arguments by which commands name the same source.
    pub same: &'a SourceFlags,
    /// Whether the answer is about one of several servers, which are shown together if they find
    /// the same.
    pub one_of_several: bool,
    /// The issues of the control plane, if more than one server was looked at.
    pub plane: Option<&'a [PlaneFinding]>,
    /// What kubectl's cache gets wrong, if that is known.
    pub cache: Option<&'a CacheNote>,
    /// The time against which ages are measured.
    pub now: Timestamp,
    pub meta: ResponseMeta<'a>,
}

impl Answer for DoctorAnswer<'_, '_> {
    const MORE_FORMATS: &'static [Format] =
        &[Format::Wide, Format::Name, Format::Csv, Format::Markdown, Format::OpenMetrics];

    fn text(&self, page: TextOptions) -> String {
        text::text(self, page)
    }

    fn json(&self) -> impl Serialize {
        self.meta.answer("DiagnosisList", DiagnosesJson::new(self))
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        let each = self.diagnoses.iter().map(|one| DiagnosisJson::new(one, self.same));
        each.map(|one| self.meta.answer("Diagnosis", one))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        let wanted =
            |d: &&Diagnosis<'_>| self.named || self.all || d.verdict > DoctorVerdict::Healthy;
        self.diagnoses.iter().filter(wanted).map(|d| format!("apiservice/{}", d.service.name))
    }

    fn table(&self, options: TextOptions) -> Option<Grid> {
        let service = |d: &Diagnosis<'_>| d.service.service.as_ref().map(|service| service.id());
        let table = Table::new(self.diagnoses, options)
            .column("NAME", |d| &d.service.name)
            .column("SERVICE", |d| service(d).unwrap_or_default())
            .column("VERDICT", |d| d.verdict.as_str())
            .column("VERIFIED", |d| d.is_verified().to_string())
            .column("BROKEN CHECK", |d| d.broken_check().map_or("", |check| check.step.as_str()))
            .column("MESSAGE", |d| d.summary.to_string());
        Some(table.grid())
    }

    fn openmetrics(&self) -> Option<String> {
        Some(openmetrics::openmetrics(self, self.now))
    }
}

/// Returns the sign of a diagnosis, in color. Words always follow it.
fn verdict_sign(diagnosis: &Diagnosis<'_>, paint: Paint) -> ColoredString {
    match diagnosis.verdict {
        DoctorVerdict::Healthy if !diagnosis.is_verified() => paint.odd("?"),
        verdict => sign(verdict, paint),
    }
}

fn sign(verdict: DoctorVerdict, paint: Paint) -> ColoredString {
    match verdict {
        DoctorVerdict::Healthy => paint.good("✓"),
        DoctorVerdict::Warning => paint.odd("!"),
        DoctorVerdict::Broken => paint.bad("✗"),
    }
}

/// Returns the sign of a check's state, in color.
fn state_sign(state: CheckState, paint: Paint) -> ColoredString {
    match state {
        CheckState::Ok => paint.good("✓"),
        CheckState::Odd => paint.odd("!"),
        CheckState::Broken => paint.bad("✗"),
        CheckState::Unknown => paint.odd("?"),
        CheckState::Skipped => paint.faint("-"),
    }
}

/// Returns what decides the verdict, as a sentence. Findings are phrases that follow a name.
fn cause(one: &Diagnosis<'_>) -> String {
    let summary = one.summary.to_string();
    as_sentence(summary.strip_prefix("is ").unwrap_or(&summary))
}

/// Formats a command, and adds the arguments that name the same source.
fn command_line(command: &SuggestedCommand, same: &SourceFlags) -> String {
    match command {
        SuggestedCommand::Kubectl(line) => same.complete(line),
        SuggestedCommand::DiagnoseDirectly(name) => {
            same.complete(&format!("aggctl doctor {} --direct", quoted(name)))
        }
    }
}

/// Formats one change of health, for `--watch`: wrapped on a terminal, otherwise one line to grep.
pub fn standing_line(
    time: &str,
    name: &str,
    standing: Option<&HealthSummary>,
    paint: Paint,
    fit: Option<usize>,
) -> String {
    let (sign, summary) = match standing {
        Some(standing) => (sign(standing.verdict, paint), &*standing.summary),
        None => (paint.faint("-"), "was deleted"),
    };
    hang(&format!("{time} {sign}"), &format!("{name}  {summary}"), fit.unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_wrapped_on_a_terminal_only() {
        let summary = "Available=False (Passed); the source does not show why".to_owned();
        let health = HealthSummary { verdict: DoctorVerdict::Broken, summary, available: false };
        let line = |fit| {
            standing_line("06:29:23", "v1beta1.metrics", Some(&health), Paint::new(false), fit)
        };
        assert_eq!(
            line(Some(60)),
            "06:29:23 ✗ v1beta1.metrics  Available=False (Passed); the\n           source does not show why\n"
        );
        assert_eq!(line(None).lines().count(), 1);
    }
}
