//! `aggctl chain`: the chain of servers, and what each serves.

use clap::Args;

use super::driver::{Answered, CommonArgs, Facts, SourceCommand, offers};
use crate::render::{Answer, ChainAnswer};
use aggctl_source::Needs;
use kube_aggregation::registry::Fact;

/// Show the server chain and what each server serves
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
