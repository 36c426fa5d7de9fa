use clap::Args;

use super::output::{Format, HEADING, formats, structured};
use super::source::{SourceArgs, tell_assumptions};
use super::terminal::{Status, Terminal};
use crate::registry::{Fact, Registry};
use crate::render::{self, Basis};
use crate::source::live::Needs;

/// Show the chain of servers, with what each of them holds
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aggctl chain --dump ./dump
  aggctl chain -o mermaid --dump ./dump
  aggctl chain -o dot --dump ./dump | dot -Tsvg > chain.svg")]
pub struct ChainArgs {
    /// How to write the answer
    #[arg(short, long, value_parser = formats(FORMATS), default_value = "table", value_name = "FORMAT", help_heading = HEADING)]
    output: Format,

    #[command(flatten)]
    source: SourceArgs,
}

const FORMATS: &[Format] = &[
    Format::Table,
    Format::Wide,
    Format::Json,
    Format::Yaml,
    Format::Jsonl,
    Format::Mermaid,
    Format::Dot,
];

impl ChainArgs {
    /// Shows it.
    pub fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let needs = Needs::registration();
        self.source.each(terminal, needs, self.output.into(), |source, terminal| {
            self.answer(source, terminal)
        })
    }

    fn answer(&self, source: &SourceArgs, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let snapshot = source.load(terminal)?;
        let registry = Registry::new(&snapshot);
        let rests_on = [Fact::ApiServices, Fact::Crds, Fact::Version];
        let assumptions = tell_assumptions(&registry, &rests_on, terminal)?;
        let chain = registry.chain();
        let text = match self.output {
            Format::Mermaid => render::chain_mermaid(&chain),
            Format::Dot => render::chain_dot(&chain),
            format if format.is_for_people() => {
                let wide = format == Format::Wide;
                render::chain_text(&chain, wide, terminal.paint, terminal.width)
            }
            format => {
                let basis = Basis::new(&snapshot.origin, &assumptions);
                let servers = render::chain_json(&chain);
                structured(
                    format,
                    || basis.answer("Chain", serde_json::json!({"servers": servers})),
                    || servers.iter().map(|server| basis.answer("Server", server)).collect(),
                )?
            }
        };
        terminal.out.write_all(text.as_bytes())?;
        Ok(Status::Ok)
    }
}
