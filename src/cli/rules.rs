use clap::Args;

use super::output::{Format, HEADING, formats, structured};
use super::terminal::{Status, Terminal};
use crate::lint::rules;
use crate::render::{self, Basis};

/// List the rules of the linter
///
/// `aggctl explain RULE` shows one of them in full.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aggctl rules
  aggctl rules -o json | jq '.rules[] | select(.fixable) | .name'
  aggctl rules -o markdown > docs/rules.md")]
pub struct RulesArgs {
    /// How to write them
    #[arg(short, long, value_parser = formats(FORMATS), default_value = "table", value_name = "FORMAT", help_heading = HEADING)]
    output: Format,
}

const FORMATS: &[Format] = &[
    Format::Table,
    Format::Wide,
    Format::Json,
    Format::Yaml,
    Format::Jsonl,
    Format::Name,
    Format::Markdown,
];

impl RulesArgs {
    /// Writes the rules.
    pub fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let text = match self.output {
            Format::Table => render::lint::rules_table(rules::ALL, terminal.page()),
            Format::Wide => {
                let page = render::Page { wide: true, ..terminal.page() };
                render::lint::rules_table(rules::ALL, page)
            }
            Format::Markdown => render::lint::rules_markdown(rules::ALL),
            Format::Name => rules::ALL.iter().map(|rule| format!("{}\n", rule.name)).collect(),
            format => {
                let basis = Basis::none();
                let all: Vec<_> = rules::ALL.iter().map(|r| render::lint::rule_json(r)).collect();
                structured(
                    format,
                    || basis.answer("RuleList", serde_json::json!({"rules": all})),
                    || all.iter().map(|rule| basis.answer("Rule", rule)).collect(),
                )?
            }
        };
        terminal.out.write_all(text.as_bytes())?;
        Ok(Status::Ok)
    }
}
