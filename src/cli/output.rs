//! How answers are written: one set of formats, of which each command takes those that make sense.

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::terminal::Terminal;
use crate::render::{self, Answer, TextOptions};

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
    /// The same document as YAML
    Yaml,
    /// One JSON object per line
    Jsonl,
    /// Names only, for other commands
    Name,
    /// Comma-separated values
    Csv,
    /// Statements of SQL
    Sql,
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
    /// OpenMetrics, for Prometheus
    #[value(name = "openmetrics")]
    OpenMetrics,
}

/// What most commands have beside the formats of all.
pub(super) const USUAL: &[Format] = &[Format::Wide, Format::Name];

/// Takes the formats that every command has, and these.
pub(super) fn formats(more: &[Format]) -> impl TypedValueParser<Value = Format> + use<> {
    let (wide, others): (Vec<Format>, Vec<Format>) =
        more.iter().partition(|format| **format == Format::Wide);
    let documents = vec![Format::Json, Format::Yaml, Format::Jsonl];
    let all = [vec![Format::Table], wide, documents, others].concat();
    let values: Vec<_> = all.iter().filter_map(ValueEnum::to_possible_value).collect();
    PossibleValuesParser::new(values).try_map(|text| Format::from_str(&text, false))
}

impl Format {
    /// Whether it is for people.
    pub(super) fn is_for_people(self) -> bool {
        matches!(self, Self::Table | Self::Wide)
    }
}

impl Terminal<'_> {
    /// Writes an answer.
    pub(super) fn answer(&mut self, format: Format, answer: &impl Answer) -> anyhow::Result<()> {
        let text = match format {
            Format::Json => render::pretty(&answer.json())?,
            Format::Yaml => render::to_yaml(&answer.json())?,
            Format::Jsonl => {
                for part in answer.lines() {
                    self.out.write_all(render::line(&part)?.as_bytes())?;
                }
                return Ok(());
            }
            Format::Name => {
                let line = |name: String| render::sanitise(&name).into_owned() + "\n";
                return self.print(answer.names().into_iter().map(line).collect());
            }
            format => {
                let page = TextOptions { wide: format == Format::Wide, ..self.page() };
                return answer.pieces(page).try_for_each(|piece| self.print(piece));
            }
        };
        Ok(self.out.write_all(text.as_bytes())?)
    }

    /// Writes text for people.
    pub(super) fn print(&mut self, text: String) -> anyhow::Result<()> {
        let text = render::without_commands(text);
        Ok(self.out.write_all(self.as_typed(&text).as_bytes())?)
    }

    /// How a page on standard output looks.
    pub(super) fn page(&self) -> TextOptions {
        TextOptions {
            paint: self.paint,
            width: self.width,
            fit: self.fit,
            wide: false,
            verbose: self.verbose,
            headers: self.headers,
        }
    }
}
