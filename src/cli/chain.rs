use clap::{Args, ValueEnum};

use super::source::{Between, SourceArgs, tell_inferred};
use super::terminal::{Status, Terminal};
use crate::registry::Registry;
use crate::render;
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
    #[arg(short, long, value_enum, default_value_t = ChainFormat::Table, value_name = "FORMAT")]
    output: ChainFormat,

    #[command(flatten)]
    source: SourceArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ChainFormat {
    /// A tree
    Table,
    /// Indented JSON
    Json,
    /// YAML
    Yaml,
    /// A Mermaid flowchart
    Mermaid,
    /// A graph for Graphviz
    Dot,
}

impl ChainArgs {
    /// Shows it.
    pub fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let between = match self.output {
            ChainFormat::Table => Between::Headings,
            ChainFormat::Yaml => Between::Dashes,
            ChainFormat::Json | ChainFormat::Mermaid | ChainFormat::Dot => Between::Nothing,
        };
        self.source.each(terminal, Needs::registration(), between, |source, terminal| {
            self.answer(source, terminal)
        })
    }

    fn answer(&self, source: &SourceArgs, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let snapshot = source.load(terminal)?;
        let registry = Registry::new(&snapshot);
        tell_inferred(&registry, terminal)?;
        let chain = registry.chain();
        let text = match self.output {
            ChainFormat::Table => render::chain_text(&chain, terminal.paint, terminal.width),
            ChainFormat::Json => render::pretty(&render::chain_json(&snapshot, &chain))?,
            ChainFormat::Yaml => render::to_yaml(&render::chain_json(&snapshot, &chain))?,
            ChainFormat::Mermaid => render::chain_mermaid(&chain),
            ChainFormat::Dot => render::chain_dot(&chain),
        };
        terminal.out.write_all(text.as_bytes())?;
        Ok(Status::Ok)
    }
}
