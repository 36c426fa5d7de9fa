//! `aggctl rules`, the former name of `aggctl lint --rules`.

use clap::Args;

use super::driver::Command;
use super::output::{OutputArgs, Reply, offers};
use crate::render::lint::Rules;
use aggctl_lint::rules;

/// List the lint rules (now `aggctl lint --rules`)
///
/// `aggctl explain RULE` describes one rule.
#[derive(Debug, Args)]
#[command(
    mut_arg("output", offers::<Rules>),
    after_help = "\
Examples:
  aggctl lint --rules
  aggctl lint --rules -o json | jq '.rules[] | select(.fixable) | .name'
  aggctl lint --rules -o markdown > rules.md"
)]
pub struct RulesArgs {
    #[command(flatten)]
    output: OutputArgs,
}

impl Command for RulesArgs {
    fn output(&self) -> &OutputArgs {
        &self.output
    }

    fn run(&self, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        reply.answer(&Rules(rules::all().collect()))
    }
}
