//! How answers are written: one set of formats, of which each command takes those that make sense.

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::Serialize;

use super::source::Between;
use crate::render;

/// The heading that options about output stand under.
pub(super) const HEADING: &str = "Output";

/// How answers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    #[value(alias = "text")]
    Table,
    /// For people, with more details
    Wide,
    /// One document of indented JSON
    Json,
    /// The same as YAML
    Yaml,
    /// One compact JSON object an answer, a line each
    Jsonl,
    /// Names only, for other commands
    Name,
    /// Markdown
    Markdown,
    /// A Mermaid flowchart
    Mermaid,
    /// A graph for Graphviz
    Dot,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// JUnit XML, for test reports
    Junit,
    /// GitHub Actions annotations
    Github,
}

/// The formats of most commands.
pub(super) const USUAL: &[Format] =
    &[Format::Table, Format::Wide, Format::Json, Format::Yaml, Format::Jsonl, Format::Name];

/// Takes those formats, and no other.
pub(super) fn formats(some: &[Format]) -> impl TypedValueParser<Value = Format> + use<> {
    let values: Vec<_> = some.iter().filter_map(ValueEnum::to_possible_value).collect();
    PossibleValuesParser::new(values).try_map(|text| Format::from_str(&text, false))
}

impl Format {
    /// Whether it is for people.
    pub(super) fn is_for_people(self) -> bool {
        matches!(self, Self::Table | Self::Wide)
    }
}

impl From<Format> for Between {
    fn from(format: Format) -> Self {
        match format {
            Format::Table | Format::Wide => Self::Headings,
            Format::Yaml => Self::Dashes,
            _ => Self::Nothing,
        }
    }
}

/// An answer for programs: a whole document, or a line for each of its parts.
///
/// # Errors
/// Only what the values' own `Serialize` reports.
pub(super) fn structured<W: Serialize, P: Serialize>(
    format: Format,
    whole: impl FnOnce() -> W,
    parts: impl FnOnce() -> Vec<P>,
) -> serde_json::Result<String> {
    match format {
        Format::Jsonl => render::lines(parts()),
        Format::Yaml => render::to_yaml(&whole()),
        _ => render::pretty(&whole()),
    }
}
