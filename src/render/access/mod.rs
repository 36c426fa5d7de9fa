//! Who may send a request, and who controls an APIService.

mod answer;
mod json;
mod security;
mod text;

pub use answer::{AccessAnswer, AccessTo};
pub(in crate::render) use json::AccessJson;
pub use security::SecurityAnswer;
pub(in crate::render) use security::SecurityFindingJson;

use std::collections::BTreeSet;

use serde::Serialize;

use super::format::Format;
use super::table::Grid;
use super::{Answer, TextOptions};
use aggctl_diagnose::access::Grant;

impl Answer for AccessAnswer<'_> {
    const MORE_FORMATS: &'static [Format] =
        &[Format::Wide, Format::Name, Format::Csv, Format::Markdown];

    fn text(&self, page: TextOptions) -> String {
        let each: Vec<String> =
            self.answers.iter().map(|one| text::section(one, self.all, page)).collect();
        each.join("\n")
    }

    fn json(&self) -> impl Serialize {
        self.meta.list("AccessList", self.answers.iter().map(AccessJson::from).collect())
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        self.answers.iter().map(|one| self.meta.answer("Access", AccessJson::from(one)))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        let subjects: BTreeSet<String> =
            self.answers.iter().flat_map(AccessTo::grants).map(Grant::subject_name).collect();
        subjects
    }

    fn table(&self, options: TextOptions) -> Option<Grid> {
        Some(text::table(self.answers, options))
    }
}
