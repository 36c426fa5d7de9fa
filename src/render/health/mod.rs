//! The answers of `health`: the health of an API server, and what a check is about.

mod answer;
mod json;
mod text;

pub use answer::HealthAnswer;
pub(in crate::render) use json::{CheckJson, HealthJson, KnownJson};
pub(in crate::render) use text::answers as health_answers;

use serde::Serialize;

use super::format::Format;
use super::{Answer, ResponseMeta, TextOptions};
use aggctl_diagnose::health::HealthCheck;

impl Answer for HealthAnswer<'_> {
    const MORE_FORMATS: &'static [Format] = &[Format::Name];

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
}

/// The description of a check.
#[derive(Debug)]
pub struct CheckAnswer(pub &'static HealthCheck);

impl Answer for CheckAnswer {
    const MORE_FORMATS: &'static [Format] = &[Format::Name];

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
