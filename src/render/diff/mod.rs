//! The answer of `diff`: what differs between two sources.

mod answer;
mod fields;
mod fleet;
mod json;
mod markdown;
mod summary;
mod text;

pub use answer::DiffAnswer;
pub(in crate::render) use fleet::FleetDiffItemJson;
pub use fleet::{FleetDiffAnswer, FleetDiffMember};

pub(in crate::render) use json::{ComparedJson, DiffJson, DiffLineJson, DiffSummaryJson};

use serde::Serialize;

use super::format::Format;
use super::table::{Grid, Table};
use super::{Answer, TextOptions};

impl Answer for DiffAnswer<'_> {
    const MORE_FORMATS: &'static [Format] = &[Format::Markdown, Format::Name, Format::Csv];

    fn text(&self, page: TextOptions) -> String {
        text::text(self, page)
    }

    fn json(&self) -> impl Serialize {
        self.whole()
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        self.each()
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        let parts = summary::parts(self.diff).into_iter();
        parts.flat_map(|part| part.lines.into_iter().map(|line| line.subject))
    }

    fn table(&self, options: TextOptions) -> Option<Grid> {
        let parts = summary::parts(self.diff);
        let rows: Vec<_> = parts
            .iter()
            .flat_map(|part| part.lines.iter().map(|line| (part.title, line)))
            .collect();
        let table = Table::new(&rows, options)
            .column("SECTION", |(title, _)| title.to_lowercase())
            .column("CHANGE", |(_, line)| line.mark.word())
            .column("SUBJECT", |(_, line)| &line.subject)
            .column("DETAIL", |(_, line)| &line.detail);
        Some(table.grid())
    }

    fn markdown(&self) -> Option<String> {
        Some(markdown::markdown(self))
    }
}

/// Returns the diff as lines for people, for the page.
pub fn diff_summary(answer: &DiffAnswer<'_>) -> impl Serialize {
    answer.summary()
}
