//! Diagnoses of APIServices: at length where that is little, and the answer last.

mod details;
mod json;
mod openmetrics;
mod text;

pub(in crate::render) use json::{DiagnosesJson, DiagnosisJson};

use colored::ColoredString;
use jiff::Timestamp;
use serde::Serialize;

use super::format::Format;
use super::{Answer, Paint, ResponseMeta, SourceFlags, TextOptions, sanitize};
use aggctl_diagnose::doctor::{CheckState, Diagnosis, HealthSummary, Verdict};
use kube_aggregation::model::Snapshot;

/// Diagnoses, and how much of them to show.
#[derive(Debug)]
pub struct DoctorAnswer<'a, 'r> {
    /// What they are about.
    pub snapshot: &'a Snapshot,
    /// In the order of names.
    pub diagnoses: &'a [Diagnosis<'r>],
    /// Local APIServices one by one, and notes too.
    pub all: bool,
    /// Only some were asked for: each at length.
    pub named: bool,
    /// How commands name the source again.
    pub same: &'a SourceFlags,
    /// What ages are measured against.
    pub now: Timestamp,
    pub meta: ResponseMeta<'a>,
}

impl Answer for DoctorAnswer<'_, '_> {
    const MORE_FORMATS: &'static [Format] = &[Format::Wide, Format::Name, Format::OpenMetrics];

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
        let wanted = |d: &&Diagnosis<'_>| self.named || self.all || d.verdict > Verdict::Healthy;
        self.diagnoses.iter().filter(wanted).map(|d| format!("apiservice/{}", d.service.name))
    }

    fn openmetrics(&self) -> Option<String> {
        Some(openmetrics::openmetrics(self, self.now))
    }
}

/// The sign of a verdict, in its colour. Words always stand beside it.
fn verdict_sign(verdict: Verdict, verified: bool, paint: Paint) -> ColoredString {
    match verdict {
        Verdict::Healthy if !verified => paint.odd("?"),
        Verdict::Healthy => paint.good("√"),
        Verdict::Warning => paint.odd("‼"),
        Verdict::Broken => paint.bad("×"),
    }
}

/// The sign of a link's state, in its colour.
fn state_sign(state: CheckState, paint: Paint) -> ColoredString {
    match state {
        CheckState::Ok => paint.good("√"),
        CheckState::Odd => paint.odd("‼"),
        CheckState::Broken => paint.bad("×"),
        CheckState::Unknown => paint.odd("?"),
        CheckState::Skipped => paint.faint("-"),
    }
}

/// A change, on a line of its own.
pub fn standing_line(
    time: &str,
    name: &str,
    standing: Option<&HealthSummary>,
    paint: Paint,
) -> String {
    let name = sanitize(name);
    match standing {
        Some(s) => {
            let sign = verdict_sign(s.verdict, true, paint);
            format!("{time} {sign} {name}  {}", sanitize(&s.summary))
        }
        None => format!("{time} {} {name}  is gone", paint.faint("-")),
    }
}
