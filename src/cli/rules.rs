use clap::{Args, ValueEnum};

use super::terminal::{Status, Terminal};
use crate::lint::rules;
use crate::render;

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
    #[arg(short, long, value_enum, default_value_t = RulesFormat::Table, value_name = "FORMAT")]
    output: RulesFormat,
}

/// How rules are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RulesFormat {
    /// A line each
    Table,
    /// JSON, documentation included
    Json,
    /// The reference page
    Markdown,
    /// Names only
    Name,
}

impl RulesArgs {
    /// Writes the rules.
    pub fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let text = match self.output {
            RulesFormat::Table => render::lint::rules_table(rules::ALL, terminal.paint),
            RulesFormat::Json => render::pretty(&render::lint::rules_json(rules::ALL))?,
            RulesFormat::Markdown => render::lint::rules_markdown(rules::ALL),
            RulesFormat::Name => rules::ALL.iter().map(|rule| format!("{}\n", rule.name)).collect(),
        };
        terminal.out.write_all(text.as_bytes())?;
        Ok(Status::Ok)
    }
}
