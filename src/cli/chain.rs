//! `aggctl chain`: the chain of servers, and what each serves.

use clap::Args;

use super::driver::{Facts, SourceCommand};
use super::output::{OutputArgs, Reply, offers};
use super::source::SourceArgs;
use crate::render::ChainAnswer;
use aggctl_source::Needs;
use kube_aggregation::registry::{Fact, Registry};

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
    output: OutputArgs,

    #[command(flatten)]
    source: SourceArgs,
}

impl SourceCommand for ChainArgs {
    fn args(&self) -> (&SourceArgs, &OutputArgs) {
        (&self.source, &self.output)
    }

    fn needs(&self) -> anyhow::Result<Needs> {
        Ok(Needs::registration())
    }

    fn rests_on(&self, _: &Registry<'_>) -> Vec<Fact> {
        vec![Fact::ApiServices, Fact::Crds, Fact::Version, Fact::Paths]
    }

    fn answer(&self, facts: &Facts<'_>, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        let chain = facts.registry.chain();
        reply.answer(&ChainAnswer { chain: &chain, meta: facts.meta() })
    }
}
