//! How a server is, and what a health check is about.

mod json;
mod text;

pub(in crate::render) use json::{CheckJson, HealthJson, KnownJson};
pub(in crate::render) use text::answers as health_answers;

use serde::Serialize;

use super::{Answer, ResponseMeta, TextOptions};
use aggctl_diagnose::health::{Health, HealthCheck};

/// How a server is.
#[derive(Debug)]
pub struct HealthAnswer<'a> {
    /// What its endpoints come to.
    pub health: &'a Health,
    /// When each look began, in seconds after the first.
    pub seconds: &'a [u64],
    /// Whether every check that is there is shown, not only what fails.
    pub all: bool,
    /// What to run about each finding, for the same source.
    pub next: Vec<Option<String>>,
    pub basis: ResponseMeta<'a>,
}

impl Answer for HealthAnswer<'_> {
    fn text(&self, page: TextOptions) -> String {
        text::health(self, page)
    }

    fn json(&self) -> impl Serialize {
        self.basis.answer("Health", json::HealthJson::new(self.health, self.seconds, &self.next))
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        let all = self.health.answers.iter().flat_map(|one| &one.checks);
        all.map(|check| self.basis.answer("HealthCheck", json::CheckJson::from(check)))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        let failed = self.health.answers.iter().flat_map(|one| &one.checks);
        let names: std::collections::BTreeSet<&str> =
            failed.filter(|check| self.all || check.failed()).map(|c| c.name.as_str()).collect();
        names.into_iter().map(str::to_owned).collect::<Vec<_>>()
    }
}

/// What is known about a check.
#[derive(Debug)]
pub struct CheckAnswer(pub &'static HealthCheck);

impl Answer for CheckAnswer {
    fn text(&self, page: TextOptions) -> String {
        text::check(self.0, page)
    }

    fn json(&self) -> impl Serialize {
        ResponseMeta::none().answer("HealthCheckInfo", json::KnownJson::from(self.0))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        [self.0.name.to_owned()]
    }
}
