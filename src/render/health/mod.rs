//! The answers of `health`: the health of an API server, and what a check is about.

mod answer;
mod json;
mod text;

pub use answer::HealthAnswer;
pub(in crate::render) use json::{CheckJson, HealthJson, KnownJson};
pub(in crate::render) use text::answers as health_answers;

use serde::Serialize;

use super::format::Format;
use super::table::Grid;
use super::{Answer, ResponseMeta, Table, TextOptions};
use aggctl_diagnose::health::{HealthCheck, HealthState};

impl Answer for HealthAnswer<'_> {
    const MORE_FORMATS: &'static [Format] = &[Format::Name, Format::Csv, Format::Markdown];

    fn text(&self, page: TextOptions) -> String {
        text::health(self, page)
    }

    fn json(&self) -> impl Serialize {
        self.meta.answer("Health", json::HealthJson::new(self.health, self.seconds, &self.next))
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        let all = self.health.answers.iter().flat_map(|one| &one.checks);
        all.map(|check| self.meta.answer("HealthCheck", json::CheckJson::from(check)))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        let failed = self.health.answers.iter().flat_map(|one| &one.checks);
        let names: std::collections::BTreeSet<&str> =
            failed.filter(|check| self.all || check.failed()).map(|c| c.name.as_str()).collect();
        names.into_iter().map(str::to_owned).collect::<Vec<_>>()
    }

    /// Returns one row per check of each endpoint.
    fn table(&self, options: TextOptions) -> Option<Grid> {
        let rows: Vec<_> = (self.health.answers.iter())
            .flat_map(|one| one.checks.iter().map(move |check| (one.endpoint, check)))
            .collect();
        let table = Table::new(&rows, options)
            .column("ENDPOINT", |(endpoint, _)| endpoint.map_or("", |one| one.as_str()))
            .column("CHECK", |(_, check)| &check.name)
            .column("STATE", |(_, check)| match check.state {
                HealthState::Passed => "passed",
                HealthState::Failed(_) => "failed",
                HealthState::Excluded => "excluded",
            })
            .column("SERVER", |(_, check)| check.known.map_or("", |known| known.server.as_str()))
            .column("REASON", |(_, check)| check.reason().unwrap_or_default());
        Some(table.grid())
    }
}

/// The description of a check.
#[derive(Debug)]
pub struct CheckAnswer(pub &'static HealthCheck);

impl Answer for CheckAnswer {
    const MORE_FORMATS: &'static [Format] = &[Format::Name, Format::Csv, Format::Markdown];

    fn text(&self, page: TextOptions) -> String {
        text::check(self.0, page)
    }

    fn json(&self) -> impl Serialize {
        ResponseMeta::none().answer("HealthCheckInfo", json::KnownJson::from(self.0))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        [self.0.name.to_owned()]
    }

    fn table(&self, options: TextOptions) -> Option<Grid> {
        let table = Table::new(std::slice::from_ref(self.0), options)
            .column("CHECK", |check| check.name)
            .column("SERVER", |check| check.server.as_str())
            .column("PHASE", |check| check.stage.as_str())
            .column("WAITS FOR", |check| check.waits_for)
            .column("MEANWHILE", |check| check.meanwhile)
            .column("STAYS FAILED", |check| check.stuck);
        Some(table.grid())
    }
}
