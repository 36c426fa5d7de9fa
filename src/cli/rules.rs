use clap::Args;

use super::output::{Format, HEADING, formats};
use super::terminal::{Status, Terminal};
use crate::render;
use aggctl_lint::rules;

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
    #[arg(short, long, value_parser = formats(MORE_FORMATS), default_value = "table", value_name = "FORMAT", help_heading = HEADING)]
    output: Format,
}

const MORE_FORMATS: &[Format] = &[Format::Wide, Format::Name, Format::Markdown];

impl RulesArgs {
    pub(super) fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let all: Vec<_> = rules::all().collect();
        match self.output {
            Format::Markdown => terminal.print(render::lint::rules_markdown(&all))?,
            format => terminal.answer(format, &render::lint::Rules(all))?,
        }
        Ok(Status::Ok)
    }
}
