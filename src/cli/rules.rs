//! `aggctl rules`: the rules of the linter.

use clap::Args;

use super::driver::Command;
use super::output::{OutputArgs, Reply, offers};
use crate::render::lint::Rules;
use aggctl_lint::rules;

/// List the rules of the linter
///
/// `aggctl explain RULE` shows one of them in full.
#[derive(Debug, Args)]
#[command(
    mut_arg("output", offers::<Rules>),
    after_help = "\
Examples:
  aggctl rules
  aggctl rules -o json | jq '.rules[] | select(.fixable) | .name'
  aggctl rules -o markdown > docs/rules.md"
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
