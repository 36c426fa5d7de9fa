use clap::Args;

use super::output::{Format, HEADING, formats};
use super::source::{Asking, LoadedSource, SourceArgs, tell_assumptions};
use super::terminal::{Status, Terminal};
use crate::render::{self, ChainAnswer, ResponseMeta};
use aggctl_source::Needs;
use kube_aggregation::registry::{Fact, Registry};

/// Show the chain of servers, with what each of them holds
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aggctl chain --dump ./dump
  aggctl chain -o mermaid --dump ./dump
  aggctl chain -o dot --dump ./dump | dot -Tsvg > chain.svg")]
pub struct ChainArgs {
    /// How to write the answer
    #[arg(short, long, value_parser = formats(MORE_FORMATS), default_value = "table", value_name = "FORMAT", help_heading = HEADING)]
    output: Format,

    #[command(flatten)]
    source: SourceArgs,
}

const MORE_FORMATS: &[Format] = &[Format::Wide, Format::Mermaid, Format::Dot];

impl ChainArgs {
    pub(super) fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let needs = Needs::registration();
        let asking = Asking::new(needs, self.output);
        self.source.each(terminal, &asking, |source, terminal| self.answer(source, terminal))
    }

    fn answer(&self, source: &LoadedSource, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let snapshot = &source.snapshot;
        let registry = Registry::new(snapshot);
        let rests_on = [Fact::ApiServices, Fact::Crds, Fact::Version, Fact::Paths];
        let assumptions = tell_assumptions(&registry, &rests_on, terminal)?;
        let chain = registry.chain();
        match self.output {
            Format::Mermaid => terminal.print(render::chain_mermaid(&chain))?,
            Format::Dot => terminal.print(render::chain_dot(&chain))?,
            format => {
                let basis = ResponseMeta::new(&snapshot.origin, &assumptions);
                terminal.answer(format, &ChainAnswer { chain: &chain, basis })?;
            }
        }
        Ok(Status::Ok)
    }
}
