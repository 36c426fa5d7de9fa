//! `aggctl chain`: the chain of servers, and what each serves.

use clap::Args;

use super::driver::{Answered, CommonArgs, Facts, SourceCommand, offers};
use crate::render::{Answer, ChainAnswer};
use aggctl_source::Needs;
use kube_aggregation::registry::Fact;

/// Show the chain of servers, with what each of them holds
#[derive(Debug, Args)]
#[command(
    mut_arg("output", offers::<ChainAnswer<'static>>),
    after_help = "\
Examples:
  aggctl chain --dump ./dump
  aggctl chain -o mermaid --dump ./dump
  aggctl chain -o dot --dump ./dump | dot -Tsvg > chain.svg"
)]
pub struct ChainArgs {
    #[command(flatten)]
    common: CommonArgs,
}

impl SourceCommand for ChainArgs {
    const RESTS_ON: &'static [Fact] = &[Fact::ApiServices, Fact::Crds, Fact::Version, Fact::Paths];

    fn args(&self) -> &CommonArgs {
        &self.common
    }

    fn needs(&self) -> Needs {
        Needs::registration()
    }

    fn answer(&self, facts: &Facts<'_>) -> anyhow::Result<Answered<impl Answer>> {
        Ok(ChainAnswer { chain: facts.registry.chain(), meta: facts.meta() }.into())
    }
}
